/* report/saved: faults are reported, and no file does harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "columns/columns.h"
#include "report/json/json.h"
#include "report/saved/saved.h"
#include "support/files.h"
#include "support/saved.h"
#include "support/support.h"

#define ROW(fields) "{" NINE "'kernels': [{" fields "}]}"
#define NAMES "'kernel': 'cpu/csr-omp', 'format': 'csr', 'backend': 'cpu', 'precision': 'f64', "

static void faults_are_told(void **state)
{
    static const struct {
        const char *text;
        int line, column;
        const char *message; /* a part of it */
    } cases[] = {
        {"", 0, 0, "empty"},
        {" \n\n", 0, 0, "empty"},
        {"{'schema':\n 'sparsight-report/1',\n 'matrices': [", 3, 14, "end"},
        {"{" NINE ROWS "}\n{'rows':: 3}\n", 2, 9, "':'"},
        {"{" NINE ROWS "}\n\nhello", 3, 5, "hello"},
        {"{'a': 1, 'a': 2}", 1, 12, "duplicate"},
        {"{'rows': 123456789012345678901234567890}", 1, 39, "too big integer"},
        {"{'rows': 1e999}", 1, 14, "overflow"},
        {"{'schema': 'sparsight-report/7', 'matrices': []}", 0, 0,
         "a report of the schema 'sparsight-report/7'; this version reads sparsight-report/1 and "
         "sparsight-report/2"},
        {"{'schema': 3, 'matrices': []}", 0, 0, "not a report"},
        {"{'schema': 'sparsight-report/1', 'matrices': {}}", 0, 0, "not a report"},
        {"{'schema': 'sparsight-report/1', 'matrices': [4]}", 0, 0, "not a report"},
        {"{'schema': 'sparsight-report/1'}", 0, 0, "not a report"},
        {"[1, 2]", 0, 0, "not a report"},
        {"{'error': 1, 'what': 2}", 0, 0, "not a report"},
        {"{" NINE "'kernels': [7]}", 0, 0, "row 1 of kernels: it is not an object"},
        {"{" NINE "'timing': {'protocol': 'guess'}, " ROWS "}", 0, 0, "timing: protocol is not known"},
        {"{" NINE "'timing': {'read_bandwidth': -1}, " ROWS "}", 0, 0, "read_bandwidth is not 0 or more"},
        {"{" NINE "'timing': {'cache_bytes': 1.5}, " ROWS "}", 0, 0, "cache_bytes is not a whole number"},
        {ROW("'format': 'csr'"), 0, 0, "row 1 of kernels: kernel is not a name"},
        {ROW("'kernel': 'a\\u001b[2J', 'format': 'csr', 'backend': 'a'"), 0, 0, "kernel is not a name"},
        {ROW("'kernel': 'a123456789b123456789c123456789d123456789e123456789f123456789g123', "
             "'format': 'csr', 'backend': 'a'"),
         0, 0, "kernel is not a name of 1 to 63 characters"},
        {ROW("'kernel': 'a', 'format': 'csr', 'backend': {}"), 0, 0, "backend is not text"},
        {ROW("'kernel': 'a', 'format': 'csr', 'backend': 'a', 'precision': 'f16'"), 0, 0,
         "f64, f32, c64 or c32"},
        {ROW(NAMES "'threads': -2"), 0, 0, "threads is not a whole number from 0"},
        {ROW(NAMES "'threads': 99999999999"), 0, 0, "threads is not a whole number from 0"},
        {ROW(NAMES "'threads': '2'"), 0, 0, "threads is not a whole number from 0"},
        {ROW(NAMES "'bytes': 1e300"), 0, 0, "bytes is not a whole number from 0"},
        {ROW(NAMES "'bytes': 9223372036854775808.0"), 0, 0, "bytes is not a whole number from 0"},
        {ROW(NAMES "'samples': 3"), 0, 0, "not there although samples were taken"},
        {ROW(NAMES "'samples': 3, 'time_us': 2, 'high_us': 2"), 0, 0, "not there although samples"},
        {ROW(NAMES "'samples': 3, 'time_us': 2, 'low_us': 2"), 0, 0, "not there although samples"},
        {ROW(NAMES "'samples': 3, 'low_us': 2, 'high_us': 2"), 0, 0, "not there although samples"},
        {ROW(NAMES "'time_us': [3]"), 0, 0, "time_us is not a number"},
        {ROW(NAMES "'time_us': -3"), 0, 0, "time_us is not 0 or more"},
        {ROW(NAMES "'cached': 'yes'"), 0, 0, "cached is not true or false"},
        {ROW(NAMES "'unavailable': 3"), 0, 0, "unavailable is not text"},
        {ROW(NAMES "'estimate': 3"), 0, 0, "estimate is not an object"},
        {ROW(NAMES "'estimate': {'granule': 64}"), 0, 0, "granule is not 32 or 128"},
        {ROW(NAMES "'estimate': {'sampled': -1}"), 0, 0, "sampled is not 0 or more"},
        {ROW(NAMES "'estimate': {'loads': []}"), 0, 0, "loads is not an object"},
        {ROW(NAMES "'estimate': {'loads': {'sectors': -1}}"), 0, 0, "sectors is not a whole number from 0"},
        {ROW(NAMES "'estimate': {'loads': {'sectors': 9223372036854775807}}"), 0, 0, "sectors is not"},
        {ROW(NAMES "'estimate': {'operands': {'x': {'bytes': '1'}}}"), 0, 0, "bytes is not a whole number"},
        {ROW(NAMES "'params': 3"), 0, 0, "params is not an object"},
        {ROW(NAMES "'params': {'a': []}"), 0, 0, "a parameter is not a number or a word"},
        {ROW(NAMES "'params': {'a':1,'b':1,'c':1,'d':1,'e':1,'f':1,'g':1,'h':1,'i':1,'j':1,'k':1,"
                   "'l':1,'m':1,'n':1,'o':1,'p':1,'q':1}"),
         0, 0, "more than 16 parameters"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        struct error error = {0};
        load_standard(&session, MATRIX);
        write_quoted("wrong.json", cases[k].text);
        assert_int_equal(take_saved("wrong.json", &session, &error), STATUS_INPUT);
        assert_string_equal(error.path, "wrong.json");
        if (!strstr(error.message, cases[k].message) || error.line != cases[k].line ||
            error.column != cases[k].column)
            fail_msg("%s: %d:%d: %s", cases[k].text, (int)error.line, (int)error.column, error.message);
        assert_int_equal(session.shown->runs.count, 0);
        session_free(&session);
    }
    struct saved *saved;
    struct error error = {0};
    assert_int_equal(saved_open("nowhere.json", 0, &saved, &error), STATUS_IO);
    assert_null(saved);
}

static long json_left = -1, json_failures;

static void *json_malloc_failing(size_t size)
{
    if (json_left < 0 || json_left-- > 0) return malloc(size);
    json_failures++;
    return NULL;
}

/* Each allocation fails once, ours or jansson's. If jansson has no memory for a string, it reports that a
 * string is missing. */
static void sweep(bool jansson)
{
    enum status status = STATUS_MEMORY;
    write_quoted("swept.json", report_of_elsewhere);
    for (long k = 0; status != STATUS_OK; k++) {
        struct session session;
        struct error error = {0};
        load_standard(&session, MATRIX);
        assert_true(k < 5000);
        json_failures = 0;
        if (jansson) json_set_alloc_funcs(json_malloc_failing, free);
        json_left = jansson ? k : -1;
        memory_fail_after(jansson ? -1 : k);
        status = take_saved("swept.json", &session, &error);
        long failures = jansson ? json_failures : memory_failures();
        memory_fail_after(-1);
        json_left = -1;
        json_set_alloc_funcs(malloc, free);
        if (!(jansson && status == STATUS_INPUT))
            assert_int_equal(status, failures ? STATUS_MEMORY : STATUS_OK);
        assert_int_equal(error.status, status);
        assert_int_equal(session.shown->runs.count, failures ? 0 : 1);
        if (failures && (jansson || k > 0)) assert_string_equal(error.path, "swept.json");
        session_free(&session);
    }
}

static void every_allocation_may_fail(void **state)
{
    sweep(false);
    sweep(true);
}

/* Change, cut off or insert a few bytes of a file. */
static size_t mutate(char *bytes, size_t length, size_t max, uint64_t *seed)
{
    static const char *const pieces[] = {"null",   "-1", "1e308", "[",     "{}", "9223372036854775807",
                                         "\"a\":", ",",  "0",     "false", "\"", "1e-320"};
    for (uint32_t k = 1 + support_random(seed, 3); k > 0 && length > 1; k--) {
        size_t at = support_random(seed, (uint32_t)length);
        const char *piece = pieces[support_random(seed, 12)];
        switch (support_random(seed, 4)) {
        case 0:
            bytes[at] = (char)support_random(seed, 256);
            break;
        case 1: /* replace a value */
            while (at > 0 && bytes[at] != ':')
                at--;
            at++;
            size_t end = at;
            while (end < length && !strchr(",}]\n", bytes[end]))
                end++;
            if (length - end + at + strlen(piece) >= max) break;
            memmove(bytes + at + strlen(piece), bytes + end, length - end);
            memcpy(bytes + at, piece, strlen(piece));
            length = length - end + at + strlen(piece);
            break;
        case 2:
            memmove(bytes + at, bytes + at + 1, length - at - 1);
            length--;
            break;
        default:
            if (support_random(seed, 8) == 0) length = at;
        }
    }
    return length;
}

#ifndef MUTATIONS
#    define MUTATIONS 1000
#endif

/* A changed file gives an error with a message, or results whose numbers can all be shown. */
static void damaged_files_do_no_harm(void **state)
{
    enum { MAX = 8192 };
    uint64_t seed = 20;
    int taken = 0;
    struct session session;
    load_standard(&session, MATRIX);
    for (int k = 0; k < MUTATIONS; k++) {
        char bytes[MAX], words[400];
        struct error error = {0};
        size_t length = strlen(report_of_elsewhere);
        memcpy(bytes, report_of_elsewhere, length);
        for (size_t c = 0; c < length; c++)
            if (bytes[c] == '\'') bytes[c] = '"';
        length = mutate(bytes, length, MAX, &seed);
        files_write("damaged.json", bytes, length);
        if (take_saved("damaged.json", &session, &error) == STATUS_OK) {
            const struct results *results = &session.shown->runs.items[0]->results;
            for (int r = 0; r < results->count; r++)
                for (const struct column *column = kernel_columns; column->key; column++) {
                    json_t *json = value_json(kernel_value(column, results, &results->items[r]));
                    value_text(kernel_value(column, results, &results->items[r]), words, sizeof words);
                    assert_non_null(json);
                    json_decref(json);
                }
            taken++;
        } else {
            assert_int_equal(error.status, STATUS_INPUT);
            assert_true(error.message[0] && strcmp(error.path, "damaged.json") == 0);
        }
        runs_free(&session.shown->runs);
    }
    assert_in_range(taken, MUTATIONS / 20, MUTATIONS - MUTATIONS / 20);
    session_free(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(damaged_files_do_no_harm),
    };
    return cmocka_run_group_tests_name("saved_faults", tests, files_begin, files_end);
}
