/* ui/: the pure helpers of pictures: braille, shades, ticks, bars. */
#include <math.h>

#include "base/text.h"
#include "drawing/bars.h"
#include "drawing/shade.h"
#include "drawing/surface.h"
#include "drawing/viewport.h"
#include "support/unit.h"

TEST(braille_dots_are_where_unicode_has_them)
{
    /* From the names of the characters: U+2801 is DOTS-1 (upper left), U+2808 DOTS-4 (upper right), U+2840
     * DOTS-7 (lower left), U+2880 DOTS-8 (lower right), U+2847 DOTS-1237, the left column. */
    assert_int_equal(braille_character(braille_bit(0, 0)), 0x2801);
    assert_int_equal(braille_character(braille_bit(0, 1)), 0x2808);
    assert_int_equal(braille_character(braille_bit(3, 0)), 0x2840);
    assert_int_equal(braille_character(braille_bit(3, 1)), 0x2880);
    unsigned left = 0, all = 0;
    for (int y = 0; y < BRAILLE_HIGH; y++) {
        left |= braille_bit(y, 0);
        all |= braille_bit(y, 0) | braille_bit(y, 1);
    }
    assert_int_equal(braille_character(left), 0x2847);
    assert_int_equal(braille_character(all), 0x28ff);
}

TEST(shades_are_logarithmic)
{
    struct shade shade = shade_scale(1, 32768); /* 15 octaves: a level each */
    for (int k = 0; k < SHADE_LEVELS; k++) {
        assert_int_equal(shade_level(&shade, ldexp(1, k)), k);
        assert_true(fabs(shade_density(&shade, k) - ldexp(1, k)) < 1e-9 * ldexp(1, k));
    }
    assert_int_equal(shade_level(&shade, 0), -1);
    assert_int_equal(shade_level(&shade, NAN), -1);
    assert_int_equal(shade_level(&shade, 1e-9), 0);
    assert_int_equal(shade_level(&shade, 1e9), 15);
}

TEST(scales_end_at_powers_of_two_and_have_four_octaves)
{
    struct shade shade = shade_scale(0.3, 700);
    assert_true(shade.low == 0.25 && shade.high == 1024);
    shade = shade_scale(1, 1);
    assert_true(shade.low == 0.0625 && shade.high == 1);
    assert_int_equal(shade_level(&shade, 1), 15);
    shade = shade_scale(0, 0);
    assert_int_equal(shade_level(&shade, 1), -1);
}

TEST(ink_grows_with_the_level)
{
    assert_int_equal(shade_character(-1, true), ' ');
    assert_int_equal(shade_character(0, true), '.');
    assert_int_equal(shade_character(15, true), '@');
    assert_int_equal(shade_character(99, true), '@');
    assert_int_equal(shade_character(15, false), 0x2588);
    for (int k = 0; k < SHADE_LEVELS; k++)
        assert_in_range(shade_character(k, true), 0x20, 0x7e);
}

TEST(nice_steps_are_1_2_5)
{
    assert_int_equal(axis_nice(0), 1);
    assert_int_equal(axis_nice(1), 1);
    assert_int_equal(axis_nice(3), 5);
    assert_int_equal(axis_nice(51), 100);
    assert_int_equal(axis_nice(100), 100);
    assert_int_equal(axis_nice(101), 200);
}

TEST(ticks_are_multiples_and_row_1)
{
    struct tick ticks[8];
    /* 100 rows, 10 to a dot, ticks at least 2 dots apart: 20, 40, ... of which row 20 is in the second dot,
     * too close to row 1 in the first. Label L is position L - 1. */
    int count = axis_ticks(0, 10, 10, 100, 2, ticks, 8);
    static const struct tick expected[] = {{1, 0}, {40, 3}, {60, 5}, {80, 7}, {100, 9}};
    assert_int_equal(count, 5);
    for (int k = 0; k < count; k++) {
        assert_int_equal(ticks[k].label, expected[k].label);
        assert_int_equal(ticks[k].dot, expected[k].dot);
    }
    assert_int_equal(axis_ticks(0, 1, 5, 0, 1, ticks, 8), 0);
    assert_int_equal(axis_ticks(0, 1, 5, 1, 1, ticks, 8), 1);
    assert_int_equal(axis_ticks(0, 1, 100, 100, 1, ticks, 8), 8);
}

TEST(ticks_lie_in_the_dot_they_name)
{
    struct tick ticks[64];
    for (int64_t start = 0; start < 700; start += 7)
        for (int gap = 1; gap < 9; gap++) {
            int count = axis_ticks(start, 7, 40, 900, gap, ticks, 64);
            for (int k = 0; k < count; k++) {
                assert_true(ticks[k].label >= 1 && ticks[k].label <= 900);
                assert_true(ticks[k].label - 1 >= start + 7 * ticks[k].dot);
                assert_true(ticks[k].label - 1 < start + 7 * (ticks[k].dot + 1));
                assert_in_range(ticks[k].dot, 0, 39);
                if (k) assert_true(ticks[k].dot - ticks[k - 1].dot >= gap);
            }
        }
}

/* Draw one bar in these cells. */
static void draw_bar(struct surface *surface, enum bar_kind kind, struct rect rect, double length, bool ascii)
{
    const struct bar bar = {
        .kind = kind, .rect = rect, .length = length, .colour = COLOUR_ROWS, .ascii = ascii};
    bar_draw(surface, &bar);
}

TEST(bars_are_eighths)
{
    for (int eighth = 1; eighth <= 8; eighth++) /* the nearest eighth */
        for (int turn = -1; turn <= 1; turn++)
            assert_int_equal(bar_cell(eighth / 8. + turn / 17., false, false), 0x2590 - eighth);
    FREED(surface_free) struct surface surface = {0};
    struct text text = {0};
    assert_int_equal(surface_resize(&surface, 2, 4, NULL), STATUS_OK);
    draw_bar(&surface, BAR_BLOCK, (struct rect){0, 0, 1, 4}, 0.625, false); /* 2.5 cells */
    draw_bar(&surface, BAR_BLOCK, (struct rect){1, 0, 1, 4}, 1e-9, false);
    surface_dump(&surface, &text);
    assert_string_equal(text.data, "\u2588\u2588\u258c\n\u258f\n");
    text_free(&text);
    surface_clear(&surface);
    draw_bar(&surface, BAR_LINE, (struct rect){0, 0, 1, 4}, 0.625, false);
    draw_bar(&surface, BAR_LINE, (struct rect){1, 0, 1, 4}, 1e-9, true);
    surface_dump(&surface, &text);
    assert_string_equal(text.data, "\u2501\u2501\u2578\n-\n");
    text_free(&text);
    surface_clear(&surface);
    draw_bar(&surface, BAR_UPRIGHT, (struct rect){0, 0, 2, 1}, 0.75, false); /* 1.5 cells */
    draw_bar(&surface, BAR_UPRIGHT, (struct rect){0, 1, 2, 1}, 1, true);
    draw_bar(&surface, BAR_UPRIGHT, (struct rect){0, 2, 2, 1}, 0, false);
    surface_dump(&surface, &text);
    assert_string_equal(text.data, "\u2584#\n\u2588#\n");
    text_free(&text);
    surface_clear(&surface);
    draw_bar(&surface, BAR_UPRIGHT, (struct rect){0, 0, 2, 2}, 0.75, true); /* two columns, in ASCII */
    draw_bar(&surface, BAR_UPRIGHT, (struct rect){0, 3, 2, 1}, 0.0625, true);
    surface_dump(&surface, &text);
    assert_string_equal(text.data, "==\n## .\n");
    text_free(&text);
}

/* A bar has a label before it, a track behind it, and may be a piece of a longer one. */
TEST(bars_have_labels_and_tracks)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(text_free) struct text text = {0};
    assert_int_equal(surface_resize(&surface, 3, 12, NULL), STATUS_OK);
    struct bar bar = {.kind = BAR_BLOCK,
                      .rect = {0, 0, 1, 12},
                      .length = 0.5,
                      .colour = COLOUR_ROWS,
                      .track = true,
                      .label = "ell",
                      .label_wide = 4,
                      .label_colour = COLOUR_TITLE};
    bar_draw(&surface, &bar);
    assert_int_equal(surface.cells[0].foreground, COLOUR_TITLE);
    assert_int_equal(surface.cells[4].foreground, COLOUR_ROWS);
    assert_int_equal(surface.cells[11].foreground, COLOUR_DIM);
    bar.rect.top = 1;
    bar.ascii = true;
    bar_draw(&surface, &bar);
    bar.track = false;
    bar.start = 0.75;
    bar.length = 0.25;
    bar.plain = '%';
    bar.label = NULL;
    bar_draw(&surface, &bar);
    bar.rect.top = 2;
    bar.length = 0;
    bar_draw(&surface, &bar);
    bar.start = 1; /* a single entry is visible */
    bar.length = 1e-9;
    bar.ascii = false;
    bar_draw(&surface, &bar);
    surface_dump(&surface, &text);
    assert_string_equal(
        text.data, "ell \u2588\u2588\u2588\u2588\u2591\u2591\u2591\u2591\nell ####.%%%\n           \u258f\n");
}
