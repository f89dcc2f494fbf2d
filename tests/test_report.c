/* report/: JSON and text of a matrix, and files that appear whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"
#include "columns.h"
#include "report/json_write.h"
#include "report/parts.h"
#include "report/report.h"

static char folder[] = "/tmp/sparsight-report-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void make_path(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", folder, name);
}

/* Formats that would take more are refused: ELL of an arrow has as many slots as the dense matrix. */
#define LIMIT ((size_t)32 << 20)

static void load_with(struct session *session, const char *name, const struct report_request *request)
{
    struct load_options options = {.limit = LIMIT};
    struct error error = {0};
    assert_int_equal(session_load(session, name, &options, NULL, &error), STATUS_OK);
    assert_int_equal(report_prepare(session, request, NULL, &error), STATUS_OK);
}

static void load(struct session *session, const char *name)
{
    static const struct report_request nothing;
    load_with(session, name, &nothing);
}

/* Everything that can be asked for, of all formats. */
static struct report_request everything(void)
{
    struct report_request request = {.f64 = true, .f32 = true};
    assert_int_equal(format_list_add(&request.convert, "all", NULL), STATUS_OK);
    assert_int_equal(format_list_add(&request.arrays, "all", NULL), STATUS_OK);
    return request;
}

static char *slurp(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    fclose(file);
    return text;
}

/* The value at a dotted key. */
static const json_t *at(const json_t *object, const char *key)
{
    char name[64];
    const char *dot = strchr(key, '.');
    if (!dot) return json_object_get(object, key);
    snprintf(name, sizeof name, "%.*s", (int)(dot - key), key);
    return at(json_object_get(object, name), dot + 1);
}

static void check_histogram(const json_t *histogram, const struct length_count *expected, size_t count)
{
    assert_int_equal(json_array_size(histogram), count);
    for (size_t k = 0; k < count; k++) {
        const json_t *bin = json_array_get(histogram, k);
        assert_true(json_integer_value(at(bin, "length")) == expected[k].length);
        assert_true(json_integer_value(at(bin, "count")) == expected[k].count);
    }
}

/* An object that holds all parameters, numbers as numbers and choices as words. */
static void check_parameters(const json_t *found, struct value value)
{
    size_t count = 0;
    assert_true(json_is_object(found));
    for (const struct parameter *p = value.parameters; p->name; p++, count++) {
        const json_t *number = json_object_get(found, p->name);
        double expected = value.numbers[count];
        bool word = p->choices && !strchr("0123456789", p->choices[(int)expected][0]);
        if (word)
            assert_string_equal(json_string_value(number), p->choices[(int)expected]);
        else if (p->choices)
            assert_true(json_integer_value(number) == atoi(p->choices[(int)expected]));
        else
            assert_true(json_number_value(number) == expected);
        assert_true(json_is_real(number) == (!p->choices && !p->integer));
    }
    assert_int_equal(json_object_size(found), count);
}

static void check_json(const json_t *found, struct value value)
{
    assert_non_null(found);
    if (value.type == VALUE_TEXT) assert_string_equal(json_string_value(found), value.text);
    if (value.type == VALUE_INTEGER) {
        assert_true(json_is_integer(found));
        assert_true(json_integer_value(found) == value.integer);
    }
    if (value.type == VALUE_REAL) assert_true(json_real_value(found) == value.real);
    if (value.type == VALUE_PARAMETERS) check_parameters(found, value);
    if (value.type == VALUE_BOOLEAN)
        assert_true(json_is_boolean(found) && json_is_true(found) == value.boolean);
    if (value.type == VALUE_NULL) assert_true(json_is_null(found));
}

/* Every column stands at its key with its type and value; so do the lists. */
static void json_has_every_column(void **state)
{
    (void)state;
    struct session session;
    load(&session, "gen:arrow,n=7,width=2");
    json_t *object = report_json(&session);
    assert_non_null(object);
    for (const struct column *column = columns; column->key; column++)
        check_json(at(object, column->key), column_value(column, &session));
    /* Two full rows of 7, five of two columns and the diagonal. */
    check_histogram(at(object, "row_lengths.histogram"), (const struct length_count[]){{3, 5}, {7, 2}}, 2);
    assert_true(json_is_array(at(object, "formats")));
    assert_true(json_is_array(at(object, "kernels")) && json_array_size(at(object, "kernels")) == 0);
    assert_true(json_is_object(at(object, "advice")));
    json_decref(object);
    session_free(&session);
}

/* A row for each variant of each format in each precision, in the order of the table. */
static void json_has_every_format(void **state)
{
    (void)state;
    static const char *const precisions[] = {"f64", "f32"};
    const struct report_request both = {.f64 = true, .f32 = true};
    struct session session;
    size_t row = 0;
    load_with(&session, "gen:arrow,n=7,width=2", &both);
    json_t *object = report_json(&session);
    assert_non_null(object);
    const json_t *list = at(object, "formats");
    for (int p = 0; p < 2; p++) {
        for (int f = 0; formats[f]; f++) {
            for (int v = 0; formats[f]->variants[v]; v++, row++) {
                const json_t *found = json_array_get(list, row);
                assert_string_equal(json_string_value(at(found, "format")), formats[f]->name);
                assert_string_equal(json_string_value(at(found, "precision")), precisions[p]);
                assert_true(json_is_null(at(found, "convert_us")));
                assert_null(at(found, "arrays"));
                const struct conversion *conversion = session.conversions.items[row];
                for (const struct column *column = format_columns; column->key; column++)
                    check_json(json_object_get(found, column->key), format_value(column, conversion));
            }
        }
    }
    assert_int_equal(json_array_size(list), row);
    json_decref(object);
    session_free(&session);
}

/* Two samples of these kernels, in both precisions. */
static struct report_request request_kernels(const char *list)
{
    struct report_request request = {
        .f64 = true, .f32 = true, .timing = {.repeat = 2, .least_seconds = 1e-9}};
    assert_int_equal(kernel_list_add(&request.kernels, list, NULL), STATUS_OK);
    return request;
}

/* A row for each result, of what can run and what cannot. */
static void json_has_every_kernel(void **state)
{
    (void)state;
    struct report_request request = request_kernels("csr-seq ell-seq");
    struct session session;
    load_with(&session, "gen:arrow,n=3000", &request); /* ELL has 9,000,000 slots, over LIMIT */
    report_request_free(&request);
    json_t *object = report_json(&session);
    const json_t *list = at(object, "kernels");
    assert_int_equal(session.results.count, 4);
    assert_int_equal(json_array_size(list), 4);
    for (size_t k = 0; k < 4; k++) {
        const json_t *found = json_array_get(list, k);
        const struct result *result = &session.results.items[k];
        for (const struct column *column = kernel_columns; column->key; column++)
            check_json(json_object_get(found, column->key), kernel_value(column, &session.results, result));
        assert_true(json_is_null(at(found, "estimate")));
        assert_int_equal(result_timed(result), k % 2 == 0);
    }
    const json_t *refused = json_array_get(list, 1);
    assert_true(json_integer_value(at(refused, "slots")) == 9000000);
    assert_true(json_is_null(at(refused, "time_us")));
    assert_string_equal(json_string_value(at(refused, "params.pad")), "repeat");
    assert_non_null(strstr(json_string_value(at(refused, "unavailable")), "the limit is 32.0 MiB"));
    assert_string_equal(json_string_value(at(object, "timing.protocol")), "median");
    json_decref(object);
    session_free(&session);
}

/* What was asked for is built; what is shown is kept, and only that. */
static void what_is_shown_is_kept(void **state)
{
    (void)state;
    struct report_request request = {0};
    struct session session;
    assert_int_equal(format_list_add(&request.convert, "all", NULL), STATUS_OK);
    assert_int_equal(format_list_add(&request.arrays, "csr", NULL), STATUS_OK);
    load_with(&session, "gen:laplace2d,n=5", &request);
    int count = atomic_load(&session.conversions.count), shown = 0;
    for (int k = 0; k < count; k++) {
        const struct conversion *conversion = session.conversions.items[k];
        bool kept = strcmp(conversion->name, "csr") == 0;
        assert_int_equal(conversion->precision, PRECISION_F64);
        assert_int_equal(conversion_state(conversion), kept ? CONVERSION_BUILT : CONVERSION_PLANNED);
        assert_true(conversion->seconds >= 0);
        for (int q = 0; q < conversion->storage.count; q++)
            assert_true(kept || !conversion->storage.array[q].data);
    }
    int k = 0;
    while (report_shown(&session, &k))
        shown++;
    assert_int_equal(shown, 1);
    report_request_free(&request);
    session_free(&session);
}

/* What cannot even be planned has no size; text says why below the table, JSON in its row. */
static void what_cannot_be_planned_has_no_size(void **state)
{
    (void)state;
    struct session session;
    struct text text = {0};
    load(&session, "gen:laplace2d,n=2");
    struct conversion *conversion = session.conversions.items[0];
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
    json_t *list = formats_json(&session);
    const json_t *found = json_array_get(list, 0);
    assert_string_equal(json_string_value(at(found, "refused")), conversion->refusal.message);
    assert_true(json_is_null(at(found, "bytes")) && json_is_null(at(found, "padding_ratio")));
    assert_true(json_is_object(at(found, "params")));
    json_decref(list);
    text_free(&text);
    session_free(&session);
}

static void long_words_are_wrapped(void **state)
{
    (void)state;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    char words[512], expected[512];
    struct text text = {0};
    append_wrapped(&text, "short", 78, 2);
    append_wrapped(&text, "", 0, 2);
    /* 52 letters to a word: one a line, broken after the comma; 104 in one are cut at the 80th column. */
    snprintf(words, sizeof words, "%s,%s %s%s", letters, letters, letters, letters);
    append_wrapped(&text, words, 10, 4);
    snprintf(expected, sizeof expected, "sh\n  ort\n\n%s,\n    %s\n    %s%.24s\n    %s\n", letters, letters,
             letters, letters, letters + 24);
    assert_string_equal(text.data, expected);
    text_free(&text);
}

/* 30 dense rows of 20: one length each way, and not the same. */
static void rows_and_columns_keep_apart(void **state)
{
    (void)state;
    struct session session;
    load(&session, "gen:dense,m=30,n=20");
    json_t *object = report_json(&session);
    assert_non_null(object);
    check_histogram(at(object, "row_lengths.histogram"), (const struct length_count[]){{20, 30}}, 1);
    check_histogram(at(object, "col_lengths.histogram"), (const struct length_count[]){{30, 20}}, 1);
    json_decref(object);
    session_free(&session);
}

/* Whatever is written is JSON, and reads back as it was. */
static void json_reads_back(void **state)
{
    (void)state;
    static const double reals[] = {0.0,     -0.0,         0.1,     1.0 / 3, 5.0,  1e300, DBL_MAX,
                                   DBL_MIN, DBL_TRUE_MIN, -2.5e-7, 1e22,    1e15, 1e16};
    static const char *const strings[] = {"", "plain", "a\"b\\c/d", "tab\tline\nreturn\r\x01\x7f",
                                          "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82"};
    static const json_int_t integers[] = {0, -1, INT64_MAX, INT64_MIN};
    json_t *list = json_array();
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        json_array_append_new(list, json_real(reals[k]));
    for (size_t k = 0; k < sizeof strings / sizeof *strings; k++)
        json_array_append_new(list, json_from_bytes(strings[k]));
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++)
        json_array_append_new(list, json_integer(integers[k]));
    json_array_append_new(list, json_pack("{s:n, s:b, s:[], s:{}, s:[{s:i}]}", "null", "yes", 1, "list",
                                          "object", "inner", "k", 7));
    for (int compact = 0; compact < 2; compact++) {
        struct text text = {0};
        json_write(list, compact, &text);
        assert_false(text.failed);
        assert_true(!compact == (strchr(text.data, '\n') != NULL));
        json_error_t error;
        json_t *back = json_loads(text.data, 0, &error);
        if (!back) fail_msg("%s in %s", error.text, text.data);
        assert_true(json_equal(list, back));
        for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
            assert_memory_equal(&(double){json_real_value(json_array_get(back, k))}, &reals[k], 8);
        json_decref(back);
        text_free(&text);
    }
    json_decref(list);
}

static void bytes_that_are_not_utf8_are_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *expected;
    } cases[] = {
        {"a\xff"
         "b",
         "a\xef\xbf\xbd"
         "b"},
        {"\xc3", "\xef\xbf\xbd"},                                                 /* cut off */
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                                 /* too long a form of '/' */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},                 /* a surrogate */
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* beyond U+10FFFF */
        {"\xe2\x82\xac", "\xe2\x82\xac"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        json_t *string = json_from_bytes(cases[k].bytes);
        assert_non_null(string);
        assert_string_equal(json_string_value(string), cases[k].expected);
        json_decref(string);
    }
}

static void report_of_two(const char *format_name, const char *path, enum status expected)
{
    struct error error = {0}, failure = {0};
    struct report report;
    struct session session;
    const struct report_format *format = report_format_find(format_name, &error);
    assert_non_null(format);
    assert_int_equal(report_open(&report, format, path, &error), STATUS_OK);
    load(&session, "gen:laplace2d,n=3");
    enum status status = report_matrix(&report, &session, &error);
    session_free(&session);
    error_at(&failure, STATUS_INPUT, "bad.mtx", 3, 7, "a row of %d", 0);
    if (status == STATUS_OK) status = report_failure(&report, &failure, &error);
    load(&session, "gen:arrow,n=4");
    if (status == STATUS_OK) status = report_matrix(&report, &session, &error);
    session_free(&session);
    if (status == STATUS_OK) status = report_close(&report, &error);
    report_abandon(&report);
    assert_int_equal(status, expected);
    assert_int_equal(error.status, expected);
}

static void a_json_report_is_one_document(void **state)
{
    (void)state;
    char path[128];
    make_path(path, sizeof path, "report.json");
    report_of_two("json", path, STATUS_OK);
    json_t *document = json_load_file(path, 0, NULL);
    assert_non_null(document);
    assert_string_equal(json_string_value(at(document, "schema")), "sparsight-report/1");
    assert_true(json_is_string(at(document, "version")));
    assert_true(json_integer_value(at(document, "host.cpus")) >= 1);
    assert_int_equal(json_array_size(at(document, "matrices")), 2);
    assert_string_equal(json_string_value(at(json_array_get(at(document, "matrices"), 1), "path")),
                        "gen:arrow,n=4");
    const json_t *failure = json_array_get(at(document, "errors"), 0);
    assert_int_equal(json_array_size(at(document, "errors")), 1);
    assert_string_equal(json_string_value(at(failure, "path")), "bad.mtx");
    assert_int_equal(json_integer_value(at(failure, "line")), 3);
    assert_int_equal(json_integer_value(at(failure, "column")), 7);
    assert_string_equal(json_string_value(at(failure, "message")), "a row of 0");
    json_decref(document);
    unlink(path);
}

static void json_lines_are_one_each(void **state)
{
    (void)state;
    char path[128];
    make_path(path, sizeof path, "report.jsonl");
    report_of_two("jsonl", path, STATUS_OK);
    char *text = slurp(path);
    static const char *const key[] = {"name", "error", "name"};
    for (int k = 0; k < 3; k++) {
        char *end = strchr(text, '\n');
        assert_non_null(end);
        *end = 0;
        json_t *line = json_loads(text, 0, NULL);
        assert_non_null(line);
        assert_non_null(json_object_get(line, key[k]));
        json_decref(line);
        text = end + 1;
    }
    assert_string_equal(text, "");
    unlink(path);
}

static void check_fits(const char *name, const struct session *session)
{
    struct text text = {0};
    report_text(session, &text);
    assert_false(text.failed);
    for (const char *line = text.data; *line;) {
        size_t length = strcspn(line, "\n");
        if (length > 80) fail_msg("%s: %zu columns: %.*s", name, length, (int)length, line);
        assert_true(length == 0 || line[length - 1] != ' ');
        for (size_t c = 0; c < length; c++)
            assert_true(line[c] >= ' ' && line[c] < 0x7f);
        line += length + 1;
    }
    text_free(&text);
}

/* 80 columns of printable characters, whatever the matrix; no blanks at the ends of lines. */
static void text_fits_a_terminal(void **state)
{
    (void)state;
    static const char *const names[] = {"gen:laplace2d,n=5", "gen:powerlaw", "gen:arrow,n=30000",
                                        "gen:random,mean=300,spread=200", "gen:permutation,n=3"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct session session;
        struct report_request request = everything();
        if (k) format_list_free(&request.arrays);
        load_with(&session, names[k], &request);
        report_request_free(&request);
        check_fits(names[k], &session);
        session_free(&session);
    }
}

/* Numbers as long as they get, and a name with a line of its own. */
static void text_of_kernels_fits(void **state)
{
    (void)state;
    struct report_request request = request_kernels("csr-* sell-seq:c=1000,sigma=2147483647");
    struct session session;
    load_with(&session, "gen:laplace2d,n=5", &request);
    report_request_free(&request);
    check_fits("kernels", &session);
    for (int k = 0; k < session.results.count; k++) {
        struct result *result = &session.results.items[k];
        struct samples *samples = &result->samples;
        samples->time = samples->median = k % 2 ? 12345.678 : 1.23e-7;
        samples->low = samples->time / 2;
        samples->high = samples->time * 1e3;
        result->threads = 1024;
        result->flops = k % 2 ? 1.2345e-3 : 1.2345e15;
        result->bytes.plus = 1.2345e15;
        result->size.padding_ratio = 123456.789;
        result->convert_seconds = 1e5;
    }
    session.results.machine.read = 1e12;
    check_fits("long numbers", &session);
    session_free(&session);
}

/* A result that took so long, its median between low and high. */
static void set_time(struct result *result, double low, double time, double high)
{
    result->samples.low = low;
    result->samples.time = result->samples.median = time;
    result->samples.high = high;
}

/* The fastest first, ties with it marked, what did not run below with its reason. */
static void kernels_stand_by_time(void **state)
{
    (void)state;
    struct report_request request = request_kernels("csr-seq csr-omp csr-balanced coo-seq");
    struct session session;
    struct text text = {0};
    request.f32 = false;
    load_with(&session, "gen:laplace2d,n=5", &request);
    report_request_free(&request);
    struct result *items = session.results.items;
    set_time(&items[0], 3, 3, 3);
    set_time(&items[1], 1, 1, 2.5);
    set_time(&items[2], 2, 2, 2);
    items[3].status = error_set(&items[3].error, STATUS_INPUT, "row 7 is wrong");
    session.results.machine.read = session.results.machine.read_low = 4e9;
    report_text(&session, &text);
    const char *table = strstr(text.data, "\nKernels, f64 "), *line[4];
    static const char *const starts[] = {"\n= cpu/csr-omp ", "\n= cpu/csr-balanced ", "\n  cpu/csr-seq ",
                                         "\n! cpu/coo-seq: row 7 is wrong\n"};
    assert_non_null(table);
    for (int k = 0; k < 4; k++) {
        line[k] = strstr(table, starts[k]);
        assert_non_null(line[k]);
        assert_true(k == 0 || line[k] > line[k - 1]);
    }
    assert_non_null(strstr(table, "\n= a tie: "));
    assert_non_null(strstr(text.data, "\n  memory: read 4 GB/s, "));
    assert_null(strstr(text.data, "reading fell"));
    text_free(&text);
    session.results.machine.read_low = 2e9;
    items[1].samples.high = 1;
    report_text(&session, &text);
    assert_non_null(strstr(text.data, "\n! reading fell to 2 GB/s in between: something else was running\n"));
    assert_null(strstr(text.data, "= a tie"));
    assert_non_null(strstr(text.data, "\n  cpu/csr-omp "));
    text_free(&text);
    session_free(&session);
}

/* arrow,n=1000: a row of 1000 and 999 of 2. The ranges of a histogram hold every row once. */
static void text_shows_the_numbers(void **state)
{
    (void)state;
    struct session session;
    struct text text = {0};
    load(&session, "gen:arrow,n=1000");
    report_text(&session, &text);
    assert_non_null(strstr(text.data, "1,000 x 1,000, real general\n"));
    assert_non_null(strstr(text.data, "  Entries                               2,998\n"));
    assert_non_null(strstr(text.data, "  Lower bandwidth                         999  diagonals\n"));
    assert_non_null(
        strstr(text.data, "  Maximum                               1,000            1,000  entries\n"));
    assert_non_null(strstr(text.data, "                2  ########################################"
                                      "         999  99.90%\n"));
    assert_non_null(strstr(text.data, "            1,000  #                                       "
                                      "           1   0.10%\n"));
    text_free(&text);
    session_free(&session);
}

/* An integer with its thousands separators, read from the end of line[0..length-1] backwards. */
static int64_t read_count(const char *line, size_t length)
{
    int64_t count = 0, place = 1;
    while (length && (line[length - 1] == ',' || (line[length - 1] >= '0' && line[length - 1] <= '9')))
        if (line[--length] != ',') {
            count += place * (line[length] - '0');
            place *= 10;
        }
    return count;
}

/* Whatever the ranges are, they ascend without overlap, and every row is in one of them. */
static void the_histogram_holds_every_row(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t rows, longest;
    } cases[] = {{"gen:laplace2d,n=5", 25, 5},
                 {"gen:powerlaw", 1024, 1023},
                 {"gen:random,mean=300,spread=200", 1000, 500},
                 {"gen:random,mean=15,spread=12", 1000, 27},
                 {"gen:arrow,n=30000", 30000, 30000},
                 {"gen:banded,lower=0,n=3", 3, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        struct text text = {0};
        load(&session, cases[k].name);
        report_text(&session, &text);
        const char *line = strstr(text.data, "Row length ");
        assert_non_null(line);
        int64_t rows = 0, last = -1;
        for (line = strchr(line, '\n') + 1; *line != '\n'; line += strcspn(line, "\n") + 1) {
            size_t dash = strcspn(line, "-\n");
            int64_t least = read_count(line, dash < 17 ? dash : 17);
            assert_true(least > last);
            last = read_count(line, 17);
            assert_true(last >= least);
            rows += read_count(line, 17 + 2 + 40 + 1 + 11);
        }
        assert_int_equal(rows, cases[k].rows);
        assert_true(last <= 2 * cases[k].longest);
        text_free(&text);
        session_free(&session);
    }
}

static void unknown_formats_are_told_what_there_is(void **state)
{
    (void)state;
    struct error error = {0};
    assert_null(report_format_find("xml", &error));
    assert_int_equal(error.status, STATUS_USAGE);
    assert_string_equal(error.message, "unknown format 'xml'; there are: text, json, jsonl, csv, markdown");
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Until the end the old file is there, and an abandoned one leaves nothing in the folder. */
static void files_are_whole_or_not_there(void **state)
{
    (void)state;
    char path[128], link_path[128];
    struct output output;
    struct error error = {0};
    struct stat found;
    make_path(path, sizeof path, "file");
    make_path(link_path, sizeof link_path, "link");
    assert_int_equal(output_open(&output, path, &error), STATUS_OK);
    assert_int_equal(output_write(&output, "half", 4, &error), STATUS_OK);
    assert_int_equal(stat(path, &found), -1);
    output_abandon(&output);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(mkdir(folder, 0700), 0);

    write_file(path, "old");
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("file", link_path), 0);
    assert_int_equal(output_open(&output, link_path, &error), STATUS_OK);
    assert_int_equal(output_write(&output, "new", 3, &error), STATUS_OK);
    assert_string_equal(slurp(path), "old");
    assert_int_equal(output_commit(&output, &error), STATUS_OK);
    assert_string_equal(slurp(path), "new");
    assert_int_equal(lstat(link_path, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0640);

    assert_int_equal(output_open(&output, path, &error), STATUS_OK);
    assert_int_equal(output_write(&output, "half", 4, &error), STATUS_OK);
    output_signalled(); /* what a signal handler does */
    unlink(link_path);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    output_abandon(&output);
}

static void outputs_that_cannot_be_written(void **state)
{
    (void)state;
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

/* Every allocation on the way fails once. Those of a format that is planned or built make it refused, if it
 * cannot do without; all others end the preparation. */
static void preparing_survives_failing_allocations(void **state)
{
    (void)state;
    struct load_options options = {0};
    struct report_request request = everything();
    bool failed = true;
    int most_refused = 0;
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
        for (int c = 0; c < atomic_load(&session.conversions.count); c++)
            refused += conversion_state(session.conversions.items[c]) == CONVERSION_REFUSED;
        assert_true(refused == 0 || (failed && status == STATUS_OK));
        most_refused = refused > most_refused ? refused : most_refused;
        session_free(&session);
    }
    assert_true(most_refused > 0);
    report_request_free(&request);
}

static enum status try_report(const struct report_format *format, const char *path,
                              const struct session *session, struct error *error)
{
    struct report report;
    struct error failure = {.status = STATUS_IO, .path = "x", .message = "y"};
    enum status status = report_open(&report, format, path, error);
    if (status == STATUS_OK) status = report_matrix(&report, session, error);
    if (status == STATUS_OK) status = report_failure(&report, &failure, error);
    if (status == STATUS_OK) status = report_close(&report, error);
    report_abandon(&report);
    return status;
}

/* jansson's allocations fail one after another, as ours do elsewhere. */
static long json_left = -1;
static long json_failures;

static void *json_malloc_failing(size_t size)
{
    if (json_left < 0 || json_left-- > 0) return malloc(size);
    json_failures++;
    return NULL;
}

static void json_survives_failing_allocations(void **state)
{
    (void)state;
    char path[128];
    struct session session;
    struct report_request request = request_kernels("csr-seq");
    assert_int_equal(format_list_add(&request.arrays, "csr", NULL), STATUS_OK);
    load_with(&session, "gen:laplace2d,n=2", &request);
    report_request_free(&request);
    make_path(path, sizeof path, "swept");
    json_set_alloc_funcs(json_malloc_failing, free);
    for (const struct report_format *const *format = report_formats; *format; format++) {
        enum status status = STATUS_MEMORY;
        for (long k = 0; status != STATUS_OK; k++) {
            struct error error = {0};
            assert_true(k < 10000);
            json_failures = 0;
            json_left = k;
            status = try_report(*format, path, &session, &error);
            json_left = -1;
            assert_int_equal(status, json_failures ? STATUS_MEMORY : STATUS_OK);
            assert_int_equal(error.status, status);
            assert_int_equal(access(path, F_OK), status == STATUS_OK ? 0 : -1);
        }
        unlink(path);
    }
    json_set_alloc_funcs(malloc, free);
    session_free(&session);
}

static void reports_survive_failing_allocations(void **state)
{
    (void)state;
    char path[128];
    struct session session;
    struct report_request request = request_kernels("csr-seq");
    assert_int_equal(format_list_add(&request.arrays, "csr", NULL), STATUS_OK);
    load_with(&session, "gen:laplace2d,n=2", &request);
    report_request_free(&request);
    make_path(path, sizeof path, "swept");
    for (const struct report_format *const *format = report_formats; *format; format++) {
        enum status status = STATUS_MEMORY;
        for (long k = 0; status != STATUS_OK; k++) {
            struct error error = {0};
            assert_true(k < 1000);
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
        cmocka_unit_test(json_has_every_column),
        cmocka_unit_test(json_has_every_format),
        cmocka_unit_test(json_has_every_kernel),
        cmocka_unit_test(what_is_shown_is_kept),
        cmocka_unit_test(what_cannot_be_planned_has_no_size),
        cmocka_unit_test(long_words_are_wrapped),
        cmocka_unit_test(rows_and_columns_keep_apart),
        cmocka_unit_test(json_reads_back),
        cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
        cmocka_unit_test(a_json_report_is_one_document),
        cmocka_unit_test(json_lines_are_one_each),
        cmocka_unit_test(text_fits_a_terminal),
        cmocka_unit_test(text_of_kernels_fits),
        cmocka_unit_test(kernels_stand_by_time),
        cmocka_unit_test(text_shows_the_numbers),
        cmocka_unit_test(the_histogram_holds_every_row),
        cmocka_unit_test(unknown_formats_are_told_what_there_is),
        cmocka_unit_test(files_are_whole_or_not_there),
        cmocka_unit_test(outputs_that_cannot_be_written),
        cmocka_unit_test(preparing_survives_failing_allocations),
        cmocka_unit_test(json_survives_failing_allocations),
        cmocka_unit_test(reports_survive_failing_allocations),
    };
    return cmocka_run_group_tests_name("report", tests, make_folder, remove_folder);
}
