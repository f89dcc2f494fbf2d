/* Timing: what is run how often and in which order, what is checked, and what becomes of kernels that fail.
 * No test depends on how long anything takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "formats/csr.h"
#include "kernels/bench.h"
#include "kernels/cpu/csr.h"
#include "support.h"

/* Kernels and a format made for this: they count, and do wrong what they are told to. */

static int fills; /* conversions */
static int runs;  /* products of the kernels below */
static char order[4096];
static double largest_y;
static struct progress *to_cancel; /* cancelled in product number cancel_at */
static int cancel_at, wrong_from, skips_from;

static enum status counting_fill(struct storage *storage, const struct csr *a, struct progress *progress,
                                 struct error *error)
{
    fills++;
    return format_csr.fill(storage, a, progress, error);
}

static struct format counting_format; /* CSR, whose conversions are counted */

static const struct parameter letter_parameters[] = {{"letter", "", 0, 25, 0, .integer = true}, {0}};

static void run_counting(const struct launch *launch)
{
    if (runs < (int)sizeof order - 1) order[runs] = (char)('a' + (int)launch->values.number[0]);
    runs++;
    if (to_cancel && runs == cancel_at) progress_cancel(to_cancel);
    double *y = launch->y, before = skips_from && runs >= skips_from ? y[2] : 0;
    kernel_cpu_csr_seq.run(launch);
    if (skips_from && runs >= skips_from) y[2] = before;
    if (launch->storage->precision == PRECISION_F64 && launch->storage->rows > 0)
        largest_y = fmax(largest_y, fabs(y[0]));
    if (wrong_from && runs >= wrong_from) y[2] += 1;
}

/* csr-seq takes launch->state as it prepared it. */
static enum status prepare_counting(struct launch *launch, struct error *error)
{
    return kernel_cpu_csr_seq.prepare(launch, error);
}

/* Takes at least so many nanoseconds. */
static long pause_for;

static void run_slow(const struct launch *launch)
{
    const struct timespec pause = {0, pause_for};
    runs++;
    nanosleep(&pause, NULL);
    kernel_cpu_csr_seq.run(launch);
}

static const char *never(void)
{
    return "no such device";
}

static enum status prepare_refusing(struct launch *launch, struct error *error)
{
    (void)launch;
    return error_set(error, STATUS_UNAVAILABLE, "not with this padding");
}

static struct kernel counting, slow, absent, refusing;

static int make_kernels(void **state)
{
    (void)state;
    counting_format = format_csr;
    counting_format.fill = counting_fill;
    counting = (struct kernel){.name = "csr-counting",
                               .format = &counting_format,
                               .parameters = letter_parameters,
                               .sequential = true,
                               .prepare = prepare_counting,
                               .run = run_counting,
                               .release = kernel_cpu_csr_seq.release};
    slow = absent = refusing = counting;
    slow.run = run_slow;
    absent.unavailable = never;
    refusing.prepare = prepare_refusing;
    return 0;
}

static int forget(void **state)
{
    (void)state;
    fills = runs = cancel_at = wrong_from = skips_from = 0;
    largest_y = 0;
    to_cancel = NULL;
    pause_for = 300000000;
    memset(order, 0, sizeof order);
    return 0;
}

/* Results and options */

static struct result ask(const struct kernel *kernel, const char *parameters, enum precision precision,
                         int threads)
{
    return (struct result){.kernel = kernel,
                           .parameters = memory_string(parameters, NULL),
                           .format_parameters = memory_string("", NULL),
                           .precision = precision,
                           .threads = threads};
}

static void free_all(struct result *results, int count)
{
    for (int k = 0; k < count; k++)
        result_free(&results[k]);
}

/* A few samples, quickly: cold, so that each is one product; without a buffer to flush by. */
static struct bench_options few(int repeat)
{
    return (struct bench_options){.repeat = repeat, .warmup = -1, .least_seconds = 1e-9, .cold = true};
}

static void expect_ok(const struct result *result)
{
    if (result->status != STATUS_OK) fail_msg("%s: %s", result->name, result->error.message);
}

static struct csr example(void)
{
    struct csr a = support_matrix(60, 50, 0.2, true, false, 1);
    for (int64_t k = 0; k < csr_nnz(&a); k++)
        a.val[k] = (double)(k % 7) + 1;
    return a;
}

static void results_are_filled_in(void **state)
{
    struct csr a = example();
    struct result results[] = {ask(&kernel_cpu_csr_seq, "", PRECISION_F64, 5),
                               ask(&kernel_cpu_csr_omp, "", PRECISION_F32, 2),
                               ask(&counting, "letter=3", PRECISION_F64, 0)};
    struct machine machine = {.cache = 1 << 20};
    struct bench_options options = {.repeat = 7, .least_seconds = 1e-4};
    (void)state;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(bench_run(&a, results, 3, &options, &machine, NULL, NULL), STATUS_OK);
        for (int k = 0; k < 3; k++) {
            const struct result *r = &results[k];
            expect_ok(r);
            assert_true(r->samples.count >= 7);
            assert_true(r->samples.min > 0 && r->samples.min <= r->samples.low &&
                        r->samples.low <= r->samples.median);
            assert_true(r->samples.median <= r->samples.high && r->samples.time == r->samples.median);
            assert_true(r->flops == 2.0 * (double)csr_nnz(&a) && r->flops_cmrs == r->flops - 60);
            assert_true(r->max_error >= 0 && r->max_error < 1e-5);
            assert_true(isnan(r->residual) && r->convert_seconds >= 0 && r->cached == !again);
            assert_true(r->bytes.plus > 0 && r->bytes.minus > 0);
        }
        assert_int_equal(results[0].threads, 1);
        assert_int_equal(results[1].threads, 2);
        assert_string_equal(results[0].name, "cpu/csr-seq");
        assert_string_equal(results[2].name, "cpu/csr-counting:letter=3");
        assert_true(results[2].values.number[0] == 3);
        options.cold = true;
        machine.cache = 100;
    }
    free_all(results, 3);
    csr_free(&a);
}

static void what_fits_in_the_cache_is_marked(void **state)
{
    struct csr a = example();
    struct result result = ask(&kernel_cpu_csr_seq, "", PRECISION_F64, 1);
    struct machine machine = {.cache = 100};
    struct bench_options options = {.repeat = 1, .least_seconds = 1e-9};
    (void)state;
    assert_int_equal(bench_run(&a, &result, 1, &options, &machine, NULL, NULL), STATUS_OK);
    assert_false(result.cached);
    machine.cache = (size_t)result.bytes.plus;
    assert_int_equal(bench_run(&a, &result, 1, &options, &machine, NULL, NULL), STATUS_OK);
    assert_true(result.cached);
    options.cold = true;
    assert_int_equal(bench_run(&a, &result, 1, &options, &machine, NULL, NULL), STATUS_OK);
    assert_false(result.cached);
    free_all(&result, 1);
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
    struct csr a = example();
    struct machine machine = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct result result = ask(&counting, "", PRECISION_F64, 1);
        struct bench_options options = few(cases[k].repeat);
        options.protocol = cases[k].protocol;
        options.warmup = cases[k].warmup;
        forget(state);
        assert_int_equal(bench_run(&a, &result, 1, &options, &machine, NULL, NULL), STATUS_OK);
        assert_int_equal(result.samples.count, cases[k].samples);
        assert_int_equal(runs, cases[k].runs);
        free_all(&result, 1);
    }
    csr_free(&a);
}

/* Rounds of three: each letter once in each, in an order that follows from the seed. */
static void the_order_is_drawn_anew_for_each_round(void **state)
{
    struct csr a = example();
    struct machine machine = {0};
    char seen[3][200];
    for (int run = 0; run < 3; run++) {
        struct result results[] = {ask(&counting, "letter=0", PRECISION_F64, 1),
                                   ask(&counting, "letter=1", PRECISION_F64, 1),
                                   ask(&counting, "letter=2", PRECISION_F64, 1)};
        struct bench_options options = few(60);
        options.seed = run == 2 ? 7 : 5;
        forget(state);
        assert_int_equal(bench_run(&a, results, 3, &options, &machine, NULL, NULL), STATUS_OK);
        assert_int_equal(runs, 3 + 180 + 3);
        memcpy(seen[run], order + 3, 180);
        seen[run][180] = 0;
        free_all(results, 3);
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
    struct csr a = example();
    struct machine machine = {0};
    struct result results[] = {ask(&counting, "letter=0", PRECISION_F64, 1),
                               ask(&counting, "letter=1", PRECISION_F64, 1)};
    struct bench_options options = few(0);
    (void)state;
    options.protocol = PROTOCOL_CMRS;
    assert_int_equal(bench_run(&a, results, 2, &options, &machine, NULL, NULL), STATUS_OK);
    for (int k = 1; k < 11; k++)
        assert_true(order[2 + k] == order[2] && order[13 + k] == order[13]);
    assert_true(order[2] != order[13]);
    free_all(results, 2);
    csr_free(&a);
}

/* A product takes 0.3 s, samples may take 0.5: two of them, or one on a machine that is busy. */
static void slow_kernels_run_a_few_times(void **state)
{
    struct csr a = example();
    struct machine machine = {.cache = 1 << 20};
    struct result result = ask(&slow, "", PRECISION_F64, 1);
    struct bench_options options = {.most_seconds = 0.5};
    (void)state;
    assert_int_equal(bench_run(&a, &result, 1, &options, &machine, NULL, NULL), STATUS_OK);
    expect_ok(&result);
    assert_in_range(result.samples.count, 1, 2);
    assert_int_equal(runs, 1 + result.samples.count);
    free_all(&result, 1);
    csr_free(&a);
}

/* What fits in the cache is run once more before each sample. A product takes 100 us: one makes a sample. */
static void what_the_cache_holds_is_there_before_a_sample(void **state)
{
    struct csr a = example();
    for (int fits = 0; fits < 2; fits++) {
        struct machine machine = {.cache = fits ? 1 << 20 : 0};
        struct result result = ask(&slow, "", PRECISION_F64, 1);
        struct bench_options options = {.repeat = 5, .least_seconds = 1e-9};
        forget(state);
        pause_for = 100000;
        assert_int_equal(bench_run(&a, &result, 1, &options, &machine, NULL, NULL), STATUS_OK);
        assert_int_equal(result.samples.count, 5);
        assert_int_equal(runs, 1 + 3 + (fits ? 10 : 5) + 1);
        free_all(&result, 1);
    }
    csr_free(&a);
}

/* Before each sample of 0.05 s another product is run: three times both are 0.3 s. */
static void what_comes_before_a_sample_counts(void **state)
{
    struct csr a = example();
    struct machine machine = {.cache = 1 << 20};
    struct result result = ask(&slow, "", PRECISION_F64, 1);
    struct bench_options options = {.warmup = -1, .most_seconds = 0.3};
    (void)state;
    pause_for = 50000000;
    assert_int_equal(bench_run(&a, &result, 1, &options, &machine, NULL, NULL), STATUS_OK);
    assert_in_range(result.samples.count, 1, 3);
    free_all(&result, 1);
    csr_free(&a);
}

static void a_wrong_row_becomes_the_error(void **state)
{
    struct csr a = example();
    struct machine machine = {0};
    struct bench_options options = few(10);
    for (int from = 1; from <= 12; from += 11) { /* at once, or in the last product only */
        struct result results[] = {ask(&kernel_cpu_csr_seq, "", PRECISION_F64, 1),
                                   ask(&counting, "", PRECISION_F64, 1)};
        forget(state);
        wrong_from = from;
        assert_int_equal(bench_run(&a, results, 2, &options, &machine, NULL, NULL), STATUS_OK);
        expect_ok(&results[0]);
        assert_int_equal(results[0].samples.count, 10);
        assert_int_equal(results[1].status, STATUS_INPUT);
        if (strncmp(results[1].error.message, "row 3 is ", 9) != 0) fail_msg("%s", results[1].error.message);
        assert_true(isnan(results[1].samples.time) && results[1].max_error > 1e-3);
        assert_string_equal(results[1].name, "cpu/csr-counting");
        assert_int_equal(runs, from);
        free_all(results, 2);
    }
    csr_free(&a);
}

/* It holds what is right from the product before: the last one must begin with something else. */
static void a_row_that_is_no_longer_written_is_noticed(void **state)
{
    struct csr a = example();
    struct machine machine = {0};
    struct bench_options options = few(10);
    struct result result = ask(&counting, "", PRECISION_F64, 1);
    (void)state;
    skips_from = 2;
    assert_int_equal(bench_run(&a, &result, 1, &options, &machine, NULL, NULL), STATUS_OK);
    assert_int_equal(result.status, STATUS_INPUT);
    if (strncmp(result.error.message, "row 3 is NaN", 12) != 0) fail_msg("%s", result.error.message);
    free_all(&result, 1);
    csr_free(&a);
}

static void slow_kernels_are_checked_too(void **state)
{
    struct csr a = example();
    struct machine machine = {0};
    struct kernel wrong = slow;
    struct result result;
    struct bench_options options = few(1);
    (void)state;
    wrong.run = run_slow;
    result = ask(&wrong, "", PRECISION_F64, 1);
    options.accumulate = true;
    assert_int_equal(bench_run(&a, &result, 1, &options, &machine, NULL, NULL), STATUS_OK);
    expect_ok(&result); /* y is made ready before each sample */
    assert_true(result.max_error < 1e-14);
    free_all(&result, 1);
    csr_free(&a);
}

static void who_cannot_run_says_why(void **state)
{
    struct csr a = example(), complex = support_matrix(9, 9, 0.5, false, true, 1);
    struct machine machine = {0};
    struct bench_options options = few(2);
    struct result results[] = {
        ask(&absent, "letter=2", PRECISION_F64, 1), ask(&refusing, "", PRECISION_F32, 1),
        ask(&kernel_cpu_csr_seq, "", PRECISION_F64, 1), ask(&counting, "x=1", PRECISION_F32, 1)};
    (void)state;
    assert_int_equal(bench_run(&a, results, 4, &options, &machine, NULL, NULL), STATUS_OK);
    assert_int_equal(results[0].status, STATUS_UNAVAILABLE);
    assert_string_equal(results[0].error.message, "no such device");
    assert_string_equal(results[0].name, "cpu/csr-counting:letter=2");
    assert_int_equal(results[1].status, STATUS_UNAVAILABLE);
    assert_string_equal(results[1].error.message, "not with this padding");
    assert_int_equal(results[3].status, STATUS_USAGE);
    expect_ok(&results[2]);
    assert_true(isnan(results[1].samples.median) && results[1].samples.count == 0);
    assert_int_equal(fills, 1); /* for the two that found out by the storage */
    fills = 0;
    assert_int_equal(bench_run(&complex, results, 3, &options, &machine, NULL, NULL), STATUS_OK);
    for (int k = 1; k < 3; k++) {
        assert_int_equal(results[k].status, STATUS_UNAVAILABLE);
        assert_string_equal(results[k].error.message, "the matrix is complex: there are real kernels only");
    }
    assert_int_equal(fills, 0);
    free_all(results, 4);
    csr_free(&a);
    csr_free(&complex);
}

static void a_matrix_is_converted_once(void **state)
{
    struct csr a = example();
    struct machine machine = {0};
    struct bench_options options = few(2);
    struct result results[] = {ask(&counting, "letter=0", PRECISION_F64, 1),
                               ask(&counting, "letter=1", PRECISION_F32, 1),
                               ask(&counting, "letter=2", PRECISION_F64, 1)};
    (void)state;
    assert_int_equal(bench_run(&a, results, 3, &options, &machine, NULL, NULL), STATUS_OK);
    assert_int_equal(fills, 2);
    free_all(results, 3);
    csr_free(&a);
}

/* Room for the double matrix or the single one, not for both; then for the single one only; then for none. */
static void what_does_not_fit_together_runs_in_groups(void **state)
{
    struct csr a = example();
    size_t pointers = 61 * 4, nnz = (size_t)csr_nnz(&a);
    struct machine machine = {0};
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
        struct result results[] = {
            ask(&counting, "letter=0", PRECISION_F64, 1), ask(&counting, "letter=1", PRECISION_F32, 1),
            ask(&counting, "letter=2", PRECISION_F64, 1), ask(&counting, "letter=3", PRECISION_F32, 1)};
        struct bench_options options = few(2);
        options.limit = cases[c].limit;
        forget(state);
        assert_int_equal(bench_run(&a, results, 4, &options, &machine, NULL, NULL), STATUS_OK);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(results[k].status, cases[c].status[k]);
            if (results[k].status == STATUS_OK) assert_int_equal(results[k].samples.count, 2);
            if (results[k].status == STATUS_LIMIT)
                assert_non_null(strstr(results[k].error.message, "the limit is"));
        }
        assert_int_equal(fills, cases[c].fills);
        free_all(results, 4);
    }
    csr_free(&a);
}

/* y += A x, 3000 times: 1 is added each time, but y starts again. */
static void adding_does_not_run_away(void **state)
{
    static const double one[] = {1};
    struct csr a = support_dense(1, 1, one);
    struct machine machine = {0};
    struct result results[] = {ask(&counting, "", PRECISION_F64, 1),
                               ask(&kernel_cpu_csr_seq, "", PRECISION_F32, 1)};
    struct bench_options options = few(3000);
    (void)state;
    options.accumulate = true;
    options.x = one;
    assert_int_equal(bench_run(&a, results, 2, &options, &machine, NULL, NULL), STATUS_OK);
    expect_ok(&results[0]);
    expect_ok(&results[1]);
    assert_in_range(runs, 3002, 3002);
    assert_true(largest_y > 100 && largest_y < 300);
    free_all(results, 2);
    csr_free(&a);
}

/* [2 1; 0 4] times (1, 2) is (4, 8). */
static void a_right_hand_side_is_held_against(void **state)
{
    static const double values[] = {2, 1, 0, 4}, x[] = {1, 2};
    static const struct {
        double b[2], residual;
    } cases[] = {{{4, 8}, 0}, {{4, 10}, 0.2}, {{0, 0}, 8}, {{-4, 8}, 1}};
    struct csr a = support_dense(2, 2, values);
    struct machine machine = {0};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int accumulate = 0; accumulate < 2; accumulate++) {
            struct result results[] = {ask(&kernel_cpu_csr_seq, "", PRECISION_F64, 1),
                                       ask(&kernel_cpu_csr_omp, "", PRECISION_F32, 3)};
            struct bench_options options = few(2);
            options.x = x;
            options.b = cases[c].b;
            options.accumulate = accumulate;
            assert_int_equal(bench_run(&a, results, 2, &options, &machine, NULL, NULL), STATUS_OK);
            for (int k = 0; k < 2; k++) {
                expect_ok(&results[k]);
                assert_true(fabs(results[k].residual - cases[c].residual) < 1e-15);
            }
            free_all(results, 2);
        }
    a.val[0] = NAN;
    struct result result = ask(&kernel_cpu_csr_seq, "", PRECISION_F64, 1);
    struct bench_options options = few(2);
    options.b = cases[0].b;
    assert_int_equal(bench_run(&a, &result, 1, &options, &machine, NULL, NULL), STATUS_OK);
    expect_ok(&result);
    assert_true(isinf(result.residual));
    free_all(&result, 1);
    csr_free(&a);
}

static void an_x_beyond_single_precision_is_refused_there(void **state)
{
    static const double values[] = {1, 1}, x[] = {1, 1e300};
    struct csr a = support_dense(1, 2, values);
    struct machine machine = {0};
    struct result results[] = {ask(&kernel_cpu_csr_seq, "", PRECISION_F32, 1),
                               ask(&kernel_cpu_csr_seq, "", PRECISION_F64, 1)};
    struct bench_options options = few(2);
    (void)state;
    options.x = x;
    assert_int_equal(bench_run(&a, results, 2, &options, &machine, NULL, NULL), STATUS_OK);
    expect_ok(&results[1]);
    assert_int_equal(results[0].status, STATUS_UNAVAILABLE);
    assert_string_equal(results[0].error.message, "element 2 of x, 1e+300, is too large for f32");
    free_all(results, 2);
    csr_free(&a);
}

static void odd_matrices_are_timed(void **state)
{
    static const double odd[] = {NAN, 1, INFINITY, 1, 1e308, 1e308, 0, 5e-324, 1e-310};
    struct csr matrices[] = {support_matrix(0, 0, 0, false, false, 1),
                             support_matrix(0, 4, 0, false, false, 1),
                             support_matrix(4, 0, 0, false, false, 1),
                             support_matrix(5, 5, 0, false, false, 1), support_dense(3, 3, odd)};
    struct machine machine = {.cache = 1 << 20};
    (void)state;
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++) {
        struct result results[] = {ask(&kernel_cpu_csr_seq, "", PRECISION_F64, 1),
                                   ask(&kernel_cpu_csr_omp, "", PRECISION_F32, 3)};
        struct bench_options options = {.repeat = 2, .least_seconds = 1e-9};
        for (int accumulate = 0; accumulate < 2; accumulate++) {
            options.accumulate = accumulate;
            assert_int_equal(bench_run(&matrices[k], results, 2, &options, &machine, NULL, NULL), STATUS_OK);
            expect_ok(&results[0]);
            expect_ok(&results[1]);
        }
        free_all(results, 2);
        csr_free(&matrices[k]);
    }
}

static void cancelling_ends_it(void **state)
{
    struct csr a = example();
    struct machine machine = {0};
    struct bench_options options = few(100);
    for (int at = 0; at < 60; at += 7) {
        struct progress progress = {0};
        struct error error = {0};
        struct result results[] = {ask(&counting, "letter=0", PRECISION_F64, 1),
                                   ask(&counting, "letter=1", PRECISION_F32, 1)};
        forget(state);
        to_cancel = &progress;
        cancel_at = at;
        if (at == 0) progress_cancel(&progress);
        assert_int_equal(bench_run(&a, results, 2, &options, &machine, &progress, &error), STATUS_CANCELLED);
        assert_int_equal(error.status, STATUS_CANCELLED);
        assert_int_equal(runs, at); /* not one product more */
        free_all(results, 2);
    }
    csr_free(&a);
}

static void the_progress_comes_to_its_end(void **state)
{
    struct csr a = example();
    struct machine machine = {0};
    struct progress progress = {0};
    struct bench_options options = {.repeat = 3, .least_seconds = 1e-3};
    struct result results[] = {ask(&counting, "", PRECISION_F64, 1), ask(&absent, "", PRECISION_F64, 1),
                               ask(&refusing, "", PRECISION_F32, 1)};
    (void)state;
    assert_int_equal(bench_run(&a, results, 3, &options, &machine, &progress, NULL), STATUS_OK);
    assert_true(progress.done == progress.total && progress.total > 0);
    free_all(results, 3);
    csr_free(&a);
}

/* Without memory for one kernel the others may go on; then it is that one's error. Returns how often it was.
 */
static int fail_each_allocation(const struct csr *a, int kernels_run, int repeat)
{
    struct machine machine = {0};
    struct bench_options options = few(repeat);
    int failures = 0;
    for (long fail = 0, failed = 1; failed; fail++) {
        struct result results[] = {ask(&kernel_cpu_csr_seq, "", PRECISION_F64, 1),
                                   ask(&kernel_cpu_csr_omp, "", PRECISION_F64, 2),
                                   ask(&kernel_cpu_csr_seq, "", PRECISION_F32, 1)};
        options.accumulate = fail % 2;
        memory_fail_after(fail);
        enum status status = bench_run(a, results, kernels_run, &options, &machine, NULL, NULL);
        failed = memory_failures();
        memory_fail_after(-1);
        for (int k = 0; k < kernels_run && status == STATUS_OK; k++) {
            failures += results[k].status == STATUS_MEMORY;
            if (results[k].status != STATUS_OK && results[k].status != STATUS_MEMORY)
                fail_msg("allocation %ld: %s", fail, results[k].error.message);
            if (results[k].status == STATUS_OK) assert_int_equal(results[k].samples.count, repeat);
            if (!failed) expect_ok(&results[k]);
        }
        if (status != STATUS_OK) assert_int_equal(status, STATUS_MEMORY);
        failures += status != STATUS_OK;
        free_all(results, 3);
    }
    return failures;
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = example();
    (void)state;
    assert_in_range(fail_each_allocation(&a, 3, 3), 15, 60);
    assert_in_range(fail_each_allocation(&a, 1, 66), 10,
                    30); /* more samples than there is room for at first */
    csr_free(&a);
}

static void conversions_pay_off_or_not(void **state)
{
    static const struct {
        double time, other, convert;
        int64_t runs;
    } cases[] = {{1, 2, 10, 10}, {1, 1.5, 10.1, 21}, {2, 1, 10, -1},  {1, 1, 10, -1},
                 {2, 1, 0, 0},   {NAN, 1, 10, -1},   {1, NAN, 10, -1}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct result result = {.samples.time = cases[k].time, .convert_seconds = cases[k].convert};
        struct result other = {.samples.time = cases[k].other};
        assert_int_equal(break_even(&result, &other), cases[k].runs);
    }
}

/* With 2 MiB there is nothing to find out, but all is there. */
static void machines_are_measured(void **state)
{
    struct machine machine;
    struct progress progress = {0};
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        assert_int_equal(machine_measure(&machine, threads, 4 << 20, NULL, NULL), STATUS_OK);
        assert_int_equal(machine.threads, threads);
        assert_true(machine.read > 0 && machine.copy > 0 && machine.times == 5);
        assert_true(machine.read_low <= machine.read && machine.copy_low <= machine.copy);
        assert_in_range(machine.cache, 1 << 18, 1 << 21);
        assert_true(machine.checksum == 0);
        machine_again(&machine, NULL);
        assert_int_equal(machine.times, 6);
        machine_flush(&machine, NULL);
        machine_free(&machine);
        machine_free(&machine);
    }
    assert_int_equal(machine_measure(&machine, 0, 1, NULL, NULL), STATUS_OK);
    assert_int_equal(machine.threads, 1);
    machine_free(&machine);
    memory_fail_after(0);
    assert_int_equal(machine_measure(&machine, 2, 4 << 20, NULL, NULL), STATUS_MEMORY);
    memory_fail_after(-1);
    assert_null(machine.memory);
    progress_cancel(&progress);
    assert_int_equal(machine_measure(&machine, 2, 4 << 20, &progress, NULL), STATUS_CANCELLED);
    assert_null(machine.memory);
    machine_again(&machine, NULL);
    machine_flush(&machine, NULL);
}

/* Before each cold sample the whole buffer is read: ones here, which the checksum adds up. */
static void caches_are_flushed(void **state)
{
    struct csr a = example();
    struct machine machine;
    struct result results[] = {ask(&counting, "", PRECISION_F64, 1),
                               ask(&kernel_cpu_csr_omp, "", PRECISION_F32, 3)};
    struct bench_options options = few(5);
    (void)state;
    assert_int_equal(machine_measure(&machine, 2, 4 << 20, NULL, NULL), STATUS_OK);
    for (size_t k = 0; k < 2 * machine.part / sizeof(double); k++)
        ((double *)machine.memory)[k] = 1;
    machine_flush(&machine, NULL);
    double once = machine.checksum;
    assert_true(once > 1000);
    assert_int_equal(bench_run(&a, results, 2, &options, &machine, NULL, NULL), STATUS_OK);
    expect_ok(&results[0]);
    expect_ok(&results[1]);
    assert_true(machine.checksum >= 11 * once);
    assert_int_equal(results[0].samples.count, 5);
    assert_false(results[0].cached);
    machine_free(&machine);
    free_all(results, 2);
    csr_free(&a);
}

#define TEST(function) cmocka_unit_test_setup(function, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(results_are_filled_in),
        TEST(what_fits_in_the_cache_is_marked),
        TEST(products_are_counted),
        TEST(the_order_is_drawn_anew_for_each_round),
        TEST(protocols_of_the_sources_run_one_kernel_after_the_other),
        TEST(slow_kernels_run_a_few_times),
        TEST(what_the_cache_holds_is_there_before_a_sample),
        TEST(what_comes_before_a_sample_counts),
        TEST(a_wrong_row_becomes_the_error),
        TEST(a_row_that_is_no_longer_written_is_noticed),
        TEST(slow_kernels_are_checked_too),
        TEST(who_cannot_run_says_why),
        TEST(a_matrix_is_converted_once),
        TEST(what_does_not_fit_together_runs_in_groups),
        TEST(adding_does_not_run_away),
        TEST(a_right_hand_side_is_held_against),
        TEST(an_x_beyond_single_precision_is_refused_there),
        TEST(odd_matrices_are_timed),
        TEST(cancelling_ends_it),
        TEST(the_progress_comes_to_its_end),
        TEST(every_allocation_may_fail),
        TEST(conversions_pay_off_or_not),
        TEST(machines_are_measured),
        TEST(caches_are_flushed),
    };
    return cmocka_run_group_tests(tests, make_kernels, NULL);
}
