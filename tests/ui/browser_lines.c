/* ui/browser/draw: each line and title at columns worked out by hand, with its colours, and the panel's words
 * about each kind of file. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/files.h"
#include "support/unit.h"
#include "ui/browser/browser.h"
#include "ui/browser/level.h"
#include "ui/browser/start.h"
#include "ui/chrome.h"

#define BANNER "%%MatrixMarket matrix coordinate "

static const struct load_options options;
static struct browser *browser;
static struct surface surface;

/* A file of each kind, whose times differ; those of the fifth of March 2024 at 6:07 and so on. */
static int make_folder(void **state)
{
    static const struct member two[] = {{"a.mtx", BANNER "real general\n1 1 1\n1 1 2\n"},
                                        {"b.mtx", BANNER "real general\n2 2 1\n1 1 2\n"},
                                        {NULL, NULL}};
    static const char *const names[] = {"f/damaged.mtx", "f/edges.el",  "f/empty", "f/huge.mtx",
                                        "f/one",         "f/three.mtx", "f/two",   "f/two.tar"};
    if (files_begin(state) != 0) return -1;
    setenv("XDG_STATE_HOME", "state", 1);
    setenv("TZ", "UTC", 1);
    tzset();
    mkdir("f", 0755);
    mkdir("f/empty", 0755);
    mkdir("f/one", 0755);
    mkdir("f/two", 0755);
    files_put("f/one/a.mtx", BANNER "real general\n1 1 0\n");
    files_put("f/two/a.mtx", BANNER "real general\n1 1 0\n");
    files_put("f/two/b.mtx", BANNER "real general\n1 1 0\n");
    files_put("f/damaged.mtx", BANNER "real general\n3 four 2\n");
    files_put("f/edges.el", "0 1\n1 2\n");
    files_put("f/huge.mtx",
              BANNER "complex skew-symmetric\n2147483647 2147483647 3\n2 1 1 1\n3 1 1 1\n3 2 1 1\n");
    files_put("f/three.mtx", BANNER "real symmetric\n3 3 4\n1 1 1\n2 1 -1\n3 3 2\n3 2 9\n");
    files_archive("f/two.tar", two, PACKED_NOT);
    for (int k = 0; k < 8; k++) {
        const struct timespec at = {.tv_sec = 1709618820 + 90061 * (int64_t)k}; /* a day, an hour, ... */
        if (utimensat(AT_FDCWD, names[k], (const struct timespec[]){at, at}, 0) != 0) return -1;
    }
    return 0;
}

static int remove_folder(void **state)
{
    return files_end(state);
}

static void draw(enum palette palette)
{
    while (browser_step(browser) >= 0)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    browser_draw(browser, &surface, true, palette);
}

static void begin(const char *path, int high, int wide)
{
    assert_int_equal(browser_open(path, &options, &browser, NULL), STATUS_OK);
    assert_int_equal(surface_resize(&surface, high, wide, NULL), STATUS_OK);
    draw(PALETTE_256);
    draw(PALETTE_256);
}

static int end(void **state)
{
    browser_close(browser);
    surface_free(&surface);
    return 0;
}

/* The columns from..to-1 of line y have this text, with blanks after it, in this colour. */
static void expect(int y, int from, int to, enum colour colour, const char *text)
{
    char found[512] = "";
    int length = (int)strlen(text);
    for (int x = from; x < to; x++)
        found[x - from] = (char)surface.cells[y * surface.wide + x].character;
    assert_true(length <= to - from);
    bool blank = strspn(found + length, " ") == strlen(found + length);
    if (strncmp(found, text, (size_t)length) != 0 || !blank)
        fail_msg("line %d, columns %d to %d: '%s' and not '%s'", y, from, to - 1, found, text);
    for (int x = from; x < to; x++) {
        const struct cell *cell = &surface.cells[y * surface.wide + x];
        if (cell->character != ' ' && cell->foreground != colour)
            fail_msg("line %d, column %d: colour %d and not %d", y, x, cell->foreground, colour);
    }
}

/* A list of 138 columns: names from 6 on, dates from 56, sizes up to 74, rows up to 85, columns from 89,
 * stored entries up to 112, and kinds from 115. */
static void expect_line(int y, enum colour name_colour, const char *name, const char *date, const char *size,
                        const char *shape, const char *stored, const char *kind)
{
    expect(y, 6, 56, name_colour, name);
    expect(y, 56, 67, COLOUR_DIM, date);
    expect(y, 67, 76, COLOUR_TEXT, size);
    expect(y, 77, 86, COLOUR_TEXT, shape);
    expect(y, 86, 89, COLOUR_DIM, *shape ? " x " : "");
    expect(y, 99, 114, COLOUR_TEXT, stored);
    expect(y, 115, 138, COLOUR_DIM, kind);
}

static int line_of(const char *name)
{
    for (int k = 0; k < browser_level(browser)->shown; k++)
        if (strcmp(level_row(browser_level(browser), k)->item->name, name) == 0) return k;
    fail_msg("no %s", name);
    return -1;
}

TEST_BETWEEN(NULL, end, lines_have_their_columns)
{
    begin("f", 40, 200);
    level_select(browser_level(browser), line_of("two.tar")); /* the cursor's colours are its own */
    draw(PALETTE_256);
    assert_int_equal(browser_level(browser)->shown, 8);
    expect_line(2 + line_of("three.mtx"), COLOUR_TEXT, "three.mtx", "2024-03-10", "    79 B", "        3",
                "             4", "real symmetric");
    expect(2 + line_of("three.mtx"), 89, 99, COLOUR_TEXT, "3");
    expect_line(2 + line_of("huge.mtx"), COLOUR_TEXT, "huge.mtx", "2024-03-08", "   104 B", "    2.15G",
                "             3", "complex skew-symmetric");
    expect_line(2 + line_of("edges.el"), COLOUR_TEXT, "edges.el", "2024-03-06", "     8 B", "", "",
                "edge list");
    expect_line(2 + line_of("empty/"), COLOUR_ACCENT, "empty/", "2024-03-07", "", "", "", "folder");
    const int damaged = 2 + line_of("damaged.mtx");
    expect(damaged, 6, 56, COLOUR_DIM, "damaged.mtx");
    expect(damaged, 56, 67, COLOUR_DIM, "2024-03-05");
    const char *reason = row_reason(level_row(browser_level(browser), damaged - 2));
    assert_non_null(reason);
    char whole[64] = "";
    snprintf(whole, sizeof whole, "%.57s", reason);
    if (strlen(reason) <= 60) expect(damaged, 77, 138, COLOUR_BAD, reason);
    assert_int_equal(surface.cells[damaged * 200 + 77].foreground, COLOUR_BAD);
    assert_int_equal(surface.cells[damaged * 200 + 77].character, (unsigned char)reason[0]);
    /* The cursor is on the name, 44 columns from the left edge, and nowhere else. */
    for (int y = 0; y < 39; y++)
        for (int x = 0; x < 138; x++)
            if (y > 1 && ((surface.cells[y * 200 + x].attributes & ATTRIBUTE_REVERSE) != 0) !=
                             (y == 2 + line_of("two.tar") && x < 44))
                fail_msg("line %d, column %d: the cursor", y, x);
}

/* A narrow list has three digits of sizes, and narrower numbers and kinds. It lacks dates if names would have
 * less than 22 columns. */
TEST_BETWEEN(NULL, end, narrow_lines_have_fewer_columns)
{
    begin("f", 40, 100); /* kinds from 82, stored up to 80, columns from 69, rows up to 65, sizes up to 59,
                            dates up to 50 */
    level_select(browser_level(browser), line_of("two.tar"));
    draw(PALETTE_256);
    int y = 2 + line_of("huge.mtx");
    expect(y, 6, 41, COLOUR_TEXT, "huge.mtx");
    expect(y, 41, 51, COLOUR_DIM, "2024-03-08");
    expect(y, 52, 60, COLOUR_TEXT, "   104 B");
    expect(y, 61, 66, COLOUR_TEXT, "2.15G");
    expect(y, 66, 69, COLOUR_DIM, " x ");
    expect(y, 82, 99, COLOUR_DIM, "complex skew-s...");
    browser_close(browser);
    begin("f", 24, 72);
    y = 2 + line_of("three.mtx");
    for (int x = 0; x < 72; x++)
        assert_false(surface.cells[y * 72 + x].character == '-' && x > 14 && x < 50); /* no date */
    assert_int_equal(browser->title_x[SORT_DATE], browser->title_x[SORT_SIZE]); /* nor a title to click on */
}

/* The first line contains the folder, the number of files and their order, the second the columns. */
TEST_BETWEEN(NULL, end, titles_say_the_order)
{
    static const char *const order_words[] = {"by name", "by date", "by size", "by rows", "by stored"};
    static const struct {
        int at;
        const char *up, *down;
    } heads[] = {{6, "name^", "namev"},
                 {0, "^changed", "vchanged"},
                 {0, "^size", "vsize"},
                 {0, "^rows", "vrows"},
                 {0, "^stored", "vstored"}};
    char line[201];
    begin("f", 40, 200);
    for (int sort = 0; sort < SORTS; sort++)
        for (int reversed = 0; reversed < 2; reversed++) {
            struct level *level = browser_level(browser);
            level->sort = (enum sort)sort;
            level->reverse = reversed;
            level_arrange(level, true);
            draw(PALETTE_256);
            char expected[64];
            snprintf(expected, sizeof expected, "8, %s%s", order_words[sort], reversed ? " reversed" : "");
            expect(0, 199 - (int)strlen(expected), 199, COLOUR_TEXT, expected);
            for (int x = 0; x < 200; x++)
                line[x] = (char)surface.cells[200 + x].character;
            line[200] = 0;
            /* Names ascend, and all others descend, unless the order is reversed. */
            const char *mark = (sort == SORT_NAME) != reversed ? heads[sort].up : heads[sort].down;
            assert_non_null(strstr(line, mark));
            for (int x = 0; x < 138; x++)
                if (strchr("^v", line[x]) && line[x] != ' ' && line[x] != 0 &&
                    strncmp(line + x - 4, "namev", 5) != 0)
                    assert_true(strncmp(line + x, mark, 2) == 0 || sort == SORT_NAME);
        }
    expect(0, 1, 13, COLOUR_TITLE, "Matrices of ");
    expect(0, 13, 100, COLOUR_TEXT, "f");
    browser_key(browser, '/');
    browser_key(browser, 't');
    browser_key(browser, 'w');
    draw(PALETTE_256);
    expect(39, 1, 12, COLOUR_ACCENT, "Show only:");
    expect(39, 12, 14, COLOUR_TEXT, "tw");
    assert_true(surface.cells[39 * 200 + 14].attributes & ATTRIBUTE_REVERSE);
    browser_key(browser, UIKEY_ENTER);
    draw(PALETTE_256);
    const char *filtered = "2 of 8, by stored reversed";
    expect(0, 199 - (int)strlen(filtered), 199, COLOUR_TEXT, filtered);
}

/* Without a palette pictures have no colours. */
TEST_BETWEEN(NULL, end, small_pictures_have_colours_if_there_are_some)
{
    begin("f", 40, 200);
    level_select(browser_level(browser), line_of("two.tar"));
    for (int colours = 0; colours < 2; colours++) {
        draw(colours ? PALETTE_256 : PALETTE_NONE);
        const int k = line_of("three.mtx");
        const struct glyph *glyph = &level_row(browser_level(browser), k)->glyph;
        int drawn = 0;
        assert_true(glyph->drawn);
        for (int x = 0; x < GLYPH_WIDE; x++) {
            const struct cell *cell = &surface.cells[(2 + k) * 200 + 1 + x];
            if (glyph->level[x] < 0) {
                assert_int_equal(cell->character, ' ');
                continue;
            }
            assert_int_equal(cell->foreground, colours ? COLOUR_DENSITY + glyph->level[x] : COLOUR_TEXT);
            drawn++;
        }
        assert_true(drawn > 0);
    }
}

/* The panel's words, one space between them. Freed by the caller. */
static char *panel_of(const char *name)
{
    struct text text = {0};
    level_select(browser_level(browser), line_of(name));
    draw(PALETTE_256);
    browser->moved -= 1; /* a second later */
    draw(PALETTE_256);
    for (int y = 2; y < 39; y++)
        for (int x = 139; x < 200; x++) {
            const uint32_t character = surface.cells[y * 200 + x].character;
            if (character != ' ' || (text.length && text.data[text.length - 1] != ' '))
                text_append(&text, "%c", (int)character);
        }
    assert_false(text.failed);
    return text.data;
}

static void expect_panel(const char *name, const char *words, const char *lacks)
{
    char *panel = panel_of(name);
    assert_says(panel, words);
    if (lacks) assert_lacks(panel, lacks);
    free(panel);
}

TEST_BETWEEN(NULL, end, the_panel_tells_of_each_kind)
{
    begin("f", 40, 200);
    expect_panel("empty/", "changed 2024-03-07 08:09", "by name");
    expect_panel("empty/", "No matrices or archives here.", NULL);
    expect_panel("one/", "1 matrix or archive, by name", "No matrices");
    expect_panel("two/", "2 matrices or archives, by name", "No matrices");
    expect_panel("two/", "goes in", NULL);
    expect_panel("two.tar", "an archive with 2 matrices", "or more");
    expect_panel("two.tar", "lists them", NULL);
    expect_panel("three.mtx", "3 x 3 4 stored real symmetric", "large");
    expect_panel("huge.mtx",
                 "2,147,483,647 x 2,147,483,647 3 stored complex skew-symmetric large: ", "unknown");
    expect_panel("edges.el", "sizes unknown until it is read edge list", "stored");
    char *panel = panel_of("damaged.mtx");
    assert_says(panel, "damaged.mtx changed 2024-03-05 06:07");
    assert_lacks(panel, "stored");
    free(panel);
    level_row(browser_level(browser), line_of("two.tar"))->item->more = true;
    browser->panel_level = NULL; /* the screen knows of no change */
    level_select(browser_level(browser), 0);
    expect_panel("two.tar", "an archive with 2+ matrices or more: the archive could not be read to its end",
                 NULL);
}

/* The list at a start without a matrix. A generator has its summary in place of numbers, and its parameters
 * in the panel. The row of lessons explains them. */
TEST_BETWEEN(NULL, end, the_start_tells_of_generators_and_lessons)
{
    begin(NULL, 60, 200);
    expect(0, 1, 16, COLOUR_TITLE, "Open a matrix");
    const struct level *level = browser_level(browser);
    char *panel;
    for (int k = 0; k < level->shown; k++) { /* there are lessons if there are examples */
        if (level_row(level, k)->item->group != START_LESSONS) continue;
        panel = panel_of(level_row(level, k)->item->name);
        assert_says(panel, "Lessons Storage formats by doing", "lists them");
        free(panel);
    }
    panel = panel_of("gen:laplace2d");
    assert_says(panel, "n=", " changes them");
    free(panel);
    const int k = line_of("gen:laplace2d");
    level_select(browser_level(browser), k - 1); /* the cursor's colours are its own */
    draw(PALETTE_256);
    const int y = browser->list.top + k - level->top;
    const struct row *row = level_row(level, k);
    assert_non_null(row->item->summary);
    /* The summary stands between the name and the kind. */
    char line[139] = "", begins[21];
    for (int x = 0; x < 138; x++)
        line[x] = (char)surface.cells[y * 200 + x].character;
    snprintf(begins, sizeof begins, "%.20s", row->item->summary);
    const char *at = strstr(line, begins);
    if (!at) fail_msg("no '%s' in '%s'", begins, line);
    const int from = (int)(at - line);
    assert_in_range(from, 6 + strlen(row->item->name) + 1, 80);
    for (int x = from; x < 114; x++)
        if (line[x] != ' ') assert_int_equal(surface.cells[y * 200 + x].foreground, COLOUR_DIM);
    expect(y, 114, 138, COLOUR_DIM, " generator");
}

TESTS_BETWEEN(make_folder, remove_folder)
