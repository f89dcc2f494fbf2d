/* report/saved: reports that are read back have every number with which they were written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "report/report.h"
#include "report/saved/saved.h"
#include "support/files.h"
#include "support/saved.h"
#include "support/valid.h"

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
    assert_int_equal(session_need(session, NULL, REPORT_NEEDS | SESSION_GPU, NULL, NULL), STATUS_OK);
    const struct estimate_options estimates = {.gpu = &session->gpu, .limit = options->limit};
    assert_int_equal(
        results_estimate(&session->shown->results, &session->shown->pool, &estimates, NULL, NULL), STATUS_OK);
    assert_int_equal(report_open(&report, &report_format_json, path, NULL), STATUS_OK);
    assert_int_equal(report_matrix(&report, session, NULL), STATUS_OK);
    assert_int_equal(report_close(&report, NULL), STATUS_OK);
    valid_file(path);
    kernel_list_free(&chosen);
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
        const struct prediction *written = results_prediction_of(mine, &mine->items[k]);
        const struct prediction *found = results_prediction_of(read, &read->items[k]);
        assert_true((written != NULL) == (found != NULL));
        if (!written) continue;
        assert_int_equal(found->bound, written->bound);
        assert_string_equal(found->like, written->like);
    }
    assert_int_equal(read->held, mine->held);
    assert_int_equal(read->options.protocol, mine->options.protocol);
    assert_int_equal(read->options.cold, mine->options.cold);
    assert_true(product_same(read->options.product, mine->options.product));
    assert_int_equal(read->options.seed, mine->options.seed ? mine->options.seed : 1);
    expect_machine(&read->machines.host, &mine->machines.host);
    json_decref(document);
}

/* The times are measured, so that each run of this test has different numbers. */
static void every_column_comes_back(void **state)
{
    double ones[81] = {1};
    const struct vector b = {ones, NULL};
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
        {"gen:laplace2d,n=9",
         "csr-omp sell-seq",
         {.product = {.transposed = true, .columns = 3, .by_rows = true}, .repeat = 2, .min_seconds = 1e-9},
         false},
        /* most formats do not fit */
        {"gen:arrow,n=4000", "all", {.limit = 1 << 20, .repeat = 2, .min_seconds = 1e-9}, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        struct bench_options options = cases[k].options;
        /* The first run measures the machine in full; within a limit that takes no time. */
        if (k > 0 && options.limit == 0) options.limit = 8 << 20;
        if (cases[k].held) options.b = &b;
        load_standard(&session, cases[k].matrix);
        run_and_write(&session, cases[k].list, &options, "written.json");
        expect_taken("written.json", &session);
        assert_int_equal(session.shown->runs.count, 1);
        assert_true(session.shown->runs.items[0]->saved);
        assert_true(strncmp(session.shown->runs.items[0]->label, "written.json", 12) == 0);
        expect_same_run(&session, session.shown->runs.items[0], "written.json");
        /* A report has only the forecast for its own state of the caches, which counts for both. */
        const struct results *results = &session.shown->runs.items[0]->results;
        for (int r = 0; r < results->count; r++) {
            const struct prediction *predicted = results->items[r].predicted;
            assert_int_equal(predicted[0].there, predicted[1].there);
            assert_true(predicted[0].seconds == predicted[1].seconds);
        }
        session_free(&session);
    }
}

/* Products that overflow: A x is not finite, and there is no residual. */
static void infinite_numbers_come_back(void **state)
{
    static const char text[] = "{'rows': 9, 'cols': 9, 'nnz': 33, 'timing': null, 'kernels': [{'kernel': "
                               "'cpu/csr-omp', 'format': 'csr', 'backend': 'cpu', 'precision': 'f64', "
                               "'samples': 1, 'time_us': 1, 'median_us': 1, 'low_us': 1, 'high_us': 1, "
                               "'residual': null, 'agrees': false}]}";
    struct session session;
    load_standard(&session, MATRIX);
    write_quoted("infinite.json", text);
    expect_taken("infinite.json", &session);
    const struct results *results = &session.shown->runs.items[0]->results;
    assert_true(results->held && isinf(results->items[0].residual));
    session_free(&session);
}

static void packed_files_are_read(void **state)
{
    static const char text[] = "{\"rows\": 9, \"cols\": 9, \"nnz\": 33, \"kernels\": [{\"kernel\": \"x\", "
                               "\"format\": \"csr\", \"backend\": \"x\", \"precision\": \"f32\"}]}";
    struct session session;
    load_standard(&session, MATRIX);
    files_pack("packed.json.gz", text, sizeof text - 1, PACKED_GZIP);
    expect_taken("packed.json.gz", &session);
    session_free(&session);
}

/* The limit covers a file of more than 1 MiB, since reading it takes several times as much memory. */
static void large_files_are_held_against_the_limit(void **state)
{
    enum { BLANKS = 1200000 };
    static char bytes[BLANKS + 400];
    static const char text[] = "{\"rows\": 9, \"cols\": 9, \"nnz\": 33, \"kernels\": []}";
    struct saved *saved;
    struct error error = {0};
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

/* The reason of an unavailable kernel is shown on a terminal: control characters become '?'. */
static void reasons_do_not_steer_a_terminal(void **state)
{
    static const char text[] = "{" NINE "'kernels': [{'kernel': 'cpu/csr-omp', 'format': 'csr', 'backend': "
                               "'cpu', 'precision': 'f64', 'unavailable': 'it is\\u001b[2J Sunday'}]}";
    struct session session;
    load_standard(&session, MATRIX);
    write_quoted("reason.json", text);
    expect_taken("reason.json", &session);
    assert_string_equal(session.shown->runs.items[0]->results.items[0].error.message, "it is?[2J Sunday");
    session_free(&session);
}

static int end(void **state)
{
    return files_end(state) == 0 ? valid_check() : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_comes_back),
        cmocka_unit_test(infinite_numbers_come_back),
        cmocka_unit_test(reasons_do_not_steer_a_terminal),
        cmocka_unit_test(large_files_are_held_against_the_limit),
        cmocka_unit_test(packed_files_are_read),
    };
    return cmocka_run_group_tests_name("saved", tests, files_begin, end);
}
