/* Runs that a case keeps. */
#include "session/runs.h"
#include "base/memory.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/support.h"
#include "support/unit.h"

static struct results one_result(void)
{
    struct results results = {0};
    const struct kernel_choice choice = preparing_choice(&kernel_cpu_csr_seq, "", PRECISION_F64, 1);
    assert_int_equal(results_want(&results, &choice, NULL), STATUS_OK);
    return results;
}

TEST(runs_are_numbered_once)
{
    struct runs runs = {0};
    struct results results = one_result();
    struct result *items = results.items;
    struct run *first = runs_add(&runs, "first", &results, NULL);
    assert_ptr_equal(first->results.items, items);
    assert_null(results.items);
    runs_add(&runs, "second", &results, NULL);
    runs_drop(&runs, first);
    assert_int_equal(runs.count, 1);
    assert_string_equal(runs.items[0]->label, "second");
    assert_int_equal(runs_add(&runs, "third", &results, NULL)->number, 3);
    assert_int_equal(runs.items[0]->number, 2);
    runs_free(&runs);
    assert_int_equal(runs.count, 0);
}

TEST(there_is_an_end_to_them)
{
    FREED(runs_free) struct runs runs = {0};
    struct results none = {0}, results = one_result();
    struct error error = {0};
    for (int k = 0; k < RUNS_MAX; k++)
        assert_non_null(runs_add(&runs, "", &none, NULL));
    assert_null(runs_add(&runs, "", &results, &error));
    assert_int_equal(error.status, STATUS_LIMIT);
    assert_int_equal(results.count, 1);
    runs_drop(&runs, runs.items[RUNS_MAX / 2]);
    assert_non_null(runs_add(&runs, "", &results, NULL));
    assert_int_equal(runs.items[RUNS_MAX - 1]->number, RUNS_MAX + 1);
}

TEST(without_memory_the_results_stay)
{
    FREED(runs_free) struct runs runs = {0};
    struct results results = one_result();
    for (int64_t after = 0;; after++) {
        struct error error = {0};
        memory_fail_after(after);
        struct run *run = runs_add(&runs, "label", &results, &error);
        memory_fail_after(-1);
        if (run) break;
        assert_int_equal(error.status, STATUS_MEMORY);
        assert_int_equal(results.count, 1);
        assert_int_equal(runs.count, 0);
    }
    assert_int_equal(runs.items[0]->number, 1);
}
