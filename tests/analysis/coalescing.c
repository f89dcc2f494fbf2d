/* Coalescing: counts of whole products, the same from any number of threads, and samples of them. */
#include <math.h>
#include <string.h>

#include "analysis/warps/coalescing.h"
#include "base/memory.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/ready.h"
#include "support/support.h"

static const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448};

static void prepare(struct ready *ready, const struct kernel *kernel, const char *parameters, struct csr a)
{
    ready_make(ready, &facts, kernel, parameters, a);
}

static struct coalescing count(const struct ready *ready, double share, uint64_t seed)
{
    struct coalescing out;
    struct error error = {0};
    if (coalescing_count(&ready->launch, share, seed, &out, NULL, NULL, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return out;
}

static struct csr full(int64_t rows, int64_t cols)
{
    return support_matrix(rows, cols, 1, false, false, 7);
}

/* 64 rows of 4 doubles, one thread a row. In each of 4 steps the values of 32 lanes lie 32 bytes apart: 32
 * sectors, of each of which 8 bytes are requested. Columns lie 16 bytes apart: 16 sectors. All lanes load the
 * same element of x. */
static void a_thread_a_row_reads_a_quarter_of_its_sectors(void **state)
{
    double ones[64 * 4];
    struct ready ready;
    for (int k = 0; k < 64 * 4; k++)
        ones[k] = 1;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_dense(64, 4, ones));
    const struct coalescing found = count(&ready, 1, 1);
    const struct trace_counts *load = found.count[ACCESS_LOAD];
    assert_int_equal(found.warps, 8); /* a block of 256 threads, of which six warps have no row */
    assert_int_equal(found.replayed, 8);
    assert_true(found.share == 1 && found.error == 0);
    assert_int_equal(load[OPERAND_VALUES].requests, 8);
    assert_int_equal(load[OPERAND_VALUES].sectors, 8 * 32);
    assert_true(coalescing_efficiency(&load[OPERAND_VALUES], 32) == 0.25);
    assert_true(coalescing_efficiency(&load[OPERAND_VALUES], 128) == 0.25);
    assert_true(coalescing_efficiency(&load[OPERAND_COLUMNS], 32) == 0.25);
    assert_true(coalescing_efficiency(&load[OPERAND_X], 32) == 0.25); /* all lanes share 8 bytes */
    assert_true(coalescing_sectors_per_request(&load[OPERAND_VALUES]) == 32);
    assert_true(coalescing_sectors_per_request(&load[OPERAND_X]) == 1);
    assert_true(isnan(coalescing_sectors_per_request(&load[OPERAND_Y]))); /* y is not loaded */
    assert_true(coalescing_lane_utilisation(&found) == 1);
    /* 32 lanes' row_ptr[i + 1] lie in 5 sectors, and their row_ptr[i] in 4 */
    assert_int_equal(load[OPERAND_POINTERS].sectors, 2 * 9);
    assert_int_equal(coalescing_sum(&found, ACCESS_STORE).sectors, 2 * 8);
    assert_int_equal(coalescing_sum(&found, ACCESS_REDUCTION).requests, 0);
    assert_int_equal(coalescing_bank_conflicts(&found), 0);
    const double asked = 8 * (256 + 128 + 256) + 4 * 128 + 2 * 256, moved = 8 * (32 + 16 + 1) + 18 + 16;
    const struct trace_counts all = coalescing_sum_of_all(&found);
    assert_int_equal(all.sectors, (int64_t)moved);
    assert_int_equal(all.bytes, (int64_t)asked);
    assert_int_equal(all.requests, 8 * 3 + 4 + 2);
    const double useful = 8 * (256 + 128 + 8) + 4 * 128 + 2 * 256;
    assert_int_equal(all.useful, (int64_t)useful);
    assert_int_equal(all.padding, 0);
    assert_true(coalescing_padding(&all) == 0);
    assert_true(fabs(coalescing_efficiency_of_all(&found, 32) - useful / (32 * moved)) < 1e-15);
    ready_free(&ready);
}

/* 64 rows in two warps. In the first warp, one row has 5 entries and the others have 1; in the second one all
 * have 2. A thread loads two pointers, and three elements per entry. Storing the sum causes no wait. */
static void the_longest_warp_is_told(void **state)
{
    double some[64 * 5] = {0};
    struct ready ready;
    struct coalescing found;
    struct coalescing_launch launches[1];
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < (i == 9 ? 5 : i < 32 ? 1 : 2); j++)
            some[5 * i + j] = 1;
    prepare(&ready, &kernel_cuda_csr_scalar, "block=32", support_dense(64, 5, some));
    assert_int_equal(coalescing_count(&ready.launch, 1, 1, &found, launches, NULL, NULL), STATUS_OK);
    assert_int_equal(launches[0].warps, 2);
    assert_int_equal(launches[0].replayed, 2);
    assert_int_equal(launches[0].longest, 2 + 3 * 5);
    assert_int_equal(launches[0].longest_warp, 0);
    assert_int_equal(launches[0].requests, (2 + 3 * 5) + (2 + 3 * 2));
    assert_int_equal(launches[0].shared, 0);
    assert_int_equal(launches[0].longest_shared, 0);
    assert_int_equal(found.hottest, 0);
    ready_free(&ready);
}

/* The launches of coalescing_count, compared with a loop over their warps; a sample is scaled up. */
static void launches_are_the_sums_of_their_warps(void **state)
{
    static const struct kernel *const some_kernels[] = {&kernel_cuda_cmrs, &kernel_cuda_hyb,
                                                        &kernel_cuda_jds};
    static const char *const parameters[] = {"height=4", "k=2", "longest=3"};
    for (int k = 0; k < 3; k++) {
        struct ready ready;
        struct coalescing found;
        struct coalescing_launch launches[8] = {{0}}, some[8] = {{0}};
        prepare(&ready, some_kernels[k], parameters[k], support_matrix(900, 40, 0.1, false, false, 3));
        int64_t stages = trace_stages(&ready.launch);
        assert_true(stages >= 1 && stages <= 8);
        assert_int_equal(coalescing_count(&ready.launch, 1, 1, &found, launches, NULL, NULL), STATUS_OK);
        assert_int_equal(coalescing_count(&ready.launch, 0.5, 1, &found, some, NULL, NULL), STATUS_OK);
        for (int64_t s = 0; s < stages; s++) {
            struct trace_stage stage;
            int64_t sum[2] = {0, 0}, most[2] = {0, 0};
            trace_stage(&ready.launch, s, &stage);
            for (int64_t w = 0; w < stage.warps; w++) {
                struct tracer tracer = {.padding = 0};
                int64_t mine[2] = {0, 0};
                trace_warp(&ready.launch, s, w, &tracer);
                for (int a = 0; a < ACCESSES; a++)
                    for (int o = 0; o < OPERANDS; o++)
                        if (o == OPERAND_SHARED || a == ACCESS_LOAD || a == ACCESS_ATOMIC)
                            mine[o == OPERAND_SHARED] += tracer.count[a][o].requests;
                for (int m = 0; m < 2; m++) {
                    sum[m] += mine[m];
                    most[m] = mine[m] > most[m] ? mine[m] : most[m];
                }
            }
            assert_int_equal(launches[s].requests, sum[0]);
            assert_int_equal(launches[s].shared, sum[1]);
            assert_int_equal(launches[s].longest, most[0]);
            assert_int_equal(launches[s].longest_shared, most[1]);
            assert_int_equal(some[s].warps, stage.warps);
            assert_true(some[s].replayed <= stage.warps);
            assert_int_equal(some[s].longest, most[0]); /* every sample contains the heaviest warps */
            if (some[s].replayed > 0)
                assert_true(fabs((double)some[s].requests - (double)sum[0]) < 0.3 * (double)sum[0]);
        }
        ready_free(&ready);
    }
}

/* A row of 700 entries anywhere among rows of about 4. Every sample replays its warp, and estimates the
 * requests of all warps as well as without that row. */
static void the_heaviest_warp_is_in_every_sample(void **state)
{
    static const struct kernel *const some_kernels[] = {
        &kernel_cuda_csr_scalar, &kernel_cuda_csr_vector, &kernel_cuda_ell_bounded, &kernel_cuda_jds,
        &kernel_cuda_cmrs,       &kernel_cuda_sell,       &kernel_cuda_hyb_fused,   &kernel_cuda_ell_masked};
    enum { ROWS = 20000, WIDE = 700 };
    for (int k = 0; k < 8; k++) {
        struct ready ready;
        struct csr a = {.rows = ROWS, .cols = WIDE};
        struct coalescing found;
        struct coalescing_launch all = {0}, some = {0};
        a.row_ptr = calloc(ROWS + 1, sizeof *a.row_ptr);
        a.col = calloc(ROWS * 5 + WIDE, sizeof *a.col);
        a.val = calloc(ROWS * 5 + WIDE, sizeof *a.val);
        assert_true(a.row_ptr && a.col && a.val);
        for (int64_t i = 0; i < ROWS; i++) {
            int64_t length = i == 2500 * k + 77 ? WIDE : 3 + i % 3;
            a.row_ptr[i + 1] = a.row_ptr[i] + length;
            for (int64_t j = 0; j < length; j++)
                a.col[a.row_ptr[i] + j] = (int32_t)j;
        }
        ready_make_as(&ready, &facts, some_kernels[k], k == 7 ? "pad=sentinel" : "", "", a);
        assert_int_equal(coalescing_count(&ready.launch, 1, 1, &found, &all, NULL, NULL), STATUS_OK);
        for (uint64_t seed = 1; seed <= 5; seed++) {
            assert_int_equal(coalescing_count(&ready.launch, 0.1, seed, &found, &some, NULL, NULL),
                             STATUS_OK);
            assert_true(found.share < 0.5);
            assert_int_equal(some.longest, all.longest);
            assert_int_equal(some.longest_warp, all.longest_warp);
            assert_true(fabs((double)some.requests / (double)all.requests - 1) < 0.25);
        }
        ready_free(&ready);
    }
}

/* Of 40 blocks of warps four have rows of 30 entries, and the others rows of 4. Every sample replays the
 * four. The others are all alike, so that the estimate is exact. */
static void heavy_warps_are_in_every_sample(void **state)
{
    enum { BLOCKS = 40, BLOCK_ROWS = 32 * COALESCING_BLOCK, LONG = 30, SHORT = 4 };
    struct ready ready;
    struct csr a = {.rows = BLOCKS * BLOCK_ROWS, .cols = LONG};
    a.row_ptr = calloc((size_t)a.rows + 1, sizeof *a.row_ptr);
    for (int64_t i = 0; a.row_ptr && i < a.rows; i++)
        a.row_ptr[i + 1] = a.row_ptr[i] + (i / BLOCK_ROWS % 10 == 3 ? LONG : SHORT);
    a.col = a.row_ptr ? calloc((size_t)a.row_ptr[a.rows], sizeof *a.col) : NULL;
    a.val = a.row_ptr ? calloc((size_t)a.row_ptr[a.rows], sizeof *a.val) : NULL;
    assert_true(a.row_ptr && a.col && a.val);
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++)
            a.col[k] = (int32_t)(k - a.row_ptr[i]);
    prepare(&ready, &kernel_cuda_csr_scalar, "", a);
    const struct coalescing all = count(&ready, 1, 1);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const struct coalescing some = count(&ready, 0.5, seed);
        assert_true(some.replayed < all.warps * 3 / 4);
        const double ratio = (double)coalescing_sum(&some, ACCESS_LOAD).requests /
                             (double)coalescing_sum(&all, ACCESS_LOAD).requests;
        assert_float_equal(ratio, 1, 1e-3);
    }
    ready_free(&ready);
}

/* Additions of warps that do not run together do not collide. 3 x 64 warps run together, with 6144 entries,
 * or 4 rows of 1536; 16 rows share a line. If all warps ran together, the most contended line would get 16 x
 * 1536 additions. */
static void additions_meet_in_turns(void **state)
{
    const int64_t places[1] = {64};
    struct csr a = {.rows = 32, .cols = 1536};
    struct ready ready;
    struct coalescing found;
    a.row_ptr = calloc(33, sizeof *a.row_ptr);
    a.col = calloc(32 * 1536, sizeof *a.col);
    a.val = calloc(32 * 1536, sizeof *a.val);
    assert_true(a.row_ptr && a.col && a.val);
    for (int64_t i = 0; i < 32; i++) {
        a.row_ptr[i + 1] = 1536 * (i + 1);
        for (int64_t j = 0; j < 1536; j++)
            a.col[1536 * i + j] = (int32_t)j;
    }
    prepare(&ready, &kernel_cuda_coo_atomic, "", a);
    found = count(&ready, 1, 1);
    assert_int_equal(found.hottest, 16 * 1536);
    assert_int_equal(coalescing_count_turns(&ready.launch, 1, 1, places, &found, NULL, NULL, NULL),
                     STATUS_OK);
    assert_int_equal(found.hottest, 8 * 4 * 1536); /* 8 groups of warps, and one line each */
    assert_int_equal(coalescing_count_turns(&ready.launch, 0.25, 1, places, &found, NULL, NULL, NULL),
                     STATUS_OK);
    assert_true(fabs((double)found.hottest / (8 * 4 * 1536) - 1) < 0.05);
    ready_free(&ready);
}

/* Of doubles, 4 rows share a sector of y, and 16 a line. Entry k of each row belongs to turn k of its warp.
 * The 16 rows of the first line have 1 entry each, but one of them has 3: 4 sectors, and 2 more turns. The
 * other 4 rows share a sector and have 5 entries each, the first 14 in one warp and the last 6 in another: 5
 * turns each. Of complex doubles, 2 rows share a sector. The first warp adds to 2 sectors in 4 turns and to 1
 * in the fifth, the second warp to 1 in each of 5, and each addition has two parts. In the last case three
 * sectors of the first line have rows of 5 entries: 4 + 4 x 3. */
static void the_hottest_line_is_told(void **state)
{
    double some[20 * 5] = {0}, imaginary[20 * 5] = {0};
    struct ready ready;
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < (i >= 16 ? 5 : i == 3 ? 3 : 1); j++)
            some[5 * i + j] = 1;
    prepare(&ready, &kernel_cuda_coo_atomic, "", support_dense(20, 5, some));
    struct coalescing found = count(&ready, 1, 1);
    assert_int_equal(found.hottest, 5 + 5);
    ready_free(&ready);
    struct csr a = support_dense(20, 5, some);
    a.imaginary = memory_array((size_t)csr_nnz(&a), sizeof *a.imaginary, NULL);
    assert_non_null(a.imaginary);
    memcpy(a.imaginary, imaginary, (size_t)csr_nnz(&a) * sizeof *a.imaginary);
    prepare(&ready, &kernel_cuda_coo_atomic, "", a);
    found = count(&ready, 1, 1);
    assert_int_equal(found.hottest, 2 * (4 * 2 + 1 + 5));
    ready_free(&ready);
    some[0 * 5 + 1] = some[0 * 5 + 2] = 1;
    for (int i = 3; i < 12; i += 4)
        for (int j = 0; j < 5; j++)
            some[5 * i + j] = 1;
    prepare(&ready, &kernel_cuda_coo_atomic, "", support_dense(20, 5, some));
    found = count(&ready, 1, 1);
    assert_int_equal(found.hottest, 4 + 4 * 3);
    ready_free(&ready);
}

/* 32 rows, one of 4 entries and the others of 1. ELL pads them to 4, and each thread reads all slots of its
 * row. All lanes work, but in three of four steps only one of them has an entry. */
static void padding_is_no_work(void **state)
{
    double some[32 * 4] = {0};
    struct ready ready;
    for (int i = 0; i < 32; i++)
        some[4 * i] = 1;
    for (int j = 0; j < 4; j++)
        some[4 * 7 + j] = 1;
    prepare(&ready, &kernel_cuda_ell_padded, "block=32", support_dense(32, 4, some));
    const struct coalescing found = count(&ready, 1, 1);
    const struct trace_counts *load = found.count[ACCESS_LOAD];
    assert_int_equal(load[OPERAND_VALUES].requests, 4);
    assert_int_equal(load[OPERAND_VALUES].sectors, 4 * 8);
    assert_int_equal(load[OPERAND_VALUES].lanes, 4 * 32);
    assert_int_equal(load[OPERAND_VALUES].padding, 3 * 31);
    assert_int_equal(load[OPERAND_VALUES].useful, 35 * 8);
    assert_true(coalescing_efficiency(&load[OPERAND_VALUES], 32) == 35 * 8 / (4 * 256.0));
    assert_true(coalescing_padding(&load[OPERAND_VALUES]) == 93 / 128.0);
    assert_int_equal(load[OPERAND_X].useful, 4 * 8); /* x[0] for 32 lanes, then x[1], x[2] and x[3] for one */
    assert_true(coalescing_lane_utilisation(&found) == 35 / 128.0);
    ready_free(&ready);
}

/* Numbers that an older version did not count are unknown, and so are those derived from them. */
static void useful_bytes_may_not_be_known(void **state)
{
    const struct trace_counts counts = {.requests = 1, .sectors = 4, .lines = 1, .useful = -1, .lanes = 32};
    assert_true(isnan(coalescing_efficiency(&counts, 32)) && isnan(coalescing_efficiency(&counts, 128)));
    assert_true(isnan(coalescing_padding(&(struct trace_counts){.requests = 0})));
}

/* A row of 33: a warp's second step has one lane. */
static void tails_leave_lanes_idle(void **state)
{
    struct ready ready;
    prepare(&ready, &kernel_cuda_csr_vector, "threads=32,block=32", full(1, 33));
    const struct coalescing found = count(&ready, 1, 1);
    const struct trace_counts *load = found.count[ACCESS_LOAD];
    int64_t entries = csr_nnz(&ready.a), steps = (entries + 31) / 32;
    assert_int_equal(load[OPERAND_VALUES].requests, steps);
    assert_int_equal(load[OPERAND_VALUES].lanes, entries);
    const double lanes = (double)(3 * entries + 64), requests = (double)(3 * steps + 2);
    assert_true(fabs(coalescing_lane_utilisation(&found) - lanes / (32 * requests)) < 1e-15);
    ready_free(&ready);
}

static void counts_do_not_depend_on_threads(void **state)
{
    struct ready ready;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_matrix(5000, 300, 0.02, true, false, 3));
    threads_set(1);
    const struct coalescing one = count(&ready, 1, 1), some = count(&ready, 0.1, 5);
    threads_set(7);
    const struct coalescing seven = count(&ready, 1, 1), others = count(&ready, 0.1, 5);
    threads_set(0);
    assert_memory_equal(&one, &seven, sizeof one);
    assert_memory_equal(&some, &others, sizeof some);
    ready_free(&ready);
}

/* Over many seeds the estimates lie about the truth, and nearly all within their error. */
static void samples_estimate_the_whole(void **state)
{
    struct ready ready;
    double mean = 0;
    int within = 0, seeds = 200;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_matrix(100000, 60, 0.1, true, false, 3));
    const struct coalescing all = count(&ready, 1, 1);
    double sectors = (double)coalescing_sum(&all, ACCESS_LOAD).sectors;
    for (int seed = 0; seed < seeds; seed++) {
        const struct coalescing some = count(&ready, 0.2, (uint64_t)seed);
        double estimate = (double)coalescing_sum(&some, ACCESS_LOAD).sectors;
        assert_true(some.warps == all.warps && some.replayed < all.warps / 4);
        assert_true(some.error > 0 && some.error < 0.5);
        mean += estimate / seeds;
        within += fabs(estimate - sectors) <= some.error * estimate;
    }
    assert_true(fabs(mean / sectors - 1) < 0.01);
    assert_in_range(within, 9 * seeds / 10, seeds);
    ready_free(&ready);
}

/* Sectors of block b of warps, which are replayed one by one. */
static double sectors_of_block(const struct ready *ready, int64_t b)
{
    struct tracer tracer = {0};
    double sum = 0;
    for (int64_t warp = b * COALESCING_BLOCK; warp < (b + 1) * COALESCING_BLOCK; warp++)
        trace_warp(&ready->launch, 0, warp, &tracer);
    for (int a = 0; a < ACCESSES; a++)
        for (int o = 0; o < OPERANDS; o++)
            sum += (double)tracer.count[a][o].sectors;
    return sum;
}

static double all_sectors(const struct coalescing *counts)
{
    double sum = 0;
    for (int a = 0; a < ACCESSES; a++)
        for (int o = 0; o < OPERANDS; o++)
            sum += (double)counts->count[a][o].sectors;
    return sum;
}

/* Of seven blocks the one with the longest rows is always replayed. The others make two strata of three, and
 * two of each are replayed: nine outcomes, which the estimate distinguishes. Simple random sampling without
 * replacement, n = 2 of N = 3, estimates the total of a stratum as N (y1 + y2) / n with the variance N^2 (1 -
 * n / N) s^2 / n, s^2 = (y1 - y2)^2 / 2. The three terms of Abramowitz and Stegun's 26.7.5 come to 4.1712 for
 * two degrees of freedom. */
static void the_error_of_a_sample_is_that_of_its_strata(void **state)
{
    enum { ROWS = 7 * COALESCING_BLOCK * 32, WIDE = 40 };
    static const int lengths[7] = {3, 17, 8, 31, 38, 5, 26};
    static const int drawn[6] = {0, 1, 2, 3, 5, 6};
    static double dense[ROWS * WIDE];
    struct ready ready;
    double y[6];
    int met = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < lengths[i / (ROWS / 7)]; j++)
            dense[i * WIDE + j] = 1;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_dense(ROWS, WIDE, dense));
    for (int b = 0; b < 6; b++)
        y[b] = sectors_of_block(&ready, drawn[b]);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const struct coalescing some = count(&ready, 0.5, seed);
        assert_int_equal(some.replayed, 5 * COALESCING_BLOCK);
        for (int outcome = 0; outcome < 9; outcome++) {
            double total = sectors_of_block(&ready, 4), variance = 0;
            for (int h = 0; h < 2; h++) {
                int left_out = h ? outcome / 3 : outcome % 3;
                double y1 = y[3 * h + (left_out == 0)], y2 = y[3 * h + 2 - (left_out == 2)];
                total += 1.5 * (y1 + y2);
                variance += 9 * (1 - 2. / 3) * (y1 - y2) * (y1 - y2) / 2 / 2;
            }
            if (fabs(all_sectors(&some) - total) > 20) continue; /* each sum is rounded */
            assert_true(fabs(some.error / (4.1712 * sqrt(variance) / total) - 1) < 1e-3);
            met++;
        }
    }
    assert_int_equal(met, 40);
    ready_free(&ready);
}

/* A reduction in shared memory moves no more bytes than one by shuffles. */
static void shared_memory_is_no_memory(void **state)
{
    struct ready shuffles, shared;
    prepare(&shuffles, &kernel_cuda_csr_vector, "threads=32", support_matrix(100, 90, 0.3, false, false, 5));
    prepare(&shared, &kernel_cuda_csr_vector, "reduce=shared", support_matrix(100, 90, 0.3, false, false, 5));
    const struct coalescing a = count(&shuffles, 1, 1), b = count(&shared, 1, 1);
    assert_true(b.count[ACCESS_LOAD][OPERAND_SHARED].requests > 0);
    assert_true(isnan(coalescing_sectors_per_request(&b.count[ACCESS_LOAD][OPERAND_SHARED])));
    assert_true(isnan(coalescing_efficiency(&b.count[ACCESS_LOAD][OPERAND_SHARED], 32)));
    for (int access = 0; access < ACCESSES; access++) {
        const struct trace_counts of_a = coalescing_sum(&a, (enum access)access);
        const struct trace_counts of_b = coalescing_sum(&b, (enum access)access);
        assert_memory_equal(&of_a, &of_b, sizeof of_a);
    }
    ready_free(&shuffles);
    ready_free(&shared);
}

static void nothing_asks_for_nothing(void **state)
{
    struct ready ready;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_dense(0, 5, NULL));
    for (int k = 0; k < 2; k++) {
        const struct coalescing none = count(&ready, k ? 0.01 : 1, 1);
        assert_true(none.warps == 0 && none.share == 1);
        assert_true(isnan(coalescing_efficiency_of_all(&none, 32)));
        assert_true(isnan(coalescing_lane_utilisation(&none)));
    }
    ready_free(&ready);
}

static void failed_allocations_are_told(void **state)
{
    struct ready ready;
    struct coalescing out;
    prepare(&ready, &kernel_cuda_csr_scalar, "", full(2000, 9));
    for (int k = 0;; k++) {
        struct error error = {0};
        memory_fail_after(k);
        enum status status = coalescing_count(&ready.launch, 0.5, 1, &out, NULL, NULL, &error);
        memory_fail_after(-1);
        if (status == STATUS_OK) {
            assert_true(k >= 2);
            break;
        }
        assert_int_equal(status, STATUS_MEMORY);
        assert_true(error.message[0] != 0);
    }
    ready_free(&ready);
}

static void a_cancelled_count_stops(void **state)
{
    struct ready ready;
    struct progress progress = {0};
    struct coalescing out;
    prepare(&ready, &kernel_cuda_csr_scalar, "", full(2000, 9));
    progress_cancel(&progress);
    assert_int_equal(coalescing_count(&ready.launch, 1, 1, &out, NULL, &progress, NULL), STATUS_CANCELLED);
    ready_free(&ready);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_a_row_reads_a_quarter_of_its_sectors),
        cmocka_unit_test(padding_is_no_work),
        cmocka_unit_test(the_longest_warp_is_told),
        cmocka_unit_test(launches_are_the_sums_of_their_warps),
        cmocka_unit_test(the_heaviest_warp_is_in_every_sample),
        cmocka_unit_test(heavy_warps_are_in_every_sample),
        cmocka_unit_test(additions_meet_in_turns),
        cmocka_unit_test(the_hottest_line_is_told),
        cmocka_unit_test(useful_bytes_may_not_be_known),
        cmocka_unit_test(tails_leave_lanes_idle),
        cmocka_unit_test(counts_do_not_depend_on_threads),
        cmocka_unit_test(samples_estimate_the_whole),
        cmocka_unit_test(the_error_of_a_sample_is_that_of_its_strata),
        cmocka_unit_test(shared_memory_is_no_memory),
        cmocka_unit_test(nothing_asks_for_nothing),
        cmocka_unit_test(failed_allocations_are_told),
        cmocka_unit_test(a_cancelled_count_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
