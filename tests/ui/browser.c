/* ui/browser without a terminal: its drawing at all sizes, its help, and its pictures in ASCII. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/text.h"
#include "support/files.h"
#include "support/unit.h"
#include "ui/browser/browser.h"
#include "ui/browser/level.h"
#include "ui/chrome.h"

#define BANNER "%%MatrixMarket matrix coordinate "

static const struct load_options options;

/* The sizes of terminals at which layouts change, and those next to them. */
static const struct {
    int high, wide;
} sizes[] = {{20, 72}, {23, 80}, {24, 80}, {30, 99}, {30, 100}, {30, 107}, {30, 108}, {36, 120}, {60, 200}};

/* A folder with names, numbers and reasons as long as they come. */
static int make_folder(void **state)
{
    static const struct member two[] = {
        {"a.mtx", BANNER "real general\n1 1 0\n"}, {"b.mtx", BANNER "real general\n1 1 0\n"}, {NULL, NULL}};
    char name[200];
    if (files_begin(state) != 0) return -1;
    mkdir("f", 0755);
    mkdir("f/folder with a name that is much longer than any column of names is wide", 0755);
    files_put("f/huge.mtx", BANNER "complex skew-symmetric\n2147483647 2147483647 999999999999999\n");
    files_put("f/huge array.mtx", "%%MatrixMarket matrix array complex hermitian\n2147483647 2147483647\n");
    files_put("f/damaged.mtx", BANNER "real general\n3 four 2\n");
    files_put("f/empty.mtx", BANNER "pattern symmetric\n0 0 0\n");
    files_put("f/one.mtx", BANNER "real general\n1 1 1\n1 1 5\n");
    files_put("f/grid.mtx", BANNER "real symmetric\n3 3 4\n1 1 1\n2 1 -1\n3 3 2\n3 2 9\n");
    snprintf(name, sizeof name, "f/%0150d.mtx", 7);
    files_put(name, BANNER "integer general\n100000 99999 1\n1 1 1\n");
    files_put("f/n\xc3\xa4me.mtx", BANNER "real general\n2 2 1\n1 1 1\n");
    files_archive("f/several.tar", two, PACKED_NOT);
    return 0;
}

static int remove_folder(void **state)
{
    return files_end(state);
}

static struct browser *opened(const char *path)
{
    struct browser *browser;
    assert_int_equal(browser_open(path, &options, &browser, NULL), STATUS_OK);
    return browser;
}

static void close_browser(struct browser **browser)
{
    browser_close(*browser);
}

/* Wait until nothing is going on in the background any more. */
static void settle(struct browser *browser)
{
    while (browser_step(browser) >= 0)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

/* Draw at one size, and wait for the thumbnails that are then visible. */
static void draw(struct browser *browser, struct surface *surface, int high, int wide, bool ascii)
{
    assert_int_equal(surface_resize(surface, high, wide, NULL), STATUS_OK);
    browser_draw(browser, surface, ascii, PALETTE_256);
    settle(browser);
    surface->cut = 0;
    browser_draw(browser, surface, ascii, PALETTE_256);
}

static void assert_not_cut(const struct surface *surface, const char *what, int row)
{
    struct text dump = {0};
    if (!surface->cut) return;
    surface_dump(surface, &dump);
    fail_msg("%d x %d, %s, row %d: a text is cut\n%s", surface->wide, surface->high, what, row, dump.data);
}

/* The kind of an edge list is known only after reading it. Until then the format is shown. */
TEST(the_kind_of_an_edge_list_is_not_made_up)
{
    char kind[64];
    mkdir("lists", 0755);
    files_put("lists/a.el", "0 1\n1 2\n");
    files_put("lists/b.mtx", BANNER "real symmetric\n0 0 0\n");
    FREED(close_browser) struct browser *browser = opened("lists");
    settle(browser);
    const struct level *level = browser->levels[0];
    assert_int_equal(level->shown, 2);
    for (int k = 0; k < 2; k++) {
        const struct row *row = &level->rows[k];
        bool list = strstr(row->item->name, ".el") != NULL;
        assert_string_equal(row_kind(row, kind, sizeof kind), list ? "edge list" : "real symmetric");
    }
}

TEST(nothing_is_cut_at_any_size)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(close_browser) struct browser *browser = opened("f");
    settle(browser);
    int rows = browser->levels[0]->shown;
    assert_int_equal(rows, 10);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int ascii = 0; ascii < 2; ascii++) {
            browser_key(browser, UIKEY_HOME);
            for (int row = 0; row < rows; row++) {
                draw(browser, &surface, sizes[k].high, sizes[k].wide, ascii);
                assert_not_cut(&surface, "row selected", row);
                browser_key(browser, UIKEY_ENTER); /* a matrix that cannot be opened has the reason */
                if (browser->depth > 1) browser_key(browser, UIKEY_BACKSPACE);
                draw(browser, &surface, sizes[k].high, sizes[k].wide, ascii);
                assert_not_cut(&surface, "Enter", row);
                browser_key(browser, UIKEY_DOWN);
            }
            for (int sort = 0; sort < SORTS; sort++) {
                browser_key(browser, 's');
                browser_key(browser, 'r');
                draw(browser, &surface, sizes[k].high, sizes[k].wide, ascii);
                assert_not_cut(&surface, "sorted", sort);
            }
            browser_key(browser, '/');
            for (int letter = 0; letter < FILTER_SIZE + 5; letter++)
                browser_key(browser, 'x');
            draw(browser, &surface, sizes[k].high, sizes[k].wide, ascii);
            assert_not_cut(&surface, "filter", 0);
            browser_key(browser, UIKEY_ENTER);
            browser_key(browser, UIKEY_ESCAPE);
        }
}

/* All of the help can be reached at the smallest size, and no key or word of it is cut. */
TEST(the_help_is_whole_on_a_small_terminal)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(text_free) struct text seen = {0};
    const struct action *tables[] = {browser_about()->actions, help_actions};
    FREED(close_browser) struct browser *browser = opened("f");
    settle(browser);
    browser_key(browser, '?');
    assert_true(browser->help.open);
    do {
        draw(browser, &surface, CHROME_HIGH, CHROME_WIDE, true);
        assert_not_cut(&surface, "help", browser->help.top);
        surface_dump(&surface, &seen);
        browser_key(browser, UIKEY_DOWN);
    } while (browser->help.top + browser->help.room <= browser->help.lines);
    for (int t = 0; t < 2; t++)
        for (const struct action *at = tables[t]; at->run; at += action_count(at)) {
            char keys[KEYS_TEXT], help[24];
            snprintf(help, sizeof help, "%s", at->help);
            if (!strstr(seen.data, action_keys(at, keys))) fail_msg("the help has no '%s'", keys);
            if (!strstr(seen.data, help)) fail_msg("the help has no '%s'", help);
        }
    assert_says(seen.data, browser_about()->gesture.name);
}

/* With --ascii all thumbnails consist of ASCII characters, where the matrix has entries. */
TEST(pictures_are_ascii_if_they_must_be)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(close_browser) struct browser *browser = opened("f");
    settle(browser);
    draw(browser, &surface, 36, 120, true);
    int pictures = 0, marks = 0;
    const struct level *level = browser->levels[0];
    for (int k = 0; k < level->shown; k++) {
        struct row *row = level_row(level, k);
        pictures += row->glyph.drawn;
        if (strcmp(row->item->name, "grid.mtx") == 0) browser->levels[0]->selected = k;
    }
    assert_int_equal(pictures, 5); /* empty, grid, name, one, and 7; others are large or not matrices */
    int full = 0;                  /* characters of the highest density have the most ink */
    for (int k = 0; k < level->shown; k++)
        for (int x = 0; x < GLYPH_WIDE; x++) {
            const struct glyph *glyph = &level_row(browser->levels[0], k)->glyph;
            const int at = (browser->list.top + k) * surface.wide + browser->title_x[SORT_NAME] + x;
            if (!glyph->drawn || glyph->level[x] < 0) continue;
            assert_int_equal(surface.cells[at].character == '@', glyph->level[x] == 15);
            full += glyph->level[x] == 15;
        }
    assert_true(full > 0);
    browser->moved = 0;
    draw(browser, &surface, 36, 120, true);
    for (int at = 0; at < surface.high * surface.wide; at++) {
        uint32_t character = surface.cells[at].character;
        bool umlaut = character == 0xe4; /* of a file's name */
        if (character > '~' && !umlaut) fail_msg("U+%04x in line %d", character, at / surface.wide);
    }
    for (int y = 3; y < 34; y++) /* the panel begins at column 80 */
        for (int x = 82; x < 118; x++)
            marks += surface.cells[y * surface.wide + x].foreground >= COLOUR_DENSITY;
    assert_true(marks >
                100); /* 4 entries at 3 x 3 positions, two of them twice, fill more than half the picture */
}

/* While a folder is selected, thumbnails of the files in sight are loaded, and no picture for the panel. */
TEST(thumbnails_leave_the_panel_alone)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(close_browser) struct browser *browser = opened("f");
    settle(browser);
    draw(browser, &surface, 36, 120, false);
    assert_int_equal(browser->levels[0]->selected, 0);
    assert_false(browser->large.ready);
    int pictures = 0;
    for (int k = 0; k < browser->levels[0]->shown; k++)
        pictures += level_row(browser->levels[0], k)->glyph.drawn;
    assert_int_equal(pictures, 5);
}

/* The line of titles, with counts of ten digits and with less room. */
TEST(titles_are_whole)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(close_browser) struct browser *browser = opened("f");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        FREED(text_free) struct text line = {0};
        draw(browser, &surface, sizes[k].high, sizes[k].wide, true);
        for (int x = 0; x < surface.wide; x++)
            text_append(&line, "%c",
                        (int)surface.cells[(browser->list.top - 1) * surface.wide + x].character);
        for (const char *word = "name\0size\0rows x col\0kind\0"; *word; word += strlen(word) + 1)
            if (!strstr(line.data, word))
                fail_msg("%d x %d has no '%s': %s", sizes[k].high, sizes[k].wide, word, line.data);
    }
}

/* When the cursor moves, the next frame changes parts of two lines only. The panel waits, since its words
 * change together with its picture. The frame after that changes nothing else but the cursor. */
TEST(a_moved_cursor_changes_little)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(close_browser) struct browser *browser = opened("f");
    settle(browser);
    for (int wide = 72; wide <= 160; wide += 88) {
        draw(browser, &surface, 48, wide, false);
        settle(browser);
        browser_draw(browser, &surface, false, PALETTE_256);
        for (int row = 1; row < 5; row++) {
            size_t bytes = (size_t)(surface.high * surface.wide) * sizeof *surface.cells;
            struct cell *before = malloc(bytes);
            memcpy(before, surface.cells, bytes);
            browser_key(browser, UIKEY_DOWN);
            browser_draw(browser, &surface, false, PALETTE_256);
            int changed = 0;
            for (int at = 0; at < surface.high * surface.wide; at++) {
                if (memcmp(&before[at], &surface.cells[at], sizeof *before) == 0) continue;
                changed++;
                assert_in_range(at / surface.wide, 1 + row, 2 + row); /* the lines begin in row 2 */
            }
            assert_in_range(changed, 1, 2 * 45);
            free(before);
            browser->moved -= 1; /* a second later */
            settle(browser);
            browser_draw(browser, &surface, false, PALETTE_256);
            assert_int_equal(browser->panel_row,
                             level_row(browser->levels[0], row) - browser->levels[0]->rows);
        }
        browser_key(browser, UIKEY_HOME);
    }
    browser_key(browser, UIKEY_END); /* and a terminal of another size is drawn at once */
    assert_int_equal(surface_resize(&surface, 36, 120, NULL), STATUS_OK);
    browser_draw(browser, &surface, false, PALETTE_256);
    assert_int_equal(browser->panel_row, level_row(browser->levels[0], 9) - browser->levels[0]->rows);
}

/* Names that are cut for want of room end in a sign that they are. */
TEST(long_names_say_that_they_go_on)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(text_free) struct text dump = {0};
    FREED(close_browser) struct browser *browser = opened("f");
    settle(browser);
    draw(browser, &surface, 20, 72, true);
    surface_dump(&surface, &dump);
    assert_says(dump.data, " 00000000000000... ", " folder with a ... ");
}

TESTS_BETWEEN(make_folder, remove_folder)
