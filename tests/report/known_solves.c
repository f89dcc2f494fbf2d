/* report/saved: sections of a saved report, its solves and triangular solves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/saved/saved.h"
#include "report/sections.h"
#include "support/files.h"
#include "support/report.h"
#include "support/saved.h"
#include "support/valid.h"

/* Make the report of a matrix that carries this number of bytes, as an object and in a file. */
static json_t *write_session(struct session *session, size_t carry, const char *path)
{
    struct report report;
    session->carry = carry;
    assert_int_equal(report_open(&report, &report_format_json, path, NULL), STATUS_OK);
    assert_int_equal(report_matrix(&report, session, NULL), STATUS_OK);
    assert_int_equal(report_close(&report, NULL), STATUS_OK);
    valid_file(path);
    json_t *object = valid_json(session);
    assert_non_null(object);
    return object;
}

static enum status open_known(const char *path, const char *name, struct session *session,
                              struct error *error)
{
    struct saved *saved = NULL;
    memset(session, 0, sizeof *session);
    enum status status = saved_open(path, 0, &saved, error);
    if (status == STATUS_OK) status = saved_session(&saved, 1, name, 0, session, error);
    saved_close(saved);
    return status;
}

static void expect_known(const char *path, struct session *session)
{
    struct error error = {0};
    char text[2000];
    if (open_known(path, NULL, session, &error) != STATUS_OK)
        fail_msg("%s", error_text(&error, text, sizeof text));
}

/* A report of some sections is read back, and the others stay unknown. */
static void reports_of_one_section_are_read(void **state)
{
    char path[512];
    report_path(path, sizeof path, "section.json");
    for (const struct report_section *section = report_sections; section->name; section++) {
        struct report_request request = {.f64 = true, .only = section->bit};
        struct session session, known;
        load_for_report(&session, MATRIX, &request);
        json_decref(write_session(&session, 0, path));
        expect_known(path, &known);
        const bool lengths = section->bit == SECTION_LENGTHS || section->bit == SECTION_ADVICE;
        assert_true(case_has(known.shown, SESSION_ROW_LENGTHS) == lengths);
        session_free(&known);
        session_free(&session);
    }
    remove(path);
}

/* Numbers are equal up to the last bits: a share times a time, divided by the time. */
static void expect_alike(const json_t *found, const json_t *told, const char *where)
{
    if (json_is_object(told)) {
        const char *key;
        json_t *value;
        assert_int_equal(json_object_size(found), json_object_size(told));
        json_object_foreach((json_t *)told, key, value)
        {
            expect_alike(json_object_get(found, key), value, key);
        }
    } else if (json_is_array(told)) {
        assert_int_equal(json_array_size(found), json_array_size(told));
        for (size_t k = 0; k < json_array_size(told); k++)
            expect_alike(json_array_get(found, k), json_array_get(told, k), where);
    } else if (json_is_real(told)) {
        const double a = json_number_value(told), b = json_number_value(found);
        if (!json_is_number(found) || fabs(a - b) > 1e-12 * fabs(a))
            fail_msg("%s: %g, and not %g", where, b, a);
    } else if (!json_equal(told, found)) {
        fail_msg("%s differs", where);
    }
}

/* Each solve takes less time than the one before. */
static void make_last_fastest(struct solving *solving)
{
    for (int k = 0; k < solving->count; k++) {
        solving->runs[k].seconds[SOLVE_PRODUCTS] = 100 - k;
        if (solving->runs[k].end == SOLVE_CONVERGED) solving->fastest = k;
    }
}

/* A curve of up to 400 iterations has every second point. Those between lie between their neighbours. Returns
 * their number. */
static int64_t expect_lines(const struct solve *solve)
{
    int64_t count = 0;
    for (int64_t i = 1; solve->curve && solve->iterations > 200 && i < solve->iterations; i += 2) {
        const double before = solve->curve[i - 1], after = solve->curve[i + 1];
        if (!isfinite(before) || !isfinite(after)) continue;
        assert_true(solve->curve[i] >= fmin(before, after) * (1 - 1e-12) &&
                    solve->curve[i] <= fmax(before, after) * (1 + 1e-12));
        count++;
    }
    return count;
}

/* Solves, their curves, and the times of triangular solves are reported again, of a matrix on which all
 * solves converge, and of one with which CG is refused. */
static void solves_are_reported_again(void **state)
{
    static const char *const keys[] = {"solve", "trisolve"}, *const names[] = {"gen:laplace2d,n=23",
                                                                               "gen:random,m=300,mean=5"};
    struct report_request request = {.f64 = true, .solve = true, .trisolve = true};
    char path[512];
    report_path(path, sizeof path, "solved.json");
    assert_int_equal(
        solver_options_read("max=300,tol=1e-6,shift=0.5,x=ones,block=3,refine=1", &request.solver, NULL),
        STATUS_OK);
    request.trisolves = 1u << TRISOLVE_SYMGS;
    int64_t between = 0;
    for (int m = 0; m < 2; m++) {
        struct session session, known;
        load_for_report(&session, names[m], &request);
        make_last_fastest(&session.shown->solving);
        session.shown->trisolves.runs[1].facts.waits = 7; /* with one thread there are no levels */
        session.shown->trisolves.runs[1].facts.levels = 9;
        json_t *told = write_session(&session, 0, path);
        expect_known(path, &known);
        json_t *again = valid_json(&known);
        assert_true(json_array_size(json_object_get(json_object_get(told, "solve"), "kernels")) > 5 ||
                    m == 1);
        assert_int_equal(session.shown->solving.count, 30);
        assert_true((session.shown->solving.runs[0].end == SOLVE_REFUSED) == (m == 1));
        assert_true(session.shown->solving.fastest >= 0 || m == 1);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            assert_non_null(json_object_get(told, keys[k]));
            expect_alike(json_object_get(again, keys[k]), json_object_get(told, keys[k]), keys[k]);
        }
        for (int k = 0; k < known.shown->solving.count; k++)
            between += expect_lines(&known.shown->solving.runs[k]);
        json_decref(told);
        json_decref(again);
        session_free(&known);
        session_free(&session);
    }
    assert_true(between > 0);
    remove(path);
}

/* A solve with members of a wrong kind, in which ' stands for ". */
static void expect_refused(const char *run, const char *wanted)
{
    struct session session;
    struct error error = {0};
    char path[512], text[1000];
    report_path(path, sizeof path, "wrong.json");
    snprintf(text, sizeof text,
             "{'name': 's', 'rows': 9, 'cols': 9, 'nnz': 33, 'field': 'real', 'symmetry': 'general', "
             "'kernels': [], 'solve': {'runs': "
             "[{'method': 'cg', 'preconditioner': 'none', 'end': 'converged', %s}]}}",
             run);
    write_quoted(path, text);
    assert_int_equal(open_known(path, NULL, &session, &error), STATUS_INPUT);
    if (!strstr(error.message, wanted)) fail_msg("%s: %s", run, error.message);
    session_free(&session);
    remove(path);
}

static void wrong_curves_are_refused(void **state)
{
    expect_refused("'iterations': 1000001, 'curve': [[0, 1]]", "at most 1000000");
    expect_refused("'iterations': 2, 'curve': [[0, 1], [2, 'x']]", "ascending iterations");
    expect_refused("'iterations': 2, 'curve': [[1, 1], [2, 0.5]]", "ascending iterations");
    expect_refused("'iterations': 2, 'curve': [[0, 1], [0, 0.5]]", "ascending iterations");
    expect_refused("'iterations': 2, 'curve': [[0, 1], [3, 0.5]]", "ascending iterations");
    expect_refused("'iterations': 2, 'curve': [0]", "ascending iterations");
    expect_refused("'iterations': 2, 'curve': [[0, 1], [1, 0.5]]", "up to the last iteration");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_of_one_section_are_read),
        cmocka_unit_test(solves_are_reported_again),
        cmocka_unit_test(wrong_curves_are_refused),
    };
    return cmocka_run_group_tests_name("report_known_solves", tests, make_report_folder,
                                       remove_report_folder);
}
