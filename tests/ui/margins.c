/* Pattern's margins with the lengths of rows and columns, its overview, and its use of the width. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawing/surface.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/pattern/pattern.h"

/* A matrix of 700 x 500 whose rows have 0 to 40 entries or more, and whose columns are as uneven. */
static struct csr uneven(void)
{
    static double values[700 * 500];
    memset(values, 0, sizeof values);
    for (int i = 0; i < 700; i++)
        for (int j = 0; j < 500; j++)
            if (i % 7 && (i * 31 + j * 17) % (12 + i % 50) == 0 && j % 3 != i % 5) values[i * 500 + j] = 1;
    for (int j = 0; j < 500; j += 2)
        values[333 * 500 + j] = 1; /* a long row */
    for (int i = 0; i < 700; i += 3)
        values[i * 500 + 77] = 1; /* a long column */
    return support_dense(700, 500, values);
}

/* The length of row or column k, entry by entry. */
static int64_t length_of(const struct csr *a, enum axis axis, int64_t k)
{
    int64_t length = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t e = a->row_ptr[i]; e < a->row_ptr[i + 1]; e++)
            length += (axis == ROWS ? i : a->col[e]) == k;
    return length;
}

/* The lengths of all rows or columns; the caller frees them. */
static int64_t *all_lengths(const struct csr *a, enum axis axis)
{
    int64_t lines = axis == ROWS ? a->rows : a->cols;
    int64_t *lengths = memory_zeroed((size_t)lines, sizeof *lengths, NULL);
    assert_non_null(lengths);
    for (int64_t k = 0; k < lines; k++)
        lengths[k] = length_of(a, axis, k);
    return lengths;
}

/* The longest of lines from .. to-1, and their mean. */
static int64_t longest_of(const int64_t *lengths, int64_t from, int64_t to, double *mean)
{
    int64_t longest = 0, sum = 0;
    for (int64_t k = from; k < to; k++) {
        longest = lengths[k] > longest ? lengths[k] : longest;
        sum += lengths[k];
    }
    *mean = (double)sum / (double)(to - from);
    return longest;
}

/* The rows or columns of the line of dots beside dot `at` of a margin with `fine` dots in a character; false
 * if the picture ends before it. */
static bool line_beside(const struct pattern *pattern, enum axis axis, int at, int fine, int64_t *from,
                        int64_t *to)
{
    int64_t line = pattern->picture == PICTURE_NUMBERS
                       ? at / fine / (axis == ROWS ? pattern->lines : pattern->field)
                       : (int64_t)at * pattern->per[axis] / fine / pattern->large[axis];
    if (line >= viewport_used(&pattern->port, axis)) return false;
    struct range range = pattern_dot(pattern, axis == ROWS ? line : 0, axis == ROWS ? 0 : line);
    *from = axis == ROWS ? range.r0 : range.c0;
    *to = axis == ROWS ? range.r1 : range.c1;
    return true;
}

/* The end of a bar of this length, if the longest one has `dots` dots. */
static int end_of(double length, int64_t longest, int dots)
{
    int end = (int)floor(length * dots / (double)longest + 0.5);
    return length > 0 && end == 0 ? 1 : end;
}

/* Every bar shows the mean of the whole rows or columns beside it, and its mark the longest. */
static void assert_bars(struct stage *stage, enum axis axis, const int64_t *lengths)
{
    const struct pattern *pattern = stage->state;
    const struct rect rect = pattern_margin_rect(pattern, axis);
    bool ascii = stage->explorer.ascii, rows = axis == ROWS;
    int along = rows ? rect.high : rect.wide, out = rows ? rect.wide : rect.high;
    int fine = ascii ? 1 : rows ? 4 : 2, outer = ascii ? 1 : rows ? 2 : 4;
    int64_t from, to, longest = 0;
    double mean;
    assert_true(along > 0 && out > 0);
    for (int at = 0; at < along * fine; at++)
        if (line_beside(pattern, axis, at, fine, &from, &to)) {
            int64_t own = longest_of(lengths, from, to, &mean);
            longest = own > longest ? own : longest;
        }
    assert_int_equal(pattern->margins[axis].max, longest);
    for (int at = 0; at < along * fine; at++) {
        bool beside = line_beside(pattern, axis, at, fine, &from, &to);
        int64_t own = beside ? longest_of(lengths, from, to, &mean) : 0;
        int bar = beside && longest ? end_of(mean, longest, out * outer) : 0;
        int mark = beside && longest ? end_of((double)own, longest, out * outer) : 0;
        for (int k = 0; k < out * outer; k++) {
            int y = rect.top + (rows ? at / fine : k / outer), x = rect.left + (rows ? k / outer : at / fine);
            const struct cell *cell = &stage->surface.cells[y * stage->surface.wide + x];
            unsigned bit = rows ? braille_bit(at % fine, k % outer) : braille_bit(k % outer, at % fine);
            bool raised = ascii ? cell->character != ' '
                                : cell->character >= 0x2800 && (cell->character - 0x2800) & bit;
            if (raised != (k < bar || k + 1 == mark))
                fail_msg("dot %d of %s %lld.. in\n%s", k, rows ? "row" : "column", (long long)from + 1,
                         stage_dump(stage));
            if (ascii && k < bar) assert_int_equal(cell->character, '#');
            if (k < bar) assert_int_equal(cell->foreground, rows ? COLOUR_ROWS : COLOUR_COLS);
        }
    }
}

/* At every zoom and wherever the picture was moved to, in braille, blocks, ASCII and beside numbers. */
TEST(bars_are_the_lengths_of_whole_lines)
{
    static const char *const flags[] = {"", "m", "mm", "f", "A"};
    for (int k = 0; k < 5; k++) {
        FREED(stage_close) struct stage stage;
        const struct pattern *pattern = stage_open(&stage, &view_pattern, uneven(), FIELD_REAL, 34, 120);
        int64_t *lengths[2];
        for (int a = 0; a < 2; a++)
            lengths[a] = all_lengths(&stage.session.shown->matrix.csr, (enum axis)a);
        stage.explorer.ascii = flags[k][0] == 'A';
        stage_type(&stage, flags[k][0] == 'A' ? "0" : flags[k]);
        for (int step = 0; step < 8; step++) {
            assert_bars(&stage, ROWS, lengths[ROWS]);
            assert_bars(&stage, COLS, lengths[COLS]);
            stage_type(&stage, step % 2 ? "+JJJ" : "LLL");
        }
        while (pattern->picture != PICTURE_NUMBERS)
            stage_type(&stage, "+");
        assert_bars(&stage, ROWS, lengths[ROWS]);
        assert_bars(&stage, COLS, lengths[COLS]);
        for (int a = 0; a < 2; a++)
            free(lengths[a]);
    }
}

/* A dot of a small matrix is several characters, and so is the bar beside it. */
TEST(a_large_dot_has_a_broad_bar)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern =
        stage_open(&stage, &view_pattern, support_matrix(9, 7, 0.4, false, false, 3), FIELD_REAL, 34, 120);
    stage_type(&stage, "-");
    assert_int_equal(pattern->picture, PICTURE_BLOCKS);
    assert_true(pattern->large[ROWS] > 2 && pattern->large[COLS] > 2);
    for (enum axis axis = ROWS; axis <= COLS; axis++) {
        int64_t *lengths = all_lengths(&stage.session.shown->matrix.csr, axis);
        assert_bars(&stage, axis, lengths);
        free(lengths);
    }
}

/* In the order of JDS the bars are those of the rows at their positions: none is longer than the one above.
 */
TEST(bars_follow_the_order_of_rows)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(&stage, &view_pattern, uneven(), FIELD_REAL, 34, 120);
    while (pattern->overlays.shown != OVERLAY_JDS)
        stage_type(&stage, "o");
    stage_work(&stage);
    assert_true(pattern->ordered);
    const struct csr *sorted = &pattern->overlays.derived.csr;
    int64_t *lengths[2] = {all_lengths(sorted, ROWS), all_lengths(sorted, COLS)};
    assert_bars(&stage, ROWS, lengths[ROWS]);
    assert_bars(&stage, COLS, lengths[COLS]);
    const struct margin *margin = &pattern->margins[ROWS];
    assert_int_equal(margin->count, viewport_used(&pattern->port, ROWS));
    for (int k = 1; k < margin->count; k++)
        assert_true(margin->dots[k].max <= margin->dots[k - 1].max);
    stage_type(&stage, "OO"); /* strips: the rows stand in their own order again */
    assert_int_equal(margin->dots[margin->count - 1].max, 9);
    free(lengths[ROWS]);
    free(lengths[COLS]);
}

/* Below 80 x 20 margins appear only on request, and nowhere if they are off. */
TEST(margins_give_way)
{
    static const struct {
        int high, wide;
        bool shown;
    } areas[] = {{17, 72, false}, {19, 80, false}, {20, 79, false}, {20, 80, true}, {33, 120, true}};
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(&stage, &view_pattern, uneven(), FIELD_REAL, 22, 80);
    for (size_t k = 0; k < sizeof areas / sizeof *areas; k++) {
        stage_resize(&stage, areas[k].high, areas[k].wide);
        struct rect before = pattern_rect(pattern);
        assert_int_equal(pattern->margin_wide > 0, areas[k].shown);
        stage_type(&stage, "M");
        assert_int_equal(pattern->margin_wide > 0, !areas[k].shown);
        struct rect after = pattern_rect(pattern);
        assert_true(areas[k].shown ? after.high >= before.high : after.high < before.high);
        assert_int_equal(pattern_margin_rect(pattern, ROWS).wide > 0, !areas[k].shown);
        stage_type(&stage, "M");
        after = pattern_rect(pattern);
        assert_memory_equal(&before, &after, sizeof before);
        ((struct pattern *)stage.state)->margin_wish = MARGINS_AUTOMATIC;
    }
    stage_resize(&stage, 9, 72);
    stage_type(&stage, "M");
    assert_says(stage.explorer.message, "no room");
    assert_int_equal(pattern->margin_wide, 0);
}

/* The picture of a square matrix, the margin and the panel use nearly all of the width. */
TEST(the_width_is_used)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(
        &stage, &view_pattern, support_matrix(3000, 3000, 0.002, true, false, 3), FIELD_REAL, 57, 200);
    for (int wide = 80; wide <= 200; wide += 8) {
        stage_resize(&stage, wide < 120 ? 21 : wide < 176 ? 36 : 57, wide);
        for (int level = 0; level < 4; level++) {
            const struct rect rect = pattern_rect(pattern), margin = pattern_margin_rect(pattern, ROWS);
            assert_true(pattern->beside);
            assert_int_equal(pattern->panel.left + pattern->panel.wide, wide);
            assert_int_equal(margin.left, rect.left + rect.wide + 1); /* the frame is between them */
            assert_int_equal(margin.left + margin.wide + 2, pattern->panel.left);
            /* neither bars nor labels go into the gap before the panel */
            const struct rect cols = pattern_margin_rect(pattern, COLS);
            for (int y = rect.top - 1; y < cols.top + cols.high; y++)
                for (int x = margin.left + margin.wide; x < pattern->panel.left; x++)
                    if (stage.surface.cells[y * stage.surface.wide + x].character != ' ')
                        fail_msg("line %d, column %d in\n%s", y, x, stage_dump(&stage));
            stage_type(&stage, "+");
        }
        stage_type(&stage, "0");
    }
}

/* When filled, the picture takes the whole window with the whole matrix. The key again restores it. */
TEST(the_picture_fills_the_window)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(
        &stage, &view_pattern, support_matrix(3000, 3000, 0.002, true, false, 3), FIELD_REAL, 57, 200);
    const struct rect before = pattern_rect(pattern);
    stage_type(&stage, "f");
    const struct rect filled = pattern_rect(pattern);
    assert_true(filled.wide > 5 * before.wide / 4);
    assert_true(filled.wide > 19 * pattern->inside.wide / 20 && filled.high > 9 * pattern->inside.high / 10);
    assert_int_equal(pattern->total, csr_nnz(&stage.session.shown->matrix.csr));
    assert_true(pattern->port.dot[ROWS] > pattern->port.dot[COLS]);
    stage_shows(&stage, "not to scale");
    stage_type(&stage, "+++LJ-f0");
    const struct rect after = pattern_rect(pattern);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(pattern->port.dot[ROWS], pattern->port.dot[COLS]);
}

/* When zoomed in, the panel shows the whole matrix with a frame around the visible part, and can be clicked.
 * Before that it has numbers of the whole matrix. */
TEST(the_overview_marks_what_is_shown)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(
        &stage, &view_pattern, support_matrix(3000, 3000, 0.002, true, false, 3), FIELD_REAL, 57, 200);
    const struct csr *a = &stage.session.shown->matrix.csr;
    stage_hides(&stage, "Overview");
    stage_shows(&stage, "Whole matrix");
    stage_type(&stage, "+++");
    stage_shows(&stage, "Overview");
    stage_hides(&stage, "Whole matrix");
    const struct rect box = pattern->overview;
    const struct pyramid *pyramid = &stage.session.shown->pyramid;
    int64_t place[2];
    int marked = 0, top = box.high, clicked = 0;
    for (int y = box.top; y < box.top + box.high; y++)
        for (int x = box.left; x < box.left + box.wide; x++) {
            const struct cell *cell = &stage.surface.cells[y * 200 + x];
            if (cell->foreground != COLOUR_CURSOR) continue;
            marked++;
            top = y - box.top < top ? y - box.top : top;
            assert_true(thumbnail_at(a, pyramid, box, y, x, place));
            const struct range shown = pattern_shown(pattern);
            int64_t slack = 3000 / 15; /* a cell of the overview */
            assert_true(place[ROWS] >= shown.r0 - slack && place[ROWS] <= shown.r1 + slack);
            assert_true(place[COLS] >= shown.c0 - slack && place[COLS] <= shown.c1 + slack);
        }
    assert_in_range(marked, 8, 60);
    assert_int_equal(top, 1); /* the cursor is in the first row */
    for (int y = box.top; y < box.top + box.high; y += 3) {
        int x = box.left + box.wide / 2;
        if (!thumbnail_at(a, pyramid, box, y, x, place)) continue;
        stage_mouse(&stage, MOUSE_PRESS, y, x);
        assert_int_equal(stage.explorer.cursor.row, place[ROWS]);
        assert_int_equal(stage.explorer.cursor.col, place[COLS]);
        const struct range shown = pattern_shown(pattern);
        assert_true(shown.r0 == 0 || shown.r1 == 3000 ||
                    llabs(shown.r0 + shown.r1 - 2 * place[ROWS]) <= 4 * pattern->port.dot[ROWS]);
        clicked++;
    }
    assert_true(clicked > 3);
}

/* A click in a margin leads to the row, or the column, and leaves the other one. */
TEST(a_click_in_a_margin_goes_to_its_line)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(&stage, &view_pattern, uneven(), FIELD_REAL, 34, 120);
    stage_move(&stage, 5, 250);
    const struct rect rows = pattern_margin_rect(pattern, ROWS), cols = pattern_margin_rect(pattern, COLS);
    int64_t dot[2];
    stage_mouse(&stage, MOUSE_PRESS, rows.top + 9, rows.left + 2);
    assert_true(pattern_at(pattern, rows.top + 9, pattern->inside.left, dot));
    assert_int_equal(stage.explorer.cursor.row, pattern_dot(pattern, dot[ROWS], 0).r0);
    assert_true(stage.explorer.cursor.row > 100 && stage.explorer.cursor.col == 250);
    int64_t row = stage.explorer.cursor.row;
    stage_mouse(&stage, MOUSE_PRESS, cols.top + cols.high - 1, cols.left + 7);
    assert_true(pattern_at(pattern, pattern->inside.top, cols.left + 7, dot));
    assert_int_equal(stage.explorer.cursor.col, pattern_dot(pattern, 0, dot[COLS]).c0);
    assert_int_equal(stage.explorer.cursor.row, row);
}

/* Lengths that the session lacks are shown as missing, and appear as soon as they are counted. */
TEST(lengths_come_when_they_are_counted)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(&stage, &view_pattern, uneven(), FIELD_REAL, 34, 120);
    atomic_uint *ready = &stage.session.shown->ready;
    unsigned all = atomic_load(ready);
    atomic_store(ready, all & ~(unsigned)SESSION_COL_PTR);
    stage.view->close(stage.state);
    stage.state = stage.view->open(&stage.explorer, NULL);
    pattern = stage.state;
    stage_draw(&stage);
    stage_shows(&stage, "column lengths not counted yet");
    assert_int_equal(pattern->margins[COLS].count, 0);
    assert_true(pattern->margins[ROWS].count > 0);
    atomic_store(ready, all);
    stage_draw(&stage);
    assert_int_equal(pattern->margins[COLS].count, viewport_used(&pattern->port, COLS));
    stage_hides(&stage, "not counted");
}

/* The cursor's dot has the mean and the longest of its rows and columns; a single row its length. */
TEST(the_panel_tells_the_lengths_at_the_cursor)
{
    FREED(stage_close) struct stage stage;
    char wanted[64];
    const struct pattern *pattern = stage_open(&stage, &view_pattern, uneven(), FIELD_REAL, 34, 120);
    const struct csr *a = &stage.session.shown->matrix.csr;
    stage_move(&stage, 333, 77);
    stage_shows(&stage, "row mean, max");
    snprintf(wanted, sizeof wanted, ", %lld\n", (long long)length_of(a, ROWS, 333));
    assert_says(stage_dump(&stage), wanted); /* the longest row of all */
    while (pattern->picture != PICTURE_NUMBERS)
        stage_type(&stage, "+");
    const char *line = strstr(stage_dump(&stage), "row length  ");
    assert_non_null(line);
    assert_int_equal(strtol(line + strlen("row length"), NULL, 10), length_of(a, ROWS, 333));
    line = strstr(stage_dump(&stage), "column length  ");
    assert_non_null(line);
    assert_int_equal(strtol(line + strlen("column length"), NULL, 10),
                     length_of(a, COLS, stage.explorer.cursor.col));
}
