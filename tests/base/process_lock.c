/* base/process_lock.h: one process at a time is alone, and a process that dies gives up its lock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process_lock.h"

/* A process that takes the lock, says so by a byte, and holds it until it is told to end, or killed. */
struct holder {
    pid_t process;
    int said, told; /* this process's ends of the pipes */
};

static struct holder hold(const struct process_lock *lock, enum process_lock_kind kind)
{
    int said[2], told[2];
    char byte = 't';
    assert_int_equal(pipe(said), 0);
    assert_int_equal(pipe(told), 0);
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        close(told[1]);
        process_lock_take(lock, kind);
        if (write(said[1], &byte, 1) == 1 && read(told[0], &byte, 1) >= 0) _exit(0);
        _exit(1);
    }
    close(said[1]);
    close(told[0]);
    return (struct holder){process, said[0], told[1]};
}

/* The state that the system has the process in: 'S' if it sleeps. */
static char state_of(pid_t process)
{
    char path[64], line[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    if (!fgets(line, sizeof line, file)) line[0] = 0;
    fclose(file);
    const char *end = strrchr(line, ')');
    return end ? end[2] : (char)0;
}

/* Return true if the process has the lock and so has written a byte; false if it sleeps, waiting for the
 * lock. */
static bool has_turn(const struct holder *holder)
{
    fd_set set;
    for (;;) {
        char state = state_of(holder->process);
        struct timeval soon = {0, 1000};
        FD_ZERO(&set);
        FD_SET(holder->said, &set);
        if (select(holder->said + 1, &set, NULL, NULL, &soon) == 1) return true;
        if (state == 'S') return false;
    }
}

static void wait_for_turn(const struct holder *holder)
{
    char byte;
    assert_int_equal(read(holder->said, &byte, 1), 1);
}

static void let_go(struct holder *holder, int number)
{
    int state;
    if (number)
        kill(holder->process, number);
    else
        assert_int_equal(write(holder->told, "e", 1), 1);
    close(holder->told);
    assert_int_equal(waitpid(holder->process, &state, 0), holder->process);
    close(holder->said);
}

static void shared_turns_are_shared(void **state)
{
    struct process_lock lock;
    assert_int_equal(process_lock_open(&lock, NULL), STATUS_OK);
    struct holder a = hold(&lock, PROCESS_LOCK_SHARED);
    wait_for_turn(&a);
    struct holder b = hold(&lock, PROCESS_LOCK_SHARED);
    wait_for_turn(&b);
    let_go(&a, 0);
    let_go(&b, 0);
    process_lock_close(&lock);
}

/* Each kind of lock waits for each conflicting kind, whose holder ends or is killed. */
static void one_is_alone(void **state)
{
    static const struct {
        enum process_lock_kind held, wanted;
        int number;
    } cases[] = {{PROCESS_LOCK_ALONE, PROCESS_LOCK_SHARED, 0},
                 {PROCESS_LOCK_SHARED, PROCESS_LOCK_ALONE, 0},
                 {PROCESS_LOCK_ALONE, PROCESS_LOCK_ALONE, SIGKILL},
                 {PROCESS_LOCK_SHARED, PROCESS_LOCK_ALONE, SIGKILL}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct process_lock lock;
        assert_int_equal(process_lock_open(&lock, NULL), STATUS_OK);
        struct holder a = hold(&lock, cases[k].held);
        wait_for_turn(&a);
        struct holder b = hold(&lock, cases[k].wanted);
        assert_false(has_turn(&b));
        let_go(&a, cases[k].number);
        wait_for_turn(&b);
        let_go(&b, 0);
        process_lock_close(&lock);
    }
}

/* Two that hold it shared and both want to be alone do not wait for each other. */
static void shared_turns_are_given_up(void **state)
{
    struct process_lock lock;
    assert_int_equal(process_lock_open(&lock, NULL), STATUS_OK);
    process_lock_take(&lock, PROCESS_LOCK_SHARED);
    pid_t process = fork();
    if (process == 0) {
        process_lock_take(&lock, PROCESS_LOCK_SHARED);
        for (int k = 0; k < 100; k++) {
            process_lock_take(&lock, PROCESS_LOCK_ALONE);
            process_lock_take(&lock, PROCESS_LOCK_SHARED);
        }
        _exit(0);
    }
    for (int k = 0; k < 100; k++) {
        process_lock_take(&lock, PROCESS_LOCK_ALONE);
        process_lock_take(&lock, PROCESS_LOCK_SHARED);
    }
    process_lock_take(&lock, PROCESS_LOCK_NONE);
    int ended;
    assert_int_equal(waitpid(process, &ended, 0), process);
    assert_int_equal(ended, 0);
    process_lock_take(NULL, PROCESS_LOCK_ALONE);
    process_lock_close(&lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_turns_are_shared),
        cmocka_unit_test(one_is_alone),
        cmocka_unit_test(shared_turns_are_given_up),
    };
    return cmocka_run_group_tests_name("process_lock", tests, NULL, NULL);
}
