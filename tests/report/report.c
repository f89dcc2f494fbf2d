/* report/: preparation, and files that appear whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"
#include "columns/columns.h"
#include "report/json/json.h"
#include "report/report.h"
#include "support/report.h"

/* Requested formats are built; only shown ones are kept. */
static void shown_storages_are_kept(void **state)
{
    struct report_request request = {0};
    struct session session;
    assert_int_equal(format_list_add(&request.convert, "all", NULL), STATUS_OK);
    assert_int_equal(format_list_add(&request.arrays, "csr", NULL), STATUS_OK);
    load_for_report(&session, "gen:laplace2d,n=5", &request);
    int count = atomic_load(&session.shown->conversions.count), shown = 0;
    for (int k = 0; k < count; k++) {
        const struct conversion *conversion = session.shown->conversions.items[k];
        bool kept = strcmp(conversion->name, "csr") == 0;
        assert_int_equal(conversion->choice.precision, PRECISION_F64);
        assert_int_equal(conversion_state(conversion), kept ? CONVERSION_BUILT : CONVERSION_PLANNED);
        assert_true(conversion->seconds >= 0);
        assert_int_equal(conversion->storage != NULL, kept);
    }
    int k = 0;
    while (report_shown(session.shown, &k))
        shown++;
    assert_int_equal(shown, 1);
    report_request_free(&request);
    session_free(&session);
}

/* A format that cannot be planned has no size; text has the reason below the table, JSON in its row. */
static void unplanned_formats_have_no_size(void **state)
{
    struct session session;
    struct text text = {0};
    load_plain(&session, "gen:laplace2d,n=2");
    struct conversion *conversion = session.shown->conversions.items[0];
    atomic_store(&conversion->sized, false);
    atomic_store(&conversion->state, CONVERSION_REFUSED);
    error_set(&conversion->refusal, STATUS_LIMIT,
              "its columns do not fit beside the row in 32 bits: 3,000,000,000 are more than 268,435,456");
    report_text(&session, &text);
    char row[128], reason[384];
    snprintf(row, sizeof row, "\n! %s  ", conversion->name);
    snprintf(reason, sizeof reason,
             "\n! %s is refused: its columns do not fit beside the row in 32 bits:\n"
             "    3,000,000,000 are more than 268,435,456\n",
             conversion->name);
    assert_non_null(strstr(text.data, row));
    assert_non_null(strstr(text.data, reason));
    assert_null(strstr(text.data, "larger than the limit"));
    json_t *list = formats_json(session.shown);
    const json_t *found = json_array_get(list, 0);
    assert_string_equal(json_string_value(json_at(found, "refused")), conversion->refusal.message);
    assert_true(json_is_null(json_at(found, "bytes")) && json_is_null(json_at(found, "padding_ratio")));
    assert_true(json_is_object(json_at(found, "params")));
    json_decref(list);
    text_free(&text);
    session_free(&session);
}

static void unknown_formats_are_told_what_there_is(void **state)
{
    struct error error = {0};
    assert_null(report_format_find("xml", &error));
    assert_int_equal(error.status, STATUS_USAGE);
    assert_string_equal(
        error.message,
        "unknown format 'xml'; there are text, json, jsonl, csv, csv-matrices, markdown, html");
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The old file exists until the end, and an abandoned one leaves nothing in the folder. */
static void files_are_whole_or_not_there(void **state)
{
    char path[128], link_path[128];
    struct output output;
    struct error error = {0};
    struct stat found;
    report_path(path, sizeof path, "file");
    report_path(link_path, sizeof link_path, "link");
    assert_int_equal(output_open(&output, path, &error), STATUS_OK);
    assert_int_equal(output_write(&output, "half", 4, &error), STATUS_OK);
    assert_int_equal(stat(path, &found), -1);
    output_abandon(&output);
    assert_int_equal(empty_report_folder(), 0);

    write_file(path, "old");
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("file", link_path), 0);
    assert_int_equal(output_open(&output, link_path, &error), STATUS_OK);
    assert_int_equal(output_write(&output, "new", 3, &error), STATUS_OK);
    assert_string_equal(read_whole(path), "old");
    assert_int_equal(output_commit(&output, &error), STATUS_OK);
    assert_string_equal(read_whole(path), "new");
    assert_int_equal(lstat(link_path, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0640);

    assert_int_equal(output_open(&output, path, &error), STATUS_OK);
    assert_int_equal(output_write(&output, "half", 4, &error), STATUS_OK);
    output_signalled(); /* as a signal handler does */
    unlink(link_path);
    unlink(path);
    assert_int_equal(empty_report_folder(), 0);
    output_abandon(&output);
}

static void outputs_that_cannot_be_written(void **state)
{
    static const char *const paths[] = {"/dev/full", "/nonexistent/file", "/tmp", ""};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        struct output output;
        struct error error = {0};
        enum status status = output_open(&output, paths[k], &error);
        if (status == STATUS_OK) status = output_write(&output, "text", 4, &error);
        assert_int_equal(status, STATUS_IO);
        assert_string_equal(error.path, paths[k]);
        output_abandon(&output);
    }
    assert_int_equal(access("/dev/full", F_OK), 0);
}

/* In Markdown headings and paragraphs have a blank line before them, also the first heading, behind the
 * origin. */
static void matrices_in_markdown_are_apart(void **state)
{
    char path[128];
    report_path(path, sizeof path, "report.md");
    report_of_two("markdown", path, STATUS_OK);
    const char *text = read_whole(path);
    assert_non_null(text);
    assert_int_equal(strncmp(text, "- program: ", 11), 0);
    assert_ptr_equal(strstr(text, "\n\n"), strstr(text, "\n\n# laplace2d,n=3\n\n"));
    assert_non_null(strstr(text, "\n\n**bad.mtx:3:7: a row of 0**\n\n# arrow,n=4\n\n"));
    unlink(path);
}

/* Every allocation fails once. If it belongs to planning or building a format, that format may be refused.
 * All other failures end the preparation. */
static void preparing_survives_failing_allocations(void **state)
{
    struct load_options options = {0};
    struct report_request request = request_everything();
    bool failed = true;
    int max_refused = 0;
    for (long k = 0; failed; k++) {
        struct session session;
        struct error error = {0};
        assert_true(k < 100000);
        assert_int_equal(session_load(&session, "gen:laplace2d,n=2", &options, NULL, &error), STATUS_OK);
        memory_fail_after(k);
        enum status status = report_prepare(&session, &request, NULL, &error);
        failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_true(status == STATUS_OK || (failed && status == STATUS_MEMORY));
        assert_int_equal(error.status, status);
        if (status != STATUS_OK) assert_string_equal(error.path, "gen:laplace2d,n=2");
        int refused = 0;
        for (int c = 0; c < atomic_load(&session.shown->conversions.count); c++)
            refused += conversion_state(session.shown->conversions.items[c]) == CONVERSION_REFUSED;
        assert_true(refused == 0 || (failed && status == STATUS_OK));
        max_refused = refused > max_refused ? refused : max_refused;
        session_free(&session);
    }
    assert_true(max_refused > 0);
    report_request_free(&request);
}

static void reports_survive_failing_allocations(void **state)
{
    char path[128];
    struct session session;
    struct report_request request = request_kernels("csr-seq");
    assert_int_equal(format_list_add(&request.arrays, "csr", NULL), STATUS_OK);
    load_for_report(&session, "gen:laplace2d,n=2", &request);
    report_request_free(&request);
    report_path(path, sizeof path, "swept");
    for (const struct report_format *const *format = report_formats; *format; format++) {
        enum status status = STATUS_MEMORY;
        for (long k = 0; status != STATUS_OK; k++) {
            struct error error = {0};
            assert_true(k < 3000);
            memory_fail_after(k);
            status = try_report(*format, path, &session, &error);
            long failures = memory_failures();
            memory_fail_after(-1);
            assert_int_equal(status, failures ? STATUS_MEMORY : STATUS_OK);
            assert_int_equal(error.status, status);
            assert_int_equal(access(path, F_OK), status == STATUS_OK ? 0 : -1);
        }
        unlink(path);
    }
    session_free(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shown_storages_are_kept),
        cmocka_unit_test(unplanned_formats_have_no_size),
        cmocka_unit_test(unknown_formats_are_told_what_there_is),
        cmocka_unit_test(files_are_whole_or_not_there),
        cmocka_unit_test(outputs_that_cannot_be_written),
        cmocka_unit_test(matrices_in_markdown_are_apart),
        cmocka_unit_test(preparing_survives_failing_allocations),
        cmocka_unit_test(reports_survive_failing_allocations),
    };
    return cmocka_run_group_tests_name("report", tests, make_report_folder, remove_report_folder);
}
