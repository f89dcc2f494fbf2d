#include "support/saved.h"

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

#include "base/memory.h"
#include "columns/columns.h"
#include "report/json/json.h"
#include "report/saved/saved.h"
#include "support/files.h"

void load_standard(struct session *session, const char *name)
{
    static const struct load_options standard;
    assert_int_equal(session_load(session, name, &standard, NULL, NULL), STATUS_OK);
}

void write_quoted(const char *path, const char *text)
{
    char *copy = memory_string(text, NULL);
    for (char *c = copy; *c; c++)
        if (*c == '\'') *c = '"';
    files_write(path, copy, strlen(copy));
    free(copy);
}

enum status take_saved(const char *path, struct session *session, struct error *error)
{
    struct saved *saved;
    enum status status = saved_open(path, 0, &saved, error);
    if (status == STATUS_OK) status = saved_add(saved, session->shown, &session->shown->runs, error);
    saved_close(saved);
    return status;
}

void expect_taken(const char *path, struct session *session)
{
    struct error error = {0};
    char text[2000];
    if (take_saved(path, session, &error) != STATUS_OK) fail_msg("%s", error_text(&error, text, sizeof text));
}

/* The tolerance of a column's number. Numbers that derive from times are rounded from seconds to microseconds
 * and back, with 2^-52 each way and in each later step. The spread, a difference of two times as a share of a
 * third, has that tolerance relative to 1. All other numbers are exact. */
static double allowed_error(const struct column *column, double real)
{
    static const char *const timed[] = {"_us", "gflops", "eta_", "read_share", "cmrs.gain", "cmrs.bandwidth"};
    if (strcmp(column->key, "spread") == 0) return 16 * DBL_EPSILON;
    for (size_t k = 0; k < sizeof timed / sizeof *timed; k++)
        if (strstr(column->key, timed[k])) return 8 * DBL_EPSILON * fabs(real);
    return 0;
}

static void expect_json(const struct column *column, const struct results *results,
                        const struct result *result, const json_t *expected)
{
    json_t *found = value_json(kernel_value(column, results, result));
    double real = json_number_value(expected), distance = fabs(json_number_value(found) - real);
    bool equal = json_is_number(found) && json_is_number(expected) ? distance <= allowed_error(column, real)
                                                                   : json_equal(found, expected);
    if (!equal) {
        char *a = json_dumps(found, JSON_ENCODE_ANY), *b = json_dumps(expected, JSON_ENCODE_ANY);
        fail_msg("%s, %s: %s, and not %s", result->name, column->key, a, b);
    }
    json_decref(found);
}

/* The value at a dotted key; NULL if something on the way is null or missing. */
static json_t *at_key(const json_t *row, const char *key)
{
    json_t *value = json_object_get(row, key);
    const char *dot = strchr(key, '.');
    char outer[64];
    if (value || !dot) return value;
    snprintf(outer, sizeof outer, "%.*s", (int)(dot - key), key);
    return at_key(json_object_get(row, outer), dot + 1);
}

void expect_rows(const struct results *results, const json_t *rows)
{
    assert_int_equal(results->count, json_array_size(rows));
    for (int k = 0; k < results->count; k++) {
        const json_t *row = json_array_get(rows, (size_t)k);
        for (const struct column *column = kernel_columns; column->key; column++)
            if (at_key(row, column->key))
                expect_json(column, results, &results->items[k], at_key(row, column->key));
    }
}

const char report_of_elsewhere[] =
    "{'schema': 'sparsight-report/2', 'host': {'cpu': 'Abacus 2'}, 'errors': [], 'matrices': [\n"
    "{'name': 'other', 'rows': 3, 'cols': 3, 'nnz': 3, 'kernels': []},\n"
    "{'name': 'laplace2d,n=3', 'rows': 9, 'cols': 9, 'nnz': 33, 'timing': {'protocol': 'median',\n"
    " 'read_bandwidth': 1e10, 'copy_bandwidth': 2e10}, 'kernels': [\n"
    " {'kernel': 'cpu/csr-omp', 'format': 'csr', 'backend': 'cpu', 'precision': 'f64', 'params': {},\n"
    "  'threads': 2, " TIMES(
        "10") ", 'beta_plus': 1000, 'eta_plus': 0.005, 'read_share': 0.01,\n"
              "  'gflops': 0.0066, 'gflops_cmrs': 0.0057, 'tie': false, 'spread': 0, 'bytes': 900, 'slots': "
              "33,\n"
              "  'break_even': null, 'cached': true, 'unavailable': null},\n"
              " {'kernel': 'moon/csr-vector', 'format': 'csr', 'backend': 'moon', 'precision': 'f64',\n"
              "  'params': {'threads': 8, 'reduce': 'shuffle', 'share': 0.5}, " TIMES(
                  "2") ",\n"
                       "  'beta_plus': 1000, 'eta_plus': null, 'gflops': 0.033, 'break_even': null, "
                       "'cached': false},\n"
                       " {'kernel': 'moon/csr-vector', 'format': 'csr', 'backend': 'moon', 'precision': "
                       "'f64',\n"
                       "  'params': {'threads': 16, 'reduce': 'shared', 'flag': null}, " TIMES(
                           "4") "},\n"
                                " {'kernel': 'moon/zigzag', 'format': 'zigzag', 'backend': 'moon', "
                                "'precision': 'f64',\n"
                                "  'params': {'layout': 3}, " TIMES(
                                    "1") ", 'convert_us': 9.5, 'break_even': 10,\n"
                                         "  'tie': false},\n"
                                         " {'kernel': 'cpu/cmrs-omp', 'format': 'cmrs', 'backend': 'cpu', "
                                         "'precision': 'f32',\n"
                                         "  'params': {'height': 4, 'packed': 0, 'flavour': 7}, 'threads': "
                                         "1, 'samples': null,\n"
                                         "  'unavailable': 'it is Sunday', 'time_us': null, 'gflops': null, "
                                         "'tie': null},\n"
                                         " {'kernel': 'cpu/cmrs-omp', 'format': 'cmrs', 'backend': 'cpu', "
                                         "'precision': 'f32',\n"
                                         "  'params': {'height': 8}, 'threads': 1e0, " TIMES("3.5") "}]}]}\n";
