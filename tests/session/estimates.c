/* Estimates of results: the requests of kernels on a GPU, beside the results of runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "columns/columns.h"
#include "kernels/cuda/csr.h"
#include "kernels/cuda/cusparse.h"
#include "kernels/gpu/trace.h"
#include "session/results.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/support.h"
#include "support/timing.h"
#include "support/unit.h"

static struct gpu h200(void)
{
    struct gpu gpu;
    struct error error = {0};
    if (gpu_find("h200", &gpu, &error) != STATUS_OK) fail_msg("%s", error.message);
    return gpu;
}

static void want(struct results *results, const struct kernel *kernel, const char *parameters,
                 enum precision precision)
{
    const struct kernel_choice choice = preparing_choice(kernel, parameters, precision, 1);
    assert_int_equal(results_want(results, &choice, NULL), STATUS_OK);
}

/* Mark all results as unavailable. */
static void set_unavailable(struct results *results)
{
    for (int k = 0; k < results->count; k++) {
        struct result *result = &results->items[k];
        result->status = error_set(&result->error, STATUS_UNAVAILABLE, "no GPU");
        result->bytes = (struct kernel_bytes){NAN, NAN};
    }
}

static struct results ask_all(void)
{
    struct results results = {0};
    want(&results, &kernel_cpu_csr_seq, "", PRECISION_F64);
    want(&results, &kernel_cuda_csr_scalar, "", PRECISION_F64);
    want(&results, &kernel_cusparse_csr_alg1, "", PRECISION_F64);
    want(&results, &kernel_cuda_csr_vector, "threads=4", PRECISION_F64);
    want(&results, &kernel_cuda_csr_vector, "threads=2,reduce=shared", PRECISION_F64); /* contradictory */
    want(&results, &kernel_cuda_csr_scalar, "", PRECISION_F32);
    set_unavailable(&results);
    return results;
}

static void estimate(struct results *results, const struct csr *a, double share)
{
    const struct gpu gpu = h200();
    const struct estimate_options options = {.gpu = &gpu, .share = share, .seed = 1};
    struct error error = {0};
    if (timing_estimate(results, a, &options, NULL, &error) != STATUS_OK) fail_msg("%s", error.message);
}

static struct value number(const struct results *results, int k, const char *key)
{
    const struct column *column = kernel_columns;
    while (column->key && strcmp(column->key, key) != 0)
        column++;
    assert_non_null(column->key);
    return kernel_value(column, results, &results->items[k]);
}

static int64_t count(const struct results *results, int k, const char *key)
{
    struct value value = number(results, k, key);
    assert_int_equal(value.type, VALUE_INTEGER);
    return value.integer;
}

/* 40 rows of 4 entries: two warps of csr-scalar have rows. Each makes 4 steps of 3 loads, after 2 of
 * pointers; in the second warp 8 lanes are active. The doubles of 32 rows are 128 x 8 bytes, 32 bytes apart
 * in each step: one sector a lane. */
TEST(kernels_of_gpus_are_estimated)
{
    double ones[160];
    for (int k = 0; k < 160; k++)
        ones[k] = 1;
    FREED(csr_free) struct csr a = support_dense(40, 4, ones);
    FREED(results_free) struct results results = ask_all();
    assert_true(results_traced(&results));
    estimate(&results, &a, 0);
    for (int k = 0; k < results.count; k++) {
        bool there = k == 1 || k == 3 || k == 5;
        assert_int_equal(results_estimate_of(&results, &results.items[k]) != NULL, there);
        assert_int_equal(number(&results, k, "estimate.gpu").type != VALUE_NULL, there);
    }
    assert_string_equal(number(&results, 1, "estimate.gpu").text, "h200");
    assert_int_equal(count(&results, 1, "estimate.loads.requests"), 2 * (2 + 4 * 3));
    /* Pointers: 5 and 4 sectors, then 2 and 1; at each step values 32 and 8, columns 16 and 4, x 1 and 1. */
    assert_int_equal(count(&results, 1, "estimate.loads.sectors"), 12 + 4 * (40 + 20 + 2));
    assert_true(number(&results, 1, "estimate.sectors_per_load").real == 260. / 28);
    /* Pointers: a line, and the first of the next; values 8 and 2, columns 4 and 1, x 1 and 1. */
    assert_int_equal(count(&results, 1, "estimate.loads.lines"), 1 + 2 + 2 * 1 + 4 * (10 + 5 + 2));
    assert_int_equal(count(&results, 1, "estimate.loads.bytes"), 2 * 40 * 4 + 160 * (8 + 4 + 8));
    assert_int_equal(count(&results, 1, "estimate.stores.requests"), 2);
    assert_int_equal(count(&results, 1, "estimate.stores.sectors"), 10);
    assert_int_equal(count(&results, 1, "estimate.reductions.requests"), 0);
    assert_true(number(&results, 1, "estimate.operands.values.coalescing_efficiency").real == 0.25);
    assert_int_equal(number(&results, 1, "estimate.operands.rows.coalescing_efficiency").type, VALUE_NULL);
    assert_true(number(&results, 1, "estimate.lane_utilisation").real == 0.5 * (1 + 0.25));
    assert_true(number(&results, 1, "estimate.sampled").real == 1);
    struct value sure = number(&results, 1, "estimate.sampling_error");
    assert_true(sure.type == VALUE_REAL && sure.real == 0);
    /* In single precision rows are 16 bytes: two lanes share a sector of values. */
    assert_true(number(&results, 5, "estimate.operands.values.coalescing_efficiency").real == 0.25);
    assert_int_equal(count(&results, 5, "estimate.loads.sectors"), 12 + 4 * (20 + 20 + 2));
}

/* A kernel that did not run for lack of a GPU has its sizes all the same, and keeps its reason. */
TEST(kernels_that_did_not_run_get_their_sizes)
{
    FREED(csr_free) struct csr a = support_matrix(50, 30, 0.2, false, false, 4);
    FREED(results_free) struct results results = ask_all();
    double nnz = (double)csr_nnz(&a);
    estimate(&results, &a, 1);
    assert_true(results.items[1].sized);
    assert_int_equal(results.items[1].size.bytes, 12 * csr_nnz(&a) + 4 * 51);
    assert_true(results.items[1].bytes.plus == 12 * nnz + 4 * 51 + 8 * (50 + 30));
    assert_true(results.items[3].resolved.values.number[CSR_VECTOR_THREADS] == 4);
    assert_int_equal(results.items[1].status, STATUS_UNAVAILABLE);
    assert_false(results.items[0].sized);
}

/* Requests equal those of a real matrix with the same entries, except for reductions, which have two parts.
 * Lanes request twice the bytes of values, x and y. */
TEST(complex_matrices_ask_for_twice_the_bytes)
{
    struct csr a = support_matrix(50, 30, 0.2, false, true, 4), real = a;
    struct results complex_results = ask_all(), real_results = ask_all();
    int there = 0;
    real.imaginary = NULL;
    estimate(&complex_results, &a, 1);
    estimate(&real_results, &real, 1);
    for (int k = 0; k < complex_results.count; k++) {
        const struct kernel *kernel = complex_results.items[k].choice.kernel;
        const struct estimate *twice = results_estimate_of(&complex_results, &complex_results.items[k]);
        const struct estimate *once = results_estimate_of(&real_results, &real_results.items[k]);
        if (!kernel->complex) {
            assert_null(twice);
            continue;
        }
        if (!once) continue;
        assert_non_null(twice);
        there++;
        assert_true(twice->operands[OPERAND_X].bytes == 2 * once->operands[OPERAND_X].bytes);
        assert_true(twice->operands[OPERAND_Y].bytes == 2 * once->operands[OPERAND_Y].bytes);
        assert_true(twice->operands[OPERAND_COLUMNS].bytes == once->operands[OPERAND_COLUMNS].bytes);
        assert_true(twice->operands[OPERAND_X].requests == once->operands[OPERAND_X].requests);
    }
    assert_true(there > 2);
    results_free(&complex_results);
    results_free(&real_results);
    csr_free(&a);
}

TEST(large_storages_have_none)
{
    FREED(csr_free) struct csr a = support_matrix(500, 300, 0.2, false, false, 4);
    FREED(results_free) struct results results = ask_all();
    const struct gpu gpu = h200();
    const struct estimate_options options = {.gpu = &gpu, .limit = 1000};
    assert_int_equal(timing_estimate(&results, &a, &options, NULL, NULL), STATUS_OK);
    for (int k = 0; k < results.count; k++)
        assert_null(results_estimate_of(&results, &results.items[k]));
}

TEST(a_sample_says_how_sure_it_is)
{
    FREED(csr_free) struct csr a = support_matrix(60000, 30, 0.2, true, false, 4);
    FREED(results_free) struct results results = ask_all();
    estimate(&results, &a, 0.1);
    double share = number(&results, 1, "estimate.sampled").real;
    assert_true(share > 0.08 && share < 0.12);
    assert_true(number(&results, 1, "estimate.sampling_error").real > 0);
}

/* A block of 256 threads takes 2 KiB for their sums, and 1 KiB is the system's: of 8 KiB there is room for
 * two such blocks, 16 warps of 64. */
TEST(shared_memory_of_a_launch_bounds_occupancy)
{
    struct csr a = support_matrix(500, 30, 0.2, false, false, 4);
    struct results results = {0};
    struct gpu gpu = h200();
    const struct estimate_options options = {.gpu = &gpu, .share = 1};
    want(&results, &kernel_cuda_csr_vector, "reduce=shared", PRECISION_F64);
    set_unavailable(&results);
    gpu.shared = 8192;
    gpu.shared_block = 7168;
    assert_int_equal(gpu.shared_reserved, 1024);
    assert_int_equal(timing_estimate(&results, &a, &options, NULL, NULL), STATUS_OK);
    const struct estimate *found = results_estimate_of(&results, &results.items[0]);
    assert_non_null(found);
    double occupancy = found->occupancy;
    bool shared = found->limit == OCCUPANCY_SHARED;
    results_free(&results);
    csr_free(&a);
    if (isnan(occupancy)) skip(); /* the kernel's registers are not known in a build without nvcc */
    assert_true(occupancy == 16. / 64);
    assert_true(shared);
}

/* 160 registers a thread, and 5000 bytes of shared memory a block beside that of a launch, independent of
 * nvcc. */
static bool resources_told(const char *function, int arch, struct trace_resources *resources)
{
    assert_string_equal(function, "csr_vector<32, false, double, int>");
    assert_int_equal(arch, 90);
    *resources = (struct trace_resources){.registers = 160, .shared = 5000};
    return true;
}

static bool resources_unknown(const char *function, int arch, struct trace_resources *resources)
{
    return false;
}

/* A warp takes 160 x 32 registers: of 65536 there are 12 warps, one block of 8 warps of 64. */
TEST(occupancy_is_what_the_backend_tells)
{
    FREED(csr_free) struct csr a = support_matrix(500, 30, 0.2, false, false, 4);
    struct gpu gpu = h200();
    const struct estimate_options options = {.gpu = &gpu, .share = 1};
    struct backend backend = backend_cuda;
    struct kernel kernel = kernel_cuda_csr_vector;
    kernel.backend = &backend;
    for (int known = 0; known < 4; known++) {
        FREED(results_free) struct results results = {0};
        if (known == 3) gpu.multiprocessors = 2;
        backend.resources = known >= 2 ? resources_told : known == 1 ? resources_unknown : NULL;
        want(&results, &kernel, "threads=32", PRECISION_F64);
        set_unavailable(&results);
        assert_int_equal(timing_estimate(&results, &a, &options, NULL, NULL), STATUS_OK);
        const struct estimate *found = results_estimate_of(&results, &results.items[0]);
        assert_non_null(found);
        struct value limit = number(&results, 0, "estimate.occupancy_limit");
        assert_int_equal(found->steps.launches, 1);
        if (known < 2) {
            assert_true(isnan(found->occupancy));
            assert_true(isnan(found->steps.requests) && isnan(found->steps.turns));
            assert_int_equal(limit.type, VALUE_NULL);
        } else {
            assert_true(found->occupancy == 8. / 64 && found->limit == OCCUPANCY_REGISTERS);
            assert_string_equal(limit.text, "registers");
            /* 63 blocks of 8 warps, one row each: all of them are resident, or 8 warps on each of two
             * multiprocessors. */
            const double places = known == 2 ? 504 : 16;
            const int64_t requests = found->accesses[ACCESS_LOAD].requests;
            assert_true(found->steps.turns == 504 / places);
            assert_true(found->steps.requests == (double)requests / places);
        }
    }
}

/* The first launch takes few registers, the second many. */
static bool resources_of_hyb(const char *function, int arch, struct trace_resources *resources)
{
    *resources = (struct trace_resources){.registers = strncmp(function, "hyb_ell", 7) == 0 ? 32 : 160};
    return true;
}

/* 5000 rows of ELL are 20 blocks, and one or two rows are left to COO: the occupancy is that of ELL. */
TEST(occupancy_is_that_of_the_largest_launch)
{
    FREED(csr_free) struct csr a = support_matrix(5000, 30, 0.1, false, false, 4);
    const struct gpu gpu = h200();
    const struct estimate_options options = {.gpu = &gpu, .share = 1};
    struct backend backend = backend_cuda;
    struct kernel kernel = kernel_cuda_hyb;
    FREED(results_free) struct results results = {0};
    backend.resources = resources_of_hyb;
    kernel.backend = &backend;
    want(&results, &kernel, "k=7", PRECISION_F64);
    set_unavailable(&results);
    assert_int_equal(timing_estimate(&results, &a, &options, NULL, NULL), STATUS_OK);
    const struct estimate *found = results_estimate_of(&results, &results.items[0]);
    assert_non_null(found);
    assert_int_equal(found->steps.launches, 2);
    assert_true(found->occupancy == 1);
}

/* GPUs since Hopper (9.0) begin a launch while the previous one runs, if the kernel allows it. All counts of
 * the launch stay the same. */
TEST(launches_begin_early_where_both_allow_it)
{
    static const struct {
        const char *parameters;
        int major, early;
    } cases[] = {{"early=1", 9, 1}, {"", 9, 1}, {"early=0", 9, 0}, {"early=1", 8, 0}, {"", 8, 0}};
    const struct kernel *const early[] = {&kernel_cuda_csr_scalar, &kernel_cuda_csr_vector};
    FREED(csr_free) struct csr a = support_matrix(500, 30, 0.2, false, false, 4);
    for (int k = 0; k < 2; k++) {
        struct estimate_steps before = {0};
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            struct gpu gpu = h200();
            gpu.major = cases[c].major;
            const struct estimate_options options = {.gpu = &gpu, .share = 1};
            FREED(results_free) struct results results = {0};
            want(&results, early[k], cases[c].parameters, PRECISION_F64);
            set_unavailable(&results);
            assert_int_equal(timing_estimate(&results, &a, &options, NULL, NULL), STATUS_OK);
            struct estimate_steps steps = results_estimate_of(&results, &results.items[0])->steps;
            assert_int_equal(steps.launches, 1);
            assert_int_equal(steps.early, cases[c].early);
            assert_in_range(steps.longest_hits, 1, steps.longest - 1);
            if (c > 0) {
                assert_int_equal(steps.longest, before.longest);
                assert_int_equal(steps.longest_hits, before.longest_hits);
                assert_int_equal(steps.longest_missed, before.longest_missed);
                assert_int_equal(steps.longest_shared, before.longest_shared);
                assert_int_equal(steps.hottest, before.hottest);
            }
            before = steps;
        }
    }
}

TEST(conflicts_are_of_both_kinds_of_atomics)
{
    struct estimate estimate = {.there = true};
    estimate.accesses[ACCESS_LOAD].conflicts = 100;
    estimate.accesses[ACCESS_REDUCTION].conflicts = 7;
    estimate.accesses[ACCESS_ATOMIC].conflicts = 5;
    estimate.operands[OPERAND_SHARED].conflicts = 3;
    estimate.operands[OPERAND_Y].conflicts = 12;
    assert_int_equal(estimate_atomic_conflicts(&estimate), 12);
    assert_int_equal(estimate_bank_conflicts(&estimate), 3);
}

TEST(sectors_are_of_all_accesses)
{
    struct estimate estimate = {.there = true};
    int64_t sum = 0;
    assert_int_equal(estimate_sectors(&estimate), 0);
    for (int a = 0; a < ACCESSES; a++) {
        estimate.accesses[a].sectors = (int64_t)1 << 3 * a;
        estimate.operands[a].sectors = 1000000;
        sum += (int64_t)1 << 3 * a;
    }
    assert_int_equal(estimate_sectors(&estimate), sum);
}

TEST(failed_allocations_leave_nothing)
{
    FREED(csr_free) struct csr a = support_matrix(50, 30, 0.2, false, false, 4);
    FREED(results_free) struct results results = ask_all();
    const struct gpu gpu = h200();
    const struct estimate_options options = {.gpu = &gpu, .share = 1};
    enum status status = STATUS_MEMORY;
    for (int k = 0; status != STATUS_OK; k++) {
        struct error error = {0};
        assert_true(k < 1000);
        memory_fail_after(k);
        status = timing_estimate(&results, &a, &options, NULL, &error);
        bool failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        assert_int_equal(error.status, status);
        if (failed) assert_null(results_estimate_of(&results, &results.items[1]));
    }
    assert_non_null(results_estimate_of(&results, &results.items[1]));
}

/* Estimates for the same choice and options are reused, and no storage is made for them. The test passes
 * another matrix to show that. */
TEST(no_estimate_is_made_twice)
{
    struct csr a = support_matrix(300, 200, 0.1, true, false, 5),
               none = support_matrix(1, 1, 0, true, false, 5);
    const struct gpu gpu = h200();
    struct estimated estimated = {0};
    struct estimate_options options = {.gpu = &gpu, .seed = 1};
    struct results first = ask_all(), again = ask_all(), other = ask_all();
    struct pool pool = {.a = &a}, empty = {.a = &none};
    first.estimated = again.estimated = other.estimated = &estimated;
    assert_int_equal(results_estimate(&first, &pool, &options, NULL, NULL), STATUS_OK);
    const int count = estimated.count;
    assert_int_equal(count, 4); /* all but the processor's kernel and the contradictory choice */
    assert_int_equal(results_estimate(&again, &empty, &options, NULL, NULL), STATUS_OK);
    assert_int_equal(estimated.count, count);
    for (int k = 0; k < first.count; k++) {
        const struct result *one = &first.items[k], *two = &again.items[k];
        const struct estimate *made = results_estimate_of(&first, one);
        assert_true((made != NULL) == (results_estimate_of(&again, two) != NULL));
        if (made) assert_memory_equal(made, results_estimate_of(&again, two), sizeof *made);
        for (int cold = 0; cold < 2; cold++) {
            assert_true(one->predicted[cold].there == two->predicted[cold].there);
            if (one->predicted[cold].there)
                assert_true(one->predicted[cold].seconds == two->predicted[cold].seconds);
        }
        assert_true(one->sized == two->sized && one->size.bytes == two->size.bytes);
        assert_true(kernel_choice_same(&one->resolved, &two->resolved));
    }
    options.product.accumulate = true;
    assert_int_equal(results_estimate(&other, &pool, &options, NULL, NULL), STATUS_OK);
    assert_int_equal(estimated.count, 2 * count);
    assert_true(estimate_sectors(results_estimate_of(&other, &other.items[1])) >
                estimate_sectors(results_estimate_of(&first, &first.items[1])));
    results_free(&first);
    results_free(&again);
    results_free(&other);
    estimated_free(&estimated);
    pool_free(&pool);
    pool_free(&empty);
    csr_free(&a);
    csr_free(&none);
}

/* With a warp per row of at most 31 entries, no warp makes a turn of its loop, so that no block is heavier
 * than others. */
TEST(short_rows_are_sampled)
{
    FREED(csr_free) struct csr a = support_matrix(40000, 30, 0.5, true, false, 6);
    FREED(results_free) struct results results = {0};
    want(&results, &kernel_cuda_csr_vector, "threads=32", PRECISION_F64);
    set_unavailable(&results);
    estimate(&results, &a, 0.1);
    assert_in_range((unsigned)(1000 * results_estimate_of(&results, &results.items[0])->sampled), 90, 120);
}

/* The misses of caches are forecast in fractions, and shown in whole sectors and bytes: each number, and each
 * sum, is the nearest. */
TEST(forecasts_of_memory_are_rounded)
{
    FREED(csr_free) struct csr a = support_matrix(40, 30, 0.5, true, false, 6);
    FREED(results_free) struct results results = {0};
    want(&results, &kernel_cuda_csr_vector, "threads=32", PRECISION_F64);
    set_unavailable(&results);
    estimate(&results, &a, 0);
    struct memory_traffic *memory = &results.estimates.items[0].memory;
    *memory = (struct memory_traffic){.there = true, .writes = 7.6, .warm_writes = 7.4};
    memory->sectors[OPERAND_VALUES] = memory->reads[OPERAND_X] = 2.4;
    memory->sectors[OPERAND_COLUMNS] = memory->reads[OPERAND_Y] = 2.4;
    memory->misses[OPERAND_X] = 0.9;
    memory->warm_reads[OPERAND_Y] = 5.5;
    assert_int_equal(count(&results, 0, "estimate.dram.writes"), 8);
    assert_int_equal(count(&results, 0, "estimate.dram.warm_writes"), 7);
    assert_int_equal(count(&results, 0, "estimate.l2.sectors"), 5);
    assert_int_equal(count(&results, 0, "estimate.l2.operands.values"), 2);
    assert_int_equal(count(&results, 0, "estimate.l2.operands.columns"), 2);
    assert_int_equal(count(&results, 0, "estimate.l2.misses"), 1);
    assert_int_equal(count(&results, 0, "estimate.l2.loads.x"), 1);
    assert_int_equal(count(&results, 0, "estimate.dram.reads"), 5);
    assert_int_equal(count(&results, 0, "estimate.dram.operands.y"), 2);
    assert_int_equal(count(&results, 0, "estimate.dram.warm_reads"), 6);
    assert_int_equal(count(&results, 0, "estimate.dram.warm_operands.y"), 6);
}
