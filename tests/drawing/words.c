/* Texts on a surface: flowing words, lines of a panel, numbers in narrow fields; and the looks of colours. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "drawing/canvas.h"
#include "drawing/flow.h"
#include "drawing/number.h"
#include "drawing/palette.h"
#include "drawing/pen.h"
#include "support/unit.h"

static struct surface surface;

static int fresh(void **state)
{
    return surface_resize(&surface, 4, 12, NULL) == STATUS_OK ? 0 : -1;
}

static int done(void **state)
{
    surface_free(&surface);
    return 0;
}

static void assert_dump(const char *expected)
{
    FREED(text_free) struct text text = {0};
    surface_dump(&surface, &text);
    assert_string_equal(text.data, expected);
}

static struct flow flow_of(int high, int wide)
{
    return (struct flow){.surface = &surface, .rect = {0, 0, high, wide}};
}

/* Two blanks between items: "ab  cd  efgh" has twelve columns, and not eleven. */
TEST_BETWEEN(fresh, done, items_stand_two_blanks_apart)
{
    struct flow flow = flow_of(4, 12);
    assert_true(flow_item(&flow, COLOUR_TEXT, "ab"));
    assert_true(flow_item(&flow, COLOUR_TEXT, "c%c", 'd'));
    assert_true(flow_item(&flow, COLOUR_TEXT, "efgh"));
    assert_int_equal(flow_lines(&flow), 1);
    assert_dump("ab  cd  efgh\n\n\n\n");
    surface_clear(&surface);
    flow = flow_of(4, 11);
    for (int k = 0; k < 2; k++)
        assert_true(flow_item(&flow, COLOUR_TEXT, k ? "cd" : "ab"));
    assert_true(flow_item(&flow, COLOUR_TEXT, "efgh"));
    assert_dump("ab  cd\nefgh\n\n\n");
    flow_break(&flow);
    assert_true(flow_item(&flow, COLOUR_TEXT, "x"));
    assert_dump("ab  cd\nefgh\nx\n\n");
}

TEST_BETWEEN(fresh, done, words_without_room_are_not_written)
{
    struct flow flow = flow_of(2, 5);
    assert_false(flow_item(&flow, COLOUR_TEXT, "sixsix"));
    assert_true(flow_item(&flow, COLOUR_TEXT, "abcd"));
    assert_true(flow_item(&flow, COLOUR_TEXT, "efgh"));
    assert_false(flow_item(&flow, COLOUR_TEXT, "ij"));
    assert_int_equal(flow_lines(&flow), 2);
    assert_dump("abcd\nefgh\n\n\n");
}

TEST_BETWEEN(fresh, done, sentences_are_whole_or_absent)
{
    struct flow flow = flow_of(2, 7);
    assert_true(flow_sentence(&flow, COLOUR_TEXT, "one two"));
    assert_false(flow_sentence(&flow, COLOUR_TEXT, "three four"));
    assert_dump("one two\n\n\n\n");
    assert_true(flow_sentence(&flow, COLOUR_TEXT, "three"));
    assert_dump("one two\nthree\n\n\n");
    assert_false(flow_words(&flow, COLOUR_TEXT, "four"));
}

/* A blank line comes before a heading that is not the first, unless three lines or fewer are left. */
TEST_BETWEEN(fresh, done, headings_have_room_before_them)
{
    struct pen pen = {&surface, {0, 0, 4, 12}, 0};
    pen_heading(&pen, "first");
    pen_heading(&pen, "second");
    pen_text(&pen, COLOUR_TEXT, "%d", 3);
    assert_int_equal(pen_left(&pen), 1);
    assert_dump("first\nsecond\n3\n\n");
    assert_int_equal(surface_resize(&surface, 6, 12, NULL), STATUS_OK);
    pen = (struct pen){&surface, {0, 0, 6, 12}, 0};
    pen_heading(&pen, "first");
    pen_heading(&pen, "second");
    pen_pair(&pen, "name", COLOUR_TEXT, "%d", 7);
    pen_count(&pen, "count", COLOUR_TEXT, 123456789, NULL);
    pen_text(&pen, COLOUR_TEXT, "last");
    pen_text(&pen, COLOUR_TEXT, "one too many");
    assert_dump("first\n\nsecond\nname       7\ncount   123M\nlast\n");
}

TEST_BETWEEN(fresh, done, pairs_and_counts_without_a_line_are_not_written)
{
    struct pen pen = {&surface, {0, 0, 1, 12}, 0};
    pen_pair(&pen, "name", COLOUR_TEXT, "%d", 7);
    pen_pair(&pen, "more", COLOUR_TEXT, "%d", 8);
    pen_count(&pen, "count", COLOUR_TEXT, 9, NULL);
    assert_dump("name       7\n\n\n\n");
}

TEST_BETWEEN(fresh, done, a_panel_breaks_its_lines_at_blanks)
{
    struct pen pen = {&surface, {0, 0, 4, 12}, 0};
    pen_text(&pen, COLOUR_TEXT, "fits exactly");
    pen_text(&pen, COLOUR_TEXT, "one two three  four");
    assert_int_equal(surface.cut, 0);
    assert_dump("fits exactly\none two\nthree  four\n\n");
    pen_text(&pen, COLOUR_TEXT, "unbreakable-word");
    assert_dump("fits exactly\none two\nthree  four\nunbreakable-\n");
    assert_int_equal(surface.cut, 1);
}

static void assert_number(double value, int wide, const char *expected)
{
    char out[32];
    assert_string_equal(number_text(out, sizeof out, value, wide), expected);
    assert_true((int)strlen(out) <= wide);
}

TEST(numbers_have_the_digits_that_fit)
{
    assert_number(0, 8, "0");
    assert_number(100, 8, "100");
    assert_number(1. / 3, 8, "0.333333");
    assert_number(-1. / 3, 8, "-0.33333");
    assert_number(1e10, 8, "1e10");
    assert_number(-1e-5, 8, "-1e-5");
    assert_number(1e-100, 8, "1e-100");
    assert_number(1.25e100, 8, "1.25e100");
    assert_number(INFINITY, 8, "inf");
    assert_number(-INFINITY, 8, "-inf");
    assert_number(NAN, 8, "nan");
    char out[32];
    for (int wide = 7; wide <= 17; wide++)
        for (int power = -300; power <= 300; power += 7) {
            double value = ldexp(1.9, power), back;
            assert_true((int)strlen(number_text(out, sizeof out, value, wide)) <= wide);
            back = strtod(out, NULL);
            assert_true(fabs(back / value - 1) < 0.06);
        }
}

/* Text on a coloured background is black; without colours it is reversed. */
TEST(marks_and_the_cursor_can_be_read)
{
    static const enum colour grounds[] = {COLOUR_CURSOR, COLOUR_MARK};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(palette_look(PALETTE_8, false, COLOUR_TEXT, grounds[k], 0).foreground, 0);
        assert_int_equal(palette_look(PALETTE_256, false, COLOUR_GOOD, grounds[k], 0).foreground, 16);
        assert_int_equal(palette_look(PALETTE_DIRECT, false, COLOUR_GOOD, grounds[k], 0).foreground,
                         0x000000);
        assert_true(palette_look(PALETTE_NONE, false, COLOUR_DIM, grounds[k], 0).attributes == LOOK_REVERSE);
    }
    assert_true(palette_look(PALETTE_NONE, false, COLOUR_TEXT, COLOUR_BAR, 0).attributes & LOOK_REVERSE);
    assert_true(palette_look(PALETTE_NONE, false, COLOUR_DIM, COLOUR_TEXT, 0).attributes == LOOK_DIM);
}

/* The colour of a number of the palette: xterm's first eight, its cube, its greys, or RGB itself. */
static int rgb_of(enum palette palette, int number)
{
    static const int ansi[8] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00,
                                0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5};
    if (palette == PALETTE_DIRECT) return number;
    if (palette == PALETTE_8) return ansi[number];
    if (number >= 232) return (8 + 10 * (number - 232)) * 0x010101;
    int channel[3] = {(number - 16) / 36, (number - 16) / 6 % 6, (number - 16) % 6}, rgb = 0;
    for (int k = 0; k < 3; k++)
        rgb = rgb << 8 | (channel[k] ? 55 + 40 * channel[k] : 0);
    return rgb;
}

/* The bar is dark on light terminals, too, and texts of any meaning or part may stand on it. Large or short
 * texts need a contrast of 3 (Web Content Accessibility Guidelines 2.1). */
TEST(texts_on_the_bar_are_light)
{
    for (int p = PALETTE_8; p <= PALETTE_DIRECT; p++)
        for (int light = 0; light < 2; light++)
            for (int colour = 0; colour < COLOUR_OWNER; colour++) {
                const enum palette palette = (enum palette)p;
                const bool part = colour >= (int)COLOUR_PART;
                if (!part && colour >= (int)COLOUR_BAR) continue;
                const struct look look = palette_look(palette, light, (enum colour)colour, COLOUR_BAR, 0);
                const int ink = rgb_of(palette, look.foreground), bar = rgb_of(palette, look.background);
                if (canvas_contrast(ink, bar) < 3)
                    fail_msg("colour %d on the bar, palette %d, light %d: %06x on %06x", colour, p, light,
                             (unsigned)ink, (unsigned)bar);
            }
}

/* Texts on a terminal's own background, too. Eight colours differ between terminals; on a light one, yellow,
 * cyan and white are legible on none. */
TEST(texts_are_legible_on_light_and_dark)
{
    for (int p = PALETTE_8; p <= PALETTE_DIRECT; p++)
        for (int light = 0; light < 2; light++)
            for (int colour = 0; colour < (int)COLOUR_BAR; colour++) {
                const enum palette palette = (enum palette)p;
                const int number =
                    palette_look(palette, light, (enum colour)colour, COLOUR_TEXT, 0).foreground;
                if (number < 0) continue;
                if (palette == PALETTE_8 && light) {
                    assert_true(number != 3 && number != 6 && number != 7);
                    continue;
                }
                const int ink = rgb_of(palette, number);
                if (canvas_contrast(ink, light ? 0xffffff : 0x000000) < 3)
                    fail_msg("colour %d, palette %d, light %d: %06x", colour, p, light, (unsigned)ink);
            }
}

/* A light shade of secondary text is drawn as a blank on grey, if the palette has grey. No other cell is. */
TEST(light_shades_are_a_background)
{
    const struct cell shade = {0x2591, COLOUR_DIM, COLOUR_TEXT, 0};
    const struct cell others[] = {{0x2592, COLOUR_DIM, COLOUR_TEXT, 0},
                                  {0x2591, COLOUR_ROWS, COLOUR_TEXT, 0},
                                  {0x2591, COLOUR_DIM, COLOUR_BAR, 0},
                                  {0x2591, COLOUR_DIM, COLOUR_TEXT, ATTRIBUTE_REVERSE}};
    struct look look;
    for (int p = PALETTE_NONE; p <= PALETTE_DIRECT; p++)
        for (int light = 0; light < 2; light++) {
            const enum palette palette = (enum palette)p;
            assert_int_equal(palette_shade(palette, light, &shade, &look), p >= (int)PALETTE_256);
            for (size_t k = 0; k < sizeof others / sizeof *others; k++)
                assert_false(palette_shade(palette, light, &others[k], &look));
            if (p < (int)PALETTE_256) continue;
            palette_shade(palette, light, &shade, &look);
            const double contrast =
                canvas_contrast(rgb_of(palette, look.background), light ? 0xffffff : 0x000000);
            assert_true(contrast > 1.3 && contrast < 3); /* visible, but not conspicuous */
            assert_int_equal(look.attributes, 0);
        }
}

/* Eight colours have four for the sixteen levels: blue, cyan, green, yellow. */
TEST(levels_have_four_of_eight_colours)
{
    static const int ansi[] = {4, 6, 2, 3};
    for (int level = 0; level < DENSITY_LEVELS; level++) {
        enum colour colour = (enum colour)(COLOUR_DENSITY + level);
        assert_int_equal(palette_look(PALETTE_8, false, colour, COLOUR_TEXT, 0).foreground, ansi[level / 4]);
    }
}
