/* The forecast of caches: reuse compared with counts one by one, and whole products compared with
 * an exact cache that always replaces the least recently used granule. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/l1.h"
#include "analysis/forecast/memory.h"
#include "analysis/forecast/windows.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kernels/cuda/coo.h"
#include "kernels/cuda/csc.h"
#include "kernels/cuda/csr.h"
#include "kernels/cuda/csr_balanced.h"
#include "kernels/cuda/jds.h"
#include "kernels/gpu/paper.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/ready.h"
#include "support/support.h"

#define KIB 1024

/* --- reuse --- */

static void bins_hold_gaps(void **state)
{
    for (int64_t gap = 0; gap < 100000; gap++) {
        int bin = reuse_bin(gap);
        assert_true(reuse_bin_start(bin) <= (double)gap && (double)gap < reuse_bin_start(bin + 1));
        assert_true(gap < 16 ? reuse_bin_start(bin) == (double)gap
                             : (double)gap < 1.125 * reuse_bin_start(bin));
    }
    assert_true(reuse_bin(INT64_MAX) < REUSE_BINS);
}

/* The touches in order: each of `count` touches is one of `granules` granules. */
struct trail {
    int64_t *granule;
    int64_t count, granules;
};

static struct trail trail_of_x(const struct csr *a, const int32_t *order, int size)
{
    struct trail trail = {.granule = calloc((size_t)csr_nnz(a) + 1, sizeof *trail.granule),
                          .granules = a->cols * size / REUSE_GRANULE + 1};
    assert_non_null(trail.granule);
    for (int64_t r = 0; r < a->rows; r++) {
        int64_t i = order ? order[r] : r;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            trail.granule[trail.count++] = (int64_t)a->col[k] * size / REUSE_GRANULE;
    }
    return trail;
}

/* The misses of an exact cache of this number of granules that replaces the least recently used one. */
static int64_t exact_misses(const struct trail *trail, int64_t room)
{
    int64_t *used = calloc((size_t)trail->granules, sizeof *used), held = 0, misses = 0;
    assert_non_null(used);
    for (int64_t t = 0; t < trail->count; t++) {
        int64_t granule = trail->granule[t];
        if (!used[granule]) {
            misses++;
            held++;
        }
        if (held > room) {
            int64_t oldest = -1;
            for (int64_t g = 0; g < trail->granules; g++)
                if (used[g] && (oldest < 0 || used[g] < used[oldest])) oldest = g;
            used[oldest] = 0;
            held--;
        }
        used[granule] = t + 1;
    }
    free(used);
    return misses;
}

/* The number of granules that `wide` successive touches touch, on average over all windows. */
static double exact_footprint(const struct trail *trail, int64_t wide)
{
    double sum = 0;
    int64_t *seen = calloc((size_t)trail->granules, sizeof *seen);
    assert_non_null(seen);
    for (int64_t first = 0; first + wide <= trail->count; first++)
        for (int64_t t = first; t < first + wide; t++) {
            sum += seen[trail->granule[t]] != first + 1;
            seen[trail->granule[t]] = first + 1;
        }
    free(seen);
    return sum / (double)(trail->count - wide + 1);
}

/* The misses of a cache of this number of granules, by the reuse. */
static double misses_by_reuse(const struct reuse *reuse, int64_t room)
{
    double low = 0, high = reuse->ticks;
    for (int k = 0; k < 50; k++) {
        double middle = (low + high) / 2;
        if (reuse_footprint(reuse, middle) <= (double)room * REUSE_GRANULE)
            low = middle;
        else
            high = middle;
    }
    return (reuse_first(reuse) + reuse_again(reuse, low)) / REUSE_GRANULE;
}

static void expect_near(double found, double wanted, double share, const char *what)
{
    if (!(fabs(found - wanted) <= share * wanted + 2)) fail_msg("%s: %g, and not %g", what, found, wanted);
}

/* Misses may deviate by this share, since an average over all windows does not know that a few rows are
 * full. */
static void check_reuse(const struct csr *a, const int32_t *order, int size, double share)
{
    struct reuse reuse;
    struct trail trail = trail_of_x(a, order, size);
    const struct touches touches = touches_of(a);
    assert_int_equal(reuse_of_x(&touches, order, size, 1, &reuse, NULL, NULL), STATUS_OK);
    assert_true(reuse.ticks == (double)trail.count && reuse.touches == trail.count && reuse.scale == 1);
    assert_true(reuse_first(&reuse) == (double)exact_misses(&trail, trail.granules) * REUSE_GRANULE);
    for (int64_t wide = 4; wide < trail.count; wide *= 5)
        expect_near(reuse_footprint(&reuse, (double)wide) / REUSE_GRANULE, exact_footprint(&trail, wide),
                    0.05, "footprint");
    for (int64_t room = 4; room < trail.granules; room *= 2)
        expect_near(misses_by_reuse(&reuse, room), (double)exact_misses(&trail, room), share, "misses");
    assert_true(reuse_footprint(&reuse, reuse.ticks) == reuse_first(&reuse));
    free(trail.granule);
}

static void reuse_is_that_of_an_exact_cache(void **state)
{
    struct csr a = support_matrix(150, 900, 0.05, false, false, 3);
    struct csr skewed = support_matrix(140, 300, 0.03, true, false, 4);
    int32_t order[150];
    for (int32_t r = 0; r < 150; r++)
        order[r] = r * 7 % 150;
    check_reuse(&a, NULL, 8, 0.1);
    check_reuse(&a, NULL, 4, 0.1);
    check_reuse(&a, order, 8, 0.1);
    check_reuse(&skewed, NULL, 8, INFINITY);
    csr_free(&a);
    csr_free(&skewed);
}

static void reuse_does_not_depend_on_threads(void **state)
{
    struct csr a = support_matrix(2000, 900, 0.05, true, false, 3);
    struct reuse one, four;
    const struct touches touches = touches_of(&a);
    threads_set(1);
    assert_int_equal(reuse_of_x(&touches, NULL, 8, 1, &one, NULL, NULL), STATUS_OK);
    threads_set(4);
    assert_int_equal(reuse_of_x(&touches, NULL, 8, 1, &four, NULL, NULL), STATUS_OK);
    threads_set(0);
    assert_memory_equal(&one, &four, sizeof one);
    csr_free(&a);
}

/* Two million columns have more granules than are examined: one of four is. Each row has one entry, and all
 * columns come in order, twice. So half of the touches are first ones, and all gaps are half a product. */
static void granules_are_sampled(void **state)
{
    const int64_t cols = 2000000, rows = 2 * cols / 8;
    struct csr a = {.rows = rows, .cols = cols};
    struct reuse reuse;
    a.row_ptr = calloc((size_t)rows + 1, sizeof *a.row_ptr);
    a.col = calloc((size_t)rows, sizeof *a.col);
    assert_true(a.row_ptr && a.col);
    for (int64_t i = 0; i < rows; i++) {
        a.row_ptr[i + 1] = i + 1;
        a.col[i] = (int32_t)(i % (rows / 2) * 8);
    }
    const struct touches touches = touches_of(&a);
    assert_int_equal(reuse_of_x(&touches, NULL, 8, 1, &reuse, NULL, NULL), STATUS_OK);
    assert_true(reuse.scale == 16 && reuse.granules == rows / 2 / 16);
    assert_true(reuse_again(&reuse, (double)rows * 0.45) == reuse_first(&reuse));
    assert_true(reuse_again(&reuse, (double)rows * 0.6) == 0);
    assert_true(reuse_round(&reuse, (double)rows * 0.45) == reuse_first(&reuse));
    csr_free(&a);
}

/* Column by column the entries of 8 rows touch a granule of y; row by row each is touched once a row. */
static void y_is_touched_by_columns_and_in_an_order(void **state)
{
    static const double dense[16 * 4] = {
        [0 * 4 + 0] = 1, [3 * 4 + 2] = 1, [5 * 4 + 2] = 1, [7 * 4 + 3] = 1, [9 * 4 + 1] = 1};
    static const int32_t apart[16] = {0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15};
    struct csr a = support_dense(16, 4, dense);
    struct reuse reuse;
    assert_int_equal(reuse_of_y_by_columns(&a, 8, 1, &reuse, NULL), STATUS_OK);
    assert_true(reuse.granules == 2 && reuse.touches == 5 && reuse.ticks == 4);
    assert_true(reuse.gap[0] == 1 && reuse.gap[1] == 1 && reuse.gap[2] == 1); /* columns 0, 2, 2, 3 */
    assert_int_equal(reuse_of_y(&a, apart, 8, &reuse, NULL), STATUS_OK);
    assert_true(reuse.granules == 2 && reuse.touches == 16 && reuse.ticks == 16 && reuse.gap[2] == 14);
    csr_free(&a);
}

/* --- whole products --- */

/* Prepare a kernel for an H200, whose profile a test may then change. */
static void prepare(struct ready *ready, const struct kernel *kernel, const char *parameters, struct csr a)
{
    struct device_facts facts;
    assert_int_equal(gpu_find("h200", &ready->gpu, NULL), STATUS_OK);
    gpu_facts(&ready->gpu, &facts);
    ready_make(ready, &facts, kernel, parameters, a);
}

static enum status forecast(const struct ready *ready, struct memory_traffic *traffic,
                            struct progress *progress)
{
    struct coalescing coalescing;
    struct memory_reuse reuse = {.a = &ready->a};
    assert_int_equal(coalescing_count(&ready->launch, 1, 1, &coalescing, NULL, NULL, NULL), STATUS_OK);
    const struct memory_options options = {
        .gpu = &ready->gpu, .coalescing = &coalescing, .reuse = &reuse, .seed = 1, .budget = 2e5};
    enum status status = memory_forecast(&ready->launch, &options, traffic, progress, NULL);
    memory_reuse_free(&reuse);
    return status;
}

/* A matrix without empty rows, so that every byte of the arrays is read. */
static struct csr filled(int64_t rows, int64_t cols, int64_t each)
{
    struct csr a = {.rows = rows, .cols = cols};
    uint64_t seed = 5;
    a.row_ptr = calloc((size_t)rows + 1, sizeof *a.row_ptr);
    a.col = calloc((size_t)(rows * each), sizeof *a.col);
    a.val = calloc((size_t)(rows * each), sizeof *a.val);
    assert_true(a.row_ptr && a.col && a.val);
    for (int64_t i = 0; i < rows; i++) {
        a.row_ptr[i + 1] = (i + 1) * each;
        for (int64_t k = 0; k < each; k++) {
            a.col[i * each + k] = (int32_t)(cols * k / each + support_random(&seed, (uint32_t)(cols / each)));
            a.val[i * each + k] = 1;
        }
    }
    return a;
}

/* If everything fits in L2, memory delivers each byte of the arrays and of x once, and nothing for the next
 * product. */
static void data_that_fits_is_read_once(void **state)
{
    static const struct kernel *const some[] = {&kernel_cuda_csr_scalar,   &kernel_cuda_csr_vector,
                                                &kernel_cuda_csr_balanced, &kernel_cuda_coo_atomic,
                                                &kernel_cuda_csc_atomic,   &kernel_cuda_jds};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        struct ready ready = {.device = {0}};
        struct memory_traffic traffic;
        prepare(&ready, some[k], "", filled(20000, 4096, 9));
        assert_int_equal(forecast(&ready, &traffic, NULL), STATUS_OK);
        const struct traffic moved = kernel_traffic(&ready.launch);
        bool adds = some[k] == &kernel_cuda_coo_atomic || some[k] == &kernel_cuda_csc_atomic;
        double bytes = (double)(moved.array_bytes + moved.own_bytes) + 8 * 4096 + (adds ? 8 * 20000 : 0);
        expect_near(memory_sum(traffic.reads), bytes, 0.01, some[k]->name);
        assert_true(traffic.there && traffic.stays == 1 && traffic.writes == 0 && traffic.warm_writes == 0);
        assert_true(memory_sum(traffic.warm_reads) == 0);
        expect_near(traffic.reads[OPERAND_X], 8 * 4096, 0.01, "x");
        expect_near(traffic.reads[OPERAND_Y], adds ? 8 * 20000 : 0, 0.01, "y");
        assert_true(memory_sum(traffic.sectors) > memory_sum(traffic.misses));
        ready_free(&ready);
    }
}

/* A single thread processes a row of 64 entries. A sector of 32 bytes has 4 values, 8 columns or 4 elements
 * of x, the first of which misses. The two offsets of the row lie in another sector. Storing the sum causes
 * no wait. */
static void a_warp_that_is_alone_finds_what_it_has_loaded(void **state)
{
    struct ready ready;
    struct window_alone alone;
    struct csr a = filled(1, 64, 64);
    for (int k = 0; k < 64; k++)
        a.col[k] = k;
    prepare(&ready, &kernel_cuda_csr_scalar, "block=32", a);
    assert_int_equal(windows_alone(&ready.launch, &ready.gpu, 0, 0, &alone, NULL), STATUS_OK);
    const double requests = 2 + 3 * 64, missed = 1 + 64 / 4 + 64 / 8 + 64 / 4;
    assert_float_equal(alone.missed, missed / requests, 1e-12);
    assert_float_equal(alone.hits, 1 - missed / requests, 1e-12);
    assert_int_equal(windows_alone(&ready.launch, &ready.gpu, 0, 1, &alone, NULL), STATUS_OK);
    assert_true(alone.hits == 0 && alone.missed == 0); /* there is no second warp */
    ready_free(&ready);
}

/* One multiprocessor runs all blocks from the first one on. It requests each line of x once for the first
 * time, although there are far more lines than its table holds at first. */
static void each_line_is_new_once(void **state)
{
    enum { ROWS = 6000, COLS = 640000, EACH = 16, ON_LINE = 16 };
    struct ready ready;
    struct windows windows;
    struct csr a = filled(ROWS, COLS, EACH);
    bool *touched = calloc(COLS / ON_LINE, sizeof *touched);
    int64_t lines = 0;
    assert_non_null(touched);
    for (int64_t k = 0; k < (int64_t)ROWS * EACH; k++) {
        lines += !touched[a.col[k] / ON_LINE];
        touched[a.col[k] / ON_LINE] = true;
    }
    free(touched);
    assert_true(lines > 2 * 16384 && lines < (int64_t)ROWS * EACH / 2);
    prepare(&ready, &kernel_cuda_csr_scalar, "", a);
    ready.gpu.multiprocessors = 1;
    const struct windows_options options = {
        .gpu = &ready.gpu, .requests = 3 * ROWS * EACH / 32, .times = 1, .seed = 1, .budget = 1e9};
    assert_int_equal(windows_replay(&ready.launch, &options, &windows, NULL, NULL), STATUS_OK);
    assert_int_equal(windows.operand[OPERAND_X].lines, lines);
    ready_free(&ready);
}

/* A thread replays several windows in the same memory. One thread with all windows counts the same as several
 * threads with some of them each. */
static void windows_do_not_know_each_other(void **state)
{
    struct ready ready;
    static struct windows alone, shared;
    const int threads = threads_count();
    prepare(&ready, &kernel_cuda_csr_vector, "", filled(20000, 65536, 9));
    const struct windows_options options = {
        .gpu = &ready.gpu, .requests = 100000, .times = 1, .seed = 1, .budget = 50000};
    threads_set(1);
    assert_int_equal(windows_replay(&ready.launch, &options, &alone, NULL, NULL), STATUS_OK);
    threads_set(16);
    assert_int_equal(windows_replay(&ready.launch, &options, &shared, NULL, NULL), STATUS_OK);
    threads_set(threads);
    assert_true(alone.requests > 10000 && alone.served > 0);
    assert_memory_equal(&alone, &shared, sizeof alone);
    ready_free(&ready);
}

/* An operand that is not tracked in L2 passes L1 as before, and all others are counted as before. */
static void an_operand_may_be_left_unfollowed(void **state)
{
    struct ready ready;
    static struct windows all, some;
    prepare(&ready, &kernel_cuda_csr_vector, "", filled(20000, 65536, 9));
    struct windows_options options = {
        .gpu = &ready.gpu, .requests = 100000, .times = 1, .seed = 1, .budget = 50000};
    assert_int_equal(windows_replay(&ready.launch, &options, &all, NULL, NULL), STATUS_OK);
    options.unfollowed = 1u << OPERAND_X;
    assert_int_equal(windows_replay(&ready.launch, &options, &some, NULL, NULL), STATUS_OK);
    struct window_counts *x = &all.operand[OPERAND_X];
    assert_true(x->touches > 1000 && x->lines > 100 && x->granules > 100);
    const struct window_counts left = {.loads = x->loads, .misses = x->misses, .once = x->once};
    *x = left;
    assert_memory_equal(&some, &all, sizeof all);
    ready_free(&ready);
}

/* The requests of all warps in order, in granules of an exact cache. */
struct exact {
    struct trail trail;
    int64_t first[OPERANDS]; /* the granule that each operand begins with */
    bool of_x[1 << 20];
};

static void note(void *context, const struct request *request)
{
    struct exact *exact = context;
    int64_t before = -1;
    for (uint32_t rest = request->active; rest; rest &= rest - 1) {
        uint64_t address = request->address[__builtin_ctz(rest)];
        int64_t granule = exact->first[request->ask->operand] + (int64_t)(address / REUSE_GRANULE);
        if (granule == before) continue;
        before = granule;
        assert_true(exact->trail.count < 1 << 20);
        exact->of_x[exact->trail.count] = request->ask->operand == OPERAND_X;
        exact->trail.granule[exact->trail.count++] = granule;
    }
}

/* A GPU with one multiprocessor, without L1, and with one warp at a time makes its requests in a known order.
 * Its L2, undivided, is an exact cache. */
static void a_small_gpu_reads_what_an_exact_cache_does(void **state)
{
    static struct exact exact;
    struct ready ready = {.device = {0}};
    struct memory_traffic traffic;
    prepare(&ready, &kernel_cuda_csr_scalar, "block=32", filled(3000, 16384, 9));
    ready.gpu.multiprocessors = ready.gpu.partitions = 1;
    ready.gpu.blocks = 1;
    ready.gpu.l1 = 0;
    ready.gpu.l1_shared = 0;
    exact.trail.granule = calloc(1 << 20, sizeof *exact.trail.granule);
    assert_non_null(exact.trail.granule);
    for (int o = 0; o < OPERANDS; o++)
        exact.first[o] = o * 16384;
    exact.trail.granules = OPERANDS * 16384;
    struct tracer tracer = {.show = note, .context = &exact};
    struct trace_stage stage;
    trace_stage(&ready.launch, 0, &stage);
    for (int64_t w = 0; w < stage.warps; w++)
        trace_warp(&ready.launch, 0, w, &tracer);
    for (size_t kib = 32; kib <= 512; kib *= 2) {
        ready.gpu.cache = kib * KIB;
        assert_int_equal(forecast(&ready, &traffic, NULL), STATUS_OK);
        double counted =
            (double)exact_misses(&exact.trail, (int64_t)(kib * KIB / REUSE_GRANULE)) * REUSE_GRANULE;
        counted -= 3000 * 8; /* y is stored whole, and not read */
        expect_near(memory_sum(traffic.reads), counted, 0.08, "bytes read");
        assert_true(memory_sum(traffic.misses) ==
                    (double)tracer.count[ACCESS_LOAD][OPERAND_VALUES].sectors +
                        (double)tracer.count[ACCESS_LOAD][OPERAND_COLUMNS].sectors +
                        (double)tracer.count[ACCESS_LOAD][OPERAND_POINTERS].sectors +
                        (double)tracer.count[ACCESS_LOAD][OPERAND_X].sectors);
    }
    free(exact.trail.granule);
    ready_free(&ready);
}

/* With a small L2 the next product reads the arrays again, and y is written. A larger L2 never reads more.
 * Loads that advise early eviction leave L2 to x. */
static void a_small_l2_reads_more(void **state)
{
    struct ready ready = {.device = {0}}, advised = {.device = {0}};
    struct memory_traffic traffic, other;
    double before = INFINITY;
    prepare(&ready, &kernel_cuda_csr_vector, "", filled(40000, 65536, 9));
    prepare(&advised, &kernel_cuda_csr_balanced, "", filled(40000, 65536, 9));
    for (size_t kib = 128; kib <= 16384; kib *= 2) {
        ready.gpu.cache = advised.gpu.cache = kib * KIB;
        assert_int_equal(forecast(&ready, &traffic, NULL), STATUS_OK);
        assert_int_equal(forecast(&advised, &other, NULL), STATUS_OK);
        double reads = memory_sum(traffic.reads);
        assert_true(reads <= before);
        assert_true(other.stays >= traffic.stays && other.reads[OPERAND_X] <= traffic.reads[OPERAND_X]);
        if (kib == 4096)
            assert_true(other.stays == 1 && traffic.stays < 1); /* x and y have room, arrays not */
        if (traffic.stays < 1) {
            assert_true(traffic.warm_reads[OPERAND_VALUES] == traffic.reads[OPERAND_VALUES]);
            assert_true(traffic.warm_reads[OPERAND_X] <= traffic.reads[OPERAND_X]);
            assert_true(traffic.writes > 0 && traffic.writes <= traffic.warm_writes);
        }
        before = reads;
    }
    assert_true(traffic.stays == 1);
    ready.gpu.cache = 128 * KIB;
    assert_int_equal(forecast(&ready, &traffic, NULL), STATUS_OK);
    assert_true(traffic.reads[OPERAND_X] > 10 * 8 * 65536);
    ready_free(&ready);
    ready_free(&advised);
}

static void a_forecast_does_not_depend_on_threads(void **state)
{
    struct ready ready = {.device = {0}};
    struct memory_traffic one, three;
    prepare(&ready, &kernel_cuda_jds, "", support_matrix(3000, 500, 0.05, true, false, 3));
    ready.gpu.cache = 256 * KIB;
    threads_set(1);
    assert_int_equal(forecast(&ready, &one, NULL), STATUS_OK);
    threads_set(3);
    assert_int_equal(forecast(&ready, &three, NULL), STATUS_OK);
    threads_set(0);
    assert_memory_equal(&one, &three, sizeof one);
    ready_free(&ready);
}

static void a_forecast_can_be_cancelled_and_run_out_of_memory(void **state)
{
    struct ready ready = {.device = {0}};
    struct progress progress = {0};
    struct memory_traffic traffic = {.there = true};
    struct coalescing coalescing;
    prepare(&ready, &kernel_cuda_jds, "", support_matrix(300, 200, 0.05, true, false, 3));
    progress_cancel(&progress);
    assert_int_equal(forecast(&ready, &traffic, &progress), STATUS_CANCELLED);
    assert_false(traffic.there);
    assert_int_equal(coalescing_count(&ready.launch, 1, 1, &coalescing, NULL, NULL, NULL), STATUS_OK);
    enum status status = STATUS_MEMORY;
    threads_set(1);
    for (long after = 0; status != STATUS_OK; after++) {
        struct memory_reuse reuse = {.a = &ready.a};
        const struct memory_options options = {
            .gpu = &ready.gpu, .coalescing = &coalescing, .reuse = &reuse, .seed = 1, .budget = 1000};
        assert_true(after < 100000);
        memory_fail_after(after);
        status = memory_forecast(&ready.launch, &options, &traffic, NULL, NULL);
        memory_fail_after(-1);
        memory_reuse_free(&reuse);
        assert_true(status == STATUS_OK ? traffic.there : status == STATUS_MEMORY && !traffic.there);
    }
    threads_set(0);
    ready_free(&ready);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_hold_gaps),
        cmocka_unit_test(reuse_is_that_of_an_exact_cache),
        cmocka_unit_test(reuse_does_not_depend_on_threads),
        cmocka_unit_test(granules_are_sampled),
        cmocka_unit_test(y_is_touched_by_columns_and_in_an_order),
        cmocka_unit_test(data_that_fits_is_read_once),
        cmocka_unit_test(a_warp_that_is_alone_finds_what_it_has_loaded),
        cmocka_unit_test(a_small_gpu_reads_what_an_exact_cache_does),
        cmocka_unit_test(each_line_is_new_once),
        cmocka_unit_test(windows_do_not_know_each_other),
        cmocka_unit_test(an_operand_may_be_left_unfollowed),
        cmocka_unit_test(a_small_l2_reads_more),
        cmocka_unit_test(a_forecast_does_not_depend_on_threads),
        cmocka_unit_test(a_forecast_can_be_cancelled_and_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
