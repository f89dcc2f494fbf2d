/* report/saved: kernels that other builds or machines have run are kept, and distinguished from the kernels
 * of this build. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "columns/columns.h"
#include "support/files.h"
#include "support/preparing.h"
#include "support/saved.h"

static void kernels_of_other_builds_are_kept(void **state)
{
    struct session session;
    struct error error = {0};
    char name[200];
    load_standard(&session, MATRIX);
    write_quoted("elsewhere.json", report_of_elsewhere);
    expect_taken("elsewhere.json", &session);
    assert_string_equal(session.shown->runs.items[0]->label, "elsewhere.json: Abacus 2");
    const struct results *results = &session.shown->runs.items[0]->results;
    const struct result *items = results->items;
    json_t *document = json_load_file("elsewhere.json", 0, NULL);
    json_t *rows = json_object_get(json_array_get(json_object_get(document, "matrices"), 1), "kernels");
    json_object_del(json_object_get(json_array_get(rows, 2), "params"), "flag"); /* null counts as missing */
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

/* Unknown words differ from each other, and the same word is recognised. */
static void words_of_other_builds_are_told_apart(void **state)
{
    static const char *const names[] = {"shuffle", "shared", "shared", "shuffle"};
    struct session session;
    load_standard(&session, MATRIX);
    write_quoted("words.json",
                 "{'rows': 9, 'cols': 9, 'nnz': 33, 'kernels': [" REDUCED("shuffle") "," REDUCED(
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
    load_standard(&session, MATRIX);
    write_quoted("answers.json", answers);
    expect_taken("answers.json", &session);
    const struct result *items = session.shown->runs.items[0]->results.items;
    for (int k = 0; k < 2; k++) {
        assert_non_null(items[k].choice.kernel->trace);
        assert_string_equal(items[k].name, "cuda/cmrs:height=4,packed=1,aligned=1");
        struct kernel_choice asked =
            preparing_choice(items[k].choice.kernel, "aligned=1,height=4,packed=1", PRECISION_F64, 0);
        assert_true(kernel_choice_same(&items[k].choice, &asked));
    }
    assert_string_equal(items[2].name, "cuda/csr-vector:aligned=perhaps"); /* of a newer build */
    assert_null(items[2].choice.kernel->trace);
    session_free(&session);
}

/* Two documents in a file: the processor is that of the first. The label names the GPU on which kernels ran,
 * and the processor only if its memory was measured. */
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
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        load_standard(&session, MATRIX);
        write_quoted("label.json", cases[k].text);
        expect_taken("label.json", &session);
        const struct run *run = session.shown->runs.items[0];
        assert_string_equal(run->label, cases[k].label);
        assert_int_equal(run->results.machines.devices, cases[k].vendor > 0);
        assert_true(run->results.machines.device[0].vendor == cases[k].vendor);
        session_free(&session);
    }
}

/* A report with one kernel of these names, `params` and other members. */
#define KNOWN(kernel, format, backend, rest)                                                     \
    "{" NINE "'kernels': [{'kernel': '" kernel "', 'format': '" format "', 'backend': '" backend \
    "', 'precision': 'f64', " rest "}]}"

/* True if this build's table has the kernel, even if its code is missing. */
static bool of_the_table(const struct kernel *kernel)
{
    for (int k = 0; kernels[k]; k++)
        if (kernels[k] == kernel) return true;
    return false;
}

/* A kernel with another name, or with values that this build's kernel does not accept, belongs to another
 * build. */
static void kernels_that_differ_are_others(void **state)
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
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        load_standard(&session, MATRIX);
        write_quoted("other.json", cases[k].text);
        expect_taken("other.json", &session);
        const struct result *result = &session.shown->runs.items[0]->results.items[0];
        assert_string_equal(result->name, cases[k].name);
        assert_int_equal(of_the_table(result->choice.kernel), cases[k].here);
        session_free(&session);
    }
}

/* By hand: upload and transfer, a forecast with one term, and an estimate whose GPU has control characters in
 * its name. */
static void times_and_estimates_of_gpus_come_back(void **state)
{
    static const char *const limits[] = {"warps", "registers", "shared memory", "blocks"};
    for (int k = 0; k < 4; k++) {
        struct session session;
        char text[1000];
        load_standard(&session, MATRIX);
        snprintf(text, sizeof text,
                 KNOWN("cuda/csr-vector", "csr", "cuda",
                       TIMES("3") ", 'upload_us': 5, 'transfer_us': 7, 'graph_us': 3, 'predicted_us': 8, "
                                  "'predicted': {'launch_us': 6}, 'estimate': {'gpu': "
                                  "'h\\u001b[2J', "
                                  "'occupancy': 0.5, 'occupancy_limit': '%s', "
                                  "'steps': {'longest': 9, 'longest_shared': 4, 'hottest': 7, 'turns': 2.5}, "
                                  "'l2': {'operands': {'x': 3}}, 'dram': {}, "
                                  "'loads': {'requests': 1, 'sectors': 4, 'useful': 32, 'padding': 5}, "
                                  "'stores': {'requests': 1, 'sectors': 4}}"),
                 limits[k]);
        write_quoted("gpu.json", text);
        expect_taken("gpu.json", &session);
        const struct results *results = &session.shown->runs.items[0]->results;
        assert_true(results->items[0].upload_seconds == 5 / 1e6);
        assert_true(results->items[0].transfer_seconds == 7 / 1e6);
        assert_true(results->items[0].graph_seconds == 3 / 1e6);
        const struct estimate *estimate = results_estimate_of(results, &results->items[0]);
        assert_non_null(estimate);
        assert_string_equal(estimate->gpu, "h?[2J");
        assert_string_equal(occupancy_limit_name(estimate->limit), limits[k]);
        assert_int_equal(estimate->steps.longest, 9);
        assert_int_equal(estimate->steps.longest_shared, 4);
        assert_int_equal(estimate->steps.hottest, 7);
        assert_true(estimate->steps.turns == 2.5 && isnan(estimate->steps.requests));
        /* A missing term takes no time, and a missing operand has no requests. */
        assert_true(results->items[0].predicted[0].term[BOUND_LAUNCH] == 6 / 1e6);
        assert_true(results->items[0].predicted[0].term[BOUND_DRAM] == 0);
        assert_true(memory_sum(estimate->memory.sectors) == 3 && memory_sum(estimate->memory.reads) == 0);
        /* Numbers that earlier versions did not count are unknown. */
        assert_int_equal(estimate->accesses[ACCESS_LOAD].padding, 5);
        assert_true(coalescing_efficiency(&estimate->accesses[ACCESS_LOAD], 32) == 0.25);
        assert_true(isnan(coalescing_efficiency(&estimate->accesses[ACCESS_STORE], 32)));
        session_free(&session);
    }
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
        {"{'name': 'laplace2d,n=3', 'order': {'name': 'natural'}, " NINE ROWS "}\n"
         "{'name': 'laplace2d,n=3', 'order': {'name': 'rcm'}, " NINE ROWS "}\n",
         1, NULL},
        {"{'name': 'a', " NINE ROWS "}\n{'name': 'b', " NINE ROWS "}\n{'name': 'a', " NINE ROWS "}\n", 0,
         "3 matrices have the size of laplace2d,n=3, but none has its name"},
        {"{'error': {'message': 'none such'}}\n{" NINE ROWS "}\n\n", 1, NULL},
        {"{'name': 'a', " NINE ROWS "}{'name': 'b', " NINE ROWS "}", 0,
         "2 matrices have the size of laplace2d,n=3, but none has its name"},
        {"{'name': 'a', 'rows': 9, 'cols': 8, 'nnz': 33, " ROWS "}", 0,
         "no results for laplace2d,n=3 (9 x 9, 33 entries); the report has a (9 x 8, 33 entries)"},
        {SMALL SMALL SMALL SMALL SMALL SMALL, 0,
         "no results for laplace2d,n=3 (9 x 9, 33 entries); the report has s (1 x 1, 1 entries), s (1 x 1, 1 "
         "entries), s "
         "(1 x 1, 1 entries), s (1 x 1, 1 entries) and 2 more"},
        {"{'schema': 'sparsight-report/1', 'matrices': []}", 0,
         "no results for laplace2d,n=3 (9 x 9, 33 entries); the report has no matrix at all"},
        {"{" NINE "'kernels': []}", 0,
         "no kernel was run on laplace2d,n=3 in this report: 'sparsight report --kernels=LIST' runs kernels"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        struct error error = {0};
        load_standard(&session, MATRIX);
        write_quoted("found.json", cases[k].text);
        assert_int_equal(take_saved("found.json", &session, &error),
                         cases[k].message ? STATUS_INPUT : STATUS_OK);
        assert_string_equal(error.message, cases[k].message ? cases[k].message : "");
        assert_string_equal(error.path, cases[k].message ? "found.json" : "");
        assert_true(error.line == 0 && error.column == 0); /* the error concerns the whole file */
        assert_int_equal(session.shown->runs.count, cases[k].runs);
        session_free(&session);
    }
}

static void there_is_an_end_to_runs(void **state)
{
    struct session session;
    struct error error = {0};
    load_standard(&session, MATRIX);
    write_quoted("again.json", "{" NINE ROWS "}");
    for (int k = 0; k < RUNS_MAX; k++)
        expect_taken("again.json", &session);
    assert_int_equal(take_saved("again.json", &session, &error), STATUS_LIMIT);
    assert_string_equal(error.path, "again.json");
    assert_int_equal(session.shown->runs.count, RUNS_MAX);
    session_free(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_other_builds_are_kept),
        cmocka_unit_test(words_of_other_builds_are_told_apart),
        cmocka_unit_test(yes_and_no_are_read_as_words_and_as_numbers),
        cmocka_unit_test(runs_are_labelled_by_what_they_were_run_on),
        cmocka_unit_test(kernels_that_differ_are_others),
        cmocka_unit_test(times_and_estimates_of_gpus_come_back),
        cmocka_unit_test(the_matrix_is_found),
        cmocka_unit_test(there_is_an_end_to_runs),
    };
    return cmocka_run_group_tests_name("saved_builds", tests, files_begin, files_end);
}
