/* The numbers of results by their keys; expected: computed from their definitions. */
#include <math.h>
#include <string.h>

#include "columns/columns.h"
#include "formats/cmrs.h"
#include "kernels/cuda/csr.h"
#include "session/results.h"
#include "support/kernels.h"
#include "support/results.h"
#include "support/support.h"
#include "support/unit.h"

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
    "graph_us",
    "break_even",
    "device_convert_us",
    "device_break_even",
    "device_convert_refused",
    "cached",
    "residual",
    "agrees",
    "deterministic",
    "library",
    "energy.gross_mj",
    "energy.net_mj",
    "energy.error_mj",
    "energy.watts",
    "energy.idle_watts",
    "energy.idle_spread_watts",
    "energy.entry_pj",
    "energy.gflops_per_watt",
    "energy.seconds",
    "energy.products",
    "energy.tick_ms",
    "energy.step_mj",
    "energy.load",
    "energy.processes",
    "energy.meter",
    "energy.unavailable",
    "predicted.machine",
    "predicted.constants",
    "predicted.low_us",
    "predicted.high_us",
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
    "estimate.l2.served",
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
    "estimate.steps.longest_hits",
    "estimate.steps.longest_missed",
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
    "ranks.count",
    "ranks.partition",
    "ranks.params",
    "ranks.link",
    "ranks.compute_us",
    "ranks.exchange_us",
    "ranks.wait_us",
    "ranks.imbalance",
};

#define KEYS (sizeof keys / sizeof *keys)

TEST(the_keys_are_the_schema)
{
    size_t count = 0;
    for (const struct column *column = kernel_columns; column->key; column++) {
        assert_true(count < KEYS);
        assert_string_equal(column->key, keys[count++]);
        assert_true(column->title[0] && column->help[0] && (column->get || column->owner));
        assert_null(strchr(column->help, '\n'));
    }
    assert_int_equal(count, KEYS);
}

/* 100 rows, 350 entries; a machine of 1000 bytes/s to read and 500 to copy. */
TEST(the_numbers_of_a_result)
{
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
        {"spread", 0.55 / 5.4},
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
        {"read_share", 0.5},
        {"bytes", 1200},
        {"slots", 400},
        {"padding_ratio", 1.25},
        {"max_error", 0.125},
        {"convert_us", 1e6},
        {"break_even", 6}, /* (1 s + 0.5 s) / 0.25 s: the upload counts, too */
        {"cached", 0},
        {"residual", 1e-5},
        {"agrees", 1},
        {"upload_us", 5e5},
        {"transfer_us", 2.5e5},
        {"graph_us", 1.25e5},
        {"device_convert_us", 1.25e5},
        {"device_break_even", 1}, /* CSR takes 0.3 s more a product */
    };
    struct result items[COUNT];
    struct results results = {.items = items,
                              .count = COUNT,
                              .held = true,
                              .machines = {.host = {.threads = 2, .read = 1000, .copy = 500}}};
    results_by_hand(items);
    struct result *result = &items[FAST_ELL];
    strcpy(result->full_name, "cpu/ell-omp");
    result->samples.min = 2.25;
    result->samples.mean = 2.5;
    result->upload_seconds = 0.5;
    result->transfer_seconds = 0.25;
    result->graph_seconds = 0.125;
    result->device_convert_seconds = 0.125;
    result->flops = 700;
    result->flops_cmrs = 600;
    result->bytes = (struct kernel_bytes){.plus = 1350, .minus = 2700};
    result->sized = true;
    result->size = (struct format_size){.bytes = 1200, .slots = 400, .padding_ratio = 1.25};
    result->max_error = 0.125;
    result->residual = 1e-5;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect_result_number(&results, result, cases[k].key, cases[k].expected);
    assert_string_equal(result_number(&results, result, "kernel").text, "cpu/ell-omp");
    assert_string_equal(result_number(&results, result, "format").text, "ell");
    assert_string_equal(result_number(&results, result, "backend").text, "cpu");
    assert_string_equal(result_number(&results, result, "precision").text, "f64");
    assert_int_equal(result_number(&results, result, "unavailable").type, VALUE_NULL);
    results.options.protocol = PROTOCOL_CMRS;
    expect_result_number(&results, result, "spread", 0.2); /* 0.5 of 2.5 */
    results.options.protocol = PROTOCOL_MEDIAN;
    result->residual = nextafter(1e-5, 1);
    expect_result_number(&results, result, "agrees", 0);
    result->residual = INFINITY;
    expect_result_number(&results, result, "agrees", 0);
    results.held = false;
    expect_result_number(&results, result, "agrees", NAN);
    result->sized = false;
    expect_result_number(&results, result, "bytes", NAN);
    expect_result_number(&results, result, "slots", NAN);
    assert_string_equal(result_number(&results, &items[WRONG], "unavailable").text, "row 3 is 7, not 8");
    expect_result_number(&results, &items[WRONG], "samples", NAN);
    expect_result_number(&results, &items[WRONG], "cached", NAN);
    expect_result_number(&results, &items[WRONG], "tie", NAN);
}

/* The equations of the paper on CMRS, for rows of mu = 2 entries of b = 4 bytes, the example of its section
 * 5: f is 16.5 for strips of one row and transactions of 128 bytes, and about 2 for strips of 16. */
TEST(the_numbers_of_cmrs)
{
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
    struct result items[] = {result_of_seconds(&kernel_cuda_cmrs, PRECISION_F32, 0, 2, 2, 2),
                             result_of_seconds(&kernel_cuda_cmrs, PRECISION_F32, 0, 2, 2, 2),
                             result_of_seconds(&kernel_cuda_csr_vector, PRECISION_F32, 0, 1, 1, 1),
                             result_of_seconds(&kernel_cuda_csr_vector, PRECISION_F64, 0, 1, 1, 1),
                             result_of_seconds(&kernel_cuda_csr_vector, PRECISION_F32, 0, 3, 3, 3)};
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
        expect_result_number(&results, &items[0], cases[k].key, cases[k].expected);
    expect_result_number(&results, &items[1], "cmrs.f_128", 16.5);
    expect_result_number(&results, &items[1], "cmrs.a_128", 1);
    expect_result_number(&results, &items[0], "threads",
                         NAN); /* threads of a GPU are no threads of the processor */
    results.machines.device[0].vendor = 0;
    expect_result_number(&results, &items[0], "cmrs.eta_plus_stated", NAN);
    results.count = 4; /* no kernel with a warp per row in this */
    expect_result_number(&results, &items[0], "cmrs.gain", NAN);
}

/* Those of the format and the kernel's own in one object. */
TEST(parameters_are_those_of_format_and_kernel)
{
    static const struct parameter own[] = {{"chunk", "", 1, 99, 3, .type = PARAMETER_INTEGER}, {0}};
    struct kernel kernel = ell_kernel;
    char text[160];
    kernel.parameters = own;
    struct result item = {.choice.kernel = &kernel};
    const struct results results = {.items = &item, .count = 1};
    item.resolved.format.values.number[0] = 1;
    item.resolved.values.number[0] = 12;
    value_text(result_number(&results, &item, "params"), text, sizeof text);
    assert_string_equal(text, "layout=rows,pad=repeat,chunk=12");
    item.resolved.format.values.number[1] = NAN;
    value_text(result_number(&results, &item, "params"), text, sizeof text);
    assert_string_equal(text, "layout=rows,chunk=12");
}

TESTS_BETWEEN(make_ell_kernel, NULL)
