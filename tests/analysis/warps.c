/* Warps: the worst and a typical one, one warp's requests step by step, and where a row is worked on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/warps/warps.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kernels/cuda/csr.h"
#include "kernels/cuda/csr_balanced.h"
#include "kernels/cuda/jds.h"
#include "kernels/cuda/sell.h"
#include "kernels/gpu/paper.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

static const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448};

/* A stored matrix with a kernel that was prepared for it. */
struct ready {
    struct csr a;
    struct storage storage;
    struct device device;
    struct launch launch;
};

static void prepare_stored(struct ready *ready, const struct kernel *kernel, const char *format,
                           const char *parameters, struct csr a)
{
    struct error error = {0};
    ready->a = a;
    if (storing_convert(kernel->format, format, &(struct storing){0}, &ready->a, NULL, &ready->storage,
                        &error) != STATUS_OK)
        fail_msg("%s", error.message);
    paper_open(&facts, &ready->device);
    if (preparing_on_paper(&ready->device, kernel, parameters, &ready->storage, &(struct preparing){0},
                           &ready->launch, &error) != STATUS_OK)
        fail_msg("%s", error.message);
}

static void prepare(struct ready *ready, const struct kernel *kernel, const char *parameters, struct csr a)
{
    prepare_stored(ready, kernel, "", parameters, a);
}

static void finish(struct ready *ready)
{
    kernel_release(&ready->launch);
    device_close(&ready->device);
    storage_free(&ready->storage);
    csr_free(&ready->a);
}

/* csr-scalar in the plain: lane l of warp w has row 32 w + l; in round r it loads entry r of its row. */

static int64_t distinct(const int64_t *block, int count)
{
    int64_t found = 0;
    for (int k = 0; k < count; k++) {
        int j = 0;
        while (j < k && block[j] != block[k])
            j++;
        found += j == k;
    }
    return found;
}

static int64_t scalar_sectors(const struct csr *a, int64_t warp)
{
    int64_t sum = 0, first = 32 * warp, longest = 0, val[32], col[32], x[32];
    int64_t begin[32] = {0}, end[32] = {0}, y[32] = {0};
    int lanes = 0;
    for (int64_t i = first; i < a->rows && i < first + 32; i++, lanes++) {
        int64_t length = a->row_ptr[i + 1] - a->row_ptr[i];
        longest = length > longest ? length : longest;
        begin[lanes] = i * 4 / 32;
        end[lanes] = (i + 1) * 4 / 32;
        y[lanes] = i * 8 / 32;
    }
    sum = distinct(begin, lanes) + distinct(end, lanes) + distinct(y, lanes);
    for (int64_t r = 0; r < longest; r++) {
        int count = 0;
        for (int64_t i = first; i < first + lanes; i++) {
            int64_t k = a->row_ptr[i] + r;
            if (k >= a->row_ptr[i + 1]) continue;
            val[count] = k * 8 / 32;
            col[count] = k * 4 / 32;
            x[count++] = a->col[k] * 8 / 32;
        }
        sum += distinct(val, count) + distinct(col, count) + distinct(x, count);
    }
    return sum;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* What warp_costs_find should say of warps (first + k x every blocks of 16) of csr-scalar. */
static struct warp_costs plain_costs(const struct csr *a, int64_t every)
{
    static int64_t sorted[4096];
    struct warp_costs costs = {.warps = (a->rows + 255) / 256 * 8};
    for (int64_t w = 0; w < costs.warps; w++) {
        int64_t sectors = w * 32 < a->rows ? scalar_sectors(a, w) : 0;
        if (w / 16 % every) continue;
        costs.looked++;
        if (!sectors) continue;
        if (sectors > costs.max) costs.worst.warp = w;
        if (sectors > costs.max) costs.max = sectors;
        sorted[costs.busy++] = sectors;
    }
    qsort(sorted, (size_t)costs.busy, sizeof *sorted, ascending);
    costs.median = sorted[(costs.busy - 1) / 2];
    for (int64_t w = costs.warps - 1; w >= 0; w--)
        if (w / 16 % every == 0 && w * 32 < a->rows && scalar_sectors(a, w) == costs.median)
            costs.typical.warp = w;
    return costs;
}

static void the_worst_and_a_typical_warp_are_found(void **state)
{
    struct ready ready;
    (void)state;
    for (int skewed = 0; skewed < 2; skewed++) {
        prepare(&ready, &kernel_cuda_csr_scalar, "",
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
                assert_int_equal(costs.typical.warp, plain.typical.warp);
            }
            threads_set(0);
        }
        finish(&ready);
    }
}

/* Of an even number of busy warps the lower one of the two in the middle: these have 32 rows of 1, 9, 5 and 3
 * entries. */
static void of_two_in_the_middle_the_lower_one_is_typical(void **state)
{
    static double dense[4 * 32 * 9];
    static const int lengths[] = {1, 9, 5, 3};
    struct ready ready;
    struct warp_costs costs;
    (void)state;
    for (int i = 0; i < 4 * 32; i++)
        for (int j = 0; j < lengths[i / 32]; j++)
            dense[i * 9 + j] = 1;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_dense(4 * 32, 9, dense));
    assert_int_equal(warp_costs_find(&ready.launch, 1, &costs, NULL, NULL), STATUS_OK);
    assert_int_equal(costs.busy, 4);
    assert_int_equal(costs.worst.warp, 1);
    assert_int_equal(costs.typical.warp, 3);
    assert_int_equal(costs.median, scalar_sectors(&ready.a, 3));
    assert_true(warp_costs_times(&costs, costs.median) == 1);
    assert_true(warp_costs_times(&costs, 3 * costs.median) == 3);
    assert_true(costs.median < scalar_sectors(&ready.a, 2));
    finish(&ready);
}

/* Warps are looked at in blocks, of which the last one ends where the warps do: what lies behind the chunks
 * of this kernel would be taken for one. */
static void there_is_no_warp_behind_the_last(void **state)
{
    struct ready ready;
    struct warp_costs costs;
    (void)state;
    for (int64_t rows = 600; rows <= 1500; rows += 100) {
        prepare(&ready, &kernel_cuda_csr_balanced, "tiles=1",
                support_matrix(rows, 300, 0.05, true, false, 3));
        assert_int_equal(warp_costs_find(&ready.launch, 1, &costs, NULL, NULL), STATUS_OK);
        assert_true(costs.warps > 0);
        assert_int_equal(costs.looked, costs.warps);
        assert_int_equal(costs.busy, costs.warps);
        finish(&ready);
    }
}

static void of_nothing_nothing_is_the_worst(void **state)
{
    struct ready ready;
    struct warp_costs costs;
    struct warp_at at;
    (void)state;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_dense(0, 5, NULL));
    assert_int_equal(warp_costs_find(&ready.launch, 1, &costs, NULL, NULL), STATUS_OK);
    assert_int_equal(costs.warps, 0);
    assert_int_equal(costs.busy, 0);
    assert_true(isnan(warp_costs_times(&costs, 0)));
    assert_false(warp_of_row(&ready.launch, 0, 0, NULL, &at));
    finish(&ready);
}

/* Steps of a record in the order of the loop, each with the sectors that its addresses lie in. */
static void a_record_has_every_request(void **state)
{
    struct ready ready;
    struct warp_record record = {0};
    (void)state;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_matrix(1000, 300, 0.1, true, false, 5));
    for (int64_t w = 0; w < 32; w++) {
        int64_t sectors = 0;
        assert_int_equal(warp_record_make(&ready.launch, (struct warp_at){0, w}, 0, NULL, &record, NULL),
                         STATUS_OK);
        assert_int_equal(record.at.warp, w);
        assert_int_equal(record.first_row, 32 * w);
        assert_int_equal(record.last_row, 32 * w + 31 < 1000 ? 32 * w + 31 : 999);
        for (int lane = 0; lane < TRACE_LANES; lane++)
            assert_int_equal(record.row[lane], 32 * w + lane < 1000 ? 32 * w + lane : -1);
        assert_false(warp_record_scattered(&record));
        assert_int_equal(record.count % 3, 0); /* row_ptr twice and y; val, col and x */
        for (int64_t k = 0; k < record.count; k++) {
            static const char *const texts[] = {"val[k]", "col[k]", "x[col[k]]"};
            const struct warp_step *step = &record.steps[k];
            struct warp_line lines[TRACE_LANES];
            if (k >= 2 && k < record.count - 1)
                assert_string_equal(record.asks[step->ask].text, texts[(k - 2) % 3]);
            assert_true(warp_record_has(&record, k));
            const struct request request = {&record.asks[step->ask], step->active, 0, record.address[k]};
            int count = warp_lines(&request, lines);
            int touched = 0, cells = 0;
            for (int l = 0; l < count; l++) {
                touched += __builtin_popcount(lines[l].touched);
                for (int c = 0; c < LINE_CELLS; c++)
                    cells += lines[l].lane[c] != CELL_UNUSED;
            }
            assert_int_equal(count, step->lines);
            assert_int_equal(touched, step->sectors);
            const double useful = 4.0 * cells;
            assert_true(warp_step_efficiency(&record, k, 32) == useful / (32 * touched));
            assert_true(warp_step_efficiency(&record, k, 128) == useful / (128 * count));
            sectors += step->sectors;
        }
        assert_int_equal(sectors, scalar_sectors(&ready.a, w));
    }
    warp_record_free(&record);
    finish(&ready);
}

/* A row of 2000 is 6000 steps and some: the addresses of 1024 are kept. */
static void addresses_are_kept_about_a_step(void **state)
{
    struct ready ready;
    struct warp_record record = {0};
    double ones[2000];
    (void)state;
    for (int k = 0; k < 2000; k++)
        ones[k] = 1;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_dense(1, 2000, ones));
    const struct warp_at at = {0, 0};
    for (int64_t step = 0; step <= 7000; step += 500) {
        assert_int_equal(warp_record_make(&ready.launch, at, step, NULL, &record, NULL), STATUS_OK);
        assert_int_equal(record.count, 6003);
        int64_t k = step < 6003 ? step : 6002;
        assert_true(warp_record_has(&record, k));
        assert_false(warp_record_has(&record, record.window + WARP_WINDOW));
        if (k < 2 || k == 6002) continue;
        int size = (k - 2) % 3 == 1 ? 4 : 8;
        assert_int_equal(record.address[k - record.window][0], (k - 2) / 3 * size);
    }
    warp_record_free(&record);
    finish(&ready);
}

static void a_moment_is_found_in_another_warp(void **state)
{
    struct ready ready;
    struct warp_record record = {0};
    const double rows[] = {1, 1, 1, 0}; /* three entries: 2 + 9 + 1 steps */
    (void)state;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_dense(1, 4, rows));
    assert_int_equal(warp_record_make(&ready.launch, (struct warp_at){0, 0}, 0, NULL, &record, NULL),
                     STATUS_OK);
    assert_int_equal(record.count, 12);
    for (int64_t k = 0; k < record.count; k++)
        assert_int_equal(warp_step_of(&record, warp_moment(&record, k), 0), k);
    const struct warp_moment col = warp_moment(&record, 6);
    assert_true(col.operand == OPERAND_COLUMNS && col.ordinal == 1);
    assert_int_equal(warp_step_of(&record, (struct warp_moment){ACCESS_LOAD, OPERAND_X, 99}, 0), 10);
    assert_int_equal(warp_step_of(&record, (struct warp_moment){ACCESS_LOAD, OPERAND_TABLES, 0}, 5), 5);
    assert_int_equal(warp_step_of(&record, (struct warp_moment){ACCESS_LOAD, OPERAND_TABLES, 0}, 50), 11);
    assert_int_equal(warp_record_make(&ready.launch, (struct warp_at){0, 3}, 7, NULL, &record, NULL),
                     STATUS_OK);
    assert_int_equal(record.count, 0); /* beyond the last row */
    assert_int_equal(record.first_row, -1);
    assert_int_equal(warp_step_of(&record, col, 4), 0);
    assert_false(warp_record_has(&record, 0));
    warp_record_free(&record);
    finish(&ready);
}

/* Rows of csr-vector: 32 / threads a warp; the same if the trace did not know and what is stored must tell.
 */
static void rows_lead_to_their_warps(void **state)
{
    static const int threads[] = {2, 8, 32};
    struct ready ready;
    (void)state;
    for (int t = 0; t < 3; t++) {
        char parameters[32];
        snprintf(parameters, sizeof parameters, "threads=%d", threads[t]);
        prepare(&ready, &kernel_cuda_csr_vector, parameters, support_matrix(300, 50, 0.1, true, false, 9));
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
        finish(&ready);
    }
}

/* Kernels whose rows are sorted: the trace's rows are those that the lanes then write, and every row is
 * found. */
static void sorted_rows_are_known(void **state)
{
    static const struct kernel *const sorted[] = {&kernel_cuda_jds, &kernel_cuda_jds_sections,
                                                  &kernel_cuda_sell};
    static const char *const formats_of[] = {"", "sections=equal", "sigma=256"};
    struct ready ready;
    struct warp_record record = {0};
    (void)state;
    for (int k = 0; k < 3; k++) {
        int scattered = 0;
        prepare_stored(&ready, sorted[k], formats_of[k], "", support_matrix(700, 90, 0.1, true, false, 4));
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
            int lanes = 0; /* with a row, which lie between record.first_row and record.last_row */
            for (int lane = 0; lane < TRACE_LANES; lane++)
                lanes += row[lane] >= 0;
            bool whole = record.last_row - record.first_row + 1 == lanes;
            assert_true(warp_record_scattered(&record) == (lanes > 1 && !whole));
            scattered += warp_record_scattered(&record);
        }
        assert_true(scattered > 0);
        finish(&ready);
    }
    warp_record_free(&record);
}

/* Lanes that share 4 bytes, and an element of 16 that takes half a sector. */
static void lines_know_whose_bytes_are_whose(void **state)
{
    static const struct ask byte = {ACCESS_LOAD, OPERAND_ROWS, "r", 1},
                            wide = {ACCESS_LOAD, OPERAND_X, "x", 16};
    uint64_t address[TRACE_LANES] = {[0] = 640, [1] = 5, [2] = 6, [3] = 127, [9] = 128};
    struct warp_line lines[TRACE_LANES];
    (void)state;
    struct request request = {&byte, 0x20f, 0, address};
    assert_int_equal(warp_lines(&request, lines), 3);
    assert_int_equal(lines[0].line, 0);
    assert_int_equal(lines[0].touched, 9);
    assert_int_equal(lines[0].lane[0], CELL_UNUSED);
    assert_int_equal(lines[0].lane[1], CELL_SEVERAL);
    assert_int_equal(lines[0].lane[31], 3);
    assert_int_equal(lines[1].line, 1);
    assert_int_equal(lines[1].lane[0], 9);
    assert_int_equal(lines[2].line, 5);
    /* Of lanes 1 and 2, which share a cell, 1 works on padding; lane 3 does, too. */
    request.padding = 1 << 1 | 1 << 3;
    assert_int_equal(warp_lines(&request, lines), 3);
    assert_int_equal(lines[0].touched, 9);
    assert_int_equal(lines[0].lane[1], 2);
    assert_int_equal(lines[0].lane[31], CELL_PADDING);
    request.padding = 1 << 2;
    warp_lines(&request, lines);
    assert_int_equal(lines[0].lane[1], 1);
    address[4] = 48;
    request = (struct request){&wide, 1 << 4, 0, address};
    assert_int_equal(warp_lines(&request, lines), 1);
    assert_int_equal(lines[0].touched, 2);
    for (int c = 0; c < LINE_CELLS; c++)
        assert_int_equal(lines[0].lane[c], c >= 12 && c < 16 ? 4 : CELL_UNUSED);
}

/* Columns of steps: means over the requests that fall into each. */
static void columns_are_means_over_steps(void **state)
{
    struct warp_step steps[6] = {{.active = 1, .ask = 0, .sectors = 1},
                                 {.active = 3, .ask = 1, .sectors = 2},
                                 {.active = 0xf, .padding = 2, .ask = 0, .sectors = 5},
                                 {.active = 15, .ask = 1, .sectors = 2},
                                 {.active = 0xff, .ask = 0, .sectors = 4},
                                 {.active = 1, .ask = 1, .sectors = 8}};
    struct warp_record record = {.steps = steps, .count = 6, .ask_count = 2};
    struct warp_column columns[8];
    (void)state;
    record.asks[0] = (struct ask){ACCESS_LOAD, OPERAND_X, "x", 8};
    record.asks[1] = (struct ask){ACCESS_STORE, OPERAND_Y, "y", 8};
    warp_columns(&record, 8, columns);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(warp_column_of(&record, k, 8), k);
        assert_true(columns[k].lanes == (float)(__builtin_popcount(steps[k].active) - (k == 2)));
        assert_true(columns[k].sectors[ACCESS_LOAD][OPERAND_X] == (k % 2 ? -1 : (float)steps[k].sectors));
    }
    assert_true(columns[6].lanes == 0 && columns[7].sectors[ACCESS_STORE][OPERAND_Y] == -1);
    warp_columns(&record, 2, columns); /* three steps each */
    assert_true(columns[0].sectors[ACCESS_LOAD][OPERAND_X] == 3);
    assert_true(columns[0].sectors[ACCESS_STORE][OPERAND_Y] == 2);
    assert_true(columns[1].sectors[ACCESS_LOAD][OPERAND_X] == 4);
    assert_true(columns[1].sectors[ACCESS_STORE][OPERAND_Y] == 5);
    assert_true(columns[0].lanes == 2 && columns[1].lanes == 13.0f / 3);
}

static struct csr long_row(int64_t length)
{
    double *ones = memory_array((size_t)length, sizeof *ones, NULL);
    assert_non_null(ones);
    for (int64_t k = 0; k < length; k++)
        ones[k] = 1;
    struct csr a = support_dense(1, length, ones);
    free(ones);
    return a;
}

/* What marks make short is what going through all steps gives. */
static void marks_are_no_other_than_steps(void **state)
{
    static const int wide[] = {1, 7, 100, 512};
    static struct warp_column columns[512];
    struct ready ready;
    struct warp_record record = {0};
    int64_t before[ACCESSES][OPERANDS] = {{0}};
    (void)state;
    prepare(&ready, &kernel_cuda_csr_scalar, "", long_row(2000));
    assert_int_equal(warp_record_make(&ready.launch, (struct warp_at){0, 0}, 0, NULL, &record, NULL),
                     STATUS_OK);
    for (int64_t k = 0; k < record.count; k++) {
        const struct ask *ask = &record.asks[record.steps[k].ask];
        const struct warp_moment moment = warp_moment(&record, k);
        assert_int_equal(moment.ordinal, before[ask->access][ask->operand]++);
        assert_int_equal(warp_step_of(&record, moment, 0), k);
    }
    for (int w = 0; w < 4; w++) {
        int64_t k = 0;
        warp_columns(&record, wide[w], columns);
        for (int c = 0; c < wide[w]; c++) {
            double sum = 0, requests = 0;
            for (; k < record.count && warp_column_of(&record, k, wide[w]) == c; k++) {
                if (record.asks[record.steps[k].ask].operand != OPERAND_X) continue;
                sum += record.steps[k].sectors;
                requests++;
            }
            assert_true(columns[c].sectors[ACCESS_LOAD][OPERAND_X] == (float)(sum / requests));
            assert_true(columns[c].lanes == 1);
        }
        assert_int_equal(k, record.count);
    }
    warp_record_free(&record);
    finish(&ready);
}

/* 6003 requests: one less does not suffice. */
static void a_budget_is_kept_to(void **state)
{
    struct ready ready;
    struct warp_record record = {0};
    struct warp_budget budget = {.left = 6003};
    struct progress progress = {0};
    struct warp_at at = {0, 0};
    (void)state;
    prepare(&ready, &kernel_cuda_csr_scalar, "", long_row(2000));
    struct trace blind = *ready.launch.kernel->trace;
    struct kernel kernel = *ready.launch.kernel;
    blind.rows = NULL;
    kernel.trace = &blind;
    ready.launch.kernel = &kernel;
    assert_int_equal(warp_record_make(&ready.launch, at, 0, &budget, &record, NULL), STATUS_OK);
    assert_int_equal(record.count, 6003);
    assert_true(budget.left == 0 && !budget.exhausted);
    budget.left = 6002;
    assert_int_equal(warp_record_make(&ready.launch, at, 0, &budget, &record, NULL), STATUS_CANCELLED);
    assert_true(budget.exhausted && !record.steps && !record.address && record.count == 0);
    budget = (struct warp_budget){.left = 6003};
    assert_int_equal(warp_rows(&ready.launch, at, &budget).first, 0);
    budget = (struct warp_budget){.left = 6002};
    assert_int_equal(warp_rows(&ready.launch, at, &budget).first, -1);
    budget = (struct warp_budget){.left = 6002};
    assert_false(warp_of_row(&ready.launch, 0, 0, &budget, &at));
    assert_true(budget.exhausted);
    progress_cancel(&progress);
    budget = (struct warp_budget){.left = INT64_MAX, .progress = &progress};
    assert_int_equal(warp_record_make(&ready.launch, at, 0, &budget, &record, NULL), STATUS_CANCELLED);
    assert_true(INT64_MAX - budget.left <= 4096);
    finish(&ready);
}

static void failed_allocations_are_told(void **state)
{
    struct ready ready;
    struct warp_costs costs;
    struct warp_record record = {0};
    (void)state;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_matrix(3000, 900, 0.3, false, false, 2));
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
    finish(&ready);
}

static void a_cancelled_search_stops(void **state)
{
    struct ready ready;
    struct progress progress = {0};
    struct warp_costs costs;
    (void)state;
    prepare(&ready, &kernel_cuda_csr_scalar, "", support_matrix(3000, 90, 0.3, false, false, 2));
    progress_cancel(&progress);
    assert_int_equal(warp_costs_find(&ready.launch, 1, &costs, &progress, NULL), STATUS_CANCELLED);
    finish(&ready);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_and_a_typical_warp_are_found),
        cmocka_unit_test(of_two_in_the_middle_the_lower_one_is_typical),
        cmocka_unit_test(there_is_no_warp_behind_the_last),
        cmocka_unit_test(of_nothing_nothing_is_the_worst),
        cmocka_unit_test(a_record_has_every_request),
        cmocka_unit_test(addresses_are_kept_about_a_step),
        cmocka_unit_test(a_moment_is_found_in_another_warp),
        cmocka_unit_test(rows_lead_to_their_warps),
        cmocka_unit_test(sorted_rows_are_known),
        cmocka_unit_test(lines_know_whose_bytes_are_whose),
        cmocka_unit_test(columns_are_means_over_steps),
        cmocka_unit_test(marks_are_no_other_than_steps),
        cmocka_unit_test(a_budget_is_kept_to),
        cmocka_unit_test(failed_allocations_are_told),
        cmocka_unit_test(a_cancelled_search_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
