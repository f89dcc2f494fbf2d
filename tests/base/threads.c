/* Lists of numbers of threads as users write them, and threads that take turns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/threads.h"
#include "base/turns.h"

static void lists_are_read_and_written(void **state)
{
    static const struct {
        const char *text;
        int items[8], count, max;
        const char *written; /* in the order of the items */
    } cases[] = {
        {"4", {4}, 1, 4, "4"},
        {"1,2,4", {1, 2, 4}, 3, 4, "1,2,4"},
        {"1-4", {1, 2, 3, 4}, 4, 4, "1-4"},
        {"4,1-2", {4, 1, 2}, 3, 4, "4,1,2"},
        {"2,1-3,3", {2, 1, 3}, 3, 3, "2,1,3"},
        {"7-7", {7}, 1, 7, "7"},
        {"5,6", {5, 6}, 2, 6, "5,6"},
        {"1024", {1024}, 1, 1024, "1024"},
        {" 4 , 1,2 ", {4, 1, 2}, 3, 4, "4,1,2"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct thread_counts counts = {.count = 0};
        struct error error = {0};
        char out[64];
        if (thread_counts_read(&counts, cases[k].text, &error) != STATUS_OK)
            fail_msg("%s: %s", cases[k].text, error.message);
        assert_int_equal(counts.count, cases[k].count);
        assert_memory_equal(counts.items, cases[k].items, sizeof counts.items[0] * (size_t)counts.count);
        assert_int_equal(thread_counts_max(&counts), cases[k].max);
        assert_string_equal(thread_counts_write(&counts, out, sizeof out), cases[k].written);
    }
    assert_int_equal(thread_counts_max(&(struct thread_counts){.count = 0}), 0);
}

static void errors_of_lists_have_messages(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "'' is not a number of threads from 1 to 1024"},
        {"0", "'0' is not a number of threads from 1 to 1024"},
        {"1025", "'1025' is not a number of threads from 1 to 1024"},
        {"1,99999999999999999999", "'99999999999999999999' is not a number of threads from 1 to 1024"},
        {"1,", "'' is not a number of threads from 1 to 1024"},
        {"1,,2", "'' is not a number of threads from 1 to 1024"},
        {"1;2", "'1;2' is not a number of threads from 1 to 1024"},
        {"1 2", "'1 2' is not a number of threads from 1 to 1024"},
        {"-1", "'' is not a number of threads from 1 to 1024"},
        {"1-2-3", "'2-3' is not a number of threads from 1 to 1024"},
        {"4,3-1", "'3-1': a range of threads ascends, as in 1-4"},
        {"1-65", "more than 64 numbers of threads"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct thread_counts counts = {.count = 0};
        struct error error = {0};
        if (thread_counts_read(&counts, wrong[k].text, &error) != STATUS_USAGE)
            fail_msg("'%s' is taken", wrong[k].text);
        assert_string_equal(error.message, wrong[k].message);
    }
}

/* A second list continues the first one, as far as there is room. Sorting orders both. */
static void lists_add_up(void **state)
{
    struct thread_counts counts = {.count = 0};
    char out[16];
    assert_int_equal(thread_counts_read(&counts, "33-64", NULL), STATUS_OK);
    assert_int_equal(thread_counts_read(&counts, "1-32,33", NULL), STATUS_OK);
    assert_int_equal(counts.count, 64);
    assert_int_equal(counts.items[0], 33);
    assert_string_equal(thread_counts_write(&counts, out, sizeof out),
                        "33,34,35,36"); /* room for the items */
    thread_counts_sort(&counts);
    assert_string_equal(thread_counts_write(&counts, out, sizeof out), "1-64");
    assert_int_equal(thread_counts_read(&counts, "65", NULL), STATUS_USAGE);
    assert_int_equal(counts.count, 64);
}

/* Every third step waits before its turn. Many more steps than threads still run in order. */
static void threads_take_turns(void **state)
{
    enum { STEPS = 5000 };
    static int order[STEPS];
    struct turns turns;
    int count = 0;
    turns_start(&turns);
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(8)
    for (int k = 0; k < STEPS; k++) {
        struct timespec some = {.tv_nsec = k % 3 == 0 ? 1000 : 0};
        if (k % 3 == 0) nanosleep(&some, NULL);
        turns_wait(&turns, k);
        order[count++] = k;
        turns_pass(&turns);
    }
    turns_end(&turns);
    assert_int_equal(count, STEPS);
    for (int k = 0; k < STEPS; k++)
        assert_int_equal(order[k], k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_read_and_written),
        cmocka_unit_test(errors_of_lists_have_messages),
        cmocka_unit_test(lists_add_up),
        cmocka_unit_test(threads_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
