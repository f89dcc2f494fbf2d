/* base/load.h: the processors that other programs keep busy, from the system's counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/job.h"
#include "base/load.h"

static double seconds_of(const char *text, const struct processors *here)
{
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", text);
    FILE *file = fmemopen(copy, strlen(copy), "r");
    assert_non_null(file);
    double seconds = load_busy_seconds(file, here, 100);
    fclose(file);
    return seconds;
}

/* The lines are proc(5)'s: user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice. */
static void times_of_these_processors_are_added(void **state)
{
    const char *stat = "cpu  9 9 9 9 9 9 9 9 9 9\n"
                       "cpu0 100 20 30 5000 600 1 2 4 50 5\n"
                       "cpu1 1000 0 0 7 0 0 0 0 0 0\n"
                       "cpu9 200 1\n"
                       "intr 12345 1 2 3\n"
                       "cpu0 1 1 1 1\n";
    struct processors here = {.bits = {0}};
    assert_true(isnan(seconds_of(stat, &here)));
    here.bits[0] = 1;
    assert_true(fabs(seconds_of(stat, &here) - 1.57) <
                1e-12); /* without idle, iowait, and the guests' share of user */
    here.bits[0] = 3;
    assert_true(fabs(seconds_of(stat, &here) - 11.57) < 1e-12);
    here.bits[0] = 0;
    here.bits[1] = 2;
    assert_true(fabs(seconds_of(stat, &here) - 2.01) < 1e-12);
    assert_true(isnan(seconds_of("", &here)));
    assert_true(isnan(seconds_of("cpu  1 2 3 4\nintr 1\n", &here)));
}

static void load_is_relative_to_the_processors(void **state)
{
    assert_false(load_is_busy(0, 2));
    assert_false(load_is_busy(0.26, 2));
    assert_true(load_is_busy(0.28, 2));
    assert_false(load_is_busy(0.88, 64));
    assert_true(load_is_busy(1, 64));
    assert_false(load_is_busy(NAN, 2));
}

/* Twelve threads beside one on two processors: each has 2/13 of one. */
static void others_take_their_share(void **state)
{
    assert_true(load_slowdown(12, 2) == 6.5);
    assert_true(load_slowdown(1, 2) == 1);
    assert_true(load_slowdown(0.5, 16) == 1);
    assert_true(load_slowdown(0, 1) == 1);
    assert_true(load_slowdown(-1, 1) == 1);
    assert_true(load_slowdown(NAN, 2) == 1);
}

/* A process that computes counts as another program, and this one does not. */
static void others_are_counted(void **state)
{
    struct load_watch watch;
    volatile double sink = 0;
    load_begin(&watch);
    if (isnan(watch.busy) || isnan(watch.own)) skip();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        for (;;)
            sink += 1;
    }
    load_begin(&watch);
    const double end = clock_seconds() + 1;
    while (clock_seconds() < end)
        sink += 1;
    struct load_watch now;
    load_begin(&now);
    double others = load_end(&watch), own = now.own - watch.own;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    /* Both processes compute throughout, and both have got a part of the processor. */
    assert_true(sink > 0 && own > 0);
    assert_true(others > 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_of_these_processors_are_added),
        cmocka_unit_test(load_is_relative_to_the_processors),
        cmocka_unit_test(others_take_their_share),
        cmocka_unit_test(others_are_counted),
    };
    return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
