/* Pattern's cursor and zoom. */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "drawing/number.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/pattern/pattern.h"

TEST(zooming_out_undoes_zooming_in)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(3000, 3000, 0.002, true, false, 3), FIELD_REAL, 40, 120);
    stage_keys(&stage, (int[]){'J', 'L', 'J', 'L', 'L', ']'}, 6);
    FREED(text_free) struct text before = {0};
    text_append(&before, "%s", stage_dump(&stage));
    stage_type(&stage, "++++");
    assert_string_not_equal(stage_dump(&stage), before.data);
    stage_type(&stage, "----");
    assert_string_equal(stage_dump(&stage), before.data);
    for (int k = 0; k < 5; k++)
        stage_keys(&stage, (int[]){UIKEY_ENTER}, 1);
    assert_int_equal(((struct pattern *)stage.state)->picture, PICTURE_NUMBERS);
    for (int k = 0; k < 5; k++)
        stage_keys(&stage, (int[]){UIKEY_BACKSPACE}, 1);
    assert_string_equal(stage_dump(&stage), before.data);
    stage_type(&stage, "+++0");
    assert_string_equal(stage_dump(&stage), before.data);
}

TEST(brackets_go_from_entry_to_entry)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(200, 150, 0.05, false, false, 5), FIELD_REAL, 22, 80);
    const struct csr *a = &stage.session.shown->matrix.csr;
    for (int64_t k = a->row_ptr[0]; k < a->row_ptr[1]; k++) {
        if (a->col[k] == 0) continue; /* the cursor starts there */
        stage_type(&stage, "]");
        assert_int_equal(stage.explorer.cursor.entry, k);
    }
    stage_type(&stage, "]");
    assert_says(stage.explorer.message, "no further entry in this row");
    int64_t col = stage.explorer.cursor.col;
    for (int64_t i = 1; i < a->rows; i++) {
        if (csr_find(a, i, col) < 0) continue;
        stage_type(&stage, "}");
        assert_int_equal(stage.explorer.cursor.row, i);
    }
    stage_type(&stage, "}");
    assert_says(stage.explorer.message, "no further entry in this column");
    stage_type(&stage, "{[");
    assert_true(stage.explorer.cursor.entry >= 0);
}

/* And all the way back, up to the first one. */
TEST(brackets_go_back_as_well)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(200, 150, 0.05, false, false, 5), FIELD_REAL, 22, 80);
    const struct csr *a = &stage.session.shown->matrix.csr;
    stage_move(&stage, 7, 149);
    for (int64_t k = a->row_ptr[8] - 1; k >= a->row_ptr[7]; k--) {
        if (a->col[k] == 149) continue;
        stage_type(&stage, "[");
        assert_int_equal(stage.explorer.cursor.entry, k);
    }
    stage_type(&stage, "[");
    assert_says(stage.explorer.message, "no earlier entry in this row");
}

/* End goes to the last column, and from there to the last row; Home the other way. */
TEST(home_and_end_lead_to_the_corners)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(30, 70, 0.1, false, false, 5), FIELD_REAL, 22, 80);
    const struct cursor *cursor = &stage.explorer.cursor;
    stage_move(&stage, 11, 22);
    stage_keys(&stage, (int[]){UIKEY_END}, 1);
    assert_true(cursor->row == 11 && cursor->col == 69);
    stage_keys(&stage, (int[]){UIKEY_END}, 1);
    assert_true(cursor->row == 29 && cursor->col == 69);
    stage_keys(&stage, (int[]){UIKEY_HOME}, 1);
    assert_true(cursor->row == 29 && cursor->col == 0);
    stage_keys(&stage, (int[]){UIKEY_HOME}, 1);
    assert_true(cursor->row == 0 && cursor->col == 0);
}

/* Steps of 8 dots: if a dot is a position, of 8 positions. The opposite step returns. */
TEST(large_steps_lead_there_and_back)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(30, 70, 0.1, false, false, 5), FIELD_REAL, 40, 160);
    const struct cursor *cursor = &stage.explorer.cursor;
    stage_move(&stage, 2, 3);
    const struct viewport *port = &((struct pattern *)stage.state)->port;
    const int64_t down = 8 * port->dot[ROWS], right = 8 * port->dot[COLS];
    stage_type(&stage, "J");
    assert_true(cursor->row == 2 + down && cursor->col == 3);
    stage_type(&stage, "L");
    assert_true(cursor->row == 2 + down && cursor->col == 3 + right);
    stage_type(&stage, "K");
    assert_true(cursor->row == 2 && cursor->col == 3 + right);
    stage_type(&stage, "H");
    assert_true(cursor->row == 2 && cursor->col == 3);
}

/* Return to the previous pictures, from any position of the cursor, as often as one zoomed in, up to a
 * limit. */
TEST(coming_back_shows_what_was_there)
{
    FREED(stage_close) struct stage stage;
    struct pattern *pattern = stage_open(
        &stage, &view_pattern, support_matrix(3000, 3000, 0.002, true, false, 3), FIELD_REAL, 40, 120);
    stage_type(&stage, "+++LLLLLLJJJJJJ"); /* the cursor is not in the middle */
    stage_type(&stage, "hhkk");
    const struct viewport before = pattern->port;
    const struct cursor cursor = stage.explorer.cursor;
    stage_keys(&stage, (int[]){UIKEY_ENTER}, 1);
    assert_memory_not_equal(&before, &pattern->port, sizeof before);
    stage_type(&stage, "jjjll");
    stage_keys(&stage, (int[]){UIKEY_BACKSPACE}, 1);
    for (int axis = 0; axis < 2; axis++) {
        assert_int_equal(pattern->port.start[axis], before.start[axis]);
        assert_int_equal(pattern->port.dot[axis], before.dot[axis]);
    }
    assert_true(stage.explorer.cursor.row == cursor.row && stage.explorer.cursor.col == cursor.col);
    for (int k = 0; k < PATTERN_VISITS + 3; k++) {
        stage_keys(&stage, (int[]){UIKEY_ENTER, '-', '-', '-', '-'}, 5);
        assert_in_range(pattern->depth, 1, PATTERN_VISITS);
    }
    assert_int_equal(pattern->depth, PATTERN_VISITS);
}

TEST(a_cursor_moved_elsewhere_is_shown)
{
    FREED(stage_close) struct stage stage;
    struct pattern *pattern = stage_open(&stage, &view_pattern,
                                         support_matrix(900, 900, 0.01, false, false, 5), FIELD_REAL, 22, 80);
    stage_type(&stage, "++++");
    stage_move(&stage, 777, 888);
    assert_true(viewport_shows(&pattern->port, (int64_t[]){777, 888}));
}

TEST(the_mouse_zooms_where_it_points)
{
    FREED(stage_close) struct stage stage;
    struct pattern *pattern = stage_open(
        &stage, &view_pattern, support_matrix(2000, 2000, 0.004, false, false, 9), FIELD_REAL, 40, 120);
    int y = pattern->inside.top + 9, x = pattern->inside.left + 21;
    int64_t dot[2];
    stage_mouse(&stage, MOUSE_PRESS, y, x);
    assert_true(pattern_at(pattern, y, x, dot));
    struct range range = pattern_dot(pattern, dot[ROWS], dot[COLS]);
    assert_int_equal(stage.explorer.cursor.row, range.r0);
    assert_int_equal(stage.explorer.cursor.col, range.c0);
    int64_t before = pattern->port.dot[ROWS];
    stage_mouse(&stage, MOUSE_WHEEL_UP, y, x);
    assert_true(pattern->port.dot[ROWS] < before);
    assert_true(pattern_at(pattern, y, x, dot));
    struct range inner = pattern_dot(pattern, dot[ROWS], dot[COLS]);
    assert_true(inner.r0 <= range.r0 + before &&
                inner.r1 + before >= range.r0); /* the same position, or next to it */
    int64_t start = pattern->port.start[ROWS];
    stage_mouse(&stage, MOUSE_PRESS, y, x);
    stage_mouse(&stage, MOUSE_DRAG, y - 3, x);
    assert_int_equal(pattern->port.start[ROWS], start + 3 * pattern->per[ROWS] * pattern->port.dot[ROWS]);
    start = pattern->port.start[COLS];
    stage_mouse(&stage, MOUSE_DRAG, y - 3, x - 5);
    assert_int_equal(pattern->port.start[COLS], start + 5 * pattern->per[COLS] * pattern->port.dot[COLS]);
}

/* The key goes from the picture that the zoom chooses to shades and braille and back, and says which is
 * shown. ASCII has shades alone. */
TEST(pictures_are_chosen_by_a_key)
{
    static const struct {
        const char *says;
        enum picture picture;
    } pictures[] = {{"dots shaded by their entries", PICTURE_BLOCKS},
                    {"braille dots", PICTURE_BRAILLE},
                    {"dots chosen by the zoom", PICTURE_BLOCKS}};
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(300, 300, 0.05, false, false, 5), FIELD_REAL, 22, 80);
    const struct pattern *pattern = stage.state;
    const enum picture chosen = pattern->picture;
    for (int k = 0; k < 6; k++) {
        stage_type(&stage, "m");
        assert_string_equal(stage.explorer.message, pictures[k % 3].says);
        assert_int_equal(pattern->picture, k % 3 == 2 ? chosen : pictures[k % 3].picture);
    }
    stage.explorer.ascii = true;
    stage_draw(&stage);
    FREED(text_free) struct text before = {0};
    text_append(&before, "%s", stage_dump(&stage));
    stage_type(&stage, "m");
    assert_string_equal(stage.explorer.message, "braille dots and pixels need a terminal with Unicode");
    assert_string_equal(stage_dump(&stage), before.data);
}

/* The characters of the legend's scale of colours, which begins behind this column. */
static int scale_wide(const struct stage *stage, int column)
{
    int found = 0;
    for (int k = 0; k < stage->surface.high * stage->surface.wide; k++) {
        const enum colour colour = stage->surface.cells[k].foreground;
        found += k % stage->surface.wide >= column && colour >= COLOUR_DENSITY &&
                 colour < COLOUR_DENSITY + DENSITY_LEVELS;
    }
    return found;
}

/* If the panel has few lines, it has the legend's colours together with their numbers, or neither. The
 * density comes below them. */
TEST(colours_have_their_numbers)
{
    for (int colouring = 0; colouring < 3; colouring++)
        for (int high = 6; high < 14; high++) {
            FREED(stage_close) struct stage stage;
            stage_open(&stage, &view_pattern, support_matrix(300, 300, 0.05, false, false, 5), FIELD_REAL,
                       high, 72);
            stage.explorer.colours = true;
            for (int k = 0; k < colouring; k++)
                stage_type(&stage, "c");
            stage_shows(&stage, "Legend");
            const bool scaled = strstr(stage_dump(&stage), "entries a dot") != NULL,
                       dense = strstr(stage_dump(&stage), "density, log") != NULL;
            assert_int_equal(scaled, colouring == 0 && high >= 8);
            assert_int_equal(scale_wide(&stage, 44) > 0, high >= 8);
            assert_int_equal(dense, colouring == 0 && high >= 10);
        }
}

/* An overlay leaves the legend the last two lines of the panel below: the scale, and its ends. */
TEST(a_scale_takes_the_last_two_lines)
{
    for (int high = 25; high < 29; high++) {
        FREED(stage_close) struct stage stage;
        stage_open(&stage, &view_pattern, support_matrix(300, 300, 0.05, false, false, 5), FIELD_REAL, high,
                   60);
        stage.explorer.colours = true;
        stage_type(&stage, "c+++o");
        stage_shows(&stage, "Legend", "1  largest |a|   2");
        assert_true(scale_wide(&stage, 20) > 0);
    }
}

static enum use use_of_key(const struct stage *stage, int key)
{
    for (const struct action *at = stage->view->actions; at->run; at++)
        for (int k = 0; at->keys[k]; k++)
            if (at->keys[k] == key)
                return at->use ? at->use(&stage->explorer, stage->state, at->argument) : USE_SOME;
    fail_msg("no action has '%c'", key);
    return USE_NONE;
}

/* Keys that go from entry to entry are offered where there are entries. */
TEST(steps_need_entries)
{
    static const double none[9] = {0}, one[9] = {[4] = 1};
    for (int entries = 0; entries < 2; entries++) {
        FREED(stage_close) struct stage stage;
        stage_open(&stage, &view_pattern, support_dense(3, 3, entries ? one : none), FIELD_REAL, 22, 80);
        assert_int_equal(csr_nnz(&stage.session.shown->matrix.csr), entries);
        assert_int_equal(use_of_key(&stage, '['), entries ? USE_SOME : USE_NONE);
    }
}
