/* base/output: files that appear whole, or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "support/files.h"

static const char target[] = "x.mtx";
static char temporary[64];

/* Each test has a folder of its own, in which it runs. */
static int begin(void **state)
{
    snprintf(temporary, sizeof temporary, ".x.mtx.%ld", (long)getpid());
    return files_begin(state);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_int_equal(length, strlen(expected));
    assert_string_equal(text, expected);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* An existing file stays unchanged until all is written. */
static void a_file_is_replaced_when_it_is_whole(void **state)
{
    struct output output;
    write_file(target, "old");
    assert_int_equal(output_open_named(&output, target, NULL), STATUS_OK);
    assert_int_equal(output_write(&output, "new\n", 4, NULL), STATUS_OK);
    assert_holds(target, "old");
    assert_holds(temporary, "new\n");
    assert_int_equal(output_commit(&output, NULL), STATUS_OK);
    assert_holds(target, "new\n");
    assert_false(exists(temporary));
}

/* Where the file system supports files without a name, a killed process leaves nothing. A file with the
 * temporary name belongs to another process. */
static void a_file_has_no_name_until_it_is_whole(void **state)
{
    struct output output;
    write_file(target, "old");
    assert_int_equal(output_open(&output, target, NULL), STATUS_OK);
    if (!output.nameless) {
        output_abandon(&output);
        skip();
    }
    assert_int_equal(output_write(&output, "new\n", 4, NULL), STATUS_OK);
    assert_holds(target, "old");
    assert_false(exists(temporary));
    output_signalled();
    write_file(temporary, "another's");
    assert_int_equal(output_commit(&output, NULL), STATUS_OK);
    assert_holds(target, "new\n");
    assert_holds(temporary, "another's");
    assert_int_equal(output_open(&output, target, NULL), STATUS_OK);
    output_abandon(&output);
    assert_holds(target, "new\n");
    assert_holds(temporary, "another's");
    DIR *folder = opendir(".");
    int files = 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        files += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    assert_int_equal(files, 2);
    assert_int_equal(unlink(temporary), 0);
}

static void abandoned_output_leaves_nothing(void **state)
{
    struct output output;
    write_file(target, "old");
    assert_int_equal(output_open_named(&output, target, NULL), STATUS_OK);
    assert_int_equal(output_write(&output, "new\n", 4, NULL), STATUS_OK);
    output_abandon(&output);
    assert_holds(target, "old");
    assert_false(exists(temporary));
}

/* Meanwhile a folder of the target's name exists. */
static void a_file_that_cannot_be_renamed_is_removed(void **state)
{
    struct output output;
    struct error error = {0};
    assert_int_equal(output_open(&output, target, NULL), STATUS_OK);
    assert_int_equal(output_write(&output, "new\n", 4, NULL), STATUS_OK);
    assert_int_equal(mkdir(target, 0777), 0);
    assert_int_equal(output_commit(&output, &error), STATUS_IO);
    assert_string_equal(error.path, target);
    assert_false(exists(temporary));
}

/* Bytes that the stream still had are lost when the file is closed: it may grow to no more than 2 bytes. */
static void a_file_that_is_not_whole_is_not_committed(void **state)
{
    struct output output;
    struct error error = {0};
    struct rlimit before, small;
    write_file(target, "old");
    assert_int_equal(output_open(&output, target, NULL), STATUS_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){2, before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    fputs("new\n", output.file);
    enum status status = output_commit(&output, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, STATUS_IO);
    assert_non_null(strstr(error.message, "File too large"));
    assert_holds(target, "old");
    assert_false(exists(temporary));
}

static void permissions_stay(void **state)
{
    struct output output;
    struct stat now;
    mode_t mask = umask(0077);
    assert_int_equal(output_open(&output, target, NULL), STATUS_OK);
    assert_int_equal(output_commit(&output, NULL), STATUS_OK);
    assert_int_equal(stat(target, &now), 0);
    assert_int_equal(now.st_mode & 0777, 0600);
    assert_int_equal(chmod(target, 0764), 0);
    assert_int_equal(output_open(&output, target, NULL), STATUS_OK);
    assert_int_equal(output_commit(&output, NULL), STATUS_OK);
    umask(mask);
    assert_int_equal(stat(target, &now), 0);
    assert_int_equal(now.st_mode & 0777, 0764);
}

/* The signal handler removes the unfinished file. Later it removes nothing, even if a file has that name. */
static void a_signal_removes_what_is_unfinished(void **state)
{
    struct output output;
    assert_int_equal(output_open_named(&output, target, NULL), STATUS_OK);
    assert_true(exists(temporary));
    output_signalled();
    assert_false(exists(temporary));
    output_abandon(&output);
    assert_int_equal(output_open_named(&output, target, NULL), STATUS_OK);
    assert_int_equal(output_commit(&output, NULL), STATUS_OK);
    write_file(temporary, "another's");
    output_signalled();
    assert_holds(temporary, "another's");
    assert_true(exists(target));
}

static void write_through(const char *path, enum status status)
{
    struct output output;
    struct error error = {0};
    assert_int_equal(output_open(&output, path, &error), status);
    if (status != STATUS_OK) {
        assert_true(error.message[0]);
        return;
    }
    assert_int_equal(output_write(&output, "new\n", 4, NULL), STATUS_OK);
    assert_int_equal(output_commit(&output, NULL), STATUS_OK);
}

/* Names may have the maximum length of the file system, although the temporary name adds characters. */
static void names_may_be_as_long_as_there_are(void **state)
{
    for (int length = 240; length <= 255; length += 5) {
        char name[256];
        memset(name, 'a', (size_t)length);
        name[length] = 0;
        write_through(name, STATUS_OK);
        assert_holds(name, "new\n");
    }
}

/* As with the shell's >: a link stays a link, and its target is written. */
static void links_are_written_through(void **state)
{
    char absolute[512], text[64];
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_non_null(getcwd(absolute, sizeof absolute - 16));
    strcat(absolute, "/far");
    assert_int_equal(symlink("folder/near", "relative"), 0);
    assert_int_equal(symlink("beside", "folder/second"), 0);
    assert_int_equal(symlink("folder/second", "first"), 0);
    assert_int_equal(symlink(absolute, "absolute"), 0);
    assert_int_equal(symlink("circle", "circle"), 0);
    for (int k = 0; k < 2; k++) { /* the second time they are there */
        write_through("relative", STATUS_OK);
        write_through("first", STATUS_OK);
        write_through("absolute", STATUS_OK);
        assert_holds("folder/near", "new\n");
        assert_holds("folder/beside", "new\n");
        assert_holds("far", "new\n");
        assert_int_equal(readlink("relative", text, sizeof text), strlen("folder/near"));
        assert_int_equal(readlink("first", text, sizeof text), strlen("folder/second"));
    }
    write_through("circle", STATUS_IO);
}

/* A killed process leaves its temporary file. In a container the next process may have the same process
 * number. */
static void remains_of_a_killed_process_do_no_harm(void **state)
{
    write_file(temporary, "left");
    write_through(target, STATUS_OK);
    assert_holds(target, "new\n");
    assert_holds(temporary, "left");
}

/* A program that was started without standard input has 0 for the first file that it opens. */
static void a_file_may_have_the_number_0(void **state)
{
    const int input = dup(STDIN_FILENO);
    struct output output;
    write_file(target, "old");
    close(STDIN_FILENO);
    enum status status = output_open(&output, target, NULL);
    const int number = status == STATUS_OK ? fileno(output.file) : -1;
    if (status == STATUS_OK) status = output_write(&output, "new\n", 4, NULL);
    if (status == STATUS_OK) status = output_commit(&output, NULL);
    if (input >= 0) {
        dup2(input, STDIN_FILENO);
        close(input);
    }
    assert_int_equal(number, 0);
    assert_int_equal(status, STATUS_OK);
    assert_holds(target, "new\n");
    assert_false(exists(temporary));
}

/* A second process writes a part of the file, which only the first one commits. A signal to either removes
 * it. */
static void another_process_writes_a_part(void **state)
{
    struct output own, other;
    struct error error = {0};
    assert_int_equal(output_open_named(&own, target, NULL), STATUS_OK);
    assert_int_equal(output_join(&other, target, temporary, NULL), STATUS_OK);
    assert_int_equal(output_write(&own, "own", 3, NULL), STATUS_OK);
    assert_int_equal(pwrite(fileno(other.file), "other", 5, 3), 5);
    assert_int_equal(output_leave(&other, NULL), STATUS_OK);
    assert_int_equal(output_leave(&other, NULL), STATUS_OK);
    assert_true(exists(temporary));
    output_signalled(); /* it has left */
    assert_true(exists(temporary));
    assert_int_equal(output_commit(&own, NULL), STATUS_OK);
    assert_holds(target, "ownother");
    write_file(temporary, "");
    assert_int_equal(output_join(&other, target, temporary, NULL), STATUS_OK);
    output_signalled();
    assert_false(exists(temporary));
    output_leave(&other, NULL);
    assert_int_equal(output_join(&other, target, temporary, &error), STATUS_IO);
    assert_string_equal(error.path, target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_replaced_when_it_is_whole, begin, files_end),
        cmocka_unit_test_setup_teardown(a_file_has_no_name_until_it_is_whole, begin, files_end),
        cmocka_unit_test_setup_teardown(abandoned_output_leaves_nothing, begin, files_end),
        cmocka_unit_test_setup_teardown(a_file_that_cannot_be_renamed_is_removed, begin, files_end),
        cmocka_unit_test_setup_teardown(a_file_that_is_not_whole_is_not_committed, begin, files_end),
        cmocka_unit_test_setup_teardown(permissions_stay, begin, files_end),
        cmocka_unit_test_setup_teardown(names_may_be_as_long_as_there_are, begin, files_end),
        cmocka_unit_test_setup_teardown(links_are_written_through, begin, files_end),
        cmocka_unit_test_setup_teardown(a_file_may_have_the_number_0, begin, files_end),
        cmocka_unit_test_setup_teardown(remains_of_a_killed_process_do_no_harm, begin, files_end),
        cmocka_unit_test_setup_teardown(a_signal_removes_what_is_unfinished, begin, files_end),
        cmocka_unit_test_setup_teardown(another_process_writes_a_part, begin, files_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
