/* ui/browser: the effect of each key and of the mouse, by the state that follows. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "support/files.h"
#include "support/unit.h"
#include "ui/browser/browser.h"
#include "ui/browser/level.h"
#include "ui/browser/start.h"

#define BANNER "%%MatrixMarket matrix coordinate "
#define MANY 40

static const struct load_options options;

/* Four matrices whose order differs by name, size, rows and stored entries, one of them damaged, and a
 * folder. */
static int make_folder(void **state)
{
    static const struct member two[] = {{"a.mtx", BANNER "real general\n1 1 1\n1 1 2\n"},
                                        {"b.mtx", BANNER "real general\n2 2 1\n1 1 2\n"},
                                        {NULL, NULL}};
    char name[64];
    if (files_begin(state) != 0) return -1;
    setenv("XDG_STATE_HOME", "state", 1);
    mkdir("f", 0755);
    mkdir("f/inner", 0755);
    files_put("f/inner/deep.mtx", BANNER "real general\n1 1 1\n1 1 2\n");
    files_put("f/alpha.mtx", BANNER "real general\n7 7 1\n1 1 1\n");
    files_put("f/beta.mtx", BANNER
              "real general\n% a comment that makes the file the largest of all\n3 3 2\n1 1 1\n2 2 1\n");
    files_put("f/damaged.mtx", BANNER "real general\n3 four 2\n");
    files_put("f/gamma.mtx", BANNER "pattern general\n5 5 4\n1 1\n2 2\n3 3\n4 4\n");
    static const char *const ages[] = {"f/alpha.mtx", "f/damaged.mtx", "f/beta.mtx", "f/gamma.mtx",
                                       "f/inner"};
    for (int k = 0; k < 5; k++) { /* the oldest first */
        const struct timespec times[2] = {{.tv_sec = 86400 * (k + 1)}, {.tv_sec = 86400 * (k + 1)}};
        if (utimensat(AT_FDCWD, ages[k], times, 0) != 0) return -1;
    }
    files_archive("two.tar", two, PACKED_NOT);
    mkdir("many", 0755);
    for (int k = 0; k < MANY; k++) {
        snprintf(name, sizeof name, "many/%02d.mtx", k);
        files_put(name, BANNER "real general\n1 1 0\n");
    }
    return 0;
}

static int remove_folder(void **state)
{
    return files_end(state);
}

static struct browser *browser;
static struct surface surface;

static void draw(void)
{
    while (browser_step(browser) >= 0)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    browser_draw(browser, &surface, true, PALETTE_256);
}

static void begin(const char *path)
{
    assert_int_equal(browser_open(path, &options, &browser, NULL), STATUS_OK);
    assert_int_equal(surface_resize(&surface, 20, 80, NULL), STATUS_OK);
    draw();
}

static int end(void **state)
{
    browser_close(browser);
    surface_free(&surface);
    return 0;
}

static enum browser_answer press(int key)
{
    enum browser_answer answer = browser_key(browser, key);
    draw();
    return answer;
}

static enum browser_answer click(int kind, int y, int x)
{
    enum browser_answer answer = browser_mouse(browser, &(struct mouse){.kind = kind, .y = y, .x = x});
    draw();
    return answer;
}

static void type(const char *text)
{
    for (; *text; text++)
        press(*text);
}

static const struct level *now(void)
{
    return browser_level(browser);
}

/* The shown rows by their first letters. */
static void expect_rows(const char *letters)
{
    char shown[MANY + 1] = "";
    for (int k = 0; k < now()->shown; k++)
        shown[k] = level_row(now(), k)->item->name[0];
    assert_string_equal(shown, letters);
}

TEST_BETWEEN(NULL, end, keys_and_wheel_move_the_selection)
{
    begin("many");
    const int room = now()->room;
    assert_true(room > 2 && 2 * room < MANY - 1);
    const struct {
        int key, selected;
    } moves[] = {{UIKEY_UP, 0},
                 {UIKEY_DOWN, 1},
                 {'j', 2},
                 {'j', 3},
                 {'k', 2},
                 {UIKEY_UP, 1},
                 {UIKEY_HOME, 0},
                 {UIKEY_PAGE_DOWN, room},
                 {' ', 2 * room},
                 {UIKEY_PAGE_UP, room},
                 {UIKEY_END, MANY - 1},
                 {UIKEY_DOWN, MANY - 1},
                 {UIKEY_PAGE_UP, MANY - 1 - room},
                 {UIKEY_PAGE_DOWN, MANY - 1},
                 {UIKEY_HOME, 0},
                 {UIKEY_PAGE_UP, 0}};
    for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) {
        assert_int_equal(press(moves[k].key), BROWSER_STAY);
        assert_int_equal(now()->selected, moves[k].selected);
        assert_true(now()->top <= now()->selected && now()->selected < now()->top + room);
    }
    click(MOUSE_WHEEL_DOWN, 0, 0);
    click(MOUSE_WHEEL_DOWN, 5, 5);
    assert_int_equal(now()->selected, 2);
    click(MOUSE_WHEEL_UP, 5, 5);
    assert_int_equal(now()->selected, 1);
}

TEST_BETWEEN(NULL, end, clicks_select_and_open)
{
    begin("f");
    expect_rows("iabdg");
    const int top = browser->list.top, left = browser->list.left;
    assert_int_equal(click(MOUSE_PRESS, top + 2, left + 3), BROWSER_STAY);
    assert_int_equal(now()->selected, 2);
    assert_int_equal(click(MOUSE_DRAG, top + 1, left + 3), BROWSER_STAY);
    assert_int_equal(click(MOUSE_PRESS, top + 5, left + 3), BROWSER_STAY); /* below the last row */
    assert_int_equal(click(MOUSE_PRESS, top + 1, left - 1), BROWSER_STAY);
    assert_int_equal(now()->selected, 2);
    assert_int_equal(click(MOUSE_PRESS, top + 2, left + 3), BROWSER_OPEN);
    assert_string_equal(browser_chosen(browser), "f/beta.mtx");
    click(MOUSE_PRESS, top, left);
    click(MOUSE_PRESS, top, left);
    assert_int_equal(browser->depth, 2);
}

/* By name, date, size, rows, stored entries, with the largest number first; rows without a number come last.
 */
TEST_BETWEEN(NULL, end, titles_and_keys_sort)
{
    static const char *const expected[SORTS][2] = {
        {"iabdg", "igdba"}, {"igbda", "adbgi"}, {"bgadi", "dagbi"}, {"agbdi", "bgadi"}, {"gbadi", "abgdi"}};
    begin("f");
    assert_int_equal(surface_resize(&surface, 20, 200, NULL), STATUS_OK); /* with room for dates */
    draw();
    const int y = browser->list.top - 1;
    for (int k = SORTS; k-- > 0;) {
        click(MOUSE_PRESS, y, browser->title_x[k]);
        assert_int_equal(now()->sort, k);
        assert_false(now()->reverse);
        expect_rows(expected[k][0]);
        click(MOUSE_PRESS, y, browser->title_x[k + 1] - 1);
        assert_int_equal(now()->sort, k);
        assert_true(now()->reverse);
        expect_rows(expected[k][1]);
    }
    click(MOUSE_PRESS, y - 1, browser->title_x[2]);
    click(MOUSE_PRESS, y, browser->title_x[SORTS]);
    assert_int_equal(now()->sort, SORT_NAME);
    for (int k = 1; k <= SORTS; k++) {
        press('s');
        assert_int_equal(now()->sort, k % SORTS);
        assert_false(now()->reverse);
    }
    press('r');
    assert_true(now()->reverse);
    press('r');
    assert_false(now()->reverse);
}

TEST_BETWEEN(NULL, end, folders_are_gone_into_and_left)
{
    static const int into[] = {UIKEY_ENTER, UIKEY_RIGHT, 'l'}, out[] = {UIKEY_BACKSPACE, UIKEY_LEFT, 'h'};
    begin("f");
    for (int k = 0; k < 3; k++) {
        assert_int_equal(press(into[k]), BROWSER_STAY);
        assert_int_equal(browser->depth, 2);
        expect_rows("d");
        assert_string_equal(browser_chosen(browser), "f/inner/deep.mtx");
        press(out[k]);
        assert_int_equal(browser->depth, 1);
        assert_int_equal(browser->explorer.message[0], 0);
        press(out[k]);
        assert_int_equal(browser->depth, 1);
        assert_says(browser->explorer.message, "this is the top; q quits");
    }
    press(UIKEY_DOWN);
    assert_int_equal(browser->explorer.message[0], 0);
    assert_int_equal(press('l'), BROWSER_OPEN);
}

TEST_BETWEEN(NULL, end, levels_have_an_end)
{
    char path[200] = "nested";
    mkdir(path, 0755);
    for (int k = 0; k < LEVELS_MAX; k++) {
        strcat(path, "/n");
        mkdir(path, 0755);
    }
    strcat(path, "/one.mtx");
    files_put(path, BANNER "real general\n1 1 0\n");
    begin("nested");
    for (int k = 1; k < LEVELS_MAX; k++) {
        press(UIKEY_ENTER);
        assert_int_equal(browser->depth, k + 1);
    }
    press(UIKEY_ENTER);
    assert_int_equal(browser->depth, LEVELS_MAX);
    assert_says(browser->explorer.message, "folders nested more than 16 deep cannot be opened");
}

TEST_BETWEEN(NULL, end, the_filter_follows_what_is_typed)
{
    begin("f");
    press('/');
    assert_true(browser->typing);
    type("AM");
    expect_rows("dg");
    press(UIKEY_DOWN);
    assert_true(browser->typing && now()->selected == 1);
    press(UIKEY_UP);
    assert_true(browser->typing && now()->selected == 0);
    press('m');
    expect_rows("g");
    press(UIKEY_BACKSPACE);
    expect_rows("dg");
    assert_int_equal(press(UIKEY_ENTER), BROWSER_STAY); /* ends typing and opens nothing */
    assert_false(browser->typing);
    expect_rows("dg");
    press('s'); /* a key again */
    assert_string_equal(now()->filter, "AM");
    press(UIKEY_ESCAPE);
    assert_int_equal(now()->shown, 5);
    press('/');
    press(UIKEY_BACKSPACE); /* without text: ends typing, does not leave */
    assert_false(browser->typing);
    assert_int_equal(browser->explorer.message[0], 0);
    press('/');
    for (int k = 0; k < FILTER_SIZE + 5; k++)
        press('~');
    assert_int_equal(strlen(now()->filter), FILTER_SIZE - 1);
    assert_int_equal(now()->shown, 0);
    assert_int_equal(press(UIKEY_END), BROWSER_STAY);
    assert_string_equal(browser_chosen(browser), "");
    press(UIKEY_ENTER);
    assert_int_equal(browser->depth, 1);
}

TEST_BETWEEN(NULL, end, next_and_previous_skip_what_cannot_be_opened)
{
    begin("f");
    press(UIKEY_DOWN);
    assert_false(browser_choose(browser, -1, true));
    assert_true(browser_choose(browser, 1, false));
    assert_int_equal(now()->selected, 1);
    assert_true(browser_choose(browser, 1, true));
    assert_string_equal(browser_chosen(browser), "f/beta.mtx");
    assert_true(browser_choose(browser, 1, true));
    assert_string_equal(browser_chosen(browser), "f/gamma.mtx");
    assert_false(browser_choose(browser, 1, true));
    assert_true(browser_choose(browser, -1, true));
    assert_string_equal(browser_chosen(browser), "f/beta.mtx");
    press(UIKEY_DOWN);
    assert_int_equal(press(UIKEY_ENTER), BROWSER_STAY);
    assert_says(browser->explorer.message, "line 2: 'four' where the number of columns is expected");
}

/* A file's line keeps faults of the file, but not a lack of memory. Enter opens an archive. */
TEST(refused_matrices_say_why)
{
    static const struct {
        enum status status;
        bool kept;
    } cases[] = {{STATUS_MEMORY, false}, {STATUS_CANCELLED, false}, {STATUS_INPUT, true}};
    begin("f");
    press(UIKEY_DOWN);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct error error = {.path = "f/alpha.mtx"};
        error_set(&error, cases[k].status, "there is a reason");
        browser_refused(browser, &error);
        assert_string_equal(browser->explorer.message, "there is a reason");
        const char *reason = row_reason(level_row(now(), 1));
        assert_int_equal(reason != NULL, cases[k].kept);
    }
    assert_int_equal(press(UIKEY_ENTER), BROWSER_STAY);
    assert_says(browser->explorer.message, "there is a reason");
    end(NULL);
    begin(".");
    for (int k = 0; k < now()->shown; k++)
        if (strcmp(level_row(now(), k)->item->name, "two.tar") == 0) level_select(browser_level(browser), k);
    struct error several = {0};
    error_set(&several, STATUS_SEVERAL, "several");
    browser_refused(browser, &several);
    draw();
    assert_int_equal(browser->depth, 2);
    expect_rows("ab");
    end(NULL);
}

TEST(generators_have_parameters)
{
    begin("f");
    press('p');
    assert_false(browser->editing);
    assert_says(browser->explorer.message, "only generators have parameters");
    end(NULL);
    begin(NULL);
    int at = 0;
    while (level_row(now(), at)->item->group != START_GENERATOR ||
           !strstr(level_row(now(), at)->item->path, "laplace2d"))
        at++;
    level_select(browser_level(browser), at);
    struct row *row = level_row(now(), at);
    press('p');
    assert_true(browser->editing);
    assert_says(browser->prompt.text, "gen:laplace2d,");
    while (browser->prompt.length > 0)
        press(UIKEY_BACKSPACE);
    type("laplace2d,n=3\n");
    press(UIKEY_ENTER);
    assert_false(browser->editing);
    assert_says(browser->explorer.message, "a specification begins with gen:");
    press('p');
    while (browser->prompt.length > 0)
        press(UIKEY_BACKSPACE);
    type("gen:laplace2d,n=3");
    row->tried = true;
    browser_key(browser, UIKEY_ENTER);
    assert_string_equal(row->item->path, "gen:laplace2d,n=3");
    assert_false(row->tried || row->glyph.drawn);
    draw();
    assert_true(row->glyph.drawn);
    press('p'); /* the typed ones are offered again */
    assert_string_equal(browser->prompt.text, "gen:laplace2d,n=3");
    press(UIKEY_ESCAPE);
    assert_false(browser->editing);
    assert_int_equal(press(UIKEY_ENTER), BROWSER_OPEN);
    end(NULL);
}

TEST_BETWEEN(NULL, end, help_and_the_terminal_are_asked_for)
{
    begin("f");
    press('?');
    assert_true(browser->help.open);
    assert_int_equal(click(MOUSE_PRESS, browser->list.top + 1, browser->list.left + 3), BROWSER_STAY);
    assert_int_equal(press('q'), BROWSER_STAY); /* a key of the help */
    press('?');
    if (browser->help.open) press(UIKEY_ESCAPE);
    assert_false(browser->help.open);
    assert_int_equal(now()->selected, 0);
    press(UIKEY_F1);
    assert_true(browser->help.open);
    press(UIKEY_ESCAPE);
    press(CTRL('L'));
    assert_int_equal(browser->explorer.demand, DEMAND_REDRAW);
    press(CTRL('Z'));
    assert_int_equal(browser->explorer.demand, DEMAND_SUSPEND);
    assert_int_equal(press('q'), BROWSER_QUIT);
    assert_int_equal(press(UIKEY_F10), BROWSER_QUIT);
    assert_int_equal(press('x'), BROWSER_STAY);
}

TESTS_BETWEEN(make_folder, remove_folder)
