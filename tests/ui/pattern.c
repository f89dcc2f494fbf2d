/* ui/view_pattern: the Pattern screen drawn on a surface. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "drawing/number.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/pattern/pattern.h"

/* The matrix of PMPP figure 10.1. */
static const double pmpp[] = {1, 7, 0, 0, 5, 0, 3, 9, 0, 2, 8, 0, 0, 0, 0, 6};

static int64_t brute_count(const struct csr *a, struct range r)
{
    int64_t count = 0;
    for (int64_t i = r.r0; i < r.r1; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            count += a->col[k] >= r.c0 && a->col[k] < r.c1;
    return count;
}

/* Every dot shown against a plain loop over the entries; all levels, panned to and fro. */
static void assert_dots_are_exact(const struct stage *stage)
{
    const struct pattern *pattern = stage->state;
    const struct csr *a = &stage->session.shown->matrix.csr;
    int high = viewport_used(&pattern->port, ROWS), wide = viewport_used(&pattern->port, COLS);
    int64_t sum = 0;
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            struct range r = pattern_dot(pattern, y, x);
            int64_t count = pattern->counts[y * wide + x];
            assert_int_equal(count, brute_count(a, r));
            sum += count;
        }
    if (pattern->level == 0) assert_int_equal(sum, csr_nnz(a));
}

TEST(every_dot_is_the_count_of_its_entries)
{
    static const char *const flags[] = {"", "m", "mm"};
    for (int k = 0; k < 3; k++) {
        FREED(stage_close) struct stage stage;
        stage_open(&stage, &view_pattern, support_matrix(311, 257, 0.03, true, false, 7), FIELD_REAL, 22, 80);
        stage_type(&stage, flags[k]);
        assert_dots_are_exact(&stage);
        for (int level = 0; level < 6; level++) {
            stage_type(&stage, "+JLJ");
            assert_dots_are_exact(&stage);
        }
    }
}

TEST(numbers_are_values_in_fields)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_dense(4, 4, pmpp), FIELD_INTEGER, 10, 72);
    /* The panel begins at column 44; the picture fills the rest. */
    static const char *const lines[] = {
        "Pattern: numbers",
        "          1        2        3        4",
        " \u250c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u25bc",
        "1\u25b6        1        7        \u00b7        \u00b7\u2502",
        "2\u2524        5        \u00b7        3        9\u2502",
        "3\u2524        \u00b7        2        8        \u00b7\u2502",
        "4\u2524        \u00b7        \u00b7        \u00b7        6\u2502",
    };
    const char *line = stage_dump(&stage);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        if (strncmp(line, lines[k], strlen(lines[k])) != 0)
            fail_msg("line %zu of\n%s", k, stage_dump(&stage));
        line = strchr(line, '\n') + 1;
    }
}

TEST(braille_is_the_bitmap)
{
    /* 4 x 4, so two characters. Left one: dots (0,0) 1, (0,1) 8, (1,0) 2, (2,1) 20, none in row 3:
     * U+282B. Right one: (1,0) 2, (1,1) 10, (2,0) 4, (3,1) 80: U+2896. */
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_dense(4, 4, pmpp), FIELD_INTEGER, 10, 72);
    stage_type(&stage, "-mm");
    stage_shows(&stage, "1\u25b6\u282b\u2896\u2502");
}

/* By default dots are braille, in the colour of the density of their character, for matrices with few to many
 * entries; if nearly all dots are set, they are shaded blocks. */
TEST(braille_has_the_colour_of_its_density)
{
    struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(2000, 2000, 0.0003, false, false, 3), FIELD_REAL, 24,
               120);
    stage_type(&stage, "L"); /* the cursor leaves the first character */
    const struct pattern *pattern = stage.state;
    const struct csr *a = &stage.session.shown->matrix.csr;
    assert_int_equal(pattern->picture, PICTURE_BRAILLE);
    int64_t most = 0, least = INT64_MAX, dots = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int y = 0; y * 4 < viewport_used(&pattern->port, ROWS); y++)
            for (int x = 0; x * 2 < viewport_used(&pattern->port, COLS); x++) {
                struct range r = pattern_dot(pattern, y * 4, x * 2),
                             last = pattern_dot(pattern, y * 4 + 3, x * 2 + 1);
                r.r1 = last.r1, r.c1 = last.c1;
                int64_t count = brute_count(a, r);
                const struct cell *cell =
                    &stage.surface.cells[(pattern->inside.top + y) * 120 + pattern->inside.left + x];
                if (pass == 0) {
                    most = count > most ? count : most;
                    least = count && count < least ? count : least;
                    dots += cell->character > 0x2800 && cell->character < 0x2900;
                } else if (count == most && cell->background != COLOUR_CURSOR) {
                    assert_true(cell->foreground >= COLOUR_DENSITY + 12);
                } else if (count == least && cell->background != COLOUR_CURSOR) {
                    assert_true(cell->foreground >= COLOUR_DENSITY &&
                                cell->foreground <= COLOUR_DENSITY + 10);
                } else if (!count) {
                    assert_int_equal(cell->character, ' ');
                }
            }
    assert_true(dots > 50);
    assert_true(most >= 4 * least);
    stage_close(&stage);
    stage_open(&stage, &view_pattern, support_matrix(600, 600, 0.5, false, false, 3), FIELD_REAL, 24, 120);
    assert_int_equal(((struct pattern *)stage.state)->picture, PICTURE_BLOCKS);
    stage_close(&stage);
}

/* A position that was found is zoomed to until a dot is one position; Backspace returns to the whole. */
TEST(a_found_position_is_zoomed_to)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(
        &stage, &view_pattern, support_matrix(2000, 2000, 0.0003, false, false, 3), FIELD_REAL, 24, 120);
    const int whole = pattern->level;
    assert_true(pattern->port.dot[ROWS] > 1);
    explorer_move(&stage.explorer, 1234, 567);
    stage.explorer.aimed = true;
    stage_draw(&stage);
    assert_false(stage.explorer.aimed);
    assert_true(pattern->port.dot[ROWS] == 1 && pattern->port.dot[COLS] == 1);
    assert_true(viewport_shows(&pattern->port, (int64_t[]){1234, 567}));
    stage_keys(&stage, (int[]){UIKEY_BACKSPACE}, 1);
    assert_int_equal(pattern->level, whole);
    assert_int_equal(pattern->port.start[ROWS], 0);
}

/* The heavy part of the right side of the frame begins at the share of rows above the picture, and ends at
 * the share up to its end. It is missing where all rows are shown. */
TEST(the_frame_shows_where_the_picture_lies)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(
        &stage, &view_pattern, support_matrix(2000, 2000, 0.0003, false, false, 3), FIELD_REAL, 24, 120);
    for (int zoomed = 0; zoomed < 2; zoomed++) {
        const struct rect inside = pattern_rect(pattern);
        const struct viewport *port = &pattern->port;
        const double end = (double)(port->start[ROWS] + viewport_used(port, ROWS) * port->dot[ROWS]);
        for (int y = 0; y < inside.high; y++) {
            const bool heavy =
                stage.surface.cells[(inside.top + y) * 120 + inside.left + inside.wide].character == 0x2503;
            const double above = 2000.0 * y / inside.high, below = 2000.0 * (y + 1) / inside.high;
            const bool shown = above < end && below > (double)port->start[ROWS];
            assert_int_equal(heavy, zoomed && shown);
        }
        explorer_move(&stage.explorer, 1500, 700);
        stage_type(&stage, "++");
        assert_true(pattern->port.start[ROWS] > 0);
    }
}

/* The colour of the upper or the lower half of a character of half blocks. */
static int half_colour_of(const struct cell *cell, bool lower)
{
    switch (cell->character) {
    case 0x2588:
        return cell->foreground;
    case 0x2580:
        return lower ? cell->background : cell->foreground;
    case 0x2584:
        return lower ? cell->foreground : cell->background;
    default:
        assert_int_equal(cell->character, ' ');
        return COLOUR_TEXT;
    }
}

TEST(shaded_dots_are_half_blocks_or_ink)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_dense(4, 4, pmpp), FIELD_INTEGER, 7, 72);
    stage_type(&stage, "]"); /* the cursor leaves (1, 1) */
    const struct pattern *pattern = stage.state;
    const struct cell *cell = &stage.surface.cells[pattern->inside.top * 72 + pattern->inside.left];
    assert_int_equal(cell->character, 0x2588); /* rows 1 and 2 of column 1: both have an entry */
    assert_int_equal(cell->foreground, COLOUR_DENSITY + 15);
    assert_int_equal(cell->background, COLOUR_TEXT);
    assert_int_equal(cell[2].character, 0x2584); /* column 3: row 2 alone */
    assert_int_equal(cell[2].foreground, COLOUR_DENSITY + 15);
    assert_int_equal(cell[2].background, COLOUR_TEXT);
    stage.explorer.ascii = true;
    stage_resize(&stage, 10, 72);
    /* two characters a column: as wide as a line is high */
    stage_shows(&stage, "1>@@@@    |", "|@@  @@@@|", "|  @@@@  |", "|      @@|");
    for (const char *c = stage_dump(&stage); *c; c++)
        assert_true((unsigned char)*c < 0x80);
}

/* Eight colours have shades of characters. Each fills its cell, which would be black on the cursor's ground.
 */
TEST(the_cursor_is_seen_on_shades)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_dense(4, 4, pmpp), FIELD_INTEGER, 10, 72);
    stage.explorer.colours = true;
    stage.explorer.shades = false;
    stage_draw(&stage);
    stage_type(&stage, "-m");
    const struct pattern *pattern = stage.state;
    assert_int_equal(pattern->picture, PICTURE_CHARACTERS);
    const struct cell *cell =
        &stage.surface.cells[pattern->inside.top * stage.surface.wide + pattern->inside.left];
    assert_int_equal(cell->background, COLOUR_CURSOR);
    assert_int_equal(cell->character, ' ');
    stage_type(&stage, "L");
    cell = &stage.surface.cells[pattern->inside.top * stage.surface.wide + pattern->inside.left];
    assert_int_equal(cell->character, 0x2588);
}

TEST(a_small_matrix_has_large_dots)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_dense(4, 4, pmpp), FIELD_INTEGER, 10, 72);
    stage_type(&stage, "-]");
    const struct pattern *pattern = stage.state;
    /* 6 lines are 12 half blocks: 3 for each of the 4 rows, and 3 characters for each column. */
    for (int y = 0; y < 12; y++)
        for (int x = 0; x < 12; x++) {
            const struct cell *cell =
                &stage.surface.cells[(pattern->inside.top + y / 2) * 72 + pattern->inside.left + x];
            int colour = half_colour_of(cell, y % 2);
            bool entry = pmpp[y / 3 * 4 + x / 3] != 0, cursor = y / 3 == 0 && x / 3 == 1;
            assert_int_equal(colour, cursor ? COLOUR_CURSOR : entry ? COLOUR_DENSITY + 15 : COLOUR_TEXT);
        }
    stage_mouse(&stage, MOUSE_PRESS, pattern->inside.top + 5, pattern->inside.left + 11);
    assert_int_equal(stage.explorer.cursor.row, 3);
    assert_int_equal(stage.explorer.cursor.col, 3);
}

/* From the emptiest dot that has an entry to the fullest one. */
TEST(shades_go_from_the_emptiest_to_the_fullest)
{
    FREED(stage_close) struct stage stage;
    double values[64 * 64] = {0};
    for (int k = 0; k < 32 * 32; k++)
        values[k / 32 * 64 + k % 32] = 1; /* a full quarter, */
    values[63 * 64 + 63] = 1;             /* and a single entry */
    stage_open(&stage, &view_pattern, support_dense(64, 64, values), FIELD_REAL, 14, 50);
    stage_type(&stage, "m0");
    const struct pattern *pattern = stage.state;
    int dots = viewport_used(&pattern->port, ROWS) * viewport_used(&pattern->port, COLS);
    double low = INFINITY, high = 0;
    for (int k = 0; k < dots; k++) {
        if (!pattern->counts[k]) continue;
        double share =
            (double)pattern->counts[k] / ((double)pattern->port.dot[ROWS] * (double)pattern->port.dot[COLS]);
        low = fmin(low, share);
        high = fmax(high, share);
    }
    assert_true(high > 3 * low);
    const struct shade expected = shade_scale(low, high);
    assert_true(pattern->shade.low == expected.low && pattern->shade.high == expected.high);
}

/* Explicit zeros have the colour of warnings, other values do not. */
TEST(zeros_stand_out)
{
    FREED(stage_close) struct stage stage;
    struct csr a = support_dense(4, 4, pmpp);
    a.val[2] = 0; /* that of (1, 0), which was 5 */
    const struct pattern *pattern = stage_open(&stage, &view_pattern, a, FIELD_INTEGER, 10, 72);
    assert_int_equal(pattern->picture, PICTURE_NUMBERS);
    const struct cell *second = &stage.surface.cells[(pattern->inside.top + 1) * 72 + pattern->inside.left];
    assert_int_equal(second[pattern->field - 1].character, '0');
    assert_int_equal(second[pattern->field - 1].foreground, COLOUR_WARN);
    assert_int_equal(second[3 * pattern->field - 1].character, '3');
    assert_int_equal(second[3 * pattern->field - 1].foreground, COLOUR_TEXT);
}

/* Labels of columns are whole numbers one behind the other, at any width. */
TEST(labels_do_not_overlap)
{
    FREED(stage_close) struct stage stage;
    int64_t labels = 0;
    stage_open(&stage, &view_pattern, support_matrix(30, 123456, 0.001, false, false, 5), FIELD_REAL, 22, 60);
    for (int wide = 60; wide < 160; wide++) {
        stage_resize(&stage, 22, wide);
        for (int zoomed = 0; zoomed < 3; zoomed++) {
            const struct pattern *pattern = stage.state;
            stage_type(&stage, zoomed == 0 ? "0" : "+");
            if (pattern->picture == PICTURE_NUMBERS) break;
            const struct cell *line = &stage.surface.cells[(pattern->inside.top - 2) * wide];
            int64_t before = 0;
            for (int x = pattern->inside.left; x < pattern->inside.left + pattern->inside.wide; x++) {
                char text[64], label[64];
                int64_t number = 0;
                size_t length = 0;
                for (; x < wide && line[x].character != ' ' && length + 1 < sizeof text; x++)
                    text[length++] = (char)line[x].character;
                if (!length) continue;
                text[length] = 0;
                for (const char *c = text; *c; c++)
                    if (*c != ',') number = 10 * number + (*c - '0');
                assert_string_equal(text, format_count(label, sizeof label, number));
                assert_true(number > before && number <= 123456);
                before = number;
                labels++;
            }
        }
    }
    assert_true(labels > 500);
}

TEST(overlays_run_through_empty_dots_only)
{
    FREED(stage_close) struct stage stage;
    double values[20 * 20] = {0};
    values[0 * 20 + 3] = 1; /* upper bandwidth 3 */
    values[9 * 20 + 2] = 1; /* lower bandwidth 7 */
    stage_open(&stage, &view_pattern, support_dense(20, 20, values), FIELD_PATTERN, 16, 72);
    stage_type(&stage, "0-bd");
    const struct pattern *pattern = stage.state;
    assert_int_equal(pattern->picture, PICTURE_BLOCKS);
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 20; x++) {
            if (y == 0 && x == 0) continue; /* the cursor */
            const struct cell *cell =
                &stage.surface.cells[(pattern->inside.top + y / 2) * 72 + pattern->inside.left + x];
            int colour = half_colour_of(cell, y % 2);
            bool entry = values[y * 20 + x] != 0, line = x == y || x - y == 3 || y - x == 7;
            assert_int_equal(colour, entry ? COLOUR_DENSITY + 15 : line ? COLOUR_MARK : COLOUR_TEXT);
        }
}

TEST(narrow_fields_keep_what_matters)
{
    char out[40];
    assert_string_equal(number_text(out, sizeof out, 0.0, 7), "0");
    assert_string_equal(number_text(out, sizeof out, -1.5, 7), "-1.5");
    assert_string_equal(number_text(out, sizeof out, 1.0 / 3, 7), "0.33333");
    assert_string_equal(number_text(out, sizeof out, -1.2345678e-300, 7), "-1e-300");
    assert_string_equal(number_text(out, sizeof out, 1e10, 7), "1e10");
    assert_string_equal(number_text(out, sizeof out, 123456789, 9), "123456789");
    assert_string_equal(number_text(out, sizeof out, NAN, 7), "nan");
    assert_string_equal(number_text(out, sizeof out, -INFINITY, 7), "-inf");
    assert_string_equal(number_text(out, sizeof out, -1.2345678e-300, 3), "#");
}

TEST(odd_matrices_are_drawn)
{
    static const int shapes[][2] = {{0, 0},    {0, 5},    {5, 0},    {1, 1},
                                    {1, 3000}, {3000, 1}, {7, 2000}, {40, 40}};
    static const int keys[] = {'+', 'd', 'b',        UIKEY_END, UIKEY_END,   '+', '+', '+',
                               '}', ']', 'm',        'm',       UIKEY_ENTER, '-', '0', UIKEY_BACKSPACE,
                               '{', '[', UIKEY_HOME, '-'};
    for (int ascii = 0; ascii < 2; ascii++)
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
            for (int complex = 0; complex < 2; complex++) {
                FREED(stage_close) struct stage stage;
                struct csr a = support_matrix(shapes[k][0], shapes[k][1], 0.4, false, complex, k + 1);
                if (csr_nnz(&a) > 1) {
                    a.val[0] = NAN;
                    a.val[1] = INFINITY;
                }
                stage_open(&stage, &view_pattern, a, complex ? FIELD_COMPLEX : FIELD_REAL, 22, 80);
                stage.explorer.ascii = ascii;
                stage.explorer.colours = stage.explorer.shades = !ascii;
                stage_keys(&stage, keys, sizeof keys / sizeof *keys);
                assert_true(strlen(stage_dump(&stage)) > 80);
            }
}

TEST(want_of_memory_is_said)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(500, 500, 0.01, false, false, 5), FIELD_REAL, 22, 80);
    int survived = 0;
    stage.explorer.ascii = true; /* ASCII, since trying braille first would hide the failure */
    for (long after = 0; after < 4; after++) {
        stage.view->close(stage.state);
        stage.state = stage.view->open(&stage.explorer, NULL);
        memory_fail_after(after);
        stage_draw(&stage);
        bool failed = memory_failures() > 0;
        memory_fail_after(-1);
        if (failed)
            assert_true(strstr(stage_dump(&stage), "not enough memory") ||
                        strstr(stage.explorer.message, "not enough memory"));
        else
            survived++;
        stage.explorer.message[0] = 0;
        stage_type(&stage, "+");
        assert_string_equal(stage.explorer.message, "");
        stage_hides(&stage, "not enough memory");
    }
    assert_true(survived > 0 && survived < 4);
    memory_fail_after(0);
    assert_null(view_pattern.open(&stage.explorer, NULL));
    memory_fail_after(-1);
}

static void assert_invariants(const struct stage *stage)
{
    const struct pattern *pattern = stage->state;
    const struct csr *a = &stage->session.shown->matrix.csr;
    const struct cursor *cursor = &stage->explorer.cursor;
    assert_true(cursor->row >= 0 && cursor->col >= 0 && cursor->row < a->rows && cursor->col < a->cols);
    assert_int_equal(cursor->entry, csr_find(a, cursor->row, cursor->col));
    const struct viewport *port = &pattern->port;
    for (int axis = 0; axis < 2; axis++) {
        assert_int_equal(port->start[axis] % port->dot[axis], 0);
        assert_in_range(port->start[axis], 0, port->size[axis] - 1);
        int64_t shown = port->start[axis] + port->dots[axis] * port->dot[axis];
        assert_true(port->start[axis] == 0 || shown - port->size[axis] < port->dot[axis]);
    }
    assert_in_range(pattern->level, 0, pattern_numbers_level(pattern));
}

TEST(a_random_walk_stays_in_the_matrix)
{
    static const int keys[] = {UIKEY_UP,      UIKEY_DOWN,
                               UIKEY_LEFT,    UIKEY_RIGHT,
                               UIKEY_PAGE_UP, UIKEY_PAGE_DOWN,
                               UIKEY_HOME,    UIKEY_END,
                               UIKEY_ENTER,   UIKEY_BACKSPACE,
                               'h',           'j',
                               'k',           'l',
                               'H',           'J',
                               'K',           'L',
                               '+',           '+',
                               '-',           '0',
                               '[',           ']',
                               '{',           '}',
                               'm',           'd',
                               'b',           'x',
                               'z',           UIKEY_ESCAPE};
    uint64_t seed = 20;
    for (int walk = 0; walk < 4; walk++) {
        struct stage stage;
        struct csr a = walk == 0   ? support_matrix(1000, 1000, 0.01, true, false, 1)
                       : walk == 1 ? support_matrix(30, 4000, 0.02, false, true, 2)
                       : walk == 2 ? support_matrix(1, 1, 1, false, false, 3)
                                   : support_matrix(2500, 60, 0.1, true, false, 4);
        stage_open(&stage, &view_pattern, a, FIELD_REAL, 22, 80);
        for (int k = 0; k < 600; k++) {
            int high = 1 + (int)support_random(&seed, 70), wide = 1 + (int)support_random(&seed, 200);
            switch (support_random(&seed, 8)) {
            case 0:
                stage_resize(&stage, high, wide);
                break;
            case 1:
                stage_mouse(&stage, (int)support_random(&seed, 4), high - 2, wide - 2);
                break;
            case 2:
                stage.explorer.ascii = support_random(&seed, 2);
                stage.explorer.shades = support_random(&seed, 2);
                stage_draw(&stage);
                break;
            default:
                stage_keys(&stage, &keys[support_random(&seed, sizeof keys / sizeof *keys)], 1);
                break;
            }
            assert_invariants(&stage);
            if (k % 50 == 0) assert_dots_are_exact(&stage);
        }
        stage_close(&stage);
    }
}
