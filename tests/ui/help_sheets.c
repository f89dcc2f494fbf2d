/* The help of every screen at many sizes: every text of its tables is written whole and in their order,
 * whatever the width, and scrolling leaves nothing out. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/everywhere.h"
#include "ui/find.h"
#include "ui/help.h"

enum { TALL = 400, MARGIN = 2 };

static struct surface surface;
static struct explorer explorer;
static struct action everywhere[EVERYWHERE_MAX];

static int begin(void **state)
{
    everywhere_actions(everywhere);
    return 0;
}

static int end(void **state)
{
    surface_free(&surface);
    return 0;
}

TESTS_BETWEEN(begin, end)

static void press(struct help *help, int key)
{
    const struct action *action = action_find(help_actions, key);
    assert_non_null(action);
    action->run(&explorer, help, action->argument);
}

/* Draw the help of a view over the whole surface of this size. */
static void draw(struct help *help, const struct view *view, int high, int wide)
{
    const struct help_section sections[] = {
        {"Keys of this screen", view->actions}, {"Keys everywhere", everywhere}, {NULL, NULL}};
    if (surface.high != high || surface.wide != wide)
        assert_int_equal(surface_resize(&surface, high, wide, NULL), STATUS_OK);
    surface_clear(&surface);
    help_draw(help, &surface, (struct rect){0, 0, high, wide}, true, view, sections);
}

/* The frame's outer columns and last row. */
struct frame {
    int left, right, bottom;
};

static uint32_t at(int y, int x)
{
    return surface.cells[y * surface.wide + x].character;
}

static struct frame frame_of(void)
{
    struct frame frame = {0, surface.wide - 1, surface.high - 1};
    while (at(0, frame.left) == ' ')
        frame.left++;
    while (at(0, frame.right) == ' ')
        frame.right--;
    while (at(frame.bottom, frame.left) != '+')
        frame.bottom--;
    return frame;
}

/* A line inside the frame, without blanks at its ends. */
static void line_of(int y, char *out, size_t size)
{
    const struct frame frame = frame_of();
    size_t length = 0;
    for (int x = frame.left + 1; x < frame.right && length + 1 < size; x++)
        out[length++] = (char)at(y, x);
    while (length > 0 && out[length - 1] == ' ')
        length--;
    out[length] = 0;
    const size_t blanks = strspn(out, " ");
    memmove(out, out + blanks, length - blanks + 1);
}

/* All lines of the drawn panel with one blank between words. */
static void words_of(struct text *text)
{
    const struct frame frame = frame_of();
    for (int y = 1; y < frame.bottom; y++) {
        char line[512], *rest = line;
        line_of(y, line, sizeof line);
        for (const char *word; (word = strtok_r(rest, " ", &rest));)
            text_append(text, "%s ", word);
    }
}

/* The place behind this text from `begin` on, where blanks count as one. */
static const char *after(const char *begin, const char *wanted, const struct view *view, int wide)
{
    char words[2048] = "", copy[2048], *rest = copy;
    snprintf(copy, sizeof copy, "%s", wanted);
    for (const char *word; (word = strtok_r(rest, " ", &rest));)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s ", word);
    const char *found = strstr(begin, words);
    if (!found) fail_msg("%s, %d columns: \"%s\" is not behind\n%.200s", view->title, wide, words, begin);
    return found + strlen(words);
}

TEST(every_text_is_written_whole_and_in_order)
{
    static const int widths[] = {48, 60, 72, 80, 99, 100, 131, 200};
    for (int v = 0; views[v]; v++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            const struct view *view = views[v];
            FREED(text_free) struct text text = {0};
            struct help help = {0};
            help_open(&help);
            draw(&help, view, TALL, widths[w]);
            words_of(&text);
            const char *here = after(text.data, view->help, view, widths[w]);
            const struct action *const tables[] = {view->actions, everywhere};
            for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
                for (const struct action *action = tables[t]; action && action->run;
                     action += action_count(action)) {
                    char keys[KEYS_TEXT];
                    here = after(here, action_keys(action, keys), view, widths[w]);
                    here = after(here, action->help, view, widths[w]);
                }
            struct search_help search;
            for (int k = 0; search_help(k, &search); k++) {
                here = after(here, search.words, view, widths[w]);
                here = after(here, search.help, view, widths[w]);
            }
            assert_string_equal(here, "");
        }
}

/* From 100 columns on, lines stay short enough to be read, and a margin is left on both sides alike. */
TEST(the_panel_is_in_the_middle_and_no_higher_than_its_text)
{
    for (int wide = 40; wide <= 160; wide++) {
        struct help help = {0};
        help_open(&help);
        draw(&help, views[wide % view_count()], TALL, wide);
        const struct frame frame = frame_of();
        const int margin = frame.left, other = wide - 1 - frame.right;
        assert_in_range(other - margin, 0, 1);
        if (wide < 100)
            assert_int_equal(margin + other, 0);
        else
            assert_true(margin >= MARGIN && wide - margin - other <= 100 - 2 * MARGIN);
        assert_int_equal(help.lines, frame.bottom - 1);
        assert_int_equal(help.room, help.lines);
        char last[512];
        line_of(frame.bottom - 1, last, sizeof last);
        assert_string_not_equal(last, "");
    }
}

/* The lines that are seen one step after the other are those of a panel with room for all. */
TEST(scrolling_shows_each_line_in_turn)
{
    static char lines[TALL][256];
    for (int v = 0; views[v]; v++) {
        const int high = 9 + v, wide = 70 + v;
        struct help help = {0};
        help_open(&help);
        draw(&help, views[v], TALL, wide);
        const int count = help.lines;
        for (int y = 0; y < count; y++)
            line_of(1 + y, lines[y], sizeof lines[y]);
        draw(&help, views[v], high, wide);
        assert_int_equal(help.lines, count);
        assert_int_equal(help.room, high - 2);
        for (int top = 0; top + help.room <= count; top++) {
            char line[256], below[64];
            assert_int_equal(help.top, top);
            for (int y = 0; y < help.room; y++) {
                line_of(1 + y, line, sizeof line);
                assert_string_equal(line, lines[top + y]);
            }
            line_of(high - 1, line, sizeof line);
            snprintf(below, sizeof below, " %d more lines below ", count - help.room - top);
            assert_true((strstr(line, below) != NULL) == (top + help.room < count));
            assert_true((strstr(line, "more lines") != NULL) == (top + help.room < count));
            press(&help, UIKEY_DOWN);
            draw(&help, views[v], high, wide);
        }
        assert_int_equal(help.top, count - help.room);
        press(&help, UIKEY_PAGE_UP);
        draw(&help, views[v], high, wide);
        assert_int_equal(help.top, count - help.room - help.room > 0 ? count - 2 * help.room : 0);
        press(&help, UIKEY_HOME);
        press(&help, UIKEY_UP);
        draw(&help, views[v], high, wide);
        assert_int_equal(help.top, 0);
    }
}
