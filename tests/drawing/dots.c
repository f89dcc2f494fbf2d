/* Rectangles, lines, images, texts and axes in characters and in pixels, against a plain grid of dots. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawing/cells.h"
#include "drawing/pixmap.h"
#include "drawing/shade.h"
#include "support/chance.h"
#include "support/unit.h"

enum { HIGH = 7, WIDE = 13, TOP = 2, LEFT = 3, ROUNDS = 60, DOTS = 80 };

/* A part of a larger surface, and the colour of each dot that should be there; COLOUR_TEXT: none. */
struct scene {
    struct surface surface;
    struct cells cells;
    struct canvas canvas;
    int high, wide; /* in dots */
    uint8_t dots[DOTS][DOTS];
};

static const enum cells_way ways[] = {CELLS_BRAILLE, CELLS_HALVES, CELLS_ASCII, CELLS_PIXELS};
enum { WAYS = sizeof ways / sizeof *ways };

static void begin(struct scene *scene, enum cells_way way)
{
    static const int pixels[] = {5, 3};
    const struct rect rect = {TOP, LEFT, HIGH, WIDE};
    memset(scene, 0, sizeof *scene);
    assert_int_equal(surface_resize(&scene->surface, HIGH + 5, WIDE + 7, NULL), STATUS_OK);
    if (way == CELLS_PIXELS)
        assert_int_equal(
            cells_pixels(&scene->cells, &scene->surface, rect, pixels, true, &scene->canvas, NULL),
            STATUS_OK);
    else
        scene->canvas = cells_begin(&scene->cells, &scene->surface, rect, way, true);
    scene->high = HIGH * (way == CELLS_PIXELS ? 5 : way == CELLS_BRAILLE ? 4 : way == CELLS_HALVES ? 2 : 1);
    scene->wide = WIDE * (way == CELLS_PIXELS ? 3 : way == CELLS_BRAILLE ? 2 : 1);
    assert_true(scene->canvas.high == scene->high && scene->canvas.wide == scene->wide);
    assert_true(scene->canvas.line == scene->high / HIGH && scene->canvas.column == scene->wide / WIDE);
    memset(scene->dots, COLOUR_TEXT, sizeof scene->dots);
}

static void finish(struct scene *scene)
{
    surface_free(&scene->surface);
    pixmap_free(&scene->cells.pixmap);
}

static const struct cell *cell_of(const struct scene *scene, int y, int x)
{
    return &scene->surface.cells[(TOP + y) * scene->surface.wide + LEFT + x];
}

static void set_dot(struct scene *scene, int y, int x, enum colour colour)
{
    if (y >= 0 && x >= 0 && y < scene->high && x < scene->wide) scene->dots[y][x] = (uint8_t)colour;
}

/* The colour of a dot as the surface or the picture shows it. In Braille a character has one colour; then any
 * is that. */
static enum colour shown(const struct scene *scene, int y, int x)
{
    const int down = scene->high / HIGH, right = scene->wide / WIDE;
    const struct cell *cell = cell_of(scene, y / down, x / right);
    const uint32_t c = cell->character;
    switch (scene->cells.way) {
    case CELLS_PIXELS:
        return (enum colour)pixmap_row(&scene->cells.pixmap, y)[x];
    case CELLS_ASCII:
        return c == ' ' ? COLOUR_TEXT : (enum colour)cell->foreground;
    case CELLS_HALVES:
        return c == ' '                                       ? COLOUR_TEXT
               : c == 0x2588 || (c == 0x2580) == (y % 2 == 0) ? (enum colour)cell->foreground
                                                              : (enum colour)cell->background;
    case CELLS_BRAILLE:
        break;
    }
    if (c == ' ') return COLOUR_TEXT;
    assert_int_equal(c >> 8, 0x28);
    return c & braille_bit(y % 4, x % 2) ? (enum colour)cell->foreground : COLOUR_TEXT;
}

static void expect_dots(const struct scene *scene)
{
    for (int y = 0; y < scene->high; y++)
        for (int x = 0; x < scene->wide; x++) {
            const enum colour found = shown(scene, y, x), expected = (enum colour)scene->dots[y][x];
            if (scene->cells.way == CELLS_BRAILLE)
                assert_int_equal(found != COLOUR_TEXT, expected != COLOUR_TEXT);
            else
                assert_int_equal(found, expected);
        }
    for (int k = 0; k < scene->surface.high * scene->surface.wide; k++) {
        const int y = k / scene->surface.wide, x = k % scene->surface.wide;
        if (rect_holds(scene->cells.rect, y, x)) continue;
        assert_int_equal(scene->surface.cells[k].character, ' ');
    }
}

/* From -3 to `most` + 3 in quarters. */
static double somewhere(uint64_t *chance, int most)
{
    return (double)(chance_next(chance) % (uint64_t)(4 * (most + 6))) / 4 - 3 + 0.0625;
}

/* A dot belongs to a rectangle between its rounded edges; one that is thinner than a dot is one dot thick. */
TEST(rectangles_are_the_dots_between_their_edges)
{
    uint64_t chance = CHANCE_SEED;
    for (int w = 0; w < WAYS; w++)
        for (int k = 0; k < ROUNDS; k++) {
            struct scene scene;
            begin(&scene, ways[w]);
            for (int one = 0; one < 4; one++) {
                const enum colour colour = (enum colour)(COLOUR_DIM + chance_next(&chance) % 5);
                const double x = somewhere(&chance, scene.wide), y = somewhere(&chance, scene.high);
                const double wide = 0.2 + (double)(chance_next(&chance) % 40) / 4,
                             high = 0.2 + (double)(chance_next(&chance) % 40) / 4;
                canvas_rectangle(&scene.canvas, x, y, wide, high, colour);
                for (int r = -4; r < scene.high + 9; r++)
                    for (int c = -4; c < scene.wide + 9; c++) {
                        const bool down = (r + 0.5 > y && r + 0.5 < y + high) || r == lround(y),
                                   right = (c + 0.5 > x && c + 0.5 < x + wide) || c == lround(x);
                        if (down && right) set_dot(&scene, r, c, colour);
                    }
            }
            expect_dots(&scene);
            finish(&scene);
        }
}

/* Steep and flat lines have a dot in each row or column that they pass, next to it. */
TEST(lines_pass_their_dots)
{
    uint64_t chance = CHANCE_SEED;
    for (int w = 0; w < WAYS; w++)
        for (int k = 0; k < ROUNDS; k++) {
            struct scene scene;
            begin(&scene, ways[w]);
            const double x0 = somewhere(&chance, scene.wide), y0 = somewhere(&chance, scene.high);
            const double x1 = somewhere(&chance, scene.wide), y1 = somewhere(&chance, scene.high);
            const bool steep = fabs(y1 - y0) > fabs(x1 - x0);
            canvas_stroke(&scene.canvas, x0, y0, x1, y1, COLOUR_GOOD, 1);
            const double from = steep ? y0 : x0, to = steep ? y1 : x1;
            for (int a = 0; a < (steep ? scene.high : scene.wide); a++) {
                const bool passed = a + 0.999 >= fmin(from, to) && a <= fmax(from, to) - 1e-6,
                           inside = a >= fmin(from, to) && a + 1 <= fmax(from, to);
                int count = 0;
                for (int b = 0; b < (steep ? scene.wide : scene.high); b++) {
                    const int y = steep ? a : b, x = steep ? b : a;
                    if (shown(&scene, y, x) == COLOUR_TEXT) continue;
                    assert_int_equal(shown(&scene, y, x), COLOUR_GOOD);
                    const double along = fmin(fmax((a + 0.5 - from) / (to - from), 0), 1);
                    const double across = (steep ? x0 : y0) + along * (steep ? x1 - x0 : y1 - y0);
                    assert_true(passed || (long)floor(from) == a || (long)floor(to) == a);
                    assert_true(fabs(b + 0.5 - across) < 1.51);
                    count++;
                }
                const double along = (a + 0.5 - from) / (to - from);
                const double across = (steep ? x0 : y0) + along * (steep ? x1 - x0 : y1 - y0);
                if (inside && across > 1.5 && across < (steep ? scene.wide : scene.high) - 1.5)
                    assert_in_range(count, 1, 2);
            }
            finish(&scene);
        }
}

/* Each pixel of an image is a block of dots; those of no colour are left out. In Braille a character has the
 * colour of most of its dots. */
TEST(images_are_enlarged)
{
    uint64_t chance = CHANCE_SEED;
    for (int w = 0; w < WAYS; w++)
        for (int k = 0; k < ROUNDS; k++) {
            struct scene scene;
            uint8_t pixels[6 * 9];
            const struct pixmap pixmap = {.high = 6, .wide = 9, .pixels = pixels, .capacity = sizeof pixels};
            const int large_high = 1 + k % 3, large_wide = 1 + k / 3 % 2;
            for (size_t p = 0; p < sizeof pixels; p++) {
                const uint64_t one = chance_next(&chance) % 4;
                pixels[p] = (uint8_t)(one == 0 ? COLOUR_TEXT : COLOUR_DENSITY + (int)(3 * one));
            }
            begin(&scene, ways[w]);
            const int x = (int)(chance_next(&chance) % 12) - 4, y = (int)(chance_next(&chance) % 9) - 4;
            canvas_image(&scene.canvas, x, y, &pixmap, large_wide, large_high);
            for (int r = 0; r < pixmap.high * large_high; r++)
                for (int c = 0; c < pixmap.wide * large_wide; c++) {
                    const uint8_t colour = pixels[r / large_high * pixmap.wide + c / large_wide];
                    if (colour != COLOUR_TEXT) set_dot(&scene, y + r, x + c, (enum colour)colour);
                }
            expect_dots(&scene);
            for (int cell = 0; cell < HIGH * WIDE && ways[w] == CELLS_BRAILLE; cell++) {
                int votes[COLOUR_COUNT] = {0}, most = 0;
                for (int d = 0; d < 8; d++)
                    votes[scene.dots[4 * (cell / WIDE) + d / 2][2 * (cell % WIDE) + d % 2]]++;
                for (int c = 0; c < COLOUR_COUNT; c++)
                    if (c != COLOUR_TEXT && votes[c] && votes[c] >= votes[most] * (most != 0)) most = c;
                if (most) assert_int_equal(cell_of(&scene, cell / WIDE, cell % WIDE)->foreground, most);
            }
            finish(&scene);
        }
}

/* A text begins, has its middle or ends where it is put, as far as the part has room for it. */
TEST(texts_are_anchored)
{
    static const char *const words[] = {"a", "ab", "abc", "abcdefg", "abcdefghijkl", "abcdefghijklm"};
    static const enum canvas_anchor anchors[] = {ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END};
    static const unsigned writings[][2] = {{0, 0},
                                           {WRITING_BOLD, ATTRIBUTE_BOLD},
                                           {WRITING_CHOSEN, ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE},
                                           {WRITING_EVEN, 0}};
    for (int w = 0; w < WAYS; w++)
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < 6; k++)
                for (int column = 0; column <= WIDE; column++)
                    for (int row = -1; row <= HIGH; row++) {
                        struct scene scene;
                        const unsigned *writing = writings[(row + 1 + column) % 4];
                        const int length = (int)strlen(words[k]);
                        begin(&scene, ways[w]);
                        canvas_text(&scene.canvas, column * scene.canvas.column,
                                    (row + 0.5) * scene.canvas.line, anchors[a], COLOUR_BAD, writing[0], "%s",
                                    words[k]);
                        const double begins = a == 0   ? column
                                              : a == 1 ? column - length / 2.
                                                       : column - length;
                        int first = (int)floor(begins + 0.5);
                        if (begins < 0) first = 0;
                        if (first + length > WIDE) first = WIDE - length;
                        for (int cell = 0; cell < scene.surface.high * scene.surface.wide; cell++) {
                            const struct cell *at = &scene.surface.cells[cell];
                            const int y = cell / scene.surface.wide - TOP,
                                      x = cell % scene.surface.wide - LEFT;
                            const bool in =
                                y == row && row >= 0 && row < HIGH && x >= first && x < first + length;
                            assert_int_equal(at->character, in ? (uint32_t)words[k][x - first] : ' ');
                            if (!in) continue;
                            assert_int_equal(at->foreground, COLOUR_BAD);
                            assert_int_equal(at->attributes, writing[1]);
                        }
                        finish(&scene);
                    }
}

/* Axes stand just outside of their rectangle, and their ticks on them. */
TEST(axes_are_beside_and_below)
{
    static const enum cells_way character_ways[] = {CELLS_BRAILLE, CELLS_ASCII};
    for (int w = 0; w < 2; w++)
        for (int k = 0; k < 40; k++) {
            struct scene scene;
            begin(&scene, character_ways[w]);
            const double line = scene.canvas.line, column = scene.canvas.column;
            const int top = k % 3, high = HIGH - 1 - top - k / 3 % 2, left = 1 + k % 4,
                      wide = WIDE - left - k % 3;
            const struct canvas_ticks up = {{(top + 0.5) * line, (top + high - 0.5) * line}, 2},
                                      across = {{(left + 0.5) * column, (left + wide - 1) * column}, 2};
            canvas_axes(&scene.canvas, left * column, top * line, wide * column, high * line, &across, &up);
            const bool ascii = character_ways[w] == CELLS_ASCII;
            for (int y = 0; y < HIGH; y++)
                for (int x = 0; x < WIDE; x++) {
                    const bool beside = x == left - 1 && y >= top && y < top + high,
                               below = y == top + high && x >= left && x < left + wide,
                               corner = y == top + high && x == left - 1;
                    const uint32_t expected = beside  ? y == top || y == top + high - 1 ? ascii ? '+' : 0x2524
                                                        : ascii                         ? '|'
                                                                                        : 0x2502
                                              : below ? x == left || x == left + wide - 1
                                                            ? ascii ? '+' : 0x252c
                                                        : ascii ? '-'
                                                                : 0x2500
                                              : corner ? ascii ? '+' : 0x2514
                                                       : ' ';
                    assert_int_equal(cell_of(&scene, y, x)->character, expected);
                    if (beside || below || corner)
                        assert_int_equal(cell_of(&scene, y, x)->foreground, COLOUR_DIM);
                }
            memset(scene.dots, COLOUR_TEXT, sizeof scene.dots);
            finish(&scene);
        }
}

/* A bar's length in characters is its own to a sixteenth, in whole characters and eighths. */
TEST(bars_have_their_lengths)
{
    static const uint32_t eighths[] = {' ', 0x258f, 0x258e, 0x258d, 0x258c, 0x258b, 0x258a, 0x2589, 0x2588};
    for (int k = 1; k <= 40 * (WIDE - 2); k++) {
        struct scene scene;
        const double length = k / 40.;
        double drawn = 0;
        begin(&scene, CELLS_BRAILLE);
        canvas_bar(&scene.canvas, 2, 2 * 4, length * 2, 4, COLOUR_ROWS, false);
        for (int x = 1; x < WIDE; x++) {
            int filled = 0;
            while (filled < 8 && eighths[filled] != cell_of(&scene, 2, x)->character)
                filled++;
            drawn += filled / 8.;
        }
        assert_true(fabs(drawn - length) <= 1. / 16 + 1e-9 || (length < 1. / 8 && drawn == 1. / 8));
        finish(&scene);
        /* upright ones of eighths from below */
        const double high = k / 40. * (HIGH - 1) / (WIDE - 2);
        drawn = 0;
        begin(&scene, CELLS_BRAILLE);
        canvas_bar(&scene.canvas, 4, (HIGH - high) * 4, 2 * 2, high * 4, COLOUR_COLS, true);
        for (int y = 0; y < HIGH; y++) {
            const uint32_t c = cell_of(&scene, y, 2)->character;
            assert_int_equal(c, cell_of(&scene, y, 3)->character);
            assert_int_equal(cell_of(&scene, y, 1)->character, ' ');
            assert_int_equal(cell_of(&scene, y, 4)->character, ' ');
            if (c != ' ') drawn += (double)(c - 0x2580) / 8;
        }
        assert_true(fabs(drawn - high) <= 1. / 16 + 1e-9 || (high < 1. / 8 && drawn == 1. / 8));
        finish(&scene);
    }
}
