/* The record of one warp's requests, step by step, and its uses. */
#include <stdlib.h>

#include "analysis/warps/warps.h"
#include "base/memory.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/support.h"
#include "support/warps.h"

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

/* Steps of a record in the order of the loop, each with the sectors that its addresses lie in. */
static void a_record_has_every_request(void **state)
{
    struct warps_ready ready;
    struct warp_record record = {0};
    warps_prepare(&ready, &kernel_cuda_csr_scalar, "", support_matrix(1000, 300, 0.1, true, false, 5));
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
        assert_int_equal(sectors, warps_scalar_sectors(&ready.a, w));
    }
    warp_record_free(&record);
    warps_finish(&ready);
}

/* A row of 2000 is 6000 steps and some: the addresses of 1024 are kept. */
static void addresses_are_kept_about_a_step(void **state)
{
    struct warps_ready ready;
    struct warp_record record = {0};
    double ones[2000];
    for (int k = 0; k < 2000; k++)
        ones[k] = 1;
    warps_prepare(&ready, &kernel_cuda_csr_scalar, "", support_dense(1, 2000, ones));
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
    warps_finish(&ready);
}

static void a_moment_is_found_in_another_warp(void **state)
{
    struct warps_ready ready;
    struct warp_record record = {0};
    const double rows[] = {1, 1, 1, 0}; /* three entries: 2 + 9 + 1 steps */
    warps_prepare(&ready, &kernel_cuda_csr_scalar, "", support_dense(1, 4, rows));
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
    warps_finish(&ready);
}

/* Lanes that share a word of 4 bytes, and an element of 16 bytes, half a sector. */
static void lines_know_whose_bytes_are_whose(void **state)
{
    static const struct ask byte = {ACCESS_LOAD, OPERAND_ROWS, "r", 1},
                            wide = {ACCESS_LOAD, OPERAND_X, "x", 16};
    uint64_t address[TRACE_LANES] = {[0] = 640, [1] = 5, [2] = 6, [3] = 127, [9] = 128};
    struct warp_line lines[TRACE_LANES];
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

/* Marks skip steps without changing the result. */
static void marks_are_no_other_than_steps(void **state)
{
    static const int wide[] = {1, 7, 100, 512};
    static struct warp_column columns[512];
    struct warps_ready ready;
    struct warp_record record = {0};
    int64_t before[ACCESSES][OPERANDS] = {{0}};
    warps_prepare(&ready, &kernel_cuda_csr_scalar, "", long_row(2000));
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
    warps_finish(&ready);
}

/* The record takes 6003 requests: a smaller budget does not suffice. */
static void a_budget_is_kept_to(void **state)
{
    struct warps_ready ready;
    struct warp_record record = {0};
    struct warp_budget budget = {.left = 6003};
    struct progress progress = {0};
    struct warp_at at = {0, 0};
    warps_prepare(&ready, &kernel_cuda_csr_scalar, "", long_row(2000));
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
    warps_finish(&ready);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_has_every_request),
        cmocka_unit_test(addresses_are_kept_about_a_step),
        cmocka_unit_test(a_moment_is_found_in_another_warp),
        cmocka_unit_test(lines_know_whose_bytes_are_whose),
        cmocka_unit_test(columns_are_means_over_steps),
        cmocka_unit_test(marks_are_no_other_than_steps),
        cmocka_unit_test(a_budget_is_kept_to),
    };
    return cmocka_run_group_tests_name("warps_record", tests, NULL, NULL);
}
