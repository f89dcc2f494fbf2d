/* Timing: the checks, and kernels and runs that fail. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/timing/bench.h"
#include "support/bench.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/support.h"
#include "support/timing.h"

static void a_wrong_row_becomes_the_error(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {0};
    struct bench_options options = few_samples(10);
    for (int from = 1; from <= 12; from += 11) { /* from the first product, or in the last one only */
        struct result results[] = {ask_result(&kernel_cpu_csr_seq, "", PRECISION_F64, 1),
                                   ask_result(&kernel_counting, "", PRECISION_F64, 1)};
        forget_bench(state);
        bench_told.wrong_from = from;
        assert_int_equal(timing_bench(&a, results, 2, &options, &machines, NULL, NULL), STATUS_OK);
        expect_result(&results[0]);
        assert_int_equal(results[0].samples.count, 10);
        assert_int_equal(results[1].status, STATUS_INPUT);
        if (strncmp(results[1].error.message, "row 3 is ", 9) != 0) fail_msg("%s", results[1].error.message);
        assert_true(isnan(results[1].samples.time) && results[1].max_error > 1e-3);
        assert_string_equal(results[1].name, "cpu/csr-counting");
        assert_int_equal(bench_told.runs, from);
    }
    csr_free(&a);
}

/* A kernel that overwrites the matrix makes later kernels wrong, and their error gives that reason. */
static void damaged_arrays_are_said(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {0};
    struct bench_options options = few_samples(3);
    struct result results[] = {ask_result(&kernel_counting, "", PRECISION_F64, 1),
                               ask_result(&kernel_counting, "letter=1", PRECISION_F64, 1)};
    bench_told.damages_at = 4;
    assert_int_equal(timing_bench(&a, results, 2, &options, &machines, NULL, NULL), STATUS_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(results[k].status, STATUS_INPUT);
        if (!strstr(results[k].error.message, "; the arrays of csr are damaged: row_ptr[2] = "))
            fail_msg("%s", results[k].error.message);
    }
    /* If a row is wrong but the arrays are intact, the error does not mention the arrays. */
    bench_told.damages_at = 0;
    bench_told.wrong_from = bench_told.runs + 1;
    assert_int_equal(timing_bench(&a, results, 1, &options, &machines, NULL, NULL), STATUS_OK);
    assert_int_equal(results[0].status, STATUS_INPUT);
    assert_null(strstr(results[0].error.message, "arrays"));
    csr_free(&a);
}

/* y still contains the right result of the product before, so that the last product must start from another
 * y. */
static void a_row_that_is_no_longer_written_is_noticed(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {0};
    struct bench_options options = few_samples(10);
    struct result result = ask_result(&kernel_counting, "", PRECISION_F64, 1);
    bench_told.skips_from = 2;
    assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
    assert_int_equal(result.status, STATUS_INPUT);
    if (strncmp(result.error.message, "row 3 is NaN", 12) != 0) fail_msg("%s", result.error.message);
    csr_free(&a);
}

/* Each sample is compared with the reference itself, so that a wrong one in the middle is found. */
static void slow_kernels_are_checked_too(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {0};
    struct bench_options options = few_samples(1);
    struct result result = ask_result(&kernel_slow, "", PRECISION_F64, 1);
    options.product.accumulate = true;
    assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
    expect_result(&result); /* y is made ready before each sample */
    assert_true(result.max_error < 1e-14);
    options.repeat = 3;
    bench_told.wrong_from = bench_told.runs + 3;
    assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
    assert_int_equal(result.status, STATUS_INPUT);
    if (strncmp(result.error.message, "row 3 is ", 9) != 0) fail_msg("%s", result.error.message);
    assert_int_equal(result.samples.count, 0);
    csr_free(&a);
}

static void unavailable_kernels_have_a_reason(void **state)
{
    struct csr a = bench_example(), complex = support_matrix(9, 9, 0.5, false, true, 1);
    struct machines machines = {0};
    struct bench_options options = few_samples(2);
    struct result results[] = {ask_result(&kernel_absent, "letter=2", PRECISION_F64, 1),
                               ask_result(&kernel_refusing, "", PRECISION_F32, 1),
                               ask_result(&kernel_cpu_csr_seq, "", PRECISION_F64, 1),
                               ask_result(&kernel_refusing, "letter=3", PRECISION_F32, 1)};
    struct kernel_choice choice;
    assert_int_equal(kernel_choice_read(&kernel_counting, "x=1", &choice, NULL), STATUS_USAGE);
    assert_int_equal(timing_bench(&a, results, 4, &options, &machines, NULL, NULL), STATUS_OK);
    assert_int_equal(results[0].status, STATUS_UNAVAILABLE);
    assert_string_equal(results[0].error.message, "no such device");
    assert_string_equal(results[0].name, "cpu/csr-counting:letter=2");
    assert_int_equal(results[1].status, STATUS_UNAVAILABLE);
    assert_string_equal(results[1].error.message, "not with this padding");
    assert_int_equal(results[3].status, STATUS_UNAVAILABLE);
    expect_result(&results[2]);
    assert_true(isnan(results[1].samples.median) && results[1].samples.count == 0);
    assert_int_equal(bench_told.fills, 1); /* only for the kernels that refuse it after conversion */
    bench_told.fills = 0;
    assert_int_equal(timing_bench(&complex, results, 3, &options, &machines, NULL, NULL), STATUS_OK);
    assert_int_equal(results[1].status, STATUS_UNAVAILABLE);
    assert_string_equal(results[1].error.message, "the matrix is complex: the kernel takes real ones only");
    expect_result(&results[2]);
    assert_true(results[2].complex && results[2].flops == 8.0 * (double)csr_nnz(&complex));
    assert_true(results[2].flops_cmrs == results[2].flops - 2 * 9);
    assert_true(results[2].bytes.plus == 20.0 * (double)csr_nnz(&complex) + 4 * 10 + 16 * (9 + 9));
    assert_int_equal(bench_told.fills, 0);
    options.product.columns = PRODUCT_COLUMNS_MAX + 1;
    assert_int_equal(timing_bench(&a, results, 3, &options, &machines, NULL, NULL), STATUS_OK);
    assert_int_equal(results[2].status, STATUS_UNAVAILABLE);
    assert_string_equal(results[2].error.message, "csr-seq multiplies 64 vectors at a time, not 65");
    assert_int_equal(bench_told.fills, 0);
    csr_free(&a);
    csr_free(&complex);
}

/* y += A x, 3000 times with A x = 1: y is reset in between. */
static void adding_does_not_run_away(void **state)
{
    double one[] = {1};
    const struct vector x = {one, NULL};
    struct csr a = support_dense(1, 1, one);
    struct machines machines = {0};
    struct result results[] = {ask_result(&kernel_counting, "", PRECISION_F64, 1),
                               ask_result(&kernel_cpu_csr_seq, "", PRECISION_F32, 1)};
    struct bench_options options = few_samples(3000);
    options.product.accumulate = true;
    options.x = &x;
    assert_int_equal(timing_bench(&a, results, 2, &options, &machines, NULL, NULL), STATUS_OK);
    expect_result(&results[0]);
    expect_result(&results[1]);
    assert_in_range(bench_told.runs, 3002, 3002);
    assert_true(bench_told.largest_y > 100 && bench_told.largest_y < 300);
    csr_free(&a);
}

/* [2 1; 0 4] times (1, 2) is (4, 8). */
static void a_right_hand_side_is_held_against(void **state)
{
    static const double values[] = {2, 1, 0, 4};
    double one_two[] = {1, 2};
    const struct vector x = {one_two, NULL};
    struct {
        double b[2], residual;
    } cases[] = {{{4, 8}, 0}, {{4, 10}, 0.2}, {{0, 0}, 8}, {{-4, 8}, 1}};
    struct csr a = support_dense(2, 2, values);
    struct machines machines = {0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int accumulate = 0; accumulate < 2; accumulate++) {
            struct result results[] = {ask_result(&kernel_cpu_csr_seq, "", PRECISION_F64, 1),
                                       ask_result(&kernel_cpu_csr_omp, "", PRECISION_F32, 3)};
            struct bench_options options = few_samples(2);
            const struct vector b = {cases[c].b, NULL};
            options.x = &x;
            options.b = &b;
            options.product.accumulate = accumulate;
            assert_int_equal(timing_bench(&a, results, 2, &options, &machines, NULL, NULL), STATUS_OK);
            for (int k = 0; k < 2; k++) {
                expect_result(&results[k]);
                assert_true(fabs(results[k].residual - cases[c].residual) < 1e-15);
            }
        }
    a.val[0] = NAN;
    struct result result = ask_result(&kernel_cpu_csr_seq, "", PRECISION_F64, 1);
    struct bench_options options = few_samples(2);
    const struct vector b = {cases[0].b, NULL};
    options.b = &b;
    assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
    expect_result(&result);
    assert_true(isinf(result.residual));
    csr_free(&a);
}

static void an_x_beyond_single_precision_is_refused_there(void **state)
{
    static const double values[] = {1, 1};
    double large[] = {1, 1e300};
    const struct vector x = {large, NULL};
    struct csr a = support_dense(1, 2, values);
    struct machines machines = {0};
    struct result results[] = {ask_result(&kernel_cpu_csr_seq, "", PRECISION_F32, 1),
                               ask_result(&kernel_cpu_csr_seq, "", PRECISION_F64, 1)};
    struct bench_options options = few_samples(2);
    options.x = &x;
    assert_int_equal(timing_bench(&a, results, 2, &options, &machines, NULL, NULL), STATUS_OK);
    expect_result(&results[1]);
    assert_int_equal(results[0].status, STATUS_UNAVAILABLE);
    assert_string_equal(results[0].error.message, "element 2 of x, 1e+300, is too large for f32");
    csr_free(&a);
}

static void cancelling_ends_it(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {0};
    struct bench_options options = few_samples(100);
    for (int at = 0; at < 60; at += 7) {
        struct progress progress = {0};
        struct error error = {0};
        struct result results[] = {ask_result(&kernel_counting, "letter=0", PRECISION_F64, 1),
                                   ask_result(&kernel_counting, "letter=1", PRECISION_F32, 1)};
        forget_bench(state);
        bench_told.to_cancel = &progress;
        bench_told.cancel_at = at;
        if (at == 0) progress_cancel(&progress);
        assert_int_equal(timing_bench(&a, results, 2, &options, &machines, &progress, &error),
                         STATUS_CANCELLED);
        assert_int_equal(error.status, STATUS_CANCELLED);
        assert_int_equal(bench_told.runs, at); /* not one product more */
    }
    csr_free(&a);
}

/* If memory for one kernel is lacking, the others may go on, and the error is that kernel's. Returns the
 * number of such errors. */
static int fail_each_allocation(const struct csr *a, int kernels_run, int repeat)
{
    struct machines machines = {0};
    struct bench_options options = few_samples(repeat);
    int failures = 0;
    for (long fail = 0, failed = 1; failed; fail++) {
        struct result results[] = {ask_result(&kernel_cpu_csr_seq, "", PRECISION_F64, 1),
                                   ask_result(&kernel_cpu_csr_omp, "", PRECISION_F64, 2),
                                   ask_result(&kernel_cpu_csr_seq, "", PRECISION_F32, 1)};
        options.product.accumulate = fail % 2;
        memory_fail_after(fail);
        enum status status = timing_bench(a, results, kernels_run, &options, &machines, NULL, NULL);
        failed = memory_failures();
        memory_fail_after(-1);
        for (int k = 0; k < kernels_run && status == STATUS_OK; k++) {
            failures += results[k].status == STATUS_MEMORY;
            if (results[k].status != STATUS_OK && results[k].status != STATUS_MEMORY)
                fail_msg("allocation %ld: %s", fail, results[k].error.message);
            if (results[k].status == STATUS_OK) assert_int_equal(results[k].samples.count, repeat);
            if (!failed) expect_result(&results[k]);
        }
        if (status != STATUS_OK) assert_int_equal(status, STATUS_MEMORY);
        failures += status != STATUS_OK;
    }
    return failures;
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = bench_example();
    assert_in_range(fail_each_allocation(&a, 3, 3), 15, 60);
    assert_in_range(fail_each_allocation(&a, 1, 66), 10,
                    30); /* more samples than there is room for at first */
    csr_free(&a);
}

#define TEST(function) cmocka_unit_test_setup(function, forget_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_wrong_row_becomes_the_error),
        TEST(damaged_arrays_are_said),
        TEST(a_row_that_is_no_longer_written_is_noticed),
        TEST(slow_kernels_are_checked_too),
        TEST(unavailable_kernels_have_a_reason),
        TEST(adding_does_not_run_away),
        TEST(a_right_hand_side_is_held_against),
        TEST(an_x_beyond_single_precision_is_refused_there),
        TEST(cancelling_ends_it),
        TEST(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_bench_kernels, NULL);
}
