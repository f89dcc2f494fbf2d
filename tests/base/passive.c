/* Passive waiting is an idle team of threads, which ends with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <omp.h>
#include <time.h>

#include "base/passive.h"

/* The threads of this process. */
static int threads_now(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    assert_non_null(tasks);
    for (const struct dirent *task; (task = readdir(tasks));)
        count += task->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* The threads of this process, as soon as they are not more than these, or after ten seconds: the system
 * counts a thread that has been joined until it has gone. */
static int threads_within(int most)
{
    for (int wait = 0; wait < 1000 && threads_now() > most; wait++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    return threads_now();
}

static void an_idle_team_begins_and_ends(void **state)
{
    struct passive passive = {.team = 0};
    const int before = threads_now(), processors = omp_get_num_procs();
    passive_end(&passive); /* it has not begun */
    passive_begin(&passive, 1);
    assert_int_equal(passive.team, 0);
    for (int turn = 0; turn < 2; turn++) {
        const int threads = processors > 1 ? processors : 2;
        passive_begin(&passive, threads);
        assert_int_equal(passive.team, 2);
        passive_begin(&passive, threads); /* it has begun */
        assert_int_equal(threads_within(before + 2), before + 2);
        passive_end(&passive);
        assert_int_equal(passive.team, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_idle_team_begins_and_ends)};
    return cmocka_run_group_tests_name("base/passive", tests, NULL, NULL);
}
