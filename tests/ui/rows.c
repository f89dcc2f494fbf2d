/* ui/view_rows and its parts: bins, stretches, the cut, the list. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/rows/rows.h"

/* A matrix whose row i has lengths[i] entries, in columns 0, 1, ... */
static struct csr matrix_of(const int64_t *lengths, int64_t rows, int64_t cols)
{
    struct csr a = {.rows = rows, .cols = cols};
    a.row_ptr = memory_zeroed((size_t)rows + 1, sizeof *a.row_ptr, NULL);
    for (int64_t i = 0; i < rows; i++)
        a.row_ptr[i + 1] = a.row_ptr[i] + lengths[i];
    int64_t nnz = a.row_ptr[rows];
    a.col = memory_array((size_t)nnz, sizeof *a.col, NULL);
    a.val = memory_array((size_t)nnz, sizeof *a.val, NULL);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++) {
            a.col[k] = (int32_t)(k - a.row_ptr[i]);
            a.val[k] = 1;
        }
    return a;
}

/* 1000 rows, most of them short, a few long ones. */
static struct csr skewed(int64_t *lengths)
{
    uint64_t seed = 5;
    for (int i = 0; i < 1000; i++) {
        lengths[i] = support_random(&seed, 6);
        if (i % 97 == 3) lengths[i] = 100 + support_random(&seed, 3) * 400;
    }
    return matrix_of(lengths, 1000, 1000);
}

TEST(bins_hold_every_line_once)
{
    int64_t lengths[1000];
    FREED(csr_free) struct csr a = skewed(lengths);
    FREED(lengths_free) struct lengths l;
    struct bin bins[64];
    assert_int_equal(lengths_of_rows(&a, NULL, &l, NULL), STATUS_OK);
    for (int max = 2; max <= 64; max++) {
        bool geometric;
        int count = bins_make(&l, bins, max, &geometric);
        assert_in_range(count, 1, max);
        assert_true(geometric); /* 99 in 100 rows are shorter than an eighth of the longest */
        assert_true(bins[0].from <= l.min && bins[count - 1].to >= l.max);
        for (int k = 0; k < count; k++) {
            int64_t lines = 0, entries = 0;
            for (int i = 0; i < 1000; i++) {
                bool in = lengths[i] >= bins[k].from && lengths[i] <= bins[k].to;
                lines += in;
                entries += in ? lengths[i] : 0;
            }
            assert_int_equal(bins[k].lines, lines);
            assert_int_equal(bins[k].entries, entries);
            if (k) assert_int_equal(bins[k].from, bins[k - 1].to + 1);
        }
    }
}

TEST(few_lengths_have_a_bin_each_and_many_share_nice_ones)
{
    int64_t lengths[400];
    struct lengths l;
    struct bin bins[64];
    bool geometric;
    for (int i = 0; i < 400; i++)
        lengths[i] = 3 + i % 5;
    struct csr a = matrix_of(lengths, 400, 400);
    assert_int_equal(lengths_of_rows(&a, NULL, &l, NULL), STATUS_OK);
    assert_int_equal(bins_make(&l, bins, 64, &geometric), 5);
    assert_int_equal(bins[0].from, 3);
    assert_int_equal(bins[4].to, 7);
    assert_int_equal(bins[2].lines, 80);
    assert_int_equal(bins_find(bins, 5, 5), 2);
    assert_int_equal(bins_find(bins, 5, 99), 4);
    lengths_free(&l);
    csr_free(&a);
    for (int i = 0; i < 400; i++)
        lengths[i] = 7 + i % 350;
    a = matrix_of(lengths, 400, 400);
    assert_int_equal(lengths_of_rows(&a, NULL, &l, NULL), STATUS_OK);
    int count = bins_make(&l, bins, 20, &geometric); /* 350 lengths: 18.4 a bin, so 20 */
    assert_false(geometric);
    assert_int_equal(count, 18); /* 0..19 to 340..359 */
    assert_int_equal(bins[1].from, 20);
    assert_int_equal(bins[1].to, 39);
    lengths_free(&l);
    csr_free(&a);
}

TEST(stretches_equal_a_plain_loop)
{
    int64_t lengths[1000];
    FREED(csr_free) struct csr a = skewed(lengths);
    FREED(spans_free) struct spans spans;
    assert_int_equal(spans_make(a.row_ptr, a.rows, &spans, NULL), STATUS_OK);
    uint64_t seed = 8;
    for (int k = 0; k < 2000; k++) {
        int64_t from = support_random(&seed, 1001), to = support_random(&seed, 1200);
        int64_t max = 0, at = -1, sum = 0, end = to < 1000 ? to : 1000;
        for (int64_t i = from; i < end; i++) {
            if (at < 0 || lengths[i] > max) max = lengths[i], at = i;
            sum += lengths[i];
        }
        struct stretch stretch = spans_stretch(&spans, from, to);
        assert_int_equal(stretch.max, max);
        assert_int_equal(stretch.at, at);
        double mean = at < 0 ? 0 : (double)sum / (double)(end - from);
        assert_true(fabs(stretch.mean - mean) <= 1e-12 * mean);
    }
}

/* A terminal of 80 x 24 has 20 lines for the screen. */
TEST(four_of_the_longest_are_in_sight_in_small_terminals)
{
    int64_t lengths[1000];
    FREED(stage_close) struct stage stage;
    const struct rows *rows = stage_open(&stage, &view_rows, skewed(lengths), FIELD_PATTERN, 20, 80);
    assert_true(rows->list.high * rows->list_columns >= 4);
}

TEST(the_longest_are_as_a_sort_has_them)
{
    int64_t lengths[1000], longest[1000];
    FREED(csr_free) struct csr a = skewed(lengths);
    FREED(spans_free) struct spans spans;
    FREED(lengths_free) struct lengths l;
    assert_int_equal(spans_make(a.row_ptr, a.rows, &spans, NULL), STATUS_OK);
    assert_int_equal(lengths_of_rows(&a, NULL, &l, NULL), STATUS_OK);
    for (int max = 1; max <= 1000; max = max * 3 / 2 + 1) {
        int count = spans_longest(&spans, &l, longest, max);
        assert_int_equal(count, max);
        int at = 0;
        for (int64_t length = 1000; length >= 0; length--)
            for (int64_t i = 0; i < 1000; i++)
                if (lengths[i] == length && at < count) assert_int_equal(longest[at++], i);
        assert_int_equal(at, count);
    }
    assert_int_equal(spans_longest(&spans, &l, longest, 1000), 1000);
}

TEST(maxima_need_memory)
{
    FREED(csr_free) struct csr a = support_matrix(120, 70, 0.1, true, false, 2);
    struct spans spans;
    struct error error = {0};
    memory_fail_after(0);
    assert_int_equal(spans_make(a.row_ptr, a.rows, &spans, &error), STATUS_MEMORY);
    memory_fail_after(-1);
    assert_null(spans.maxima);
    assert_int_equal(error.status, STATUS_MEMORY);
}

/* The offsets of the columns are made in the background: the key neither counts nor waits. The columns appear
 * when they are counted, unless the key is pressed again. */
TEST(columns_are_shown_once_they_are_counted)
{
    FREED(stage_close) struct stage stage;
    const struct rows *rows =
        stage_open(&stage, &view_rows, support_matrix(120, 70, 0.1, true, false, 2), FIELD_REAL, 22, 80);
    static const unsigned missing[] = {SESSION_COL_PTR, SESSION_COL_LENGTHS};
    unsigned ready = atomic_load(&stage.session.shown->ready);
    for (int k = 0; k < 2; k++) {
        atomic_store(&stage.session.shown->ready, ready & ~missing[k]);
        stage_type(&stage, "c");
        assert_false(rows->columns);
        assert_string_equal(stage.explorer.message,
                            "columns are shown once they are counted; after a cancel, x resumes");
        stage_type(&stage, "c");
        assert_string_equal(stage.explorer.message, "the rows stay");
    }
    stage_type(&stage, "c");
    atomic_store(&stage.session.shown->ready, ready);
    stage_draw(&stage);
    assert_true(rows->columns);
    stage_type(&stage, "cc");
    assert_true(rows->columns);
    assert_ptr_equal(rows->sides[1].spans.offsets, stage.session.shown->col_ptr);
    for (int64_t j = 0; j < 70; j++) {
        int64_t count = 0;
        for (int64_t k = 0; k < csr_nnz(&stage.session.shown->matrix.csr); k++)
            count += stage.session.shown->matrix.csr.col[k] == j;
        assert_int_equal(spans_length(&rows->sides[1].spans, j), count);
    }
}

/* If the request for columns is withdrawn, they do not appear later. */
TEST(rows_stay_if_the_wish_for_columns_is_taken_back)
{
    FREED(stage_close) struct stage stage;
    const struct rows *rows =
        stage_open(&stage, &view_rows, support_matrix(120, 70, 0.1, true, false, 2), FIELD_REAL, 22, 80);
    const unsigned ready = atomic_load(&stage.session.shown->ready);
    atomic_store(&stage.session.shown->ready, ready & ~(unsigned)SESSION_COL_PTR);
    stage_type(&stage, "cc");
    atomic_store(&stage.session.shown->ready, ready);
    stage_draw(&stage);
    assert_false(rows->columns);
}

/* The screen of another order takes over columns, and the cut and scale of both sides, if columns are
 * counted. */
TEST(another_order_takes_over_the_columns)
{
    FREED(stage_close) struct stage stage;
    struct rows *rows =
        stage_open(&stage, &view_rows, support_matrix(120, 70, 0.1, true, false, 2), FIELD_REAL, 22, 80);
    const unsigned ready = atomic_load(&stage.session.shown->ready);
    stage_type(&stage, "c");
    for (int k = 0; k < 2; k++) {
        rows->sides[k].cut = 11 + k;
        rows->sides[k].logarithmic = !rows->sides[k].logarithmic;
    }
    for (int counted = 1; counted >= 0; counted--) {
        struct rows *other = view_rows.open(&stage.explorer, NULL);
        assert_non_null(other);
        assert_false(other->sides[1].ready);
        if (!counted) atomic_store(&stage.session.shown->ready, ready & ~(unsigned)SESSION_COL_PTR);
        view_rows.adopt(&stage.explorer, other, rows);
        atomic_store(&stage.session.shown->ready, ready);
        assert_int_equal(other->columns, counted);
        assert_int_equal(other->columns_wanted, !counted);
        assert_int_equal(other->sides[1].ready, counted);
        for (int k = 0; k <= counted; k++) {
            assert_int_equal(other->sides[k].cut, 11 + k);
            assert_int_equal(other->sides[k].logarithmic, rows->sides[k].logarithmic);
            assert_int_equal(other->sides[k].count, rows->sides[k].count);
        }
        view_rows.close(other);
    }
}

/* Rows of lengths 1, 2, 3, 4 and 10: mean 4. */
static const int64_t five[] = {1, 2, 3, 4, 10};

TEST(the_cut_shows_what_ell_and_hyb_would_hold)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_rows, matrix_of(five, 5, 10), FIELD_REAL, 22, 80);
    /* K = mean = 4: kept 1 + 2 + 3 + 4 + 4, left 6; slots 5 x 4 + 6 = 26, so 6 of padding; ELL 5 x 10 slots.
     */
    stage_shows(&stage, "Cut at K = 4", "longer than K           1  20%", "left to COO             6  30%",
                "padding               6  23.1%");
    /* bytes: 20 x 12 + 6 x 16, 50 x 12, and 20 x 12 + 6 x 4. At K = 2, 10 x 12 + 11 x 16 are the fewest. */
    stage_shows(&stage, "HYB            1.3       336 B", "ELL            2.5       600 B",
                "CSR              1       264 B", "fewest: K = 2            296 B");
    stage_type(&stage, "..,,,"); /* K = 3: kept 12, left 8; 15 + 8 = 23 */
    stage_shows(&stage, "Cut at K = 3", "left to COO             8  40%", "HYB           1.15       308 B");
    stage_keys(&stage, (int[]){UIKEY_END, UIKEY_RIGHT, '>'}, 3);
    stage_shows(&stage, "Cut at K = 10");
    stage_keys(&stage, (int[]){UIKEY_HOME}, 1);
    stage_shows(&stage, "Cut at K = 1");
    stage_keys(&stage, (int[]){UIKEY_LEFT, UIKEY_LEFT, '<'}, 3);
    stage_shows(&stage, "Cut at K = 0");
}

/* 21 entries in 5 rows: 4.2 a row. */
TEST(the_first_cut_is_the_mean_rounded_up)
{
    static const int64_t lengths[] = {1, 2, 3, 4, 11};
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_rows, matrix_of(lengths, 5, 11), FIELD_REAL, 22, 80);
    stage_shows(&stage, "Cut at K = 5");
}

TEST(rules_of_hyb_choose_the_cut)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_rows, matrix_of(five, 5, 10), FIELD_REAL, 50, 100);
    stage_type(&stage, "r"); /* another position costs 5 x 12 bytes and saves 16 per longer row */
    stage_shows(&stage, "Cut at K = 2");
    assert_string_equal(stage.explorer.message, "K = 2: the fewest bytes of HYB");
    stage_type(&stage, "r"); /* fewer than 4096 rows */
    stage_shows(&stage, "Cut at K = 0");
    stage_type(&stage, "r"); /* 1 + 2 + 3 + 4 + 8 of 20 */
    stage_shows(&stage, "Cut at K = 8", "kept in ELL            18  90%");
    stage_type(&stage, "r");
    stage_shows(&stage, "Cut at K = 2");
    assert_int_equal(explorer_cut(&stage.explorer), 2); /* Pattern's too */
    explorer_set_cut(&stage.explorer, 7);
    stage_draw(&stage);
    stage_shows(&stage, "Cut at K = 7");
    /* Columns of 5 4 3 2 1 1 1 1 1 1 entries: the transpose is cut, with 10 lines, so that a position costs
     * 120 bytes. */
    stage_type(&stage, "cr");
    stage_shows(&stage, "A^T padding factor  bytes, f64", "Cut at K = 1");
    /* ELL 10 x 5 slots; HYB 10 x 12 + 10 x 16; CSR 20 x 12 + 11 x 4 */
    stage_shows(&stage, "ELL            2.5       600 B", "HYB              1       280 B",
                "CSR              1       284 B");
    assert_int_equal(explorer_cut(&stage.explorer), 7);
}

TEST(statistics_stand_beside_the_charts)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_rows, matrix_of(five, 5, 10), FIELD_REAL, 50, 160);
    /* numpy: median 3, percentile 95 8.8, std 3.1623, mean of abs(x - 4) 2.4; Gini sum |xi - xj| / (2 n^2 mu)
     * = 80/200 */
    stage_shows(&stage, "5 rows", "95th percentile            8.8", "Standard deviation       3.162",
                "Average deviation          2.4", "Percent average deviation   60",
                "Gini coefficient           0.4");
    stage_type(&stage, "c"); /* columns: 5 4 3 2 1 1 1 1 1 1 */
    stage_shows(&stage, "10 columns", "Maximum                      5", "Longest columns");
    stage_type(&stage, "c");
    stage_shows(&stage, "5 rows");
}

/* The chosen row of the list has one colour throughout, even under the cursor. */
TEST(the_chosen_row_is_one_bar)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_rows, matrix_of(five, 5, 10), FIELD_REAL, 50, 100);
    stage_move(&stage, 4, 0);
    const struct rows *rows = stage.state;
    const struct cell *cell = &stage.surface.cells[rows->list.top * stage.surface.wide + rows->list.left];
    assert_int_equal(cell->character, '>');
    for (int x = 0; x < rows->list.wide; x++) {
        assert_int_equal(cell[x].foreground, COLOUR_TEXT);
        assert_true(cell[x].attributes & ATTRIBUTE_REVERSE);
    }
}

/* If the title leaves no room for the names of the curves, it is shorter. */
TEST(both_curves_are_named)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_rows, matrix_of(five, 5, 10), FIELD_REAL, 18, 72);
    stage_shows(&stage, "Share up to a length  \u2501 rows  \u254d entries");
    stage_type(&stage, "c");
    stage_shows(&stage, "Share  \u2501 columns  \u254d entries");
}

TEST(a_histogram_is_a_bar_a_length)
{
    FREED(stage_close) struct stage stage;
    /* Lengths 1 (twice), 2 (once), 4 (four times): bars of half, a quarter and full height. */
    static const int64_t lengths[] = {1, 4, 4, 2, 4, 1, 4};
    stage_open(&stage, &view_rows, matrix_of(lengths, 7, 4), FIELD_REAL, 32, 80);
    stage.explorer.ascii = true;
    stage_draw(&stage);
    const struct rows *rows = stage.state;
    assert_int_equal(rows->bin_count, 4);
    static const int quarters[] = {2, 1, 0, 4};
    for (int k = 0; k < 4; k++) {
        int cells = 0;
        for (int y = 0; y < rows->histogram.high; y++) {
            int x = rows->histogram.left + rows_bin_left(rows, k);
            cells += stage.surface.cells[(rows->histogram.top + y) * 80 + x].character == '#';
        }
        assert_int_equal(cells, rows->histogram.high * quarters[k] / 4);
    }
}

TEST(the_list_leads_to_the_row)
{
    int64_t lengths[1000];
    FREED(stage_close) struct stage stage;
    struct rows *rows = stage_open(&stage, &view_rows, skewed(lengths), FIELD_REAL, 40, 100);
    stage_keys(&stage, (int[]){UIKEY_DOWN, UIKEY_DOWN, UIKEY_UP, UIKEY_ENTER}, 4);
    assert_int_equal(stage.explorer.cursor.row, rows->sides[0].longest[1]);
    assert_int_equal(stage.explorer.listed.at, rows->sides[0].longest[1]);
    stage_mouse(&stage, MOUSE_PRESS, rows->list.top + 3, rows->list.left + 1);
    assert_int_equal(stage.explorer.cursor.row, rows->sides[0].longest[3]);
    /* a click on the profile goes to the longest row of that bar */
    stage_mouse(&stage, MOUSE_PRESS, rows->profile.top, rows->profile.left + 5);
    int64_t row = stage.explorer.cursor.row, from = 5 * rows->port.dot[COLS];
    assert_true(row >= from && row < from + rows->port.dot[COLS]);
    for (int64_t i = from; i < from + rows->port.dot[COLS]; i++)
        assert_true(lengths[i] <= lengths[row]);
    stage_type(&stage, "cc+++++-");
    stage_move(&stage, 999, 0);
    assert_true(viewport_shows(&rows->port, (int64_t[]){0, 999}));
    stage_type(&stage, "c");
    stage_keys(&stage, (int[]){UIKEY_ENTER}, 1);
    assert_int_equal(stage.explorer.cursor.col,
                     0); /* the longest column: every row that is not empty begins there */
}

/* Enter requests the entries of the longest selected line. */
TEST(enter_asks_for_the_entries_of_a_line)
{
    static const double dense[] = {3, 0, -4, 0.5, 0, 1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 1};
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_rows, support_dense(4, 4, dense), FIELD_REAL, 30, 100);
    stage.explorer.listed.at = -1;
    stage_keys(&stage, (int[]){UIKEY_HOME, UIKEY_ENTER}, 2);
    assert_int_equal(stage.explorer.demand, DEMAND_ENTRIES);
    assert_true(stage.explorer.listed.at == 0 && !stage.explorer.listed.column);
}

/* An empty row has no entry for the cursor, so that the column stays. */
TEST(an_empty_row_is_gone_to_in_the_same_column)
{
    static const int64_t lengths[] = {0, 3};
    FREED(stage_close) struct stage stage;
    const struct rows *rows = stage_open(&stage, &view_rows, matrix_of(lengths, 2, 4), FIELD_REAL, 40, 100);
    explorer_move(&stage.explorer, 1, 2);
    for (int k = 0; k < rows->sides[0].count; k++) {
        stage_mouse(&stage, MOUSE_PRESS, rows->list.top + k, rows->list.left + 1);
        assert_int_equal(stage.explorer.cursor.row, rows->sides[0].longest[k]);
        assert_int_equal(stage.explorer.cursor.col, rows->sides[0].longest[k] == 0 ? 2 : 0);
        explorer_move(&stage.explorer, 1, 2);
    }
}

/* Below the last line of a short list there is none. */
TEST(a_click_below_the_list_is_on_no_line)
{
    static const int64_t lengths[] = {1, 3};
    FREED(stage_close) struct stage stage;
    struct rows *rows = stage_open(&stage, &view_rows, matrix_of(lengths, 2, 4), FIELD_REAL, 40, 100);
    assert_int_equal(rows->sides[0].count, 2);
    assert_true(rows->list.high > 2);
    stage_mouse(&stage, MOUSE_PRESS, rows->list.top + 1, rows->list.left + 1);
    assert_int_equal(rows->sides[0].selected, 1);
    explorer_move(&stage.explorer, 1, 2);
    stage_mouse(&stage, MOUSE_PRESS, rows->list.top + 2, rows->list.left + 1);
    assert_int_equal(rows->sides[0].selected, 1);
    assert_true(stage.explorer.cursor.row == 1 && stage.explorer.cursor.col == 2);
}

/* On a low screen two lines stand side by side: the second of a pair is at the right. */
TEST(a_low_list_has_two_columns)
{
    int64_t lengths[1000];
    FREED(stage_close) struct stage stage;
    struct rows *rows = stage_open(&stage, &view_rows, skewed(lengths), FIELD_REAL, 21, 80);
    assert_int_equal(rows->list_columns, 2);
    assert_true(rows->list.high >= 2);
    stage_mouse(&stage, MOUSE_PRESS, rows->list.top + 1, rows->list.left + rows->list.wide - 1);
    assert_int_equal(rows->sides[0].selected, 3);
    assert_int_equal(stage.explorer.cursor.row, rows->sides[0].longest[3]);
    stage_keys(&stage, (int[]){UIKEY_PAGE_DOWN}, 1);
    assert_int_equal(rows->sides[0].selected, 3 + 2 * rows->list.high);
    assert_int_equal(rows->sides[0].first % 2, 0);
}

/* Where the list is scrolled, a click is on the line that is seen there. */
TEST(a_click_is_on_the_line_that_is_seen)
{
    int64_t lengths[1000];
    FREED(stage_close) struct stage stage;
    struct rows *rows = stage_open(&stage, &view_rows, skewed(lengths), FIELD_REAL, 40, 100);
    for (int k = 0; k < 5; k++)
        stage_keys(&stage, (int[]){UIKEY_PAGE_DOWN}, 1);
    int first = rows->sides[0].first;
    assert_true(first > 0);
    stage_mouse(&stage, MOUSE_PRESS, rows->list.top + 1, rows->list.left + 1);
    assert_int_equal(rows->sides[0].selected, first + 1);
    assert_int_equal(stage.explorer.cursor.row, rows->sides[0].longest[first + 1]);
}

TEST(odd_matrices_and_any_size_are_drawn)
{
    static const int shapes[][2] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 3000}, {3000, 1}, {600, 40}};
    static const int keys[] = {
        UIKEY_UP,   UIKEY_DOWN, UIKEY_LEFT,  UIKEY_RIGHT, UIKEY_PAGE_UP, UIKEY_PAGE_DOWN,
        UIKEY_HOME, UIKEY_END,  UIKEY_ENTER, '<',         '>',           '+',
        '+',        '-',        '0',         's',         'c',           'z'};
    uint64_t seed = 4;
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
        FREED(stage_close) struct stage stage;
        struct csr a = support_matrix(shapes[shape][0], shapes[shape][1], 0.2, shape % 2, false, shape + 1);
        stage_open(&stage, &view_rows, a, FIELD_REAL, 22, 80);
        for (int k = 0; k < 250; k++) {
            int high = 1 + (int)support_random(&seed, 80), wide = 1 + (int)support_random(&seed, 300);
            if (k % 9 == 0) stage_resize(&stage, high, wide);
            if (k % 31 == 0) stage.explorer.ascii = !stage.explorer.ascii;
            stage_mouse(&stage, (int)support_random(&seed, 4), high / 2, wide / 2);
            stage_keys(&stage, &keys[support_random(&seed, sizeof keys / sizeof *keys)], 1);
            const struct rows *rows = stage.state;
            const struct side *side = &rows->sides[rows->columns];
            int64_t max =
                rows->columns ? stage.session.shown->col_lengths.max : stage.session.shown->row_lengths.max;
            assert_in_range(side->cut, 0, max);
            assert_in_range(side->selected, 0, side->count ? side->count - 1 : 0);
        }
        stage.explorer.ascii = true;
        stage_resize(&stage, 22, 80);
        for (const char *c = stage_dump(&stage); *c; c++)
            assert_true((unsigned char)*c < 0x80);
    }
}

TEST(want_of_memory_is_an_error)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_rows, support_matrix(300, 300, 0.05, false, false, 1), FIELD_REAL, 22, 80);
    struct error error = {0};
    memory_fail_after(0);
    assert_null(view_rows.open(&stage.explorer, &error));
    assert_int_equal(error.status, STATUS_MEMORY);
    stage_type(&stage, "c"); /* the lengths of columns are the session's: nothing is missing */
    memory_fail_after(-1);
    assert_true(((struct rows *)stage.state)->columns);
}

/* Lengths 0 to 99, each of three rows: the left axes have round ticks, of a logarithmic one the powers of
 * ten; and the bars fill the width. */
TEST(axes_have_round_ticks)
{
    FREED(stage_close) struct stage stage;
    const struct rows *rows =
        stage_open(&stage, &view_rows, support_matrix(3000, 100, 0.3, false, false, 3), FIELD_REAL, 60, 120);
    stage_draw(&stage);
    assert_int_equal(rows->across, rows->histogram.wide);
    for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
        int ticks = 0;
        for (int y = 2; y < rows->histogram.high - 1; y++) {
            const struct cell *axis =
                &stage.surface.cells[(rows->histogram.top + y) * 120 + rows->histogram.left - 1];
            if (axis->character != 0x2524) continue;
            int digits = 0, zeros = 0, first = 0;
            for (int x = 6; x > 0; x--) {
                uint32_t c = axis[-x].character;
                if (c < '0' || c > '9') continue;
                first = digits++ ? first : (int)c;
                zeros += c == '0';
            }
            assert_true(zeros >= 1 || digits == 1);
            if (rows->sides[0].logarithmic) assert_true(first == '1' && zeros == digits - 1);
            ticks++;
        }
        assert_true(ticks >= 2);
        stage_type(&stage, "s");
    }
}
