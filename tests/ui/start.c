/* ui/start, ui/recent: the list of a start without a matrix. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "matrix/generators/generate.h"
#include "support/unit.h"
#include "ui/browser/level.h"
#include "ui/browser/recent.h"
#include "ui/browser/start.h"

/* Each test has a new folder, and runs in its subfolder "here". The list of recent files is in "state". */
static char folder[64], before[PATH_MAX];

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int enter(void **state)
{
    char name[96];
    snprintf(folder, sizeof folder, "/tmp/sparsight-start-XXXXXX");
    if (!getcwd(before, sizeof before) || !mkdtemp(folder) || chdir(folder) != 0) return -1;
    snprintf(name, sizeof name, "%s/state", folder);
    setenv("XDG_STATE_HOME", name, 1);
    return mkdir("here", 0700) == 0 && chdir("here") == 0 ? 0 : -1;
}

static int leave(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir(before) == 0 && system(command) == 0 ? 0 : -1;
}

static int generator_count(void)
{
    int count = 0;
    while (generators[count])
        count++;
    return count;
}

static const struct load_options options;

/* List the start level to its end. */
static void list(struct level **level)
{
    *level = level_open("", &options, NULL);
    assert_non_null(*level);
    while (!(*level)->listed) {
        level_update(*level);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    level_update(*level);
    level_arrange(*level, false);
}

/* Return the number of shown rows of a group, and the position of the first. */
static int rows_of(const struct level *level, int group, int *first)
{
    int count = 0;
    for (int k = level->shown; k-- > 0;)
        if (level_row(level, k)->item->group == group) {
            *first = k;
            count++;
        }
    return count;
}

TEST_BETWEEN(enter, leave, files_here_come_first_and_generators_last)
{
    static const char *const expected[] = {"a.mtx", "B.MTX", "c.tar.gz"};
    struct level *level;
    char kind[64];
    int first = -1;
    write_file("c.tar.gz", "12345");
    write_file("a.mtx", "123");
    write_file("B.MTX", "");
    write_file(".hidden.mtx", "");
    write_file("notes.txt", "");
    assert_int_equal(mkdir("folder.mtx", 0700), 0);
    list(&level);
    assert_int_equal(level->trouble.status, STATUS_OK);
    for (int k = 0; k < 3; k++) {
        assert_string_equal(level_row(level, k)->item->name, expected[k]);
        assert_true(level_row(level, k)->item->modified > 0);
    }
    assert_int_equal(level_row(level, 0)->item->bytes, 3);
    assert_int_equal(rows_of(level, START_GENERATOR, &first), generator_count());
    assert_int_equal(first + generator_count(), level->shown);
    for (int k = 0; generators[k]; k++) { /* in the order of their table */
        assert_string_equal(level_row(level, first + k)->item->name + 4, generators[k]->name);
        assert_string_equal(row_kind(level_row(level, first + k), kind, sizeof kind), "generator");
    }
    assert_string_equal(level_row(level, first - 1)->item->name, "folder.mtx/");
    assert_string_equal(level_row(level, first - 2)->item->name, "../");
    level_close(level);
}

/* The test program is two folders below the build folder: from there no example is found, or those of the
 * sources. */
TEST_BETWEEN(enter, leave, examples_are_those_of_the_installation)
{
    struct text path = {0};
    struct level *level;
    int first = -1;
    start_examples(&path);
    list(&level);
    const int examples = rows_of(level, START_EXAMPLE, &first);
    assert_int_equal(examples > 0, path.length > 0);
    assert_int_equal(rows_of(level, START_LESSONS, &first), path.length > 0); /* one folder of all lessons */
    if (path.length) {
        text_append(&path, "/pmpp.mtx");
        assert_int_equal(access(path.data, R_OK), 0);
    }
    text_free(&path);
    level_close(level);
}

TEST_BETWEEN(enter, leave, a_generator_is_specified_by_its_defaults)
{
    FREED(text_free) struct text text = {0};
    start_specification("gen:banded", &text);
    assert_int_equal(strncmp(text.data, "gen:banded,n=", 13), 0);
    FREED(matrix_free) struct matrix matrix = {0};
    struct error error = {0};
    assert_int_equal(generate_matrix(text.data + 4, &options, NULL, &matrix, &error), STATUS_OK);
}

/* Wait until nothing is going on in the background any more. */
static void settle(struct browser *browser)
{
    while (browser_step(browser) >= 0)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static void type(struct browser *browser, const char *keys)
{
    for (; *keys; keys++)
        assert_int_equal(browser_key(browser, *keys), BROWSER_STAY);
}

/* p on a generator proposes its defaults. The typed text becomes the row's matrix, which is loaded for its
 * picture. A wrong value becomes the row's reason, until the next edit. */
TEST_BETWEEN(enter, leave, parameters_of_a_generator_are_typed)
{
    struct browser *browser;
    FREED(surface_free) struct surface surface = {0};
    write_file("a.mtx", "");
    assert_int_equal(browser_open(NULL, &options, &browser, NULL), STATUS_OK);
    assert_int_equal(surface_resize(&surface, 60, 120, NULL), STATUS_OK);
    settle(browser);
    browser_draw(browser, &surface, false, PALETTE_256);
    type(browser, "p");
    assert_says(browser->explorer.message, "only generators");
    type(browser, "/gen:arrow");
    browser_key(browser, UIKEY_ENTER);
    const struct level *level = browser_level(browser);
    assert_int_equal(level->shown, 1);
    type(browser, "p");
    assert_true(browser->editing);
    assert_int_equal(strncmp(browser->prompt.text, "gen:arrow,n=", 12), 0);
    while (browser->prompt.length > 0)
        browser_key(browser, UIKEY_BACKSPACE);
    type(browser, "gen:arrow,n=7");
    browser_key(browser, UIKEY_ENTER);
    assert_string_equal(level_row(level, 0)->item->path, "gen:arrow,n=7");
    browser_draw(browser, &surface, false, PALETTE_256);
    nanosleep(&(struct timespec){.tv_nsec = 150000000}, NULL); /* long enough for the picture to load */
    settle(browser);
    assert_true(browser->large.ready);
    assert_int_equal(browser->large.session.shown->matrix.csr.rows, 7);
    type(browser, "px"); /* n=7x */
    browser_key(browser, UIKEY_ENTER);
    nanosleep(&(struct timespec){.tv_nsec = 150000000}, NULL);
    settle(browser);
    assert_non_null(level_row(level, 0)->reason);
    browser_key(browser, UIKEY_ENTER); /* does not open it */
    assert_says(browser->explorer.message, "7x");
    type(browser, "p");
    browser_key(browser, UIKEY_BACKSPACE);
    browser_key(browser, UIKEY_ENTER);
    assert_null(level_row(level, 0)->reason);
    settle(browser);
    assert_int_equal(browser_key(browser, UIKEY_ENTER), BROWSER_OPEN);
    assert_string_equal(browser_chosen(browser), "gen:arrow,n=7");
    browser_close(browser);
}

/* The line of a generator has its summary, and one whose parameters have no default is not a fault: the panel
 * names them. */
TEST_BETWEEN(enter, leave, generators_say_what_they_make)
{
    struct browser *browser;
    FREED(surface_free) struct surface surface = {0};
    char line[161] = "";
    int shown = 0;
    assert_int_equal(browser_open(NULL, &options, &browser, NULL), STATUS_OK);
    assert_int_equal(surface_resize(&surface, 30, 160, NULL), STATUS_OK);
    type(browser, "/gen:tile");
    browser_key(browser, UIKEY_ENTER);
    settle(browser);
    browser_draw(browser, &surface, false, PALETTE_256);
    assert_non_null(level_row(browser_level(browser), 0)->reason);
    for (int y = 0; y < surface.high; y++) {
        for (int x = 0; x < surface.wide; x++) {
            const struct cell *cell = &surface.cells[y * surface.wide + x];
            line[x] = (char)(cell->character < 0x80 ? cell->character : '?');
            assert_int_not_equal(cell->foreground, COLOUR_BAD);
        }
        shown |= strstr(line, "gen:tile ") && strstr(line, "a matrix repeated down") ? 1 : 0;
        shown |= strstr(line, "tile needs a matrix") ? 2 : 0;
        shown |= strstr(line, "copies=2") ? 4 : 0;
    }
    assert_int_equal(shown, 7);
    browser_close(browser);
}

/* At 200 columns each summary is whole, and stands behind a specification however long that is. At 80 the
 * specification is cut. */
TEST_BETWEEN(enter, leave, summaries_of_generators_are_whole)
{
    struct browser *browser;
    FREED(surface_free) struct surface surface = {0};
    FREED(text_free) struct text lines = {0};
    assert_int_equal(browser_open(NULL, &options, &browser, NULL), STATUS_OK);
    assert_int_equal(surface_resize(&surface, 60, 200, NULL), STATUS_OK);
    settle(browser);
    browser_draw(browser, &surface, false, PALETTE_256);
    surface_dump(&surface, &lines);
    for (int k = 0; generators[k]; k++)
        assert_says(lines.data, generators[k]->summary);
    type(browser, "/gen:laplace2d");
    browser_key(browser, UIKEY_ENTER);
    type(browser, "p");
    while (browser->prompt.length > 0)
        browser_key(browser, UIKEY_BACKSPACE);
    type(browser, "gen:laplace2d,nx=1000,ny=2000");
    browser_key(browser, UIKEY_ENTER);
    settle(browser);
    browser_draw(browser, &surface, false, PALETTE_256);
    text_cut(&lines, 0);
    surface_dump(&surface, &lines);
    assert_says(lines.data, "gen:laplace2d,nx=1000,ny=2000  5-point Laplacian");
    assert_int_equal(surface_resize(&surface, 24, 80, NULL), STATUS_OK);
    browser_draw(browser, &surface, false, PALETTE_256);
    text_cut(&lines, 0);
    surface_dump(&surface, &lines);
    assert_says(lines.data, "\u2026 5-point"); /* a name that is cut keeps a blank behind it */
    browser_close(browser);
}

TEST_BETWEEN(enter, leave, opened_files_are_kept_newest_first)
{
    struct text paths = {0};
    char expected[512];
    recent_read(&paths);
    assert_int_equal(paths.length, 0);
    recent_add("a.mtx");
    recent_add("/far/b.mtx");
    recent_add("-");
    recent_add("gen:arrow");
    recent_add("two\nlines.mtx");
    recent_add("./c.mtx");
    recent_add("a.mtx");
    recent_read(&paths);
    snprintf(expected, sizeof expected, "%s/here/a.mtx\n%s/here/c.mtx\n/far/b.mtx\n", folder, folder);
    assert_string_equal(paths.data, expected);
    text_free(&paths);
    for (int k = 0; k < 2 * RECENT_MAX; k++) {
        char name[32];
        snprintf(name, sizeof name, "/n/%d.mtx", k);
        recent_add(name);
    }
    recent_read(&paths);
    assert_int_equal(strncmp(paths.data, "/n/23.mtx\n/n/22.mtx\n", 20), 0);
    assert_says(paths.data, "/n/12.mtx\n");
    assert_lacks(paths.data, "/n/11.mtx\n");
    text_free(&paths);
}

/* In a removed folder names have no path. The kept list stays unchanged. */
TEST_BETWEEN(enter, leave, files_without_a_path_are_not_kept)
{
    FREED(text_free) struct text paths = {0};
    char here[PATH_MAX];
    recent_add("/far/b.mtx");
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(mkdir("gone", 0755), 0);
    assert_int_equal(chdir("gone"), 0);
    assert_int_equal(rmdir("../gone"), 0);
    recent_add("c.mtx");
    assert_int_equal(chdir(here), 0);
    recent_read(&paths);
    assert_string_equal(paths.data, "/far/b.mtx\n");
}

TEST_BETWEEN(enter, leave, a_home_that_is_not_there_is_not_made)
{
    char home[PATH_MAX], kept[PATH_MAX + 64];
    const char *owner = getenv("HOME");
    char *old = owner ? strdup(owner) : NULL;
    snprintf(home, sizeof home, "%s/home", folder);
    snprintf(kept, sizeof kept, "%s/.local/state/sparsight/recent", home);
    unsetenv("XDG_STATE_HOME");
    setenv("HOME", home, 1);
    recent_add("a.mtx");
    assert_int_not_equal(access(home, F_OK), 0);
    assert_int_equal(mkdir(home, 0700), 0);
    recent_add("a.mtx");
    assert_int_equal(access(kept, F_OK), 0);
    if (old) setenv("HOME", old, 1);
    free(old);
}

TEST_BETWEEN(enter, leave, recent_files_of_other_folders_are_offered)
{
    struct level *level;
    char far[PATH_MAX], kind[64];
    int first = -1;
    write_file("a.mtx", "1");
    write_file("../b.tar", "22");
    recent_add("a.mtx"); /* which is listed as one of this folder */
    recent_add("/not/there.mtx");
    snprintf(far, sizeof far, "%s/a-folder", folder);
    assert_int_equal(mkdir(far, 0700), 0);
    strcat(far, "/matrix.mtx");
    write_file(far, "333");
    recent_add("../a-folder/../a-folder/matrix.mtx"); /* one path for a file, however it was named */
    recent_add(far);
    snprintf(far, sizeof far, "%s/b.tar:b/b.mtx", folder);
    recent_add(far);
    list(&level);
    assert_int_equal(rows_of(level, START_RECENT, &first), 2);
    assert_int_equal(first, 1);
    assert_string_equal(level_row(level, 1)->item->path, far); /* the newest first */
    assert_int_equal(level_row(level, 1)->item->bytes, 2);
    assert_says(level_row(level, 2)->item->path, "/a-folder/matrix.mtx");
    assert_string_equal(row_kind(level_row(level, 2), kind, sizeof kind), "opened before");
    level_close(level);
}

TEST_BETWEEN(enter, leave, want_of_memory_is_an_error)
{
    struct catalogue catalogue;
    write_file("a.mtx", "");
    for (long count = 0;; count++) {
        struct error error = {0};
        assert_int_equal(catalogue_start(&catalogue, NULL), STATUS_OK);
        memory_fail_after(count);
        enum status status = start_list(&catalogue, &options, NULL, &error);
        long failures = memory_failures();
        memory_fail_after(-1);
        catalogue_free(&catalogue);
        if (failures == 0) break;
        assert_true(status == STATUS_MEMORY || status == STATUS_OK); /* items may be missing */
        assert_true(status == STATUS_OK || error.message[0]);
    }
}
