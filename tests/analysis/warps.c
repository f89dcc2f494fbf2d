/* Warps: the worst and a typical one, and where a row is worked on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/warps/warps.h"
#include "base/memory.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/support.h"
#include "support/warps.h"

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The result that warp_costs_find should have for warps (first + k x every blocks of 16) of csr-scalar. */
static struct warp_costs plain_costs(const struct csr *a, int64_t every)
{
    static int64_t sorted[4096];
    struct warp_costs costs = {.warps = (a->rows + 255) / 256 * 8};
    for (int64_t w = 0; w < costs.warps; w++) {
        int64_t sectors = w * 32 < a->rows ? warps_scalar_sectors(a, w) : 0;
        if (w / 16 % every) continue;
        costs.looked++;
        if (!sectors) continue;
        const int64_t requests = warps_scalar_requests(a, w);
        if (requests > costs.requests) costs.longest.warp = w;
        if (requests > costs.requests) costs.requests = requests;
        if (sectors > costs.max) costs.worst.warp = w;
        if (sectors > costs.max) costs.max = sectors;
        sorted[costs.busy++] = sectors;
    }
    qsort(sorted, (size_t)costs.busy, sizeof *sorted, ascending);
    costs.median = sorted[(costs.busy - 1) / 2];
    for (int64_t w = costs.warps - 1; w >= 0; w--)
        if (w / 16 % every == 0 && w * 32 < a->rows && warps_scalar_sectors(a, w) == costs.median)
            costs.typical.warp = w;
    return costs;
}

static void the_worst_and_a_typical_warp_are_found(void **state)
{
    struct warps_ready ready;
    for (int skewed = 0; skewed < 2; skewed++) {
        warps_prepare(&ready, &kernel_cuda_csr_scalar, "",
                      support_matrix(10000, 300, 0.03, skewed, false, 11 + (uint64_t)skewed));
        for (int64_t every = 1; every <= 5; every += 4) {
            const struct warp_costs plain = plain_costs(&ready.a, every);
            for (int threads = 1; threads <= 3; threads += 2) {
                struct warp_costs costs;
                threads_set(threads);
                assert_int_equal(warp_costs_find(&ready.launch, 1 / (double)every, &costs, NULL, NULL),
                                 STATUS_OK);
                assert_int_equal(costs.warps, plain.warps);
                assert_int_equal(costs.looked, plain.looked);
                assert_int_equal(costs.busy, plain.busy);
                assert_int_equal(costs.max, plain.max);
                assert_int_equal(costs.median, plain.median);
                assert_int_equal(costs.worst.warp, plain.worst.warp);
                assert_int_equal(costs.requests, plain.requests);
                assert_int_equal(costs.longest.warp, plain.longest.warp);
                assert_int_equal(costs.typical.warp, plain.typical.warp);
            }
            threads_set(0);
        }
        warps_finish(&ready);
    }
}

/* The typical warp is the lower median of the busy ones. Here the warps have 32 rows of 1, 9, 5 and 3
 * entries. */
static void of_two_in_the_middle_the_lower_one_is_typical(void **state)
{
    static double dense[4 * 32 * 9];
    static const int lengths[] = {1, 9, 5, 3};
    struct warps_ready ready;
    struct warp_costs costs;
    for (int i = 0; i < 4 * 32; i++)
        for (int j = 0; j < lengths[i / 32]; j++)
            dense[i * 9 + j] = 1;
    warps_prepare(&ready, &kernel_cuda_csr_scalar, "", support_dense(4 * 32, 9, dense));
    assert_int_equal(warp_costs_find(&ready.launch, 1, &costs, NULL, NULL), STATUS_OK);
    assert_int_equal(costs.busy, 4);
    assert_int_equal(costs.worst.warp, 1);
    assert_int_equal(costs.typical.warp, 3);
    assert_int_equal(costs.median, warps_scalar_sectors(&ready.a, 3));
    assert_true(warp_costs_times(&costs, costs.median) == 1);
    assert_true(warp_costs_times(&costs, 3 * costs.median) == 3);
    assert_true(costs.median < warps_scalar_sectors(&ready.a, 2));
    warps_finish(&ready);
}

/* Warps are inspected in blocks, and the last block ends at the last warp. Otherwise the data after this
 * kernel's chunks would count as a warp. */
static void there_is_no_warp_behind_the_last(void **state)
{
    struct warps_ready ready;
    struct warp_costs costs;
    for (int64_t rows = 600; rows <= 1500; rows += 100) {
        warps_prepare(&ready, &kernel_cuda_csr_balanced, "tiles=1",
                      support_matrix(rows, 300, 0.05, true, false, 3));
        assert_int_equal(warp_costs_find(&ready.launch, 1, &costs, NULL, NULL), STATUS_OK);
        assert_true(costs.warps > 0);
        assert_int_equal(costs.looked, costs.warps);
        assert_int_equal(costs.busy, costs.warps);
        warps_finish(&ready);
    }
}

static void of_nothing_nothing_is_the_worst(void **state)
{
    struct warps_ready ready;
    struct warp_costs costs;
    struct warp_at at;
    warps_prepare(&ready, &kernel_cuda_csr_scalar, "", support_dense(0, 5, NULL));
    assert_int_equal(warp_costs_find(&ready.launch, 1, &costs, NULL, NULL), STATUS_OK);
    assert_int_equal(costs.warps, 0);
    assert_int_equal(costs.busy, 0);
    assert_true(isnan(warp_costs_times(&costs, 0)));
    assert_false(warp_of_row(&ready.launch, 0, 0, NULL, &at));
    warps_finish(&ready);
}

/* Rows of csr-vector: 32 / threads a warp; the same if the trace does not know them and the stored arrays
 * must tell. */
static void rows_lead_to_their_warps(void **state)
{
    static const int threads[] = {2, 8, 32};
    struct warps_ready ready;
    for (int t = 0; t < 3; t++) {
        char parameters[32];
        snprintf(parameters, sizeof parameters, "threads=%d", threads[t]);
        warps_prepare(&ready, &kernel_cuda_csr_vector, parameters,
                      support_matrix(300, 50, 0.1, true, false, 9));
        struct trace blind = *ready.launch.kernel->trace;
        struct kernel kernel = *ready.launch.kernel;
        struct launch other = ready.launch;
        int64_t lanes[TRACE_LANES];
        blind.rows = NULL;
        kernel.trace = &blind;
        other.kernel = &kernel;
        assert_false(warp_lane_rows(&other, (struct warp_at){0, 0}, lanes));
        for (int64_t i = 0; i < 300; i++) {
            int64_t each = 32 / threads[t], last = (i / each + 1) * each - 1;
            for (int b = 0; b < 2; b++) {
                const struct launch *launch = b ? &other : &ready.launch;
                struct warp_at at = {7, 7};
                assert_true(warp_of_row(launch, i, 0, NULL, &at));
                assert_int_equal(at.stage, 0);
                assert_int_equal(at.warp, i / each);
                const struct warp_rows rows = warp_rows(launch, at, NULL);
                assert_int_equal(rows.first, i / each * each);
                assert_int_equal(rows.last, last < 300 ? last : 299);
            }
            assert_true(warp_lane_rows(&ready.launch, (struct warp_at){0, i / each}, lanes));
            assert_int_equal(lanes[i % each * threads[t]], i);
        }
        struct warp_at at;
        assert_false(warp_of_row(&ready.launch, 300, 0, NULL, &at));
        assert_false(warp_of_row(&other, 300, 0, NULL, &at));
        assert_int_equal(warp_rows(&ready.launch, (struct warp_at){0, 1000}, NULL).first, -1);
        warps_finish(&ready);
    }
}

/* For kernels with sorted rows, the rows of the trace are those that the lanes then store, and every row is
 * found. */
static void sorted_rows_are_known(void **state)
{
    static const struct kernel *const sorted[] = {&kernel_cuda_jds, &kernel_cuda_jds_sections,
                                                  &kernel_cuda_sell};
    static const char *const formats_of[] = {"", "sections=equal", "sigma=256"};
    struct warps_ready ready;
    struct warp_record record = {0};
    for (int k = 0; k < 3; k++) {
        int scattered = 0;
        warps_prepare_stored(&ready, sorted[k], formats_of[k], "",
                             support_matrix(700, 90, 0.1, true, false, 4));
        for (int64_t i = 0; i < 700; i++) {
            struct warp_at at;
            int64_t row[TRACE_LANES];
            bool there = false;
            assert_true(warp_of_row(&ready.launch, i, 0, NULL, &at));
            assert_true(warp_lane_rows(&ready.launch, at, row));
            assert_int_equal(warp_record_make(&ready.launch, at, 0, NULL, &record, NULL), STATUS_OK);
            for (int lane = 0; lane < TRACE_LANES; lane++) {
                assert_int_equal(record.row[lane], row[lane]);
                there |= row[lane] == i;
            }
            assert_true(there);
            int lanes = 0; /* lanes with a row; all rows lie from record.first_row to record.last_row */
            for (int lane = 0; lane < TRACE_LANES; lane++)
                lanes += row[lane] >= 0;
            bool whole = record.last_row - record.first_row + 1 == lanes;
            assert_true(warp_record_scattered(&record) == (lanes > 1 && !whole));
            scattered += warp_record_scattered(&record);
        }
        assert_true(scattered > 0);
        warps_finish(&ready);
    }
    warp_record_free(&record);
}

static void failed_allocations_are_told(void **state)
{
    struct warps_ready ready;
    struct warp_costs costs;
    struct warp_record record = {0};
    warps_prepare(&ready, &kernel_cuda_csr_scalar, "", support_matrix(3000, 900, 0.3, false, false, 2));
    for (int what = 0; what < 2; what++) {
        for (int k = 0;; k++) {
            struct error error = {0};
            memory_fail_after(k);
            enum status status =
                what ? warp_record_make(&ready.launch, (struct warp_at){0, 0}, 0, NULL, &record, &error)
                     : warp_costs_find(&ready.launch, 1, &costs, NULL, &error);
            memory_fail_after(-1);
            if (status == STATUS_OK) {
                assert_true(k >= 3);
                break;
            }
            assert_int_equal(status, STATUS_MEMORY);
            assert_true(error.message[0] != 0);
            assert_true(what ? !record.steps && !record.address : costs.warps == 0);
        }
    }
    warp_record_free(&record);
    warps_finish(&ready);
}

static void a_cancelled_search_stops(void **state)
{
    struct warps_ready ready;
    struct progress progress = {0};
    struct warp_costs costs;
    warps_prepare(&ready, &kernel_cuda_csr_scalar, "", support_matrix(3000, 90, 0.3, false, false, 2));
    progress_cancel(&progress);
    assert_int_equal(warp_costs_find(&ready.launch, 1, &costs, &progress, NULL), STATUS_CANCELLED);
    warps_finish(&ready);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_and_a_typical_warp_are_found),
        cmocka_unit_test(of_two_in_the_middle_the_lower_one_is_typical),
        cmocka_unit_test(there_is_no_warp_behind_the_last),
        cmocka_unit_test(of_nothing_nothing_is_the_worst),
        cmocka_unit_test(rows_lead_to_their_warps),
        cmocka_unit_test(sorted_rows_are_known),
        cmocka_unit_test(failed_allocations_are_told),
        cmocka_unit_test(a_cancelled_search_stops),
    };
    return cmocka_run_group_tests_name("warps", tests, NULL, NULL);
}
