/* ui/widgets/thumbnail: pictures of whole matrices, cell by cell against a plain loop over their entries. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pyramid.h"
#include "drawing/bars.h"
#include "drawing/shade.h"
#include "drawing/viewport.h"
#include "support/generate.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/widgets/thumbnail.h"

#define HIGH 34
#define WIDE 90

/* The looks of a picture. */
static const struct look {
    bool ascii, colours, plain;
} looks[] = {{false, true, false}, {true, true, false}, {false, false, false}, {true, false, true}};

static struct surface drawn(void)
{
    struct surface surface = {0};
    assert_int_equal(surface_resize(&surface, HIGH, WIDE, NULL), STATUS_OK);
    return surface;
}

static struct pyramid pyramid_of(const struct csr *a)
{
    struct pyramid pyramid;
    assert_int_equal(pyramid_build(a, NULL, &pyramid, NULL), STATUS_OK);
    return pyramid;
}

/* The number of entries in these rows and columns. */
static int64_t count_in(const struct csr *a, int64_t r0, int64_t r1, int64_t c0, int64_t c1)
{
    int64_t count = 0;
    for (int64_t i = r0; i < r1 && i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            count += a->col[k] >= c0 && a->col[k] < c1;
    return count;
}

/* Compare a surface with another, to which the expected picture was drawn. */
static void expect_same(const struct surface *found, const struct surface *expected, const char *what)
{
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            const struct cell *is = &found->cells[y * WIDE + x], *wanted = &expected->cells[y * WIDE + x];
            if (is->character != wanted->character || is->foreground != wanted->foreground ||
                is->background != wanted->background || is->attributes != wanted->attributes)
                fail_msg("%s, line %d, column %d: U+%04x of colour %d instead of U+%04x of colour %d", what,
                         y, x, is->character, is->foreground, wanted->character, wanted->foreground);
        }
}

/* A picture by hand: its cells, and the rows and columns of a dot, 4 x 2 of which are a cell. If `zoom` is
 * not 0, a position is zoom x 2 zoom cells instead. */
struct expected {
    struct rect inside;
    int64_t dot_rows, dot_cols;
    int zoom;
};

static void expect_places(struct surface *surface, const struct csr *a, const struct look *look,
                          const struct expected *expected)
{
    const struct rect in = expected->inside;
    for (int y = 0; y < in.high; y++)
        for (int x = 0; x < in.wide; x++) {
            int64_t i = y / expected->zoom, j = x / (2 * expected->zoom);
            if (count_in(a, i, i + 1, j, j + 1))
                surface_put(surface, in.top + y, in.left + x, look->ascii ? '#' : 0x2588,
                            look->colours ? COLOUR_DENSITY + 10 : COLOUR_TEXT, COLOUR_TEXT, 0);
        }
}

/* The dots of cell (y, x) that have an entry, and the entries of all of them. */
static unsigned dots_of(const struct csr *a, const struct expected *expected, int y, int x, int64_t *count)
{
    unsigned bits = 0;
    *count = 0;
    for (int d = 0; d < 8; d++) {
        int64_t r = (4 * y + d / 2) * expected->dot_rows, c = (2 * x + d % 2) * expected->dot_cols;
        int64_t entries = count_in(a, r, r + expected->dot_rows, c, c + expected->dot_cols);
        if (entries) bits |= braille_bit(d / 2, d % 2);
        *count += entries;
    }
    return bits;
}

static void expect_dots(struct surface *surface, const struct csr *a, const struct look *look,
                        const struct expected *expected)
{
    const struct rect in = expected->inside;
    int64_t least = INT64_MAX, most = 0, count;
    for (int cell = 0; cell < in.high * in.wide; cell++) {
        dots_of(a, expected, cell / in.wide, cell % in.wide, &count);
        if (count > 0 && count < least) least = count;
        if (count > most) most = count;
    }
    const struct shade shade = shade_scale((double)least, (double)most);
    for (int cell = 0; cell < in.high * in.wide; cell++) {
        int y = cell / in.wide, x = cell % in.wide;
        unsigned bits = dots_of(a, expected, y, x, &count);
        if (count == 0) continue;
        int level = shade_level(&shade, (double)count);
        enum colour colour = look->plain     ? (level < 8 ? COLOUR_DIM : COLOUR_TEXT)
                             : look->colours ? (enum colour)(COLOUR_DENSITY + level)
                                             : COLOUR_TEXT;
        surface_put(surface, in.top + y, in.left + x,
                    look->ascii ? shade_character(level, true) : 0x2800 + bits, colour, COLOUR_TEXT, 0);
    }
}

static void check(const struct csr *a, struct rect rect, const struct expected *expected)
{
    const struct rect in = expected->inside;
    FREED(pyramid_free) struct pyramid pyramid = pyramid_of(a);
    for (size_t k = 0; k < sizeof looks / sizeof *looks; k++) {
        const struct explorer explorer = {.ascii = looks[k].ascii, .colours = looks[k].colours};
        FREED(thumbnail_free) struct thumbnail thumbnail = {.plain = looks[k].plain};
        FREED(surface_free) struct surface found = drawn(), wanted = drawn();
        surface_frame(&wanted, (struct rect){in.top - 1, in.left - 1, in.high + 2, in.wide + 2},
                      looks[k].ascii, NULL);
        (expected->zoom ? expect_places : expect_dots)(&wanted, a, &looks[k], expected);
        for (int again = 0; again < 2; again++) { /* the second time uses the kept counts */
            surface_clear(&found);
            assert_int_equal(thumbnail_draw_of(&thumbnail, &explorer, a, &pyramid, &found, rect),
                             in.high + 2);
            expect_same(&found, &wanted, looks[k].ascii ? "ASCII" : "Unicode");
        }
        assert_int_equal(thumbnail.drawn, expected->zoom == 0);
        assert_int_equal(thumbnail.plain, looks[k].plain);
    }
}

/* Each position of a small matrix is a rectangle of zoom x 2 zoom characters, about a square. It is as large
 * as the smaller side allows, in the middle of the frame. */
TEST(small_matrices_show_their_positions)
{
    static const double values[] = {1, 0, 0, 2, /**/ 0, 3, 0, 0, /**/ 0, 0, 0, 4};
    FREED(csr_free) struct csr a = support_dense(3, 4, values);
    check(&a, (struct rect){2, 3, 12, 30}, &(struct expected){{3, 6, 9, 24}, 1, 1, 3});
    check(&a, (struct rect){2, 3, 12, 25}, &(struct expected){{3, 7, 6, 16}, 1, 1, 2});  /* less wide */
    check(&a, (struct rect){0, 0, 10, 90}, &(struct expected){{1, 37, 6, 16}, 1, 1, 2}); /* less high */
    check(&a, (struct rect){1, 0, 5, 10}, &(struct expected){{2, 1, 3, 8}, 1, 1, 1});    /* just fits */
    /* A column or a row less, and positions are dots. */
    check(&a, (struct rect){1, 0, 5, 9}, &(struct expected){{2, 3, 1, 2}, 1, 1, 0});
    check(&a, (struct rect){1, 0, 4, 10}, &(struct expected){{2, 4, 1, 2}, 1, 1, 0});
}

/* Without the entries the cells of the pyramid are the positions. */
TEST(the_pyramid_stands_for_the_entries)
{
    static const double values[] = {1, 0, 0, 2, /**/ 0, 3, 0, 0, /**/ 0, 0, 0, 4};
    FREED(csr_free) struct csr a = support_dense(3, 4, values);
    FREED(pyramid_free) struct pyramid pyramid = pyramid_of(&a);
    const struct csr bare = {.rows = 3, .cols = 4};
    const struct explorer explorer = {.colours = true};
    const struct rect rect = {2, 3, 12, 30};
    FREED(thumbnail_free) struct thumbnail thumbnail = {0};
    FREED(surface_free) struct surface found = drawn(), wanted = drawn();
    assert_int_equal(thumbnail_draw_of(&thumbnail, &explorer, &bare, &pyramid, &found, rect), 11);
    thumbnail_draw_of(&thumbnail, &explorer, &a, &pyramid, &wanted, rect);
    expect_same(&found, &wanted, "pyramid");
    /* If the cells are coarser than positions, positions cannot be shown. */
    pyramid.row_step = 2;
    surface_clear(&found);
    assert_true(thumbnail_draw_of(&thumbnail, &explorer, &bare, &pyramid, &found, rect) < 11);
    surface_clear(&found);
    thumbnail_draw_of(&thumbnail, &explorer, &a, &pyramid, &found, rect); /* but with the entries */
    expect_same(&found, &wanted, "entries");
}

/* A dot has the same number of rows and columns, such that all fit. If one side is more than eight times the
 * other, each side has a scale of its own. */
TEST(larger_matrices_are_dots)
{
    static const struct {
        int64_t rows, cols;
        struct expected expected;
    } cases[] = {
        {40, 60, {{3, 3, 4, 10}, 3, 3, 0}},   /* 16 x 20 dots: 3 rows and 3 columns a dot */
        {48, 60, {{3, 3, 4, 10}, 3, 3, 0}},   /* exactly full */
        {49, 60, {{3, 4, 4, 8}, 4, 4, 0}},    /* a row more: 4 a dot, and 8 columns of cells in the middle */
        {100, 40, {{3, 6, 4, 3}, 7, 7, 0}},   /* the rows say how many */
        {32, 130, {{3, 3, 2, 10}, 7, 7, 0}},  /* the columns */
        {160, 19, {{3, 3, 4, 10}, 10, 1, 0}}, /* oblong: rows of a dot are 10, columns 1 */
        {160, 20, {{3, 7, 4, 1}, 10, 10, 0}}, /* not yet oblong */
        {9, 90, {{3, 3, 3, 9}, 1, 5, 0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        FREED(csr_free)
        struct csr a = support_matrix(cases[k].rows, cases[k].cols, 0.04, true, false, 7 + k);
        check(&a, (struct rect){2, 2, 6, 12}, &cases[k].expected);
    }
    /* Cells of 8 x 4 positions with 1, 2, ..., 32 entries have all levels. */
    static double values[32 * 40];
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 40; j++)
            values[i * 40 + j] = i % 8 * 4 + j % 4 <= (i / 8 * 10 + j / 4) % 32;
    FREED(csr_free) struct csr all = support_dense(32, 40, values);
    check(&all, (struct rect){2, 2, 6, 12}, &(struct expected){{3, 3, 4, 10}, 2, 2, 0});
    /* A dot is whole cells of the pyramid: at least 9000 / 120 = 75 rows. */
    struct matrix band = generated("banded,n=9000,lower=3,upper=1");
    FREED(pyramid_free) struct pyramid pyramid = pyramid_of(&band.csr);
    int64_t step = pyramid.row_step, dot = (75 + step - 1) / step * step;
    int high = (int)((9000 + 4 * dot - 1) / (4 * dot)), wide = (int)((9000 + 2 * dot - 1) / (2 * dot));
    assert_true(step > 1 && dot > 75 && pyramid.col_step == step);
    check(&band.csr, (struct rect){2, 2, 32, 62},
          &(struct expected){{3, 3 + (60 - wide) / 2, high, wide}, dot, dot, 0});
    matrix_free(&band);
}

/* Pictures need 2 x 4 cells inside their frames, and a position at least. */
TEST(without_room_nothing_is_drawn)
{
    FREED(csr_free) struct csr a = support_matrix(30, 30, 0.2, false, false, 3);
    FREED(pyramid_free) struct pyramid pyramid = pyramid_of(&a);
    const struct explorer explorer = {0};
    FREED(surface_free) struct surface found = drawn(), blank = drawn();
    FREED(thumbnail_free) struct thumbnail thumbnail = {0};
    int64_t place[2];
    assert_int_equal(
        thumbnail_draw_of(&thumbnail, &explorer, &a, &pyramid, &found, (struct rect){0, 0, 3, 40}), 0);
    assert_int_equal(
        thumbnail_draw_of(&thumbnail, &explorer, &a, &pyramid, &found, (struct rect){0, 0, 20, 5}), 0);
    for (int side = 0; side < 2; side++) {
        const struct csr none = {.rows = side ? 5 : 0, .cols = side ? 0 : 5};
        const struct rect rect = {0, 0, 20, 40};
        assert_int_equal(thumbnail_draw_of(&thumbnail, &explorer, &none, &pyramid, &found, rect), 0);
        assert_false(thumbnail_at(&none, &pyramid, rect, 5, 5, place));
    }
    thumbnail_mark(&explorer, &a, &pyramid, &found, (struct rect){0, 0, 3, 40}, (struct range){0, 9, 0, 9});
    expect_same(&found, &blank, "no room");
    assert_true(thumbnail_draw_of(&thumbnail, &explorer, &a, &pyramid, &found, (struct rect){0, 0, 4, 6}) >
                0);
}

/* The cells that a part of the matrix has in the picture, by a loop over its positions. */
static struct rect cells_of(struct range part, const struct expected *expected)
{
    const struct rect in = expected->inside;
    int top = in.high, left = in.wide, bottom = -1, right = -1;
    for (int y = 0; y < in.high; y++)
        for (int x = 0; x < in.wide; x++) {
            int64_t r0 = y * 4 * expected->dot_rows, r1 = r0 + 4 * expected->dot_rows;
            int64_t c0 = x * 2 * expected->dot_cols, c1 = c0 + 2 * expected->dot_cols;
            if (expected->zoom) {
                r0 = y / expected->zoom, r1 = r0 + 1;
                c0 = x / (2 * expected->zoom), c1 = c0 + 1;
                /* A position is marked at its first cell. */
                if (y % expected->zoom || x % (2 * expected->zoom)) continue;
            }
            if (r0 >= part.r1 || r1 <= part.r0 || c0 >= part.c1 || c1 <= part.c0) continue;
            top = y < top ? y : top, left = x < left ? x : left;
            bottom = y > bottom ? y : bottom, right = x > right ? x : right;
        }
    return (struct rect){in.top + top, in.left + left, bottom - top + 1, right - left + 1};
}

static void check_marks(const struct csr *a, struct rect rect, const struct expected *expected)
{
    FREED(pyramid_free) struct pyramid pyramid = pyramid_of(a);
    const struct range parts[] = {
        {0, a->rows, 0, a->cols},           {0, a->rows / 2, a->cols / 3, a->cols},
        {a->rows - 1, a->rows, 0, a->cols}, {1, 3, 1, 2},
        {0, a->rows, a->cols - 1, a->cols}, {2, a->rows - 1, 1, a->cols - 1},
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (int colours = 0; colours < 2; colours++) {
            const struct explorer explorer = {.colours = colours, .ascii = true};
            FREED(surface_free) struct surface found = drawn(), wanted = drawn();
            const struct rect mark = cells_of(parts[k], expected);
            thumbnail_mark(&explorer, a, &pyramid, &found, rect, parts[k]);
            if (mark.high < 2 || mark.wide < 2)
                surface_highlight(&wanted, mark, colours ? COLOUR_CURSOR : COLOUR_TEXT,
                                  colours ? 0 : ATTRIBUTE_REVERSE);
            else
                surface_edges(&wanted, mark, true, COLOUR_CURSOR, ATTRIBUTE_BOLD);
            expect_same(&found, &wanted, "mark");
        }
    FREED(surface_free) struct surface found = drawn(), blank = drawn();
    thumbnail_mark(&(struct explorer){0}, a, &pyramid, &found, rect, (struct range){2, 2, 0, 3});
    thumbnail_mark(&(struct explorer){0}, a, &pyramid, &found, rect, (struct range){0, 3, 2, 2});
    expect_same(&found, &blank, "an empty part");
}

/* Each cell of the picture leads to the position in its middle; cells outside lead to none. */
static void check_positions(const struct csr *a, struct rect rect, const struct expected *expected)
{
    FREED(pyramid_free) struct pyramid pyramid = pyramid_of(a);
    const struct rect in = expected->inside;
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            int64_t place[2], zoom = expected->zoom;
            bool inside = y >= in.top && y < in.top + in.high && x >= in.left && x < in.left + in.wide;
            assert_int_equal(thumbnail_at(a, &pyramid, rect, y, x, place), inside);
            if (!inside) continue;
            int64_t down = y - in.top, across = x - in.left;
            assert_int_equal(place[ROWS], zoom ? down / zoom : (2 * down + 1) * 2 * expected->dot_rows);
            assert_int_equal(place[COLS], zoom ? across / (2 * zoom) : (2 * across + 1) * expected->dot_cols);
        }
}

TEST(parts_are_marked_and_cells_are_positions)
{
    static const double values[] = {1, 0, 0, 2, /**/ 0, 3, 0, 0, /**/ 0, 0, 0, 4};
    FREED(csr_free) struct csr small = support_dense(3, 4, values);
    FREED(csr_free) struct csr large = support_matrix(100, 40, 0.1, false, false, 5);
    FREED(csr_free) struct csr tall = support_matrix(160, 19, 0.1, false, false, 6);
    const struct expected places = {{3, 6, 9, 24}, 1, 1, 3}, dots = {{3, 6, 4, 3}, 7, 7, 0},
                          oblong = {{3, 3, 4, 10}, 10, 1, 0};
    const struct rect wide = {2, 3, 12, 30}, rect = {2, 2, 6, 12};
    check_marks(&small, wide, &places);
    check_marks(&small, (struct rect){1, 0, 5, 10}, &(struct expected){{2, 1, 3, 8}, 1, 1, 1});
    check_marks(&large, rect, &dots);
    check_marks(&tall, rect, &oblong);
    check_positions(&small, wide, &places);
    check_positions(&small, (struct rect){1, 0, 5, 10}, &(struct expected){{2, 1, 3, 8}, 1, 1, 1});
    check_positions(&large, rect, &dots);
    check_positions(&tall, rect, &oblong);
}

/* The mean length of rows in a bar: of m rows and b bars those from floor(m x / b) to floor(m (x + 1) / b).
 */
static double mean_in_bar(const struct csr *a, int64_t x, int64_t bars)
{
    int64_t from = a->rows * x / bars, to = a->rows * (x + 1) / bars;
    return (double)count_in(a, from, to, 0, a->cols) / (double)(to - from);
}

/* Bars of the mean row length below their title, which says the highest; with fewer rows than columns the
 * bars are as thick as there is room for. */
TEST(bars_show_mean_row_lengths)
{
    static const struct {
        int64_t rows;
        int wide, bars, thick;
        const char *title;
    } cases[] = {{100, 40, 40, 1, "Mean row length"}, {7, 40, 7, 5, "Mean row length"},
                 {40, 40, 40, 1, "Mean row length"},  {41, 23, 23, 1, "Mean length"},
                 {30, 24, 24, 1, "Mean row length"},  {50, 20, 20, 1, "Mean length"},
                 {50, 19, 19, 1, "Lengths"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int ascii = 0; ascii < 2; ascii++) {
            FREED(stage_close) struct stage stage;
            stage_open(&stage, &view_pattern, support_matrix(cases[k].rows, 30, 0.3, true, false, 40 + k),
                       FIELD_REAL, 34, 120);
            const struct csr *a = &stage.session.shown->matrix.csr;
            const struct rect rect = {3, 5, 6, cases[k].wide};
            const struct explorer explorer = {.session = &stage.session, .ascii = ascii};
            FREED(surface_free) struct surface found = drawn(), wanted = drawn();
            double most = 0;
            for (int x = 0; x < cases[k].bars; x++)
                most = fmax(most, mean_in_bar(a, x, cases[k].bars));
            for (int x = 0; x < cases[k].bars; x++) {
                const int thick = cases[k].thick;
                const struct bar bar = {.kind = BAR_UPRIGHT,
                                        .rect = {4, 5 + x * thick, 5, thick},
                                        .length = mean_in_bar(a, x, cases[k].bars) / most,
                                        .colour = COLOUR_ROWS,
                                        .ascii = ascii};
                bar_draw(&wanted, &bar);
            }
            surface_text(&wanted, 3, 5, cases[k].wide, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s", cases[k].title);
            sparkline_draw(&explorer, &found, rect);
            /* The highest number, in the rest of the line. */
            char line[WIDE + 1] = "", number[32];
            int after = (int)strlen(cases[k].title);
            for (int x = after; x < cases[k].wide; x++) {
                struct cell *cell = &found.cells[3 * WIDE + 5 + x];
                line[x - after] = (char)cell->character;
                if (cell->character != ' ') assert_int_equal(cell->foreground, COLOUR_DIM);
                *cell = wanted.cells[3 * WIDE + 5 + x];
            }
            format_short(number, sizeof number, most);
            const char *at = strstr(line, number);
            assert_non_null(at);
            assert_int_equal(at + strlen(number) - line, cases[k].wide - after); /* it ends with the bars */
            bool fits = after + 4 + (int)strlen(number) <= cases[k].wide;
            assert_int_equal(strstr(line, " to ") != NULL, fits);
            expect_same(&found, &wanted, cases[k].title);
            surface_clear(&found);
            surface_clear(&wanted);
            sparkline_draw(&explorer, &found, (struct rect){3, 5, 1, 40}); /* too low */
            expect_same(&found, &wanted, "too low");
        }
}

/* Until the pyramid is there, an empty frame takes all the room. */
TEST(a_picture_that_is_not_there_yet_is_a_frame)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(100, 40, 0.1, false, false, 5), FIELD_REAL, 34, 120);
    const struct explorer explorer = {.session = &stage.session, .colours = true};
    const struct rect rect = {2, 2, 6, 12};
    FREED(surface_free) struct surface found = drawn(), wanted = drawn();
    FREED(thumbnail_free) struct thumbnail thumbnail = {0};
    thumbnail_draw_of(&thumbnail, &explorer, &stage.session.shown->matrix.csr, &stage.session.shown->pyramid,
                      &wanted, rect);
    assert_int_equal(thumbnail_draw(&thumbnail, &explorer, &found, rect), 6);
    expect_same(&found, &wanted, "whole");
    FREED(session_free) struct session young;
    assert_int_equal(session_load(&young, "gen:laplace2d,n=9", &(struct load_options){0}, NULL, NULL),
                     STATUS_OK);
    const struct explorer early = {.session = &young};
    surface_clear(&found);
    surface_clear(&wanted);
    assert_int_equal(thumbnail_draw(&thumbnail, &early, &found, rect), 6);
    surface_frame(&wanted, rect, false, "Pattern");
    surface_text(&wanted, 5, 6, 3, COLOUR_DIM, 0, "...");
    expect_same(&found, &wanted, "early");
    surface_clear(&found);
    surface_clear(&wanted);
    assert_int_equal(thumbnail_draw(&thumbnail, &early, &found, (struct rect){2, 2, 3, 12}), 0);
    assert_int_equal(thumbnail_draw(&thumbnail, &early, &found, (struct rect){2, 2, 6, 5}), 0);
    expect_same(&found, &wanted, "no room");
}
