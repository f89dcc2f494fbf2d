/* The numbers of the columns of a matrix against numpy's, and that each is computed once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "columns/columns.h"
#include "support/storing.h"

/* A matrix of these entries, given row by row, as if loaded; all parts but the pyramid computed. */
static void make_session(struct session *session, int64_t rows, int64_t cols, const int64_t *row_ptr,
                         const int32_t *col, const double *val)
{
    size_t nnz = (size_t)row_ptr[rows];
    struct error error = {0};
    struct matrix matrix = {0};
    memset(session, 0, sizeof *session);
    session->shown = session_add_case(session, "natural", &matrix, &error);
    assert_non_null(session->shown);
    struct csr *a = &session->shown->matrix.csr;
    *a = (struct csr){.rows = rows, .cols = cols};
    a->row_ptr = memory_array((size_t)rows + 1, sizeof *row_ptr, NULL);
    a->col = memory_array(nnz, sizeof *col, NULL);
    a->val = memory_array(nnz, sizeof *val, NULL);
    assert_true(a->row_ptr && a->col && a->val);
    memcpy(a->row_ptr, row_ptr, ((size_t)rows + 1) * sizeof *row_ptr);
    if (nnz) memcpy(a->col, col, nnz * sizeof *col);
    if (nnz) memcpy(a->val, val, nnz * sizeof *val);
    session->shown->matrix.name = memory_string("hand", NULL);
    session->shown->matrix.path = memory_string("folder/hand.mtx", NULL);
    session->shown->matrix.symmetry = SYMMETRY_GENERAL;
    session->shown->matrix.stored = (int64_t)nnz + 2;
    session->shown->matrix.duplicates = 2;
    session->shown->matrix.explicit_zeros = csr_count_zeros(a);
    unsigned parts = SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_STRUCTURE | SESSION_VALUES |
                     SESSION_COMPONENTS | SESSION_COSTLY;
    assert_int_equal(session_need(session, NULL, parts, NULL, &error), STATUS_OK);
    assert_true(session_has(session, parts));
}

static void check(const struct session *session, const char *key, double expected)
{
    const struct column *column = column_find(key);
    assert_non_null(column);
    struct value value = column_value(column, session->shown);
    if (isnan(expected)) {
        assert_int_equal(value.type, VALUE_NULL);
        return;
    }
    assert_int_equal(value.type, column->type);
    double found = value.type == VALUE_INTEGER ? (double)value.integer : value.real;
    if (fabs(found - expected) > 1e-14 * fabs(expected))
        fail_msg("%s: %.17g, not %.17g", key, found, expected);
}

struct expected {
    const char *key;
    double value;
};

static void check_all(const struct session *session, const struct expected *expected, size_t count)
{
    for (size_t k = 0; k < count; k++)
        check(session, expected[k].key, expected[k].value);
}

static void rectangular_numbers(void **state)
{
    static const int64_t row_ptr[] = {0, 2, 2, 6, 8, 9};
    static const int32_t col[] = {0, 3, 0, 1, 2, 5, 0, 3, 1};
    static const double val[] = {2, -1, -1, 4, 0, 7, -1, 1.5, 3};
    static const struct expected expected[] = {
        {"rows", 5},
        {"cols", 6},
        {"stored", 11},
        {"nnz", 9},
        {"explicit_zeros", 1},
        {"duplicates", 2},
        {"density", 0.3},
        {"structure.lower_bandwidth", 3},
        {"structure.upper_bandwidth", 3},
        {"structure.profile", 8},
        {"structure.pattern_symmetry", NAN},
        {"structure.numeric_symmetry", NAN},
        {"structure.diagonal_nonzeros", 3},
        {"structure.diagonals", 5},
        {"structure.empty_rows", 1},
        {"structure.empty_cols", 1},
        {"structure.components", 3},
        {"structure.largest_component", 9},
        {"structure.strong_components", NAN},
        {"blocks.structural_rank", 4},
        {"blocks.underdetermined_rows", 1},
        {"blocks.underdetermined_cols", 3},
        {"blocks.well_determined", 3},
        {"blocks.overdetermined_rows", 1},
        {"blocks.overdetermined_cols", 0},
        {"blocks.count", 2},
        {"blocks.largest", 2},
        {"cholesky.entries", NAN},
        {"cholesky.amd_flops", NAN},
        {"lower_triangle.levels", NAN},
        {"upper_triangle.mean_level", NAN},
        {"colours.count", NAN},
        {"values.min", -1},
        {"values.max", 7},
        {"values.min_abs", 1},
        {"values.max_abs", 7},
        {"values.mean_abs", 2.2777777777777777},
        {"values.positive", 5},
        {"values.negative", 3},
        {"values.nan", 0},
        {"values.infinite", 0},
        {"values.norm_1", 7},
        {"values.norm_inf", 12},
        {"values.norm_frobenius", 9.124143795447328},
        {"values.dominant_rows", NAN},
        {"row_lengths.min", 0},
        {"row_lengths.max", 4},
        {"row_lengths.mean", 1.8},
        {"row_lengths.median", 2},
        {"row_lengths.stddev", 1.32664991614216},
        {"row_lengths.cv", 0.7370277311900889},
        {"row_lengths.average_deviation", 1.04},
        {"row_lengths.percent_average_deviation", 57.77777777777778},
        {"row_lengths.gini", 0.4},
        {"row_lengths.p95", 3.6},
        {"row_lengths.p99", 3.92},
        {"col_lengths.min", 0},
        {"col_lengths.max", 3},
        {"col_lengths.mean", 1.5},
        {"col_lengths.median", 1.5},
        {"col_lengths.stddev", 0.9574271077563381},
        {"col_lengths.cv", 0.6382847385042254},
        {"col_lengths.average_deviation", 0.8333333333333334},
        {"col_lengths.percent_average_deviation", 55.55555555555556},
        {"col_lengths.gini", 0.35185185185185186},
        {"col_lengths.p95", 2.75},
        {"col_lengths.p99", 2.95},
    };
    struct session session;
    make_session(&session, 5, 6, row_ptr, col, val);
    check_all(&session, expected, sizeof expected / sizeof *expected);
    assert_string_equal(column_value(column_find("name"), session.shown).text, "hand");
    assert_string_equal(column_value(column_find("path"), session.shown).text, "folder/hand.mtx");
    assert_string_equal(column_value(column_find("field"), session.shown).text, "real");
    assert_string_equal(column_value(column_find("symmetry"), session.shown).text, "general");
    session_free(&session);
}

static void square_numbers(void **state)
{
    static const int64_t row_ptr[] = {0, 3, 5, 6, 7};
    static const int32_t col[] = {0, 1, 2, 0, 3, 0, 3};
    static const double val[] = {2, 5, 1, 5, 1, 9, 0};
    static const struct expected expected[] = {
        {"density", 0.4375},
        {"structure.lower_bandwidth", 2},
        {"structure.upper_bandwidth", 2},
        {"structure.profile", 3},
        {"structure.pattern_symmetry", 0.8},
        {"structure.numeric_symmetry", 0.4},
        {"structure.diagonal_nonzeros", 2},
        {"structure.diagonals", 5},
        {"structure.components", 1},
        {"structure.strong_components", 2},
        {"structure.largest_strong_component", 3},
        {"blocks.structural_rank", 3},
        {"blocks.underdetermined_rows", 1},
        {"blocks.underdetermined_cols", 2},
        {"blocks.overdetermined_rows", 3},
        {"blocks.overdetermined_cols", 2},
        {"blocks.count", 0},
        {"cholesky.entries", 9},
        {"cholesky.growth", 9.0 / 7},
        {"cholesky.flops", 23},
        {"qr.entries", 10},
        {"qr.flops", 30},
        {"qr.householder", 7},
        {"qr.lacking", 0},
        {"lower_triangle.entries", 2},
        {"lower_triangle.levels", 2},
        {"lower_triangle.mean_level", 2},
        {"lower_triangle.median_level", 2},
        {"lower_triangle.largest_level", 2},
        {"upper_triangle.entries", 3},
        {"upper_triangle.levels", 3},
        {"upper_triangle.mean_level", 4.0 / 3},
        {"upper_triangle.median_level", 2},
        {"upper_triangle.largest_level", 2},
        {"colours.count", 2},
        {"colours.largest", 2},
        {"colours.smallest", 2},
        {"colours.by_degree", 2},
        {"values.norm_1", 16},
        {"values.norm_inf", 9},
        {"values.dominant_rows", 0.25},
        {"values.strictly_dominant_rows", 0},
        {"row_lengths.median", 1.5},
        {"row_lengths.stddev", 0.82915619758885},
        {"row_lengths.gini", 0.25},
        {"row_lengths.p95", 2.85},
    };
    struct session session;
    make_session(&session, 4, 4, row_ptr, col, val);
    check_all(&session, expected, sizeof expected / sizeof *expected);
    session_free(&session);
}

static void undefined_numbers_are_null(void **state)
{
    static const int64_t none[] = {0, 0, 0};
    struct session session;
    make_session(&session, 0, 3, none, NULL, NULL);
    check(&session, "density", NAN);
    check(&session, "row_lengths.min", NAN);
    check(&session, "row_lengths.max", NAN);
    check(&session, "row_lengths.mean", NAN);
    check(&session, "col_lengths.min", 0);
    check(&session, "col_lengths.mean", 0);
    check(&session, "col_lengths.cv", NAN);
    check(&session, "col_lengths.gini", NAN);
    check(&session, "structure.empty_cols", 3);
    session_free(&session);
    make_session(&session, 2, 2, none, NULL, NULL);
    check(&session, "density", 0);
    check(&session, "structure.pattern_symmetry", NAN);
    check(&session, "upper_triangle.levels", 1);
    check(&session, "upper_triangle.largest_level", 2);
    check(&session, "colours.count", 1);
    check(&session, "colours.rounds", 1);
    session_free(&session);
}

/* The 3 x 3 matrix with rows (0, 1, 2), (1), () and the same with its rows in the opposite order: by hand,
 * the lower bandwidths are 0 and 2, the upper ones 2 and 0. */
static void cases_are_known_apart(void **state)
{
    static const int64_t row_ptr[] = {0, 3, 4, 4}, turned_ptr[] = {0, 0, 1, 4};
    static const int32_t col[] = {0, 1, 2, 1}, turned_col[] = {1, 0, 1, 2};
    static const double val[] = {1, 2, 3, 4}, turned_val[] = {4, 1, 2, 3};
    struct session session, other;
    struct error error = {0};
    make_session(&session, 3, 3, row_ptr, col, val);
    make_session(&other, 3, 3, turned_ptr, turned_col, turned_val);
    struct matrix_case *natural = session.shown;
    struct matrix_case *turned = session_add_case(&session, "turned", &other.shown->matrix, &error);
    assert_non_null(turned);
    assert_null(other.shown->matrix.csr.row_ptr);
    assert_ptr_equal(session.shown, natural);
    session.shown = turned;
    assert_false(session_has(&session, SESSION_STRUCTURE));
    assert_int_equal(session_need(&session, NULL, SESSION_STRUCTURE | SESSION_ROW_LENGTHS, NULL, &error),
                     STATUS_OK);
    check(&session, "structure.lower_bandwidth", 2);
    check(&session, "structure.upper_bandwidth", 0);
    session.shown = natural;
    check(&session, "structure.lower_bandwidth", 0);
    check(&session, "structure.upper_bandwidth", 2);
    assert_non_null(storing_want(&turned->conversions, format_find("csr"), "", PRECISION_F64, &error));
    assert_int_equal(atomic_load(&natural->conversions.count), 0);
    session_free(&session);
    session_free(&other);
}

/* Where nothing is left to compute, no memory is needed. */
static void existing_parts_are_not_computed_again(void **state)
{
    static const int64_t row_ptr[] = {0, 1, 2};
    static const int32_t col[] = {0, 1};
    static const double val[] = {1, 2};
    struct session session;
    struct error error = {0};
    make_session(&session, 2, 2, row_ptr, col, val);
    memory_fail_after(0);
    assert_int_equal(session_need(&session, NULL,
                                  SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_STRUCTURE, NULL,
                                  &error),
                     STATUS_OK);
    assert_int_equal(memory_failures(), 0);
    memory_fail_after(-1);
    session_free(&session);
}

static void missing_parts_are_null(void **state)
{
    struct session session = {0};
    struct error error = {0};
    for (const struct column *column = columns; column->key; column++)
        assert_int_equal(column_value(column, session.shown).type, VALUE_NULL);
    assert_int_equal(session_need(&session, NULL, SESSION_STRUCTURE, NULL, &error), STATUS_USAGE);
    struct load_options options = {0};
    error_clear(&error);
    assert_int_equal(session_load(&session, "gen:laplace2d,n=3", &options, NULL, &error), STATUS_OK);
    for (const struct column *column = columns; column->key; column++)
        assert_int_equal(column_value(column, session.shown).type == VALUE_NULL, column->needs != 0);
    session_free(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangular_numbers),
        cmocka_unit_test(square_numbers),
        cmocka_unit_test(undefined_numbers_are_null),
        cmocka_unit_test(cases_are_known_apart),
        cmocka_unit_test(existing_parts_are_not_computed_again),
        cmocka_unit_test(missing_parts_are_null),
    };
    return cmocka_run_group_tests_name("numbers", tests, NULL, NULL);
}
