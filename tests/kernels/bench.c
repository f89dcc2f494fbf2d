/* Timing: the number and the order of runs. No test depends on real durations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/timing/bench.h"
#include "support/bench.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/support.h"
#include "support/timing.h"

static void results_are_filled_in(void **state)
{
    struct csr a = bench_example();
    struct result results[] = {ask_result(&kernel_cpu_csr_seq, "", PRECISION_F64, 5),
                               ask_result(&kernel_cpu_csr_omp, "", PRECISION_F32, 2),
                               ask_result(&kernel_counting, "letter=3", PRECISION_F64, 0)};
    struct machines machines = {.host = {.cache = 1 << 20}};
    struct bench_options options = {.repeat = 7, .min_seconds = 1e-4};
    for (int again = 0; again < 2; again++) {
        assert_int_equal(timing_bench(&a, results, 3, &options, &machines, NULL, NULL), STATUS_OK);
        for (int k = 0; k < 3; k++) {
            const struct result *r = &results[k];
            expect_result(r);
            assert_true(r->samples.count >= 7);
            assert_true(r->samples.min > 0 && r->samples.min <= r->samples.low &&
                        r->samples.low <= r->samples.median);
            assert_true(r->samples.median <= r->samples.high && r->samples.time == r->samples.median);
            assert_true(r->flops == 2.0 * (double)csr_nnz(&a) && r->flops_cmrs == r->flops - 60);
            assert_true(r->max_error >= 0 && r->max_error < 1e-5);
            assert_true(isnan(r->residual) && r->convert_seconds >= 0 && r->cached == !again);
            assert_true(r->bytes.plus > 0 && r->bytes.minus > 0);
        }
        assert_int_equal(results[0].resolved.threads, 1);
        assert_int_equal(results[1].resolved.threads, 2);
        assert_string_equal(results[0].name, "cpu/csr-seq");
        assert_string_equal(results[2].name, "cpu/csr-counting:letter=3");
        assert_true(results[2].resolved.values.number[0] == 3);
        options.cold = true;
        machines.host.cache = 100;
    }
    csr_free(&a);
}

/* The caller gets an outlook on each kernel after its first round, and none on refused kernels. */
static void others_are_told_what_samples_say(void **state)
{
    static const enum protocol protocols[] = {PROTOCOL_MEDIAN, PROTOCOL_CRANFIELD, PROTOCOL_CMRS};
    struct csr a = bench_example();
    struct machines machines = {.host = {.cache = 1 << 20}};
    for (size_t p = 0; p < sizeof protocols / sizeof *protocols; p++) {
        struct outlook outlooks[3] = {{0}};
        struct result results[] = {ask_result(&kernel_cpu_csr_seq, "", PRECISION_F64, 1),
                                   ask_result(&kernel_counting, "letter=3", PRECISION_F64, 0),
                                   ask_result(&kernel_cpu_csr_omp, "", PRECISION_F32, 2)};
        struct bench_options options = {
            .repeat = 7, .min_seconds = 1e-9, .protocol = protocols[p], .outlooks = outlooks};
        machines.host.cache = 1 << 20;
        assert_int_equal(timing_bench(&a, results, 3, &options, &machines, NULL, NULL), STATUS_OK);
        for (int k = 0; k < 3; k++) {
            int count = atomic_load(&outlooks[k].count);
            double seconds = atomic_load(&outlooks[k].seconds);
            assert_int_equal(results[k].status, STATUS_OK);
            if (protocols[p] == PROTOCOL_MEDIAN)
                assert_in_range(count, 1, 7);
            else
                assert_int_equal(count, 7);
            assert_true(seconds > 0);
            if (protocols[p] != PROTOCOL_MEDIAN) continue; /* the others drop a sample, perhaps this one */
            assert_true(seconds >= results[k].samples.min);
        }
    }
    csr_free(&a);
}

static void cached_kernels_are_marked(void **state)
{
    struct csr a = bench_example();
    struct result result = ask_result(&kernel_cpu_csr_seq, "", PRECISION_F64, 1);
    struct machines machines = {.host = {.cache = 100}};
    struct bench_options options = {.repeat = 1, .min_seconds = 1e-9};
    assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
    assert_false(result.cached);
    machines.host.cache = (size_t)result.bytes.plus;
    assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
    assert_true(result.cached);
    options.cold = true;
    assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
    assert_false(result.cached);
    csr_free(&a);
}

/* A first and a last product are checked; between them are warming up and the samples. */
static void products_are_counted(void **state)
{
    static const struct {
        enum protocol protocol;
        int repeat, warmup, samples, runs;
    } cases[] = {
        {PROTOCOL_MEDIAN, 0, 0, 30, 1 + 3 + 30 + 1}, {PROTOCOL_MEDIAN, 5, -1, 5, 1 + 5 + 1},
        {PROTOCOL_MEDIAN, 5, 2, 5, 1 + 2 + 5 + 1},   {PROTOCOL_CRANFIELD, 0, 0, 19, 1 + 20 + 1},
        {PROTOCOL_CMRS, 0, 0, 10, 1 + 11 + 1},       {PROTOCOL_CRANFIELD, 4, 1, 3, 1 + 1 + 4 + 1},
    };
    struct csr a = bench_example();
    struct machines machines = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct result result = ask_result(&kernel_counting, "", PRECISION_F64, 1);
        struct bench_options options = few_samples(cases[k].repeat);
        options.protocol = cases[k].protocol;
        options.warmup = cases[k].warmup;
        forget_bench(state);
        assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
        assert_int_equal(result.samples.count, cases[k].samples);
        assert_int_equal(bench_told.runs, cases[k].runs);
    }
    csr_free(&a);
}

/* Protocols that drop a sample keep one, however short the time. */
static void a_sample_is_left_after_dropping(void **state)
{
    static const enum protocol protocols[] = {PROTOCOL_MEDIAN, PROTOCOL_CRANFIELD, PROTOCOL_CMRS};
    struct csr a = bench_example();
    struct machines machines = {0};
    for (int k = 0; k < 3; k++) {
        struct result result = ask_result(&kernel_counting, "", PRECISION_F64, 1);
        struct bench_options options = few_samples(10);
        options.protocol = protocols[k];
        options.max_seconds = 1e-12;
        forget_bench(state);
        assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
        assert_int_equal(result.samples.count, 1);
        assert_int_equal(bench_told.runs, k == 0 ? 3 : 4);
    }
    csr_free(&a);
}

/* Kernels with the same parameters and precision share a storage; no others do. */
static void parameters_have_a_matrix_of_their_own(void **state)
{
    static const struct {
        const char *parameters;
        enum precision precision;
        size_t bytes; /* of 31 or 3 offsets */
    } cases[] = {
        {"c=2", PRECISION_F64, 31 * 4}, {"c=32", PRECISION_F64, 3 * 4}, {"c=2", PRECISION_F32, 31 * 4}};
    struct csr a = bench_example();
    struct machines machines = {0};
    struct result results[3];
    struct bench_options options = few_samples(1);
    for (int k = 0; k < 3; k++)
        results[k] = ask_result(&kernel_cpu_sell_seq, cases[k].parameters, cases[k].precision, 1);
    assert_int_equal(timing_bench(&a, results, 3, &options, &machines, NULL, NULL), STATUS_OK);
    for (int k = 0; k < 3; k++) {
        int64_t c = k == 1 ? 32 : 2, slots = 0;
        for (int64_t first = 0; first < a.rows; first += c) {
            int64_t longest = 0;
            for (int64_t i = first; i < first + c && i < a.rows; i++)
                if (a.row_ptr[i + 1] - a.row_ptr[i] > longest) longest = a.row_ptr[i + 1] - a.row_ptr[i];
            slots += c * longest;
        }
        expect_result(&results[k]);
        assert_int_equal(results[k].size.slots, slots);
        assert_int_equal(results[k].size.bytes, (size_t)slots * (k == 2 ? 8 : 12) + cases[k].bytes);
    }
    csr_free(&a);
}

/* A name contains the requested parameters and those that the format chose. For three rows of 2 entries and
 * one of 3, k = 2 takes the fewest bytes. */
static void names_tell_what_was_chosen(void **state)
{
    static const double dense[] = {1, 2, 0, 0, 1, 2, 1, 1, 1, 0, 1, 2};
    struct csr a = support_dense(4, 3, dense);
    struct machines machines = {0};
    struct bench_options options = few_samples(1);
    struct result results[] = {ask_result(&kernel_cpu_hyb_seq, "", PRECISION_F64, 1),
                               ask_result(&kernel_cpu_hyb_seq, "k=1", PRECISION_F64, 1)};
    assert_int_equal(timing_bench(&a, results, 2, &options, &machines, NULL, NULL), STATUS_OK);
    expect_result(&results[0]);
    assert_string_equal(results[0].name, "cpu/hyb-seq:k=2");
    assert_string_equal(results[0].full_name, "cpu/hyb-seq");
    assert_true(isnan(results[0].choice.format.values.number[0])); /* requested parameters stay */
    assert_true(results[0].resolved.format.values.number[0] == 2);
    assert_string_equal(results[1].name, "cpu/hyb-seq:k=1");
    csr_free(&a);
}

/* Each round runs each of three kernels, or letters, once, in an order that depends on the seed alone. */
static void the_order_is_drawn_anew_for_each_round(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {0};
    char seen[3][200];
    for (int run = 0; run < 3; run++) {
        struct result results[] = {ask_result(&kernel_counting, "letter=0", PRECISION_F64, 1),
                                   ask_result(&kernel_counting, "letter=1", PRECISION_F64, 1),
                                   ask_result(&kernel_counting, "letter=2", PRECISION_F64, 1)};
        struct bench_options options = few_samples(60);
        options.seed = run == 2 ? 7 : 5;
        forget_bench(state);
        assert_int_equal(timing_bench(&a, results, 3, &options, &machines, NULL, NULL), STATUS_OK);
        assert_int_equal(bench_told.runs, 3 + 180 + 3);
        memcpy(seen[run], bench_told.order + 3, 180);
        seen[run][180] = 0;
    }
    int orders[3][3] = {{0}};
    for (int round = 0; round < 60; round++)
        for (int place = 0; place < 3; place++) {
            const char *three = seen[0] + 3 * round;
            assert_non_null(memchr(three, 'a' + place, 3));
            orders[place][three[place] - 'a']++;
        }
    for (int place = 0; place < 3; place++) /* 20 expected; 8 to 32 are all but impossible to leave */
        for (int letter = 0; letter < 3; letter++)
            assert_in_range(orders[place][letter], 8, 32);
    assert_string_equal(seen[0], seen[1]);
    assert_string_not_equal(seen[0], seen[2]);
    csr_free(&a);
}

/* The sources ran a kernel again and again. */
static void protocols_of_the_sources_run_one_kernel_after_the_other(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {0};
    struct result results[] = {ask_result(&kernel_counting, "letter=0", PRECISION_F64, 1),
                               ask_result(&kernel_counting, "letter=1", PRECISION_F64, 1)};
    struct bench_options options = few_samples(0);
    options.protocol = PROTOCOL_CMRS;
    assert_int_equal(timing_bench(&a, results, 2, &options, &machines, NULL, NULL), STATUS_OK);
    for (int k = 1; k < 11; k++)
        assert_true(bench_told.order[2 + k] == bench_told.order[2] &&
                    bench_told.order[13 + k] == bench_told.order[13]);
    assert_true(bench_told.order[2] != bench_told.order[13]);
    csr_free(&a);
}

/* A product takes 0.3 s and sampling ends after 0.5 s: two samples, or one on a busy machine. */
static void slow_kernels_run_a_few_times(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {.host = {.cache = 1 << 20}};
    struct result result = ask_result(&kernel_slow, "", PRECISION_F64, 1);
    struct bench_options options = {.max_seconds = 0.5};
    assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
    expect_result(&result);
    assert_in_range(result.samples.count, 1, 2);
    assert_int_equal(bench_told.runs, 1 + result.samples.count);
    csr_free(&a);
}

/* If a kernel's data fit in the cache, an extra product fills the cache before each sample. A product of 100
 * us is a sample by itself. */
static void caches_are_filled_before_a_sample(void **state)
{
    struct csr a = bench_example();
    for (int fits = 0; fits < 2; fits++) {
        struct machines machines = {.host = {.cache = fits ? 1 << 20 : 0}};
        struct result result = ask_result(&kernel_slow, "", PRECISION_F64, 1);
        struct bench_options options = {.repeat = 5, .min_seconds = 1e-9};
        forget_bench(state);
        bench_told.pause_for = 100000;
        assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
        assert_int_equal(result.samples.count, 5);
        assert_int_equal(bench_told.runs, 1 + 3 + (fits ? 10 : 5) + 1);
    }
    csr_free(&a);
}

/* An extra product of 0.05 s precedes each sample of 0.05 s: three samples take 0.3 s. */
static void preparation_of_samples_counts(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {.host = {.cache = 1 << 20}};
    struct result result = ask_result(&kernel_slow, "", PRECISION_F64, 1);
    struct bench_options options = {.warmup = -1, .max_seconds = 0.3};
    bench_told.pause_for = 50000000;
    assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
    assert_in_range(result.samples.count, 1, 3);
    csr_free(&a);
}

static void a_matrix_is_converted_once(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {0};
    struct bench_options options = few_samples(2);
    struct result results[] = {ask_result(&kernel_counting, "letter=0", PRECISION_F64, 1),
                               ask_result(&kernel_counting, "letter=1", PRECISION_F32, 1),
                               ask_result(&kernel_counting, "letter=2", PRECISION_F64, 1)};
    assert_int_equal(timing_bench(&a, results, 3, &options, &machines, NULL, NULL), STATUS_OK);
    assert_int_equal(bench_told.fills, 2);
    csr_free(&a);
}

/* The limit has room for one of the matrices in double and single precision; then only for the single one;
 * then for none. */
static void storages_too_large_together_run_in_groups(void **state)
{
    struct csr a = bench_example();
    size_t pointers = 61 * 4, nnz = (size_t)csr_nnz(&a);
    struct machines machines = {0};
    struct {
        size_t limit;
        int fills;
        enum status status[4];
    } cases[] = {
        {pointers + nnz * 12, 2, {STATUS_OK, STATUS_OK, STATUS_OK, STATUS_OK}},
        {2 * pointers + nnz * 20, 2, {STATUS_OK, STATUS_OK, STATUS_OK, STATUS_OK}},
        {pointers + nnz * 12 - 1, 1, {STATUS_LIMIT, STATUS_OK, STATUS_LIMIT, STATUS_OK}},
        {pointers, 0, {STATUS_LIMIT, STATUS_LIMIT, STATUS_LIMIT, STATUS_LIMIT}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct result results[] = {ask_result(&kernel_counting, "letter=0", PRECISION_F64, 1),
                                   ask_result(&kernel_counting, "letter=1", PRECISION_F32, 1),
                                   ask_result(&kernel_counting, "letter=2", PRECISION_F64, 1),
                                   ask_result(&kernel_counting, "letter=3", PRECISION_F32, 1)};
        struct bench_options options = few_samples(2);
        options.limit = cases[c].limit;
        forget_bench(state);
        assert_int_equal(timing_bench(&a, results, 4, &options, &machines, NULL, NULL), STATUS_OK);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(results[k].status, cases[c].status[k]);
            if (results[k].status == STATUS_OK) assert_int_equal(results[k].samples.count, 2);
            if (results[k].status == STATUS_LIMIT)
                assert_non_null(strstr(results[k].error.message, "the limit is"));
        }
        assert_int_equal(bench_told.fills, cases[c].fills);
    }
    csr_free(&a);
}

static void odd_matrices_are_timed(void **state)
{
    static const double odd[] = {NAN, 1, INFINITY, 1, 1e308, 1e308, 0, 5e-324, 1e-310};
    struct csr matrices[] = {support_matrix(0, 0, 0, false, false, 1),
                             support_matrix(0, 4, 0, false, false, 1),
                             support_matrix(4, 0, 0, false, false, 1),
                             support_matrix(5, 5, 0, false, false, 1), support_dense(3, 3, odd)};
    struct machines machines = {.host = {.cache = 1 << 20}};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++) {
        struct result results[] = {ask_result(&kernel_cpu_csr_seq, "", PRECISION_F64, 1),
                                   ask_result(&kernel_cpu_csr_omp, "", PRECISION_F32, 3)};
        struct bench_options options = {.repeat = 2, .min_seconds = 1e-9};
        for (int accumulate = 0; accumulate < 2; accumulate++) {
            options.product.accumulate = accumulate;
            assert_int_equal(timing_bench(&matrices[k], results, 2, &options, &machines, NULL, NULL),
                             STATUS_OK);
            expect_result(&results[0]);
            expect_result(&results[1]);
        }
        csr_free(&matrices[k]);
    }
}

static void the_progress_comes_to_its_end(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {0};
    struct progress progress = {0};
    struct bench_options options = {.repeat = 3, .min_seconds = 1e-3};
    struct result results[] = {ask_result(&kernel_counting, "", PRECISION_F64, 1),
                               ask_result(&kernel_absent, "", PRECISION_F64, 1),
                               ask_result(&kernel_refusing, "", PRECISION_F32, 1)};
    assert_int_equal(timing_bench(&a, results, 3, &options, &machines, &progress, NULL), STATUS_OK);
    assert_true(progress.done == progress.total && progress.total > 0);
    /* Progress is complete also if no kernel can run and there is no round. */
    progress = (struct progress){0};
    assert_int_equal(timing_bench(&a, results + 1, 2, &options, &machines, &progress, NULL), STATUS_OK);
    assert_true(progress.done == progress.total && progress.total > 0);
    csr_free(&a);
}

static void conversions_pay_off_or_not(void **state)
{
    static const struct {
        double time, other, convert;
        int64_t runs;
    } cases[] = {{1, 2, 10, 10}, {1, 1.5, 10.1, 21}, {2, 1, 10, -1},  {1, 1, 10, -1},
                 {2, 1, 0, 0},   {NAN, 1, 10, -1},   {1, NAN, 10, -1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct result result = {.samples.time = cases[k].time, .convert_seconds = cases[k].convert};
        struct result other = {.samples.time = cases[k].other};
        assert_int_equal(break_even(&result, &other), cases[k].runs);
    }
    /* Uploads take 7 for the format and 3 for CSR: 10 + 7 + n <= 3 + 2 n. If one of them is unknown, neither
     * counts. */
    struct result result = {.samples.time = 1, .convert_seconds = 10, .upload_seconds = 7};
    struct result other = {.samples.time = 2, .upload_seconds = 3};
    assert_int_equal(break_even(&result, &other), 14);
    result.device_convert_seconds = 5;
    assert_int_equal(device_break_even(&result, &other), 5);
    other.upload_seconds = NAN;
    assert_int_equal(break_even(&result, &other), 10);
    other.upload_seconds = 20; /* the smaller storage is uploaded sooner than CSR */
    assert_int_equal(break_even(&result, &other), 0);
}

#define TEST(function) cmocka_unit_test_setup(function, forget_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(results_are_filled_in),
        TEST(others_are_told_what_samples_say),
        TEST(cached_kernels_are_marked),
        TEST(products_are_counted),
        TEST(a_sample_is_left_after_dropping),
        TEST(parameters_have_a_matrix_of_their_own),
        TEST(names_tell_what_was_chosen),
        TEST(the_order_is_drawn_anew_for_each_round),
        TEST(protocols_of_the_sources_run_one_kernel_after_the_other),
        TEST(slow_kernels_run_a_few_times),
        TEST(caches_are_filled_before_a_sample),
        TEST(preparation_of_samples_counts),
        TEST(a_matrix_is_converted_once),
        TEST(storages_too_large_together_run_in_groups),
        TEST(odd_matrices_are_timed),
        TEST(the_progress_comes_to_its_end),
        TEST(conversions_pay_off_or_not),
    };
    return cmocka_run_group_tests(tests, make_bench_kernels, NULL);
}
