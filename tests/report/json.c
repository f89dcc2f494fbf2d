/* report/: JSON contains every number, and is valid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "columns/columns.h"
#include "report/host.h"
#include "report/json/json.h"
#include "report/json/write.h"
#include "report/report.h"
#include "support/advising.h"
#include "support/kernels.h"
#include "support/report.h"
#include "support/valid.h"

static void check_histogram(const json_t *histogram, const struct length_count *expected, size_t count)
{
    assert_int_equal(json_array_size(histogram), count);
    for (size_t k = 0; k < count; k++) {
        const json_t *bin = json_array_get(histogram, k);
        assert_true(json_integer_value(json_at(bin, "length")) == expected[k].length);
        assert_true(json_integer_value(json_at(bin, "count")) == expected[k].count);
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
        const char *word = p->type == PARAMETER_WORD ? p->words[(int)expected] : NULL;
        if (word && !strchr("0123456789", word[0]))
            assert_string_equal(json_string_value(number), word);
        else if (word)
            assert_true(json_integer_value(number) == atoi(word));
        else
            assert_true(json_number_value(number) == expected);
        assert_true(json_is_real(number) == (p->type == PARAMETER_REAL));
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

/* Every column has its key, type and value, and so have the lists. */
static void json_has_every_column(void **state)
{
    struct session session;
    load_plain(&session, "gen:arrow,n=7,width=2");
    json_t *object = valid_json(&session);
    assert_non_null(object);
    for (const struct column *column = columns; column->key; column++)
        check_json(json_at(object, column->key), column_value(column, session.shown));
    /* Two full rows of 7, five of two columns and the diagonal. */
    check_histogram(json_at(object, "row_lengths.histogram"), (const struct length_count[]){{3, 5}, {7, 2}},
                    2);
    assert_true(json_is_array(json_at(object, "formats")));
    assert_true(json_is_array(json_at(object, "kernels")) &&
                json_array_size(json_at(object, "kernels")) == 0);
    assert_true(json_is_object(json_at(object, "advice")));
    json_decref(object);
    session_free(&session);
}

/* A row for each variant of each format in each precision, in the order of the table. */
static void json_has_every_format(void **state)
{
    static const char *const precisions[] = {"f64", "f32"};
    const struct report_request both = {.f64 = true, .f32 = true};
    struct session session;
    size_t row = 0;
    load_for_report(&session, "gen:arrow,n=7,width=2", &both);
    json_t *object = valid_json(&session);
    assert_non_null(object);
    const json_t *list = json_at(object, "formats");
    for (int p = 0; p < 2; p++) {
        for (int f = 0; formats[f]; f++) {
            for (int v = 0; formats[f]->variants[v]; v++, row++) {
                const json_t *found = json_array_get(list, row);
                assert_string_equal(json_string_value(json_at(found, "format")), formats[f]->name);
                assert_string_equal(json_string_value(json_at(found, "precision")), precisions[p]);
                assert_true(json_is_null(json_at(found, "convert_us")));
                assert_null(json_at(found, "arrays"));
                const struct conversion *conversion = session.shown->conversions.items[row];
                for (const struct column *column = format_columns; column->key; column++)
                    check_json(json_at(found, column->key), format_value(column, conversion));
            }
        }
    }
    assert_int_equal(json_array_size(list), row);
    json_decref(object);
    session_free(&session);
}

/* A row for each result, of kernels that can run and that cannot. */
static void json_has_every_kernel(void **state)
{
    struct report_request request = request_kernels("csr-seq ell-seq");
    struct session session;
    load_for_report(&session, "gen:arrow,n=3000", &request); /* ELL has 9,000,000 slots, over LIMIT */
    report_request_free(&request);
    json_t *object = valid_json(&session);
    const json_t *list = json_at(object, "kernels");
    assert_int_equal(session.shown->results.count, 4);
    assert_int_equal(json_array_size(list), 4);
    for (size_t k = 0; k < 4; k++) {
        const json_t *found = json_array_get(list, k);
        const struct result *result = &session.shown->results.items[k];
        for (const struct column *column = kernel_columns; column->key; column++)
            if (column->part == &part_run)
                check_json(json_object_get(found, column->key),
                           kernel_value(column, &session.shown->results, result));
        assert_true(json_is_null(json_at(found, "estimate")));
        assert_int_equal(result_timed(result), k % 2 == 0);
    }
    const json_t *refused = json_array_get(list, 1);
    assert_true(json_integer_value(json_at(refused, "slots")) == 9000000);
    assert_true(json_is_null(json_at(refused, "time_us")));
    assert_string_equal(json_string_value(json_at(refused, "params.pad")), "repeat");
    assert_non_null(strstr(json_string_value(json_at(refused, "unavailable")), "the limit is 32.0 MiB"));
    assert_string_equal(json_string_value(json_at(object, "timing.protocol")), "median");
    json_decref(object);
    struct machine *machine = &session.shown->results.machines.host;
    machine->read = 5, machine->read_low = 4, machine->copy = 3, machine->copy_low = 2, machine->cache = 1;
    object = valid_json(&session);
    assert_true(json_real_value(json_at(object, "timing.read_bandwidth")) == 5);
    assert_true(json_real_value(json_at(object, "timing.read_bandwidth_low")) == 4);
    assert_true(json_real_value(json_at(object, "timing.copy_bandwidth")) == 3);
    assert_true(json_real_value(json_at(object, "timing.copy_bandwidth_low")) == 2);
    assert_true(json_integer_value(json_at(object, "timing.cache_bytes")) == 1);
    json_decref(object);
    session_free(&session);
}

/* CSR takes 10 us, ELL 6 us after 35 us: it is faster from 35 / 4 = 8.75 products on; 35 / 4.2 and 35 / 3.8
 * if the times lie at the ends of their intervals. */
static void advice_has_every_number(void **state)
{
    static const struct {
        const char *key;
        double number;
    } numbers[] = {{"us", 6},
                   {"measured_us", 6},
                   {"low_us", 5.9},
                   {"high_us", 6.1},
                   {"convert_us", 35},
                   {"upload_us", 0},
                   {"memory", 52000},
                   {"break_even", 9},
                   {"break_even_low", 9},
                   {"break_even_high", 10}};
    struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    advising_time(advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR), 10e-6, 0.1e-6, 0);
    advising_time(advising_add(results, &kernel_cpu_ell_seq, 36000), 6e-6, 0.1e-6, 35e-6);
    json_t *object = advice_json(&session, session.shown);
    const json_t *list = json_at(object, "f64.cpu.alternatives"), *found = json_array_get(list, 0);
    assert_string_equal(json_string_value(json_at(found, "kernel")), "cpu/ell-seq");
    assert_string_equal(json_string_value(json_at(found, "format")), "ell");
    assert_string_equal(json_string_value(json_at(found, "convert_on")), "host");
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const json_t *number = json_object_get(found, numbers[k].key);
        if (!number || !(fabs(json_number_value(number) - numbers[k].number) < 1e-9))
            fail_msg("%s is %g", numbers[k].key, json_number_value(number));
    }
    assert_true(json_is_false(json_at(found, "forecast")) && json_is_true(json_at(found, "compared")) &&
                json_is_false(json_at(found, "convert_forecast")));
    assert_true(json_is_null(json_at(found, "forecast_us")));
    json_decref(object);
    session_free(&session);
}

/* 30 dense rows of 20 entries: all rows have one length, and all columns another. */
static void rows_and_columns_keep_apart(void **state)
{
    struct session session;
    load_plain(&session, "gen:dense,m=30,n=20");
    json_t *object = valid_json(&session);
    assert_non_null(object);
    check_histogram(json_at(object, "row_lengths.histogram"), (const struct length_count[]){{20, 30}}, 1);
    check_histogram(json_at(object, "col_lengths.histogram"), (const struct length_count[]){{30, 20}}, 1);
    json_decref(object);
    session_free(&session);
}

/* Any written text is JSON, and reads back unchanged. */
static void json_reads_back(void **state)
{
    static const double reals[] = {0.0,     -0.0,         0.1,     1.0 / 3, 5.0,  1e300, DBL_MAX,
                                   DBL_MIN, DBL_TRUE_MIN, -2.5e-7, 1e22,    1e15, 1e16};
    static const char *const strings[] = {"", "plain", "a\"b\\c/d", "tab\tline\nreturn\r\x01\x1e\x1f \x7f",
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
    static const struct {
        const char *bytes, *expected;
    } cases[] = {
        {"a\xff"
         "b",
         "a\xef\xbf\xbd"
         "b"},
        {"\xc3", "\xef\xbf\xbd"},                                 /* cut off */
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* too long a form of '/' */
        {"\xe0\x9f\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* three bytes for U+07FF */
        {"\xe0\xa0\x80", "\xe0\xa0\x80"},
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

/* First lines of the file by the closed and the open kernel module, and other lines. */
static void drivers_have_versions(void **state)
{
    static const char *const lines[][2] = {
        {"NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024\n",
         "550.54.15"},
        {"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  560.35.03  Release Build  (dvs-builder)\n",
         "560.35.03"},
        {"NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86", "570.86"},
        {"NVRM version: unknown 15\n", ""},
        {"  \n", ""},
        {"", ""},
        {"1111111111.2222222222.3333333333.4444444444.5", ""},
    };
    char out[HOST_DRIVER];
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        assert_string_equal(host_driver(lines[k][0], out), lines[k][1]);
}

/* CUDA writes 12.8 as 12080. A number that a driver does not report is null. */
static void gpus_have_the_versions_of_cuda(void **state)
{
    static const struct {
        int driver;
        const char *cuda;
    } cases[] = {{12080, "12.8"}, {12100, "12.10"}, {13000, "13.0"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct device_facts facts = {
            .name = "GPU", .memory = 123, .major = 9, .minor = 0, .driver = cases[k].driver};
        json_t *gpu = host_gpu_json(&facts);
        assert_non_null(gpu);
        assert_string_equal(json_string_value(json_at(gpu, "cuda")), cases[k].cuda);
        assert_string_equal(json_string_value(json_at(gpu, "compute_capability")), "9.0");
        assert_int_equal(json_integer_value(json_at(gpu, "memory")), 123);
        assert_true(json_is_null(json_at(gpu, "vendor_bandwidth")));
        json_decref(gpu);
    }
}

/* In bytes, from the number of pages. */
static void the_memory_of_the_host_is_in_bytes(void **state)
{
    json_t *host = host_json();
    assert_non_null(host);
    json_int_t memory = json_integer_value(json_at(host, "memory")), page = sysconf(_SC_PAGESIZE);
    assert_true(memory / page == sysconf(_SC_PHYS_PAGES) && memory % page == 0);
    json_decref(host);
}

static void a_json_report_is_one_document(void **state)
{
    char path[128];
    report_path(path, sizeof path, "report.json");
    report_of_two("json", path, STATUS_OK);
    valid_file(path);
    json_t *document = json_load_file(path, 0, NULL);
    assert_non_null(document);
    assert_string_equal(json_string_value(json_at(document, "schema")), "sparsight-report/2");
    assert_true(json_is_string(json_at(document, "version")));
    assert_true(json_integer_value(json_at(document, "host.cpus")) >= 1);
    assert_int_equal(json_array_size(json_at(document, "matrices")), 2);
    assert_string_equal(json_string_value(json_at(json_array_get(json_at(document, "matrices"), 1), "path")),
                        "gen:arrow,n=4");
    const json_t *failure = json_array_get(json_at(document, "errors"), 0);
    assert_int_equal(json_array_size(json_at(document, "errors")), 1);
    assert_string_equal(json_string_value(json_at(failure, "path")), "bad.mtx");
    assert_int_equal(json_integer_value(json_at(failure, "line")), 3);
    assert_int_equal(json_integer_value(json_at(failure, "column")), 7);
    assert_string_equal(json_string_value(json_at(failure, "message")), "a row of 0");
    json_decref(document);
    unlink(path);
}

static void json_lines_are_one_each(void **state)
{
    char path[128];
    report_path(path, sizeof path, "report.jsonl");
    report_of_two("jsonl", path, STATUS_OK);
    valid_file(path);
    char *text = read_whole(path);
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
    char path[128];
    struct session session;
    struct report_request request = request_kernels("csr-seq");
    assert_int_equal(format_list_add(&request.arrays, "csr", NULL), STATUS_OK);
    load_for_report(&session, "gen:laplace2d,n=2", &request);
    report_request_free(&request);
    report_path(path, sizeof path, "swept");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_every_column),
        cmocka_unit_test(json_has_every_format),
        cmocka_unit_test(json_has_every_kernel),
        cmocka_unit_test(advice_has_every_number),
        cmocka_unit_test(rows_and_columns_keep_apart),
        cmocka_unit_test(json_reads_back),
        cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
        cmocka_unit_test(gpus_have_the_versions_of_cuda),
        cmocka_unit_test(drivers_have_versions),
        cmocka_unit_test(the_memory_of_the_host_is_in_bytes),
        cmocka_unit_test(a_json_report_is_one_document),
        cmocka_unit_test(json_lines_are_one_each),
        cmocka_unit_test(json_survives_failing_allocations),
    };
    return cmocka_run_group_tests_name("report_json", tests, make_report_folder, remove_report_folder);
}
