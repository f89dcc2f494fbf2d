/* report/saved: reports that are read back have every number that they were written with, kernels of other
 * builds are kept, and no file does harm. */
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
#include "report/report.h"
#include "report/saved/saved.h"
#include "support/files.h"
#include "support/preparing.h"
#include "support/support.h"

#define MATRIX "gen:laplace2d,n=3" /* 9 x 9 with 33 entries */

static void load(struct session *session, const char *name)
{
    static const struct load_options standard;
    assert_int_equal(session_load(session, name, &standard, NULL, NULL), STATUS_OK);
}

/* Write a text in which ' stands for ". */
static void write_text(const char *path, const char *text)
{
    char *copy = memory_string(text, NULL);
    for (char *c = copy; *c; c++)
        if (*c == '\'') *c = '"';
    files_write(path, copy, strlen(copy));
    free(copy);
}

/* Open a file and add what it has on the session's matrix. */
static enum status take(const char *path, struct session *session, struct error *error)
{
    struct saved *saved;
    enum status status = saved_open(path, 0, &saved, error);
    if (status == STATUS_OK) status = saved_add(saved, &session->shown->matrix, &session->shown->runs, error);
    saved_close(saved);
    return status;
}

static void expect_taken(const char *path, struct session *session)
{
    struct error error = {0};
    char text[2000];
    if (take(path, session, &error) != STATUS_OK) fail_msg("%s", error_text(&error, text, sizeof text));
}

/* --- what is written is read --- */

/* Run kernels, and write the report. */
static void run_and_write(struct session *session, const char *list, const struct bench_options *options,
                          const char *path)
{
    static const enum precision precisions[] = {PRECISION_F64, PRECISION_F32};
    struct kernel_list chosen = {0};
    struct report report;
    assert_int_equal(kernel_list_add(&chosen, list, NULL), STATUS_OK);
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < chosen.count; k++)
            assert_int_equal(results_want(&session->shown->results,
                                          &(struct kernel_choice[]){
                                              kernel_choice_with(&chosen.choices[k], precisions[p], 2)}[0],
                                          NULL),
                             STATUS_OK);
    assert_int_equal(results_run(&session->shown->results, &session->shown->pool, options, NULL, NULL),
                     STATUS_OK);
    assert_int_equal(session_need(session, REPORT_NEEDS | SESSION_GPU, NULL, NULL), STATUS_OK);
    const struct estimate_options estimates = {.gpu = &session->gpu, .limit = options->limit};
    assert_int_equal(
        results_estimate(&session->shown->results, &session->shown->pool, &estimates, NULL, NULL), STATUS_OK);
    assert_int_equal(report_open(&report, &report_format_json, path, NULL), STATUS_OK);
    assert_int_equal(report_matrix(&report, session, NULL), STATUS_OK);
    assert_int_equal(report_close(&report, NULL), STATUS_OK);
    kernel_list_free(&chosen);
}

/* How far a column's number may be off: those that come from times are rounded from seconds to microseconds
 * and back, 2^-52 each way and in each step after that; the spread, a difference of two times as percents of
 * a third, by as much of a hundred percents. All others are what was written. */
static double allowed_error(const struct column *column, double real)
{
    static const char *const timed[] = {"_us", "gflops", "eta_", "read_share", "cmrs.gain", "cmrs.bandwidth"};
    if (strcmp(column->key, "spread") == 0) return 100 * 16 * DBL_EPSILON;
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

/* What a dotted key leads to; NULL if something on the way is null or missing. */
static json_t *at_key(const json_t *row, const char *key)
{
    json_t *value = json_object_get(row, key);
    const char *dot = strchr(key, '.');
    char outer[64];
    if (value || !dot) return value;
    snprintf(outer, sizeof outer, "%.*s", (int)(dot - key), key);
    return at_key(json_object_get(row, outer), dot + 1);
}

/* Every column of every row that the file has. */
static void expect_rows(const struct results *results, const json_t *rows)
{
    assert_int_equal(results->count, json_array_size(rows));
    for (int k = 0; k < results->count; k++) {
        const json_t *row = json_array_get(rows, (size_t)k);
        for (const struct column *column = kernel_columns; column->key; column++)
            if (at_key(row, column->key))
                expect_json(column, results, &results->items[k], at_key(row, column->key));
    }
}

static void expect_machine(const struct machine *found, const struct machine *expected)
{
    assert_int_equal(found->threads, expected->threads);
    assert_true(found->read == expected->read && found->read_low == expected->read_low);
    assert_true(found->copy == expected->copy && found->copy_low == expected->copy_low);
    assert_int_equal(found->cache, expected->cache);
}

static void expect_same_run(const struct session *session, const struct run *run, const char *path)
{
    const struct results *mine = &session->shown->results, *read = &run->results;
    json_t *document = json_load_file(path, 0, NULL);
    assert_non_null(document);
    const json_t *matrix = json_array_get(json_object_get(document, "matrices"), 0);
    expect_rows(read, json_object_get(matrix, "kernels"));
    for (int k = 0; k < mine->count; k++) {
        assert_ptr_equal(read->items[k].choice.kernel, mine->items[k].choice.kernel);
        assert_string_equal(read->items[k].name, mine->items[k].name);
        assert_int_equal(result_timed(&read->items[k]), result_timed(&mine->items[k]));
    }
    assert_int_equal(read->held, mine->held);
    assert_int_equal(read->options.protocol, mine->options.protocol);
    assert_int_equal(read->options.cold, mine->options.cold);
    assert_int_equal(read->options.product.accumulate, mine->options.product.accumulate);
    assert_int_equal(read->options.seed, mine->options.seed ? mine->options.seed : 1);
    expect_machine(&read->machines.host, &mine->machines.host);
    json_decref(document);
}

/* Times that were measured, so that no two runs of this test have the same numbers. */
static void every_column_comes_back(void **state)
{
    double b[81] = {1};
    static const struct {
        const char *matrix, *list;
        struct bench_options options;
        bool held;
    } cases[] = {
        {"gen:laplace2d,n=9", "all", {.repeat = 6, .min_seconds = 1e-9}, false},
        {"gen:laplace2d,n=9",
         "*-omp cmrs-omp:height=3 cmrs-omp:height=8 bsr-seq:size=3",
         {.seed = 9, .cold = true, .repeat = 3, .min_seconds = 1e-9},
         true},
        {"gen:laplace2d,n=9",
         "csr-* hyb-omp:k=3",
         {.protocol = PROTOCOL_CMRS, .product.accumulate = true},
         true},
        /* most formats do not fit */
        {"gen:arrow,n=4000", "all", {.limit = 1 << 20, .repeat = 2, .min_seconds = 1e-9}, false},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        struct bench_options options = cases[k].options;
        if (cases[k].held) options.b = b;
        load(&session, cases[k].matrix);
        run_and_write(&session, cases[k].list, &options, "written.json");
        expect_taken("written.json", &session);
        assert_int_equal(session.shown->runs.count, 1);
        assert_true(session.shown->runs.items[0]->saved);
        assert_true(strncmp(session.shown->runs.items[0]->label, "written.json", 12) == 0);
        expect_same_run(&session, session.shown->runs.items[0], "written.json");
        session_free(&session);
    }
}

/* Products that overflow: A x is not finite, and there is no residual. */
static void what_is_not_finite_comes_back(void **state)
{
    static const char text[] = "{'rows': 9, 'cols': 9, 'nnz': 33, 'timing': null, 'kernels': [{'kernel': "
                               "'cpu/csr-omp', 'format': 'csr', 'backend': 'cpu', 'precision': 'f64', "
                               "'samples': 1, 'time_us': 1, 'median_us': 1, 'low_us': 1, 'high_us': 1, "
                               "'residual': null, 'agrees': false}]}";
    struct session session;
    (void)state;
    load(&session, MATRIX);
    write_text("infinite.json", text);
    expect_taken("infinite.json", &session);
    const struct results *results = &session.shown->runs.items[0]->results;
    assert_true(results->held && isinf(results->items[0].residual));
    session_free(&session);
}

/* --- what another build has run --- */

#define TIMES(us) "'samples': 30, 'time_us': " us ", 'median_us': " us ", 'low_us': " us ", 'high_us': " us

/* As another build would write it: it has a backend, a format and a parameter that are not known here. */
static const char elsewhere[] =
    "{'schema': 'sparsight-report/1', 'host': {'cpu': 'Abacus 2'}, 'errors': [], 'matrices': [\n"
    "{'name': 'other', 'rows': 3, 'cols': 3, 'nnz': 3, 'kernels': []},\n"
    "{'name': 'laplace2d,n=3', 'rows': 9, 'cols': 9, 'nnz': 33, 'timing': {'protocol': 'median',\n"
    " 'read_bandwidth': 1e10, 'copy_bandwidth': 2e10}, 'kernels': [\n"
    " {'kernel': 'cpu/csr-omp', 'format': 'csr', 'backend': 'cpu', 'precision': 'f64', 'params': {},\n"
    "  'threads': 2, " TIMES(
        "10") ", 'beta_plus': 1000, 'eta_plus': 0.005, 'read_share': 1,\n"
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

static void kernels_of_other_builds_are_kept(void **state)
{
    struct session session;
    struct error error = {0};
    char name[200];
    (void)state;
    load(&session, MATRIX);
    write_text("elsewhere.json", elsewhere);
    expect_taken("elsewhere.json", &session);
    assert_string_equal(session.shown->runs.items[0]->label, "elsewhere.json: Abacus 2");
    const struct results *results = &session.shown->runs.items[0]->results;
    const struct result *items = results->items;
    json_t *document = json_load_file("elsewhere.json", 0, NULL);
    json_t *rows = json_object_get(json_array_get(json_object_get(document, "matrices"), 1), "kernels");
    json_object_del(json_object_get(json_array_get(rows, 2), "params"), "flag"); /* null: not there */
    expect_rows(results, rows);
    json_decref(document);
    assert_ptr_equal(items[0].choice.kernel->format, format_find("csr"));
    assert_ptr_equal(items[1].choice.kernel, items[2].choice.kernel);
    assert_ptr_equal(items[1].choice.kernel->format, items[0].choice.kernel->format);
    assert_ptr_equal(items[4].choice.kernel, items[5].choice.kernel);
    assert_ptr_equal(items[0].choice.kernel->backend, &backend_cpu);
    assert_true(items[1].choice.kernel->backend->foreign);
    assert_ptr_equal(items[4].choice.kernel->backend, &backend_cpu);
    assert_string_equal(items[1].name, "moon/csr-vector:threads=8,reduce=shuffle,share=0.5");
    assert_string_equal(items[2].name, "moon/csr-vector:threads=16,reduce=shared");
    assert_string_equal(items[3].name, "moon/zigzag:layout=3");
    assert_string_equal(items[4].name, "cpu/cmrs-omp:height=4,flavour=7");
    struct text text = {0};
    kernel_name(items[3].choice.kernel, &text);
    assert_string_equal(text.data, "moon/zigzag");
    text_free(&text);
    assert_ptr_equal(results_fastest(results, PRECISION_F64), &items[3]);
    assert_int_equal(kernel_check(items[3].choice.kernel, false, (struct product){0}, &error),
                     STATUS_UNAVAILABLE);
    assert_string_equal(value_text(kernel_value(&kernel_columns[5], results, &items[1]), name, sizeof name),
                        "threads=8,reduce=shuffle,share=0.5");
    session_free(&session);
}

#define REDUCED(word)                                                                        \
    "{'kernel': 'moon/csr-vector', 'format': 'csr', 'backend': 'moon', 'precision': 'f64', " \
    "'params': {'reduce': '" word "'}}"

/* Words are told apart, and the same one is known again. */
static void words_of_other_builds_are_told_apart(void **state)
{
    static const char *const names[] = {"shuffle", "shared", "shared", "shuffle"};
    struct session session;
    (void)state;
    load(&session, MATRIX);
    write_text("words.json", "{'rows': 9, 'cols': 9, 'nnz': 33, 'kernels': [" REDUCED("shuffle") "," REDUCED(
                                 "shared") "," REDUCED("shared") "," REDUCED("shuffle") "]}");
    expect_taken("words.json", &session);
    const struct results *results = &session.shown->runs.items[0]->results;
    assert_int_equal(results->count, 4);
    for (int k = 0; k < 4; k++) {
        char name[60];
        snprintf(name, sizeof name, "moon/csr-vector:reduce=%s", names[k]);
        assert_string_equal(results->items[k].name, name);
    }
    session_free(&session);
}

/* Of a parameter that takes 0 and 1, reports of earlier versions have "no" and "yes". */
static const char answers[] =
    "{'schema': 'sparsight-report/1', 'matrices': [{'name': 'laplace2d,n=3', 'rows': 9, 'cols': 9,\n"
    "'nnz': 33, 'kernels': [\n"
    " {'kernel': 'cuda/cmrs', 'format': 'cmrs', 'backend': 'cuda', 'precision': 'f64',\n"
    "  'params': {'height': 4, 'packed': 1, 'sorted': 'no', 'aligned': 'yes'}},\n"
    " {'kernel': 'cuda/cmrs', 'format': 'cmrs', 'backend': 'cuda', 'precision': 'f64',\n"
    "  'params': {'height': 4, 'packed': 'yes', 'sorted': 0, 'aligned': 1}},\n"
    " {'kernel': 'cuda/csr-vector', 'format': 'csr', 'backend': 'cuda', 'precision': 'f64',\n"
    "  'params': {'aligned': 'perhaps'}}]}]}\n";

static void yes_and_no_are_read_as_words_and_as_numbers(void **state)
{
    struct session session;
    (void)state;
    load(&session, MATRIX);
    write_text("answers.json", answers);
    expect_taken("answers.json", &session);
    const struct result *items = session.shown->runs.items[0]->results.items;
    for (int k = 0; k < 2; k++) {
        assert_non_null(items[k].choice.kernel->trace);
        assert_string_equal(items[k].name, "cuda/cmrs:height=4,packed=1,aligned=1");
        struct kernel_choice asked =
            preparing_choice(items[k].choice.kernel, "aligned=1,height=4,packed=1", PRECISION_F64, 0);
        assert_true(kernel_choice_same(&items[k].choice, &asked));
    }
    assert_string_equal(items[2].name, "cuda/csr-vector:aligned=perhaps"); /* of a build that knows more */
    assert_null(items[2].choice.kernel->trace);
    session_free(&session);
}

/* --- which matrix --- */

#define ROWS                                                                                        \
    "'kernels': [{'kernel': 'cpu/csr-omp', 'format': 'csr', 'backend': 'cpu', 'precision': 'f64', " \
    "'threads': 2, " TIMES("5") "}]"
#define NINE "'rows': 9, 'cols': 9, 'nnz': 33, "
#define SMALL "{'name': 's', 'rows': 1, 'cols': 1, 'nnz': 1, " ROWS "}\n"

/* Two documents in a file: the first one's processor. The GPU that kernels were run on, and the processor
 * beside it only if its memory was measured. */
static void runs_are_labelled_by_what_they_were_run_on(void **state)
{
#define GPU "'gpu': {'device': 'Moon 1', 'read_bandwidth': 4e12, 'vendor_bandwidth': 5e12}"
    static const struct {
        const char *text, *label;
        double vendor;
    } cases[] = {
        {"{'schema': 'sparsight-report/1', 'host': {'cpu': 'Abacus 2'}, 'matrices': [{" NINE ROWS "}]}\n"
         "{'schema': 'sparsight-report/1', 'host': {'cpu': 'Abacus 3'}, 'matrices': []}\n",
         "label.json: Abacus 2", 0},
        {"{'schema': 'sparsight-report/1', 'host': {'cpu': 'Abacus 2'}, 'matrices': [{'timing': {" GPU
         "}, " NINE ROWS "}]}",
         "label.json: Moon 1", 5e12},
        {"{'schema': 'sparsight-report/1', 'host': {'cpu': 'Abacus 2'}, 'matrices': [{'timing': {" GPU
         ", 'read_bandwidth': 1e10}, " NINE ROWS "}]}",
         "label.json: Moon 1, Abacus 2", 5e12},
    };
#undef GPU
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        load(&session, MATRIX);
        write_text("label.json", cases[k].text);
        expect_taken("label.json", &session);
        const struct run *run = session.shown->runs.items[0];
        assert_string_equal(run->label, cases[k].label);
        assert_int_equal(run->results.machines.devices, cases[k].vendor > 0);
        assert_true(run->results.machines.device[0].vendor == cases[k].vendor);
        session_free(&session);
    }
}

/* A row with what it has of the names, of `params` and of the rest. */
#define KNOWN(kernel, format, backend, rest)                                                     \
    "{" NINE "'kernels': [{'kernel': '" kernel "', 'format': '" format "', 'backend': '" backend \
    "', 'precision': 'f64', " rest "}]}"

/* A kernel of this build by another name, or with values that it does not take, is one of another build. */
static void what_differs_from_a_kernel_here_is_another(void **state)
{
    static const struct {
        const char *text, *name;
        bool here;
    } cases[] = {
        {KNOWN("cpu/csr-omp", "csr", "cpu", "'params': {}"), "cpu/csr-omp", true},
        {KNOWN("cpu-csr-omp", "csr", "cpu", "'params': {}"), "cpu/cpu-csr-omp", false},
        {KNOWN("cuda/csr-vector", "csr", "cuda", "'params': {'block': 1024}"), "cuda/csr-vector:block=1024",
         true},
        {KNOWN("cuda/csr-vector", "csr", "cuda", "'params': {'block': 2048}"), "cuda/csr-vector:block=2048",
         false},
        {KNOWN("cuda/csr-vector", "csr", "cuda", "'params': {'block': 0}"), "cuda/csr-vector:block=0", false},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        load(&session, MATRIX);
        write_text("other.json", cases[k].text);
        expect_taken("other.json", &session);
        const struct result *result = &session.shown->runs.items[0]->results.items[0];
        assert_string_equal(result->name, cases[k].name);
        assert_int_equal(result->choice.kernel->run != NULL, cases[k].here);
        session_free(&session);
    }
}

/* By hand: upload and transfer, and an estimate whose GPU has a name that would steer a terminal. */
static void times_and_estimates_of_gpus_come_back(void **state)
{
    static const char *const limits[] = {"warps", "registers", "shared memory", "blocks"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct session session;
        char text[1000];
        load(&session, MATRIX);
        snprintf(text, sizeof text,
                 KNOWN("cuda/csr-vector", "csr", "cuda",
                       TIMES("3") ", 'upload_us': 5, 'transfer_us': 7, 'estimate': {'gpu': 'h\\u001b[2J', "
                                  "'occupancy': 0.5, 'occupancy_limit': '%s', "
                                  "'loads': {'requests': 1, 'sectors': 4, 'useful': 32, 'padding': 5}, "
                                  "'stores': {'requests': 1, 'sectors': 4}}"),
                 limits[k]);
        write_text("gpu.json", text);
        expect_taken("gpu.json", &session);
        const struct results *results = &session.shown->runs.items[0]->results;
        assert_true(results->items[0].upload_seconds == 5 / 1e6);
        assert_true(results->items[0].transfer_seconds == 7 / 1e6);
        const struct estimate *estimate = results_estimate_of(results, &results->items[0]);
        assert_non_null(estimate);
        assert_string_equal(estimate->gpu, "h?[2J");
        assert_string_equal(occupancy_limit_name(estimate->limit), limits[k]);
        /* What versions before did not count is not known. */
        assert_int_equal(estimate->accesses[ACCESS_LOAD].padding, 5);
        assert_true(coalescing_efficiency(&estimate->accesses[ACCESS_LOAD], 32) == 0.25);
        assert_true(isnan(coalescing_efficiency(&estimate->accesses[ACCESS_STORE], 32)));
        session_free(&session);
    }
}

/* Why a kernel was not available is shown on a terminal: what would steer it becomes '?'. */
static void reasons_do_not_steer_a_terminal(void **state)
{
    static const char text[] = "{" NINE "'kernels': [{'kernel': 'cpu/csr-omp', 'format': 'csr', 'backend': "
                               "'cpu', 'precision': 'f64', 'unavailable': 'it is\\u001b[2J Sunday'}]}";
    struct session session;
    (void)state;
    load(&session, MATRIX);
    write_text("reason.json", text);
    expect_taken("reason.json", &session);
    assert_string_equal(session.shown->runs.items[0]->results.items[0].error.message, "it is?[2J Sunday");
    session_free(&session);
}

/* A file of more than 1 MiB is held against the limit, since what is read of it takes several times as much.
 */
static void large_files_are_held_against_the_limit(void **state)
{
    enum { BLANKS = 1200000 };
    static char bytes[BLANKS + 400];
    static const char text[] = "{\"rows\": 9, \"cols\": 9, \"nnz\": 33, \"kernels\": []}";
    struct saved *saved;
    struct error error = {0};
    (void)state;
    memset(bytes, ' ', BLANKS);
    memcpy(bytes + BLANKS, text, sizeof text - 1);
    files_write("large.json", bytes, BLANKS + sizeof text - 1);
    assert_int_equal(saved_open("large.json", 2 << 20, &saved, &error), STATUS_LIMIT);
    assert_string_equal(error.path, "large.json");
    assert_non_null(strstr(error.message, "a saved report needs "));
    assert_int_equal(saved_open("large.json", 32 << 20, &saved, NULL), STATUS_OK);
    saved_close(saved);
    files_write("small.json", text, sizeof text - 1);
    assert_int_equal(saved_open("small.json", 100, &saved, NULL), STATUS_OK);
    saved_close(saved);
}

static void the_matrix_is_found(void **state)
{
    static const struct {
        const char *text;
        int runs;
        const char *message; /* NULL: none */
    } cases[] = {
        {"{'name': 'renamed', " NINE ROWS "}", 1, NULL},
        {"{'name': 'a', " NINE ROWS "}\n{'name': 'laplace2d,n=3', " NINE ROWS "}\n", 1, NULL},
        {"{'name': 'laplace2d,n=3', " NINE ROWS "}\n{'name': 'laplace2d,n=3', " NINE ROWS "}\n", 2, NULL},
        {"{'name': 'laplace2d,n=3', " NINE ROWS "}\n{'name': 'a', " NINE ROWS "}\n", 1, NULL},
        {"{'name': 'a', " NINE ROWS "}\n{'name': 'b', " NINE ROWS "}\n{'name': 'a', " NINE ROWS "}\n", 0,
         "3 matrices are as large as laplace2d,n=3, and none is called so"},
        {"{'error': {'message': 'none such'}}\n{" NINE ROWS "}\n\n", 1, NULL},
        {"{'name': 'a', " NINE ROWS "}{'name': 'b', " NINE ROWS "}", 0,
         "2 matrices are as large as laplace2d,n=3, and none is called so"},
        {"{'name': 'a', 'rows': 9, 'cols': 8, 'nnz': 33, " ROWS "}", 0,
         "nothing on laplace2d,n=3 (9 x 9, 33 entries); it has a (9 x 8, 33 entries)"},
        {SMALL SMALL SMALL SMALL SMALL SMALL, 0,
         "nothing on laplace2d,n=3 (9 x 9, 33 entries); it has s (1 x 1, 1 entries), s (1 x 1, 1 entries), s "
         "(1 x 1, 1 entries), s (1 x 1, 1 entries) and 2 more"},
        {"{'schema': 'sparsight-report/1', 'matrices': []}", 0,
         "nothing on laplace2d,n=3 (9 x 9, 33 entries); it has no matrix at all"},
        {"{" NINE "'kernels': []}", 0,
         "no kernel was run on laplace2d,n=3 there: 'sparsight report --kernels=LIST' runs them"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        struct error error = {0};
        load(&session, MATRIX);
        write_text("found.json", cases[k].text);
        assert_int_equal(take("found.json", &session, &error), cases[k].message ? STATUS_INPUT : STATUS_OK);
        assert_string_equal(error.message, cases[k].message ? cases[k].message : "");
        assert_int_equal(session.shown->runs.count, cases[k].runs);
        session_free(&session);
    }
}

static void packed_files_are_read(void **state)
{
    static const char text[] = "{\"rows\": 9, \"cols\": 9, \"nnz\": 33, \"kernels\": [{\"kernel\": \"x\", "
                               "\"format\": \"csr\", \"backend\": \"x\", \"precision\": \"f32\"}]}";
    struct session session;
    (void)state;
    load(&session, MATRIX);
    files_pack("packed.json.gz", text, sizeof text - 1, PACKED_GZIP);
    expect_taken("packed.json.gz", &session);
    session_free(&session);
}

static void there_is_an_end_to_runs(void **state)
{
    struct session session;
    struct error error = {0};
    (void)state;
    load(&session, MATRIX);
    write_text("again.json", "{" NINE ROWS "}");
    for (int k = 0; k < RUNS_MAX; k++)
        expect_taken("again.json", &session);
    assert_int_equal(take("again.json", &session, &error), STATUS_LIMIT);
    assert_string_equal(error.path, "again.json");
    assert_int_equal(session.shown->runs.count, RUNS_MAX);
    session_free(&session);
}

/* --- what is wrong --- */

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
         "a report of the schema 'sparsight-report/7'; this version reads sparsight-report/1"},
        {"{'schema': 3, 'matrices': []}", 0, 0, "no report"},
        {"{'schema': 'sparsight-report/1', 'matrices': {}}", 0, 0, "no report"},
        {"{'schema': 'sparsight-report/1', 'matrices': [4]}", 0, 0, "no report"},
        {"{'schema': 'sparsight-report/1'}", 0, 0, "no report"},
        {"[1, 2]", 0, 0, "no report"},
        {"{'error': 1, 'what': 2}", 0, 0, "no report"},
        {"{" NINE "'kernels': [7]}", 0, 0, "row 1 of kernels: it is not an object"},
        {"{" NINE "'timing': {'protocol': 'guess'}, " ROWS "}", 0, 0, "timing: protocol is not one"},
        {"{" NINE "'timing': {'read_bandwidth': -1}, " ROWS "}", 0, 0, "read_bandwidth is not 0 or more"},
        {"{" NINE "'timing': {'cache_bytes': 1.5}, " ROWS "}", 0, 0, "cache_bytes is not a whole number"},
        {ROW("'format': 'csr'"), 0, 0, "row 1 of kernels: kernel is not a name"},
        {ROW("'kernel': 'a\\u001b[2J', 'format': 'csr', 'backend': 'a'"), 0, 0, "kernel is not a name"},
        {ROW("'kernel': 'a123456789b123456789c123456789d123456789e123456789f123456789g123', "
             "'format': 'csr', 'backend': 'a'"),
         0, 0, "kernel is not a name of 1 to 63 characters"},
        {ROW("'kernel': 'a', 'format': 'csr', 'backend': {}"), 0, 0, "backend is not text"},
        {ROW("'kernel': 'a', 'format': 'csr', 'backend': 'a', 'precision': 'f16'"), 0, 0, "f64 or f32"},
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
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        struct error error = {0};
        load(&session, MATRIX);
        write_text("wrong.json", cases[k].text);
        assert_int_equal(take("wrong.json", &session, &error), STATUS_INPUT);
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

/* --- what fails --- */

static long json_left = -1, json_failures;

static void *json_malloc_failing(size_t size)
{
    if (json_left < 0 || json_left-- > 0) return malloc(size);
    json_failures++;
    return NULL;
}

/* Each allocation fails once, ours or jansson's. Where jansson has no memory for a word it says that there
 * should be one. */
static void sweep(bool jansson)
{
    enum status status = STATUS_MEMORY;
    write_text("swept.json", elsewhere);
    for (long k = 0; status != STATUS_OK; k++) {
        struct session session;
        struct error error = {0};
        load(&session, MATRIX);
        assert_true(k < 5000);
        json_failures = 0;
        if (jansson) json_set_alloc_funcs(json_malloc_failing, free);
        json_left = jansson ? k : -1;
        memory_fail_after(jansson ? -1 : k);
        status = take("swept.json", &session, &error);
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
    (void)state;
    sweep(false);
    sweep(true);
}

/* A file with a few bytes changed, cut off or put in. */
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
        case 1: /* instead of a value */
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

/* Whatever was done to a file: an error with words, or results whose every number can be shown. */
static void damaged_files_do_no_harm(void **state)
{
    enum { MAX = 8192 };
    uint64_t seed = 20;
    int taken = 0;
    struct session session;
    (void)state;
    load(&session, MATRIX);
    for (int k = 0; k < MUTATIONS; k++) {
        char bytes[MAX], words[400];
        struct error error = {0};
        size_t length = sizeof elsewhere - 1;
        memcpy(bytes, elsewhere, length);
        for (size_t c = 0; c < length; c++)
            if (bytes[c] == '\'') bytes[c] = '"';
        length = mutate(bytes, length, MAX, &seed);
        files_write("damaged.json", bytes, length);
        if (take("damaged.json", &session, &error) == STATUS_OK) {
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
        cmocka_unit_test(every_column_comes_back),
        cmocka_unit_test(what_is_not_finite_comes_back),
        cmocka_unit_test(kernels_of_other_builds_are_kept),
        cmocka_unit_test(words_of_other_builds_are_told_apart),
        cmocka_unit_test(yes_and_no_are_read_as_words_and_as_numbers),
        cmocka_unit_test(runs_are_labelled_by_what_they_were_run_on),
        cmocka_unit_test(what_differs_from_a_kernel_here_is_another),
        cmocka_unit_test(times_and_estimates_of_gpus_come_back),
        cmocka_unit_test(reasons_do_not_steer_a_terminal),
        cmocka_unit_test(large_files_are_held_against_the_limit),
        cmocka_unit_test(the_matrix_is_found),
        cmocka_unit_test(packed_files_are_read),
        cmocka_unit_test(there_is_an_end_to_runs),
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(damaged_files_do_no_harm),
    };
    return cmocka_run_group_tests_name("saved", tests, files_begin, files_end);
}
