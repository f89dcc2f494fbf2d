/* report/records and report/charts: the file of a survey, and several saved reports, are read in full or not
 * at all, whichever allocation fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "drawing/picture.h"
#include "report/charts/charts.h"
#include "report/charts/series.h"
#include "report/records/collection.h"
#include "report/records/compare.h"
#include "report/records/figures.h"
#include "support/report.h"

#define SWEEP_MAX 20000

/* Write a report of a matrix with two kernels that were timed, each by two numbers of threads. */
static void write_report(const char *name, const struct report_format *format, const char *path)
{
    struct session session;
    struct report report;
    struct report_request request = request_kernels("csr-omp ell-omp cuda/csr-vector");
    request.f32 = false;
    request.threads = (struct thread_counts){.items = {1, 2}, .count = 2};
    load_for_report(&session, name, &request);
    assert_int_equal(report_open(&report, format, path, NULL), STATUS_OK);
    assert_int_equal(report_matrix(&report, &session, NULL), STATUS_OK);
    assert_int_equal(report_close(&report, NULL), STATUS_OK);
    report_request_free(&request);
    session_free(&session);
}

/* Write the file that a survey of two matrices and of a missing third one leaves. */
static void write_survey(const char *path)
{
    static const char *const names[] = {"gen:laplace2d,n=3", "gen:arrow,n=9"};
    char one[128];
    struct text text = {0};
    survey_line("--kernels=all", NULL, &text);
    report_path(one, sizeof one, "one.jsonl");
    for (int k = 0; k < 2; k++) {
        write_report(names[k], &report_format_jsonl, one);
        text_append(&text, "%s", read_whole(one));
        input_line(names[k], false, 0.5, &text);
    }
    unlink(one);
    error_line("absent.mtx", "No such file or directory", &text);
    input_line("absent.mtx", true, 0, &text);
    assert_false(text.failed);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fwrite(text.data, 1, text.length, file) == text.length);
    assert_int_equal(fclose(file), 0);
    text_free(&text);
}

/* Append all tables in all forms. Returns STATUS_MEMORY like a command. */
static enum status write_sheets(const struct sheets *sheets, struct text *text)
{
    for (const struct sheet_format *const *format = sheet_formats; *format; format++)
        (*format)->write(sheets, "sparsight-survey/1", text);
    return sheets->failed || text->failed ? STATUS_MEMORY : STATUS_OK;
}

/* Count the occurrences of a word in a text, from here on. */
static int count_of(const char *text, const char *word)
{
    int count = 0;
    while ((text = strstr(text, word))) {
        count++;
        text++;
    }
    return count;
}

/* Append all charts with data, and count them. */
static enum status write_charts(const struct collection *collection, const struct sheets *sheets,
                                struct text *text, int *drawn)
{
    struct error error = {0};
    const struct picture_form *form = picture_form_find("svg", "", &error);
    for (int k = 0; sheet_charts[k]; k++) {
        struct error refusal = {0};
        const size_t before = text->length;
        enum status status =
            sheet_chart_write(sheet_charts[k], collection, sheets, form, 400, 300, true, text, &refusal);
        assert_int_equal(status, refusal.status);
        if (status != STATUS_OK && status != STATUS_UNAVAILABLE) return status;
        if (status == STATUS_OK && count_of(text->data + before, "text-anchor=\"end\"") < 2)
            fail_msg("chart %d has no numbers up its axis", k);
        *drawn += status == STATUS_OK;
    }
    return text->failed ? STATUS_MEMORY : STATUS_OK;
}

/* Two rows with two bars each. */
static const struct sheet_chart bars = {
    .title = "Bars",
    .up_title = "times",
    .shape = CHART_BARS,
    .heights = {{"one", "the first", false}, {"two", "the second", false}}};
static struct series_point first[] = {{.x = 41, .y = 3.25, .row = 0}, {.x = 42, .y = 7.5, .row = 1}},
                           second[] = {{.x = 43, .y = 12345, .row = 0}, {.x = 44, .y = 0.0625, .row = 1}};
static struct series both[] = {{.name = "rows", .height = 0, .items = first, .count = 2},
                               {.name = "rows", .height = 1, .items = second, .count = 2}};

static enum status draw_two_rows(const void *subject, struct canvas *canvas, struct error *error)
{
    chart_draw(&bars, &(struct series_list){.items = both, .count = 2, .rows = 2}, canvas);
    return STATUS_OK;
}

/* Each bar has its number beside it, and no other number of its point. */
static void bars_have_their_numbers(void **state)
{
    static const char *const there[] = {">3.25<",   ">7.5<",       ">12,345<",
                                        ">0.0625<", ">the first<", ">the second<"};
    static const char *const absent[] = {">41<", ">42<", ">43<", ">44<"};
    const struct picture picture = {
        .wide = 600, .high = 400, .light = true, .title = "bars", .draw = draw_two_rows};
    struct text text = {0};
    assert_int_equal(picture_svg(&picture, &text, NULL), STATUS_OK);
    for (size_t k = 0; k < sizeof there / sizeof *there; k++)
        if (count_of(text.data, there[k]) != 1) fail_msg("%s is not there once", there[k]);
    for (size_t k = 0; k < sizeof absent / sizeof *absent; k++)
        assert_null(strstr(text.data, absent[k]));
    text_free(&text);
}

/* Write everything about a survey's file. */
static enum status tell_survey(const char *path, struct text *text, int *drawn)
{
    struct collection collection = {0};
    struct sheets sheets = {0};
    struct error error = {0};
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    enum status status = collection_read(file, path, true, &collection, &error);
    fclose(file);
    assert_int_equal(status, error.status);
    if (status == STATUS_OK) {
        figures_append(&collection, &sheets);
        status = write_sheets(&sheets, text);
    }
    if (status == STATUS_OK) status = write_charts(&collection, &sheets, text, drawn);
    sheets_free(&sheets);
    collection_free(&collection);
    return status;
}

static void surveys_survive_failing_allocations(void **state)
{
    char path[128];
    struct text whole = {0};
    int drawn = 0;
    report_path(path, sizeof path, "survey.jsonl");
    write_survey(path);
    assert_int_equal(tell_survey(path, &whole, &drawn), STATUS_OK);
    assert_true(drawn > 0);
    assert_non_null(strstr(whole.data, "absent.mtx"));
    enum status status = STATUS_MEMORY;
    for (long k = 0; status != STATUS_OK; k++) {
        struct text text = {0};
        int again = 0;
        assert_true(k < SWEEP_MAX);
        memory_fail_after(k);
        status = tell_survey(path, &text, &again);
        long failures = memory_failures();
        memory_fail_after(-1);
        assert_int_equal(status, failures ? STATUS_MEMORY : STATUS_OK);
        if (status == STATUS_OK) {
            assert_int_equal(again, drawn);
            assert_string_equal(text.data, whole.data);
        }
        text_free(&text);
    }
    text_free(&whole);
    unlink(path);
}

static enum status tell_compared(const char *const *paths, struct text *text, struct compared *compared)
{
    struct sheets sheets = {0};
    struct error error = {0};
    enum status status = compare_reports(paths, 2, COMPARE_THRESHOLD, 0, &sheets, compared, &error);
    if (status == STATUS_OK) status = write_sheets(&sheets, text);
    sheets_free(&sheets);
    return status;
}

static void comparisons_survive_failing_allocations(void **state)
{
    char base[128], other[128];
    struct text whole = {0};
    struct compared compared = {0};
    report_path(base, sizeof base, "base.json");
    report_path(other, sizeof other, "other.json");
    const char *const paths[] = {base, other};
    write_report("gen:laplace2d,n=3", &report_format_json, base);
    write_report("gen:laplace2d,n=3", &report_format_json, other);
    assert_int_equal(tell_compared(paths, &whole, &compared), STATUS_OK);
    assert_int_equal(compared.pairs, 4);
    enum status status = STATUS_MEMORY;
    for (long k = 0; status != STATUS_OK; k++) {
        struct text text = {0};
        struct compared again = {0};
        assert_true(k < SWEEP_MAX);
        memory_fail_after(k);
        status = tell_compared(paths, &text, &again);
        long failures = memory_failures();
        memory_fail_after(-1);
        assert_int_equal(status, failures ? STATUS_MEMORY : STATUS_OK);
        if (status == STATUS_OK) assert_string_equal(text.data, whole.data);
        text_free(&text);
    }
    text_free(&whole);
    unlink(base);
    unlink(other);
}

/* A long text is shortened to dots and its end, which begins with a whole character. In 40 letters of two
 * bytes and two of one byte, the last 41 bytes would begin within a letter. */
static void texts_are_cut_between_characters(void **state)
{
    static const struct column columns[] = {
        SHEET_TEXT("name", "Its name", ""), SHEET_COUNT("count", "Its count", ""), {.key = NULL}};
    struct sheets sheets = {0};
    struct text name = {0}, kept = {0}, text = {0};
    for (int k = 0; k < 40; k++)
        text_append(&name, "\u00e9");
    text_append(&name, "xx");
    text_append(&kept, "...");
    for (int k = 0; k < 19; k++)
        text_append(&kept, "\u00e9");
    text_append(&kept, "xx");
    sheets_begin(&sheets, "sheet", "Sheet", columns);
    sheets_text(&sheets, name.data);
    sheets_number(&sheets, 5);
    sheet_formats[0]->write(&sheets, "", &text);
    assert_false(sheets.failed || text.failed);
    const char *line = strstr(text.data, kept.data);
    assert_non_null(line);
    assert_true(line - text.data >= 2 && strncmp(line - 2, "  ", 2) == 0);
    /* The columns have their headings; the first is as wide as its text, and numbers end below theirs. */
    assert_non_null(strstr(text.data, "\n  Its name                  Its count\n"));
    assert_non_null(strstr(text.data, "x          5\n"));
    text_free(&name);
    text_free(&kept);
    text_free(&text);
    sheets_free(&sheets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_have_their_numbers),
        cmocka_unit_test(surveys_survive_failing_allocations),
        cmocka_unit_test(comparisons_survive_failing_allocations),
        cmocka_unit_test(texts_are_cut_between_characters),
    };
    return cmocka_run_group_tests_name("report_records", tests, make_report_folder, remove_report_folder);
}
