/* ui/surface: text, clipping, frames, highlights. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "drawing/surface.h"
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

static const struct cell *cell(int y, int x)
{
    return &surface.cells[y * surface.wide + x];
}

TEST_BETWEEN(fresh, NULL, a_new_surface_is_blank)
{
    assert_dump("\n\n\n\n");
    for (int k = 0; k < 4 * 12; k++) {
        assert_int_equal(surface.cells[k].character, ' ');
        assert_int_equal(surface.cells[k].foreground, COLOUR_TEXT);
        assert_int_equal(surface.cells[k].background, COLOUR_TEXT);
    }
}

/* Code points of one to four bytes are written unchanged: the first and the last of each length. */
TEST_BETWEEN(fresh, NULL, dumps_equal_the_written_text)
{
    surface_text(&surface, 0, 0, 12, COLOUR_TEXT, 0, "~\u00a0\u0416\u07ff\u0800\ufffd\U00010000\U0010fffd");
    assert_dump("~\u00a0\u0416\u07ff\u0800\ufffd\U00010000\U0010fffd\n\n\n\n");
}

TEST_BETWEEN(fresh, NULL, text_is_decoded_one_column_a_code_point)
{
    assert_int_equal(surface_text(&surface, 0, 0, 12, COLOUR_GOOD, ATTRIBUTE_BOLD, "µ=%d ⣿ 𝟙", 7), 7);
    assert_int_equal(cell(0, 0)->character, 0xb5);
    assert_int_equal(cell(0, 4)->character, 0x28ff);
    assert_int_equal(cell(0, 6)->character, 0x1d7d9);
    assert_int_equal(cell(0, 0)->foreground, COLOUR_GOOD);
    assert_int_equal(cell(0, 0)->attributes, ATTRIBUTE_BOLD);
    assert_dump("µ=7 ⣿ 𝟙\n\n\n\n");
}

TEST_BETWEEN(fresh, NULL, bytes_that_are_not_text_become_question_marks)
{
    /* Controls; a lone continuation; an overlong '/'; a surrogate; beyond U+10FFFF; a cut sequence. */
    static const struct {
        const char *bytes, *expected;
    } cases[] = {
        {"a\tb\n\x7f", "a?b??"}, {"\xc2\x9b", "??"},           {"\x80x", "?x"},    {"\xc0\xaf", "??"},
        {"\xed\xa0\x80", "???"}, {"\xf4\x90\x80\x80", "????"}, {"\xe2\xa3", "??"}, {"\xff\xfe.", "??."},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char expected[32];
        surface_clear(&surface);
        surface_text(&surface, 0, 0, 12, COLOUR_TEXT, 0, "%s", cases[k].bytes);
        snprintf(expected, sizeof expected, "%s\n\n\n\n", cases[k].expected);
        assert_dump(expected);
    }
    surface_put(&surface, 0, 0, 0x1b, COLOUR_TEXT, COLOUR_TEXT, 0);
    assert_int_equal(cell(0, 0)->character, '?');
    surface_put(&surface, 0, 0, UINT32_MAX, COLOUR_TEXT, COLOUR_TEXT, 0);
    assert_int_equal(cell(0, 0)->character, '?');
}

TEST_BETWEEN(fresh, NULL, drawing_outside_is_clipped)
{
    surface_text(&surface, 0, -3, 12, COLOUR_TEXT, 0, "abcdef");
    surface_text(&surface, 1, 10, 12, COLOUR_TEXT, 0, "abcdef");
    surface_text(&surface, -1, 0, 12, COLOUR_TEXT, 0, "x");
    surface_text(&surface, 4, 0, 12, COLOUR_TEXT, 0, "x");
    surface_text(&surface, 2, 0, 0, COLOUR_TEXT, 0, "x");
    surface_text(&surface, 2, 0, -5, COLOUR_TEXT, 0, "x");
    surface_put(&surface, INT_MAX, INT_MIN, 'x', COLOUR_TEXT, COLOUR_TEXT, 0);
    surface_highlight(&surface, (struct rect){-2, 11, 4, 9}, COLOUR_MARK, ATTRIBUTE_REVERSE);
    assert_dump("def\n          ab\n\n\n");
    assert_int_equal(cell(1, 11)->background, COLOUR_MARK);
    assert_int_equal(cell(1, 10)->background, COLOUR_TEXT);
    assert_int_equal(cell(2, 11)->background, COLOUR_TEXT);
}

TEST_BETWEEN(fresh, NULL, text_right_ends_where_it_should)
{
    surface_text_right(&surface, 0, 2, 5, COLOUR_TEXT, 0, "%d", 42);
    surface_text_right(&surface, 1, 2, 5, COLOUR_TEXT, 0, "µµ");
    surface_text_right(&surface, 2, 2, 5, COLOUR_TEXT, 0, "1234567");
    assert_dump("     42\n     µµ\n  12345\n\n");
}

TEST_BETWEEN(fresh, NULL, texts_that_are_cut_are_counted)
{
    surface_text(&surface, 0, 0, 5, COLOUR_TEXT, 0, "12345");
    surface_text_right(&surface, 1, 0, 12, COLOUR_TEXT, 0, "\u00e9t\u00e9");
    assert_int_equal(surface.cut, 0);
    surface_text(&surface, 0, 0, 4, COLOUR_TEXT, 0, "12345");
    surface_text_right(&surface, 0, 0, 4, COLOUR_TEXT, 0, "12345");
    surface_text(&surface, 0, 9, 4, COLOUR_TEXT, 0, "1234"); /* beyond the surface */
    assert_int_equal(surface.cut, 3);
    surface_clear(&surface);
    assert_int_equal(surface.cut, 0);
    surface_clear(&surface);
    assert_int_equal(surface_text_tail(&surface, 0, 0, 5, true, COLOUR_TEXT, 0, "a/\u00e9z"), 4);
    assert_int_equal(surface_text_tail(&surface, 0, 0, 5, true, COLOUR_TEXT, 0, "folder/\u00e9z"), 5);
    assert_int_equal(surface_text_tail(&surface, 1, 0, 5, false, COLOUR_TEXT, 0, "folder/\u00e9z"), 5);
    assert_int_equal(surface_text_tail(&surface, 2, 0, 3, true, COLOUR_TEXT, 0, "folder"), 0);
    assert_int_equal(surface.cells[0].character, '.');
    assert_int_equal(surface.cells[3].character, 0xe9);
    assert_int_equal(surface.cells[4].character, 'z');
    assert_int_equal(surface.cells[surface.wide].character, 0x2026);
    assert_int_equal(surface.cells[surface.wide + 1].character, 'r');
    assert_int_equal(surface.cut, 0);
    surface_clear(&surface);
    assert_int_equal(surface_text_whole(&surface, 0, 0, 4, COLOUR_TEXT, 0, "12345"), 0);
    assert_int_equal(surface_text_whole(&surface, 1, 0, 5, COLOUR_TEXT, 0, "123\u00e9%d", 5), 5);
    assert_int_equal(surface.cut, 0);
    assert_dump("\n123\u00e95\n\n\n");
}

TEST_BETWEEN(fresh, NULL, text_keeps_the_background)
{
    surface_highlight(&surface, (struct rect){0, 0, 1, 12}, COLOUR_BAR, 0);
    surface_text(&surface, 0, 1, 3, COLOUR_ACCENT, 0, "abc");
    assert_int_equal(cell(0, 1)->background, COLOUR_BAR);
    assert_int_equal(cell(0, 1)->foreground, COLOUR_ACCENT);
}

TEST_BETWEEN(fresh, NULL, frames_have_titles_that_fit)
{
    surface_frame(&surface, (struct rect){0, 0, 4, 12}, true, "Help");
    assert_dump("+- Help ---+\n|          |\n|          |\n+----------+\n");
    surface_clear(&surface);
    surface_frame(&surface, (struct rect){0, 1, 3, 8}, false, "Much too long");
    assert_dump(" ┌─ Muc─┐\n │      │\n └──────┘\n\n");
    surface_clear(&surface);
    surface_frame(&surface, (struct rect){0, 0, 1, 12}, true, "x");
    assert_dump("\n\n\n\n");
}

TEST_BETWEEN(fresh, NULL, a_failed_resize_keeps_the_surface)
{
    struct error error = {0};
    surface_text(&surface, 0, 0, 3, COLOUR_TEXT, 0, "abc");
    memory_fail_after(0);
    assert_int_equal(surface_resize(&surface, 8, 8, &error), STATUS_MEMORY);
    memory_fail_after(-1);
    assert_int_equal(error.status, STATUS_MEMORY);
    assert_dump("abc\n\n\n\n");
    assert_int_equal(surface_resize(&surface, -3, 7, NULL), STATUS_OK);
    assert_int_equal(surface.high, 0);
    surface_text(&surface, 0, 0, 3, COLOUR_TEXT, 0, "abc");
}

/* Texts that do not fit end, or begin, with an ellipsis, in ASCII three points. Nothing is written (NULL)
 * unless a character fits beside the ellipsis. */
TEST_BETWEEN(fresh, NULL, long_texts_have_an_ellipsis)
{
    static const struct {
        const char *text;
        int wide;
        const char *shortened, *ascii, *tail, *tail_ascii;
    } cases[] = {
        {"12345", 6, "12345", "12345", "12345", "12345"},
        {"12345", 5, "12345", "12345", "12345", "12345"},
        {"12345", 4, "123\u2026", "1...", "\u2026345", "...5"},
        {"12345", 3, "12\u2026", NULL, "\u202645", NULL},
        {"12345", 2, "1\u2026", NULL, "\u20265", NULL},
        {"12345", 1, NULL, NULL, NULL, NULL},
        {"12345", 0, NULL, NULL, NULL, NULL},
        {"\u00e9t\u00e9\u00e9", 3, "\u00e9t\u2026", NULL, "\u2026\u00e9\u00e9", NULL},
        {"", 0, "", "", "", ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int way = 0; way < 4; way++) {
            const char *const wanted[] = {cases[k].shortened, cases[k].ascii, cases[k].tail,
                                          cases[k].tail_ascii};
            FREED(text_free) struct text text = {0}, expected = {0};
            surface_clear(&surface);
            const int columns = (way < 2 ? surface_text_short : surface_text_tail)(
                &surface, 1, 2, cases[k].wide, way % 2, COLOUR_GOOD, ATTRIBUTE_BOLD, cases[k].text);
            surface_dump(&surface, &text);
            text_append(&expected, wanted[way] && *wanted[way] ? "\n  %s\n\n\n" : "\n\n\n\n", wanted[way]);
            assert_string_equal(text.data, expected.data);
            assert_int_equal(columns, wanted[way] ? surface_columns(wanted[way]) : 0);
            for (int x = 0; x < 12; x++)
                assert_int_equal(cell(1, x)->attributes, x >= 2 && x < 2 + columns ? ATTRIBUTE_BOLD : 0);
        }
}

/* A cell lies in a rectangle exactly if highlighting the rectangle changes it. */
TEST_BETWEEN(fresh, NULL, rectangles_hold_their_cells)
{
    static const struct rect rects[] = {
        {1, 2, 2, 3}, {0, 0, 4, 12}, {3, 11, 1, 1}, {1, 1, 0, 5}, {1, 1, 2, 0}};
    for (size_t k = 0; k < sizeof rects / sizeof *rects; k++) {
        surface_clear(&surface);
        surface_highlight(&surface, rects[k], COLOUR_BAR, ATTRIBUTE_UNDERLINE);
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 12; x++) {
                const bool inside = y >= rects[k].top && y < rects[k].top + rects[k].high &&
                                    x >= rects[k].left && x < rects[k].left + rects[k].wide;
                assert_int_equal(rect_holds(rects[k], y, x), inside);
                assert_int_equal(cell(y, x)->background, inside ? COLOUR_BAR : COLOUR_TEXT);
                assert_int_equal(cell(y, x)->attributes, inside ? ATTRIBUTE_UNDERLINE : 0);
            }
    }
}

TESTS_BETWEEN(NULL, done)
