/* Results of kernels and their columns: what is asked for, break-even and ties from times made by hand, and
 * what becomes of a run. No test depends on how long anything takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "columns/columns.h"
#include "formats/cmrs.h"
#include "formats/ell.h"
#include "kernels/cuda/csr.h"
#include "session/results.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/support.h"
#include "support/timing.h"

/* So little that measuring the machine is short. */
#define LIMIT ((size_t)4 << 20)

static void want(struct results *results, const struct kernel *kernel, enum precision precision, int threads)
{
    const struct kernel_choice choice = preparing_choice(kernel, "", precision, threads);
    assert_int_equal(results_want(results, &choice, NULL), STATUS_OK);
}

static void what_is_asked_for_is_there_once(void **state)
{
    (void)state;
    struct results results = {0};
    want(&results, &kernel_cpu_csr_seq, PRECISION_F64, 4);
    want(&results, &kernel_cpu_csr_seq, PRECISION_F64, 2);
    want(&results, &kernel_cpu_csr_omp, PRECISION_F64, 2);
    want(&results, &kernel_cpu_csr_omp, PRECISION_F64, 0);
    want(&results, &kernel_cpu_csr_omp, PRECISION_F64, 4);
    want(&results, &kernel_cpu_csr_omp, PRECISION_F32, 4);
    want(&results, &kernel_cpu_csr_omp, PRECISION_F64, 2);
    static const int threads[] = {1, 2, 0, 4, 4};
    int at = 0;
    for (int k = 0; k < 5; k++) {
        int expected = threads[k] ? threads[k] : threads_count();
        if (!threads[k] && (expected == 2 || expected == 4)) continue;
        assert_true(at < results.count);
        assert_int_equal(results.items[at].choice.format.precision, k == 4 ? PRECISION_F32 : PRECISION_F64);
        assert_ptr_equal(results.items[at].choice.kernel, k == 0 ? &kernel_cpu_csr_seq : &kernel_cpu_csr_omp);
        if (threads[k] != 4 || threads_count() != 4)
            assert_int_equal(results.items[at].choice.threads, expected);
        at++;
    }
    assert_int_equal(results.count, at);
    results_free(&results);
    assert_int_equal(results.count, 0);
}

/* Results as if they had been run */

static struct kernel ell_kernel; /* one that reads another format than CSR */

static int make_kernel(void **state)
{
    (void)state;
    ell_kernel = kernel_cpu_csr_omp;
    ell_kernel.name = "ell-omp";
    ell_kernel.format = &format_ell;
    return 0;
}

/* A result of these seconds, its median surely between low and high. */
static struct result ran(const struct kernel *kernel, enum precision precision, int threads, double low,
                         double time, double high)
{
    const struct kernel_choice choice = {
        .kernel = kernel, .format = {.format = kernel->format, .precision = precision}, .threads = threads};
    return (struct result){.choice = choice,
                           .resolved = choice,
                           .convert_seconds = 1,
                           .samples = {.count = 30,
                                       .median = time,
                                       .low = low,
                                       .high = high,
                                       .min = low,
                                       .mean = time,
                                       .stddev = 0.5,
                                       .time = time}};
}

enum { SEQ, OMP, ELL, FAST_ELL, WRONG, LONE, SINGLE, COUNT };

static void make_items(struct result *items)
{
    items[SEQ] = ran(&kernel_cpu_csr_seq, PRECISION_F64, 2, 3.9, 4, 4.1);
    items[OMP] = ran(&kernel_cpu_csr_omp, PRECISION_F64, 2, 2.9, 3, 3.1);
    items[ELL] = ran(&ell_kernel, PRECISION_F64, 2, 3.4, 3.5, 3.6);
    items[FAST_ELL] = ran(&ell_kernel, PRECISION_F64, 2, 2.4, 2.7, 2.95);
    items[WRONG] = ran(&kernel_cpu_csr_omp, PRECISION_F64, 2, 0.1, 0.1, 0.1);
    items[WRONG].status = error_set(&items[WRONG].error, STATUS_INPUT, "row 3 is 7, not 8");
    items[LONE] = ran(&ell_kernel, PRECISION_F64, 1, 2.98, 2.98, 2.98);
    items[SINGLE] = ran(&kernel_cpu_csr_omp, PRECISION_F32, 2, 1, 1, 1);
}

/* Only the fast ELL beats csr-omp, by 0.3 s a product: 4 products gain 1.2 s, 3 no more than 0.9. The lone
 * one has no CSR kernel of as many threads beside it. */
static void conversion_pays_against_the_fastest_csr(void **state)
{
    (void)state;
    struct result items[COUNT];
    struct results results = {.items = items, .count = COUNT};
    make_items(items);
    for (int k = 0; k < COUNT; k++)
        assert_int_equal(results_break_even(&results, &items[k]), k == FAST_ELL ? 4 : -1);
    items[WRONG].status = STATUS_OK; /* then it is the fastest CSR kernel */
    assert_int_equal(results_break_even(&results, &items[FAST_ELL]), -1);
}

static void ties_are_with_the_fastest(void **state)
{
    (void)state;
    struct result items[COUNT];
    struct results results = {.items = items, .count = COUNT};
    make_items(items);
    assert_ptr_equal(results_fastest(&results, PRECISION_F64), &items[FAST_ELL]);
    assert_ptr_equal(results_fastest(&results, PRECISION_F32), &items[SINGLE]);
    for (int k = 0; k < COUNT; k++)
        assert_int_equal(results_tied(&results, &items[k]), k == FAST_ELL || k == OMP);
    items[OMP].samples.low = 2.96;
    assert_false(results_tied(&results, &items[OMP]));
    assert_false(results_tied(&results, &items[FAST_ELL]));
    results.count = 0;
    assert_null(results_fastest(&results, PRECISION_F64));
}

/* Of any runs: kernels that were not run, or are wrong, among them. */
static void results_of_several_runs_are_held_against_each_other(void **state)
{
    (void)state;
    struct result items[COUNT];
    struct machine machine = {.read = 2e9};
    struct results results = {.items = items, .count = COUNT, .machines = {.host = machine}};
    make_items(items);
    const struct result *some[] = {NULL, &items[WRONG], &items[SEQ], &items[FAST_ELL], NULL, &items[ELL]};
    assert_int_equal(results_fastest_of(some, 6), 3);
    assert_int_equal(results_fastest_of(some, 3), 2);
    assert_int_equal(results_fastest_of(some, 2), -1);
    assert_true(fabs(result_ratio(&items[SEQ], &items[OMP]) - 4. / 3) <= 1e-15);
    assert_true(fabs(result_speedup(&items[SEQ], &items[OMP]) - 3. / 4) <= 1e-15);
    assert_true(isnan(result_ratio(&items[WRONG], &items[OMP])));
    assert_true(isnan(result_ratio(&items[OMP], &items[WRONG])));
    items[SEQ].flops = 8e9;
    items[SEQ].bytes.plus = 1e9;
    assert_true(fabs(result_speed(&items[SEQ]) - 2e9) <= 1e-3);
    assert_true(fabs(results_ceiling(&results, &items[SEQ]) - 16e9) <= 1e-3); /* 1e9 bytes in half a second */
    items[SEQ].cached = true;
    assert_true(isnan(results_ceiling(&results, &items[SEQ])));
    items[SEQ].cached = false;
    results.machines.host.read = 0;
    assert_true(isnan(results_ceiling(&results, &items[SEQ])));
    assert_true(isnan(result_speed(&items[WRONG])));
    struct csr none = {0};
    assert_true(results_forecast(&none, 19) > 19 * 0.2);
    assert_true(results_forecast(&none, 19) < 60);
}

static void what_was_not_run_has_no_numbers(void **state)
{
    (void)state;
    const struct kernel_choice choice = preparing_choice(&ell_kernel, "layout=rows", PRECISION_F32, 3);
    struct result result = result_unrun(&choice, false, (struct product){0});
    const struct results none = {0};
    assert_string_equal(result.name, "cpu/ell-omp:layout=rows");
    assert_string_equal(result.full_name, "cpu/ell-omp");
    assert_int_equal(result.status, STATUS_OK);
    for (int k = 0; kernel_columns[k].key; k++) {
        struct value value = kernel_value(&kernel_columns[k], &none, &result);
        if (kernel_columns[k].part != &part_run) assert_int_equal(value.type, VALUE_NULL);
        bool known = value.type == VALUE_TEXT || value.type == VALUE_PARAMETERS ||
                     strcmp(kernel_columns[k].key, "threads") == 0;
        assert_int_equal(value.type != VALUE_NULL, known);
    }
    result = result_unrun(&choice, true, (struct product){0});
    assert_int_equal(result.status, STATUS_OK);
    assert_true(result.complex);
    result = result_unrun(&choice, false, (struct product){.transposed = true});
    assert_int_equal(result.status, STATUS_UNAVAILABLE);
    assert_non_null(strstr(result.error.message, "transposed"));
}

/* Columns */

static const char *const keys[] = {
    "kernel",
    "format",
    "backend",
    "device",
    "precision",
    "params",
    "threads",
    "unavailable",
    "samples",
    "time_us",
    "predicted_us",
    "median_us",
    "low_us",
    "high_us",
    "spread",
    "min_us",
    "mean_us",
    "stddev_us",
    "tie",
    "gflops",
    "gflops_cmrs",
    "beta_minus",
    "beta_plus",
    "eta_minus",
    "eta_plus",
    "read_share",
    "bytes",
    "slots",
    "padding_ratio",
    "estimate.coalescing_efficiency",
    "estimate.lane_utilisation",
    "max_error",
    "convert_us",
    "upload_us",
    "transfer_us",
    "break_even",
    "cached",
    "residual",
    "agrees",
    "predicted.machine",
    "predicted.like",
    "predicted.bound",
    "predicted.error",
    "predicted.launch_us",
    "predicted.longest_us",
    "predicted.latency_us",
    "predicted.shared_us",
    "predicted.l1_us",
    "predicted.l2_us",
    "predicted.dram_us",
    "predicted.reductions_us",
    "predicted.hottest_us",
    "predicted.arithmetic_us",
    "predicted.host_us",
    "estimate.gpu",
    "estimate.granule",
    "estimate.sampled",
    "estimate.sampling_error",
    "estimate.loads.requests",
    "estimate.loads.sectors",
    "estimate.loads.lines",
    "estimate.loads.bytes",
    "estimate.sectors_per_load",
    "estimate.stores.requests",
    "estimate.stores.sectors",
    "estimate.reductions.requests",
    "estimate.reductions.sectors",
    "estimate.atomics.requests",
    "estimate.atomics.sectors",
    "estimate.operands.values.coalescing_efficiency",
    "estimate.operands.columns.coalescing_efficiency",
    "estimate.operands.rows.coalescing_efficiency",
    "estimate.operands.pointers.coalescing_efficiency",
    "estimate.operands.tables.coalescing_efficiency",
    "estimate.operands.x.coalescing_efficiency",
    "estimate.operands.y.coalescing_efficiency",
    "estimate.l2.misses",
    "estimate.l2.sectors",
    "estimate.l2.stays",
    "estimate.dram.reads",
    "estimate.dram.writes",
    "estimate.dram.warm_reads",
    "estimate.dram.warm_writes",
    "estimate.l2.operands.values",
    "estimate.l2.operands.columns",
    "estimate.l2.operands.rows",
    "estimate.l2.operands.pointers",
    "estimate.l2.operands.tables",
    "estimate.l2.operands.x",
    "estimate.l2.operands.y",
    "estimate.l2.loads.values",
    "estimate.l2.loads.columns",
    "estimate.l2.loads.rows",
    "estimate.l2.loads.pointers",
    "estimate.l2.loads.tables",
    "estimate.l2.loads.x",
    "estimate.l2.loads.y",
    "estimate.dram.operands.values",
    "estimate.dram.operands.columns",
    "estimate.dram.operands.rows",
    "estimate.dram.operands.pointers",
    "estimate.dram.operands.tables",
    "estimate.dram.operands.x",
    "estimate.dram.operands.y",
    "estimate.dram.warm_operands.values",
    "estimate.dram.warm_operands.columns",
    "estimate.dram.warm_operands.rows",
    "estimate.dram.warm_operands.pointers",
    "estimate.dram.warm_operands.tables",
    "estimate.dram.warm_operands.x",
    "estimate.dram.warm_operands.y",
    "estimate.occupancy",
    "estimate.occupancy_limit",
    "estimate.steps.launches",
    "estimate.steps.longest",
    "estimate.steps.longest_shared",
    "estimate.steps.hottest",
    "estimate.steps.requests",
    "estimate.steps.shared",
    "estimate.steps.turns",
    "estimate.bank_conflicts",
    "estimate.atomic_conflicts",
    "cmrs.f_32",
    "cmrs.f_128",
    "cmrs.f_256",
    "cmrs.a_32",
    "cmrs.approximation_32",
    "cmrs.a_128",
    "cmrs.approximation_128",
    "cmrs.a_256",
    "cmrs.approximation_256",
    "cmrs.gain",
    "cmrs.beta_minus",
    "cmrs.beta_plus",
    "cmrs.bandwidth",
    "cmrs.eta_minus",
    "cmrs.eta_plus",
    "cmrs.eta_minus_stated",
    "cmrs.eta_plus_stated",
    "tuning.space",
    "tuning.runs",
    "tuning.best",
    "tuning.forecast",
    "tuning.speedup",
    "tuning.search_runs",
    "tuning.search_loss",
};
#define KEYS (sizeof keys / sizeof *keys)

static void the_keys_are_the_schema(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct column *column = kernel_columns; column->key; column++) {
        assert_true(count < KEYS);
        assert_string_equal(column->key, keys[count++]);
        assert_true(column->title[0] && column->help[0] && column->unit && column->get);
        assert_null(strchr(column->help, '\n'));
    }
    assert_int_equal(count, KEYS);
}

static struct value number(const struct results *results, const struct result *result, const char *key)
{
    const struct column *column = kernel_columns;
    while (column->key && strcmp(column->key, key) != 0)
        column++;
    assert_non_null(column->key);
    struct value value = kernel_value(column, results, result);
    assert_true(value.type == column->type || value.type == VALUE_NULL);
    return value;
}

static void check(const struct results *results, const struct result *result, const char *key,
                  double expected)
{
    struct value value = number(results, result, key);
    double found = value.type == VALUE_INTEGER   ? (double)value.integer
                   : value.type == VALUE_BOOLEAN ? value.boolean
                   : value.type == VALUE_REAL    ? value.real
                                                 : NAN;
    if (isnan(expected) ? !isnan(found) : !(fabs(found - expected) <= 1e-14 * fabs(expected)))
        fail_msg("%s: %.17g, not %.17g", key, found, expected);
}

/* 100 rows, 350 entries; a machine of 1000 bytes/s to read and 500 to copy. */
static void the_numbers_of_a_result(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double expected;
    } cases[] = {
        {"threads", 2},
        {"samples", 30},
        {"time_us", 2.7e6},
        {"median_us", 2.7e6},
        {"low_us", 2.4e6},
        {"high_us", 2.95e6},
        {"spread", 55.0 / 5.4},
        {"min_us", 2.25e6},
        {"mean_us", 2.5e6},
        {"stddev_us", 5e5},
        {"tie", 1},
        {"gflops", 700 / 2.7e9},
        {"beta_minus", 2700},
        {"beta_plus", 1350},
        {"gflops_cmrs", 600 / 2.7e9},
        {"eta_minus", 2},
        {"eta_plus", 1},
        {"read_share", 50},
        {"bytes", 1200},
        {"slots", 400},
        {"padding_ratio", 1.25},
        {"max_error", 0.125},
        {"convert_us", 1e6},
        {"break_even", 4},
        {"cached", 0},
        {"residual", 1e-5},
        {"agrees", 1},
        {"upload_us", 5e5},
        {"transfer_us", 2.5e5},
    };
    struct result items[COUNT];
    struct results results = {.items = items,
                              .count = COUNT,
                              .held = true,
                              .machines = {.host = {.threads = 2, .read = 1000, .copy = 500}}};
    make_items(items);
    struct result *result = &items[FAST_ELL];
    strcpy(result->full_name, "cpu/ell-omp");
    result->samples.min = 2.25;
    result->samples.mean = 2.5;
    result->upload_seconds = 0.5;
    result->transfer_seconds = 0.25;
    result->flops = 700;
    result->flops_cmrs = 600;
    result->bytes = (struct kernel_bytes){.plus = 1350, .minus = 2700};
    result->sized = true;
    result->size = (struct format_size){.bytes = 1200, .slots = 400, .padding_ratio = 1.25};
    result->max_error = 0.125;
    result->residual = 1e-5;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check(&results, result, cases[k].key, cases[k].expected);
    assert_string_equal(number(&results, result, "kernel").text, "cpu/ell-omp");
    assert_string_equal(number(&results, result, "format").text, "ell");
    assert_string_equal(number(&results, result, "backend").text, "cpu");
    assert_string_equal(number(&results, result, "precision").text, "f64");
    assert_int_equal(number(&results, result, "unavailable").type, VALUE_NULL);
    results.options.protocol = PROTOCOL_CMRS;
    check(&results, result, "spread", 20); /* 0.5 of 2.5 */
    results.options.protocol = PROTOCOL_MEDIAN;
    result->residual = nextafter(1e-5, 1);
    check(&results, result, "agrees", 0);
    result->residual = INFINITY;
    check(&results, result, "agrees", 0);
    results.held = false;
    check(&results, result, "agrees", NAN);
    result->sized = false;
    check(&results, result, "bytes", NAN);
    check(&results, result, "slots", NAN);
    assert_string_equal(number(&results, &items[WRONG], "unavailable").text, "row 3 is 7, not 8");
    check(&results, &items[WRONG], "samples", NAN);
    check(&results, &items[WRONG], "cached", NAN);
    check(&results, &items[WRONG], "tie", NAN);
}

/* By the equations of its paper: rows of mu = 2 entries of b = 4 bytes, of which section 5 has an example: f
 * is 16.5 for strips of one row and transactions of 128 bytes, and about 2 for strips of 16. */
static void the_numbers_of_cmrs(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double expected;
    } cases[] = {
        {"cmrs.f_32", 1 + 28. / 128},
        {"cmrs.f_128", 1 + 124. / 128},
        {"cmrs.f_256", 1 + 252. / 128},
        {"cmrs.a_32", 48. / 13},
        {"cmrs.a_128", 16.5 / 1.96875},
        {"cmrs.a_256", 208. / 19},
        {"cmrs.approximation_32", 4},
        {"cmrs.approximation_128", 8.5},
        {"cmrs.approximation_256", 11},
        {"cmrs.gain", 1.5},
        {"cmrs.beta_minus", (2 * 4 + 4) * 1000 + 4 * 32 + 4 * 500},
        {"cmrs.beta_plus", (4 + 4) * 1000 + 4 * 32 + 4 * (500 + 400)},
        {"cmrs.bandwidth", 14128e-9 / 2},
        {"cmrs.eta_minus", 14.128},
        {"cmrs.eta_plus", 11.728},
        {"cmrs.eta_minus_stated", 7.064},
        {"cmrs.eta_plus_stated", 5.864},
    };
    struct result items[] = {ran(&kernel_cuda_cmrs, PRECISION_F32, 0, 2, 2, 2),
                             ran(&kernel_cuda_cmrs, PRECISION_F32, 0, 2, 2, 2),
                             ran(&kernel_cuda_csr_vector, PRECISION_F32, 0, 1, 1, 1),
                             ran(&kernel_cuda_csr_vector, PRECISION_F64, 0, 1, 1, 1),
                             ran(&kernel_cuda_csr_vector, PRECISION_F32, 0, 3, 3, 3)};
    struct results results = {
        .items = items,
        .count = 5,
        .rows = 500,
        .cols = 400,
        .nnz = 1000,
        .machines = {.device = {{.type = backend_cuda.devices, .copy = 500, .vendor = 1000}}, .devices = 1}};
    items[0].resolved.format.values.number[CMRS_HEIGHT] = 16;
    items[1].resolved.format.values.number[CMRS_HEIGHT] = 1;
    items[2].resolved.values.number[CSR_VECTOR_THREADS] = 8; /* fewer than a warp a row */
    items[3].resolved.values.number[CSR_VECTOR_THREADS] =
        items[4].resolved.values.number[CSR_VECTOR_THREADS] = 32;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check(&results, &items[0], cases[k].key, cases[k].expected);
    check(&results, &items[1], "cmrs.f_128", 16.5);
    check(&results, &items[1], "cmrs.a_128", 1);
    check(&results, &items[0], "threads", NAN); /* those of a GPU are no threads of the processor */
    results.machines.device[0].vendor = 0;
    check(&results, &items[0], "cmrs.eta_plus_stated", NAN);
    results.count = 4; /* none with a warp a row in this precision */
    check(&results, &items[0], "cmrs.gain", NAN);
}

/* Those of the format and the kernel's own in one object. */
static void parameters_are_those_of_format_and_kernel(void **state)
{
    (void)state;
    static const struct parameter own[] = {{"chunk", "", 1, 99, 3, .type = PARAMETER_INTEGER}, {0}};
    struct kernel kernel = ell_kernel;
    char text[160];
    kernel.parameters = own;
    struct result item = {.choice.kernel = &kernel};
    const struct results results = {.items = &item, .count = 1};
    item.resolved.format.values.number[0] = 1;
    item.resolved.values.number[0] = 12;
    value_text(number(&results, &item, "params"), text, sizeof text);
    assert_string_equal(text, "layout=rows,pad=repeat,chunk=12");
    item.resolved.format.values.number[1] = NAN;
    value_text(number(&results, &item, "params"), text, sizeof text);
    assert_string_equal(text, "layout=rows,chunk=12");
}

/* Runs */

static void a_run_has_numbers_and_the_machine(void **state)
{
    (void)state;
    static const double values[] = {2, 0, 1, 3};
    double one_two[] = {1, 2}, two_seven[] = {2, 7};
    const struct vector x = {one_two, NULL}, b = {two_seven, NULL};
    const struct bench_options options = {.repeat = 3, .min_seconds = 1e-9, .x = &x, .b = &b, .limit = LIMIT};
    struct csr a = support_dense(2, 2, values);
    struct results results = {0};
    want(&results, &kernel_cpu_csr_seq, PRECISION_F64, 0);
    want(&results, &kernel_cpu_csr_omp, PRECISION_F32, 1);
    assert_int_equal(timing_run(&results, &a, &options, NULL, NULL), STATUS_OK);
    for (int k = 0; k < 2; k++) {
        assert_true(result_timed(&results.items[k]));
        check(&results, &results.items[k], "residual", 0);
        check(&results, &results.items[k], "agrees", 1);
        assert_int_equal(results.items[k].samples.count, 3);
    }
    assert_true(results.held);
    assert_null(results.options.x);
    assert_null(results.options.b);
    assert_null(results.machines.host.memory);
    assert_true(results.machines.host.read > 0 && results.machines.host.copy > 0 &&
                results.machines.host.cache > 0);
    assert_int_equal(results.machines.host.threads, 1);
    results_free(&results);
    csr_free(&a);
}

/* Asking and running without memory, for a product that no kernel computes, so that no machine is measured.
 */
static void runs_survive_failing_allocations(void **state)
{
    (void)state;
    const struct bench_options options = {.repeat = 1, .limit = LIMIT, .product.transposed = true};
    struct csr a = support_matrix(5, 5, 0.5, false, true, 1);
    const struct kernel_choice choice = preparing_choice(&kernel_cpu_csr_seq, "", PRECISION_F64, 1);
    bool failed = true;
    for (long k = 0; failed; k++) {
        struct results results = {0};
        struct error error = {0};
        assert_true(k < 1000);
        memory_fail_after(k);
        enum status status = results_want(&results, &choice, &error);
        if (status == STATUS_OK) status = timing_run(&results, &a, &options, NULL, &error);
        failed = memory_failures() > 0;
        memory_fail_after(-1);
        /* A name can do without its parameters. */
        assert_true(status == STATUS_OK || (failed && status == STATUS_MEMORY));
        assert_int_equal(error.status, status);
        if (status == STATUS_OK) assert_int_equal(results.items[0].status, STATUS_UNAVAILABLE);
        assert_true(results.machines.host.read == 0);
        results_free(&results);
    }
    csr_free(&a);
}

static void a_cancelled_run_is_none(void **state)
{
    (void)state;
    const struct bench_options options = {.limit = LIMIT};
    struct csr a = support_matrix(5, 5, 0.5, false, false, 1);
    struct results results = {0};
    struct progress progress = {0};
    struct error error = {0};
    want(&results, &kernel_cpu_csr_seq, PRECISION_F64, 1);
    progress_cancel(&progress);
    assert_int_equal(timing_run(&results, &a, &options, &progress, &error), STATUS_CANCELLED);
    assert_true(results.machines.host.read == 0);
    results_free(&results);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_for_is_there_once),
        cmocka_unit_test(conversion_pays_against_the_fastest_csr),
        cmocka_unit_test(ties_are_with_the_fastest),
        cmocka_unit_test(results_of_several_runs_are_held_against_each_other),
        cmocka_unit_test(what_was_not_run_has_no_numbers),
        cmocka_unit_test(the_keys_are_the_schema),
        cmocka_unit_test(the_numbers_of_a_result),
        cmocka_unit_test(the_numbers_of_cmrs),
        cmocka_unit_test(parameters_are_those_of_format_and_kernel),
        cmocka_unit_test(a_run_has_numbers_and_the_machine),
        cmocka_unit_test(runs_survive_failing_allocations),
        cmocka_unit_test(a_cancelled_run_is_none),
    };
    return cmocka_run_group_tests_name("results", tests, make_kernel, NULL);
}
