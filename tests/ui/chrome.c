/* ui/chrome: the bottom line shows one thing at a time, and the footer comes back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/chrome.h"
#include "ui/everywhere.h"

#define HIGH 20
#define WIDE 72

/* Draw the bottom line over a full screen; the lines of the surface as text. */
static char *bottom(struct explorer *explorer, const struct prompt *prompt, const struct job *search,
                    struct footer *footer)
{
    FREED(surface_free) struct surface surface = {0};
    struct action everywhere[EVERYWHERE_MAX];
    struct text text = {0};
    everywhere_actions(everywhere);
    const struct footer_table own = {.actions = view_pattern.actions}, common = {.actions = everywhere};
    assert_int_equal(surface_resize(&surface, HIGH, WIDE, NULL), STATUS_OK);
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            surface_put(&surface, y, x, 'x', COLOUR_TEXT, COLOUR_TEXT, 0);
    chrome_footer(footer, &surface, &own, &common);
    assert_true(footer->count > 2);
    chrome_bottom(explorer, &surface, prompt, search, footer);
    for (int y = 0; y < HIGH - 1; y++)
        assert_int_equal(surface.cells[y * WIDE].character, 'x'); /* the lines above are unchanged */
    for (int x = 0; x < WIDE; x++)
        text_append(&text, "%c", (int)surface.cells[(HIGH - 1) * WIDE + x].character);
    assert_false(text.failed);
    return text.data;
}

/* A message hides the keys, which cannot be clicked meanwhile. The first byte of the next key removes it, and
 * the keys are as before. */
TEST(keys_come_back_after_a_message)
{
    struct explorer explorer = {0};
    struct footer footer = {0};
    char *before = bottom(&explorer, NULL, NULL, &footer);
    assert_says(before, "? help");
    const int count = footer.count;
    static const char *const messages[] = {"a message that is there for a while", "!"};
    for (int k = 0; k < 2; k++) {
        snprintf(explorer.message, sizeof explorer.message, "%s", messages[k]);
        char *meanwhile = bottom(&explorer, NULL, NULL, &footer);
        assert_int_equal(strncmp(meanwhile + 1, messages[k], strlen(messages[k])), 0);
        assert_lacks(meanwhile, "? help", "x");
        assert_int_equal(footer.count, 0);
        free(meanwhile);
        explorer.message[0] = 0;
        char *after = bottom(&explorer, NULL, NULL, &footer);
        assert_string_equal(after, before);
        assert_int_equal(footer.count, count);
        free(after);
    }
    free(before);
}

/* A search comes before a message. */
TEST(a_search_is_seen_before_a_message)
{
    struct explorer explorer = {.message = "a message"};
    struct footer footer = {0};
    static struct job search;
    char *line = bottom(&explorer, NULL, &search, &footer);
    assert_says(line, " cancels");
    assert_lacks(line, "a message", "? help");
    assert_int_equal(footer.count, 0);
    free(line);
}

/* A terminal that is too small says both sizes, in its middle. */
TEST(small_terminals_say_what_they_need)
{
    static const char words[] = "72x20 needed, this is 40x9";
    FREED(surface_free) struct surface surface = {0};
    char found[41] = "";
    assert_int_equal(surface_resize(&surface, 9, 40, NULL), STATUS_OK);
    surface_text(&surface, 0, 0, 40, COLOUR_TEXT, 0, "what was there before");
    chrome_too_small(&surface);
    for (int x = 0; x < 40; x++) {
        found[x] = (char)surface.cells[4 * 40 + x].character;
        assert_int_equal(surface.cells[x].character, ' ');
    }
    const int left = (40 - (int)strlen(words)) / 2;
    assert_int_equal(strncmp(found + left, words, strlen(words)), 0);
    assert_int_equal(strspn(found, " "), left);
}
