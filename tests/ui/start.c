/* ui/start, ui/recent: what a start without a matrix offers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "matrix/generators/generate.h"
#include "ui/browser/recent.h"
#include "ui/browser/start.h"

/* Each test has a new folder, in whose folder "here" it is; the list of those opened last is in "state". */
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

static void files_that_can_be_matrices_come_first(void **state)
{
    struct explorer explorer = {0};
    struct start start = {0};
    static const char *const expected[] = {"B.MTX", "a.mtx", "c.tar.gz"};
    write_file("c.tar.gz", "12345");
    write_file("a.mtx", "123");
    write_file("B.MTX", "");
    write_file(".hidden.mtx", "");
    write_file("notes.txt", "");
    write_file(".mtx", "");
    assert_int_equal(mkdir("folder.mtx", 0700), 0);
    assert_int_equal(start_open(&explorer, &start, NULL), STATUS_OK);
    assert_int_equal(start.count, 3 + generator_count());
    for (int k = 0; k < 3; k++) {
        assert_string_equal(start.items[k].name, expected[k]);
        assert_string_equal(start.list.rows[k].cells[0], expected[k]);
        assert_string_equal(start.list.rows[k].cells[1], "in this folder");
    }
    assert_string_equal(start.list.rows[1].cells[2], "3 B");
    assert_int_equal(start.items[3].kind, START_GENERATOR);
    assert_int_equal(strncmp(start.items[3].name, "gen:", 4), 0);
    assert_string_equal(start.list.rows[3].cells[2], "");
    start_free(&start);
}

static void what_was_opened_is_kept_newest_first(void **state)
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
    assert_non_null(strstr(paths.data, "/n/12.mtx\n"));
    assert_null(strstr(paths.data, "/n/11.mtx\n"));
    text_free(&paths);
}

static void a_home_that_is_not_there_is_not_made(void **state)
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

static void recent_files_of_other_folders_are_offered(void **state)
{
    struct explorer explorer = {.ascii = true};
    struct start start = {0};
    char far[PATH_MAX];
    write_file("a.mtx", "1");
    write_file("../b.tar", "22");
    recent_add("a.mtx"); /* which is listed as one of this folder */
    recent_add("/not/there.mtx");
    snprintf(far, sizeof far, "%s/a-folder-with-a-long-name", folder);
    assert_int_equal(mkdir(far, 0700), 0);
    strcat(far, "/matrix.mtx");
    write_file(far, "333");
    recent_add(far);
    snprintf(far, sizeof far, "%s/b.tar:b/b.mtx", folder);
    recent_add(far);
    assert_int_equal(start_open(&explorer, &start, NULL), STATUS_OK);
    assert_int_equal(start.count, 3 + generator_count());
    assert_string_equal(start.items[0].name, "a.mtx");
    assert_string_equal(start.items[1].name, far);
    assert_int_equal(start.items[1].bytes, 2);
    assert_int_equal(start.items[2].kind, START_RECENT);
    assert_string_equal(start.list.rows[2].cells[1], "opened before");
    assert_int_equal(strncmp(start.list.rows[2].cells[0], "...", 3), 0); /* its end is shown */
    assert_non_null(strstr(start.list.rows[2].cells[0], "long-name/matrix.mtx"));
    assert_int_equal(strlen(start.list.rows[2].cells[0]), 42);
    start_free(&start);
}

static void a_row_is_chosen_or_none(void **state)
{
    struct explorer explorer = {0};
    struct start start = {0};
    struct surface surface = {0};
    write_file("a.mtx", "");
    assert_int_equal(start_open(&explorer, &start, NULL), STATUS_OK);
    assert_int_equal(surface_resize(&surface, 20, 72, NULL), STATUS_OK);
    for (int k = 0; k < start.count; k++) {
        surface_clear(&surface);
        list_draw(&explorer, &start.list, &surface, (struct rect){0, 0, 19, 72});
        assert_int_equal(surface.cut, 0);
        assert_true(list_key(&explorer, &start.list, UIKEY_DOWN));
    }
    list_key(&explorer, &start.list, UIKEY_HOME);
    list_key(&explorer, &start.list, UIKEY_DOWN);
    assert_int_equal(start.chosen, -1);
    list_key(&explorer, &start.list, UIKEY_ENTER);
    assert_int_equal(start.chosen, 1);
    assert_false(list_is_open(&start.list));
    start_free(&start);
    assert_int_equal(start_open(&explorer, &start, NULL), STATUS_OK);
    list_key(&explorer, &start.list, UIKEY_ESCAPE);
    assert_int_equal(start.chosen, -1);
    assert_false(list_is_open(&start.list));
    start_free(&start);
    surface_free(&surface);
}

static void more_files_than_are_listed_are_counted(void **state)
{
    struct explorer explorer = {0};
    struct start start = {0};
    char name[32];
    for (int k = 0; k < START_FILES + 7; k++) {
        snprintf(name, sizeof name, "%05d.mtx", k);
        write_file(name, "");
    }
    assert_int_equal(start_open(&explorer, &start, NULL), STATUS_OK);
    assert_int_equal(start.count, START_FILES + generator_count());
    assert_int_equal(start.left_out, 7);
    assert_string_equal(start.items[START_FILES - 1].name, "00999.mtx");
    start_free(&start);
}

static void want_of_memory_is_an_error(void **state)
{
    struct explorer explorer = {0};
    write_file("a.mtx", "");
    for (long count = 0;; count++) {
        struct start start = {0};
        struct error error = {0};
        memory_fail_after(count);
        enum status status = start_open(&explorer, &start, &error);
        long failures = memory_failures();
        memory_fail_after(-1);
        start_free(&start);
        if (failures == 0) break;
        assert_true(status == STATUS_MEMORY || status == STATUS_OK); /* rows may be lacking */
        assert_true(status == STATUS_OK || error.message[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_that_can_be_matrices_come_first, enter, leave),
        cmocka_unit_test_setup_teardown(what_was_opened_is_kept_newest_first, enter, leave),
        cmocka_unit_test_setup_teardown(a_home_that_is_not_there_is_not_made, enter, leave),
        cmocka_unit_test_setup_teardown(recent_files_of_other_folders_are_offered, enter, leave),
        cmocka_unit_test_setup_teardown(a_row_is_chosen_or_none, enter, leave),
        cmocka_unit_test_setup_teardown(more_files_than_are_listed_are_counted, enter, leave),
        cmocka_unit_test_setup_teardown(want_of_memory_is_an_error, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
