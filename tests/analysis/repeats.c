/* analysis/repeats: rows and columns that repeat an earlier one, against a comparison of all pairs in a dense
 * array. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/repeats.h"
#include "base/memory.h"
#include "base/threads.h"
#include "matrix/columns.h"
#include "support/cmocka.h"
#include "support/support.h"

/* Return the number of the entry at position `at` of line `line`; -1 if there is none. */
static int64_t entry_at(const struct csr *a, bool columns, int64_t line, int64_t at)
{
    return columns ? csr_find(a, at, line) : csr_find(a, line, at);
}

static bool equal(double x, double y)
{
    return isnan(x) ? isnan(y) : x == y;
}

static bool plainly_alike(const struct csr *a, bool columns, bool values, int64_t line, int64_t other)
{
    int64_t length = columns ? a->rows : a->cols, entries = 0;
    for (int64_t at = 0; at < length; at++) {
        int64_t p = entry_at(a, columns, line, at), q = entry_at(a, columns, other, at);
        if ((p < 0) != (q < 0)) return false;
        entries += p >= 0;
        if (p >= 0 && values && !equal(a->val[p], a->val[q])) return false;
        if (p >= 0 && values && a->imaginary && !equal(a->imaginary[p], a->imaginary[q])) return false;
    }
    return entries > 0;
}

static int64_t plainly_repeated(const struct csr *a, bool columns, bool values, int64_t line)
{
    for (int64_t other = 0; other < line; other++)
        if (plainly_alike(a, columns, values, line, other)) return other;
    return -1;
}

/* Compare all answers with those of the loops above. With `collide` all lines get the same hash value. Return
 * the number of lines that repeat another one. */
static int check(const struct csr *a, bool columns, bool values, bool collide)
{
    int64_t *offsets = NULL;
    int64_t lines = columns ? a->cols : a->rows;
    int found = 0;
    struct repeats repeats;
    assert_int_equal(column_offsets(a, 0, NULL, &offsets, NULL), STATUS_OK);
    const int64_t *of = columns ? offsets : a->row_ptr;
    assert_int_equal(repeats_make(a, of, columns, values, 0, NULL, &repeats, NULL), STATUS_OK);
    if (collide) {
        memset(repeats.first, -1, (repeats.mask + 1) * sizeof *repeats.first);
        for (int64_t k = lines - 1; k >= 0; k--) {
            repeats.hash[k] = 5;
            if (of[k] < of[k + 1]) repeats.first[5 & repeats.mask] = (int32_t)k;
        }
    }
    for (int64_t k = 0; k < lines; k++) {
        int64_t expected = plainly_repeated(a, columns, values, k);
        assert_int_equal(repeats_of(&repeats, k, NULL), expected);
        if (expected < 0) continue;
        found++;
        assert_true(repeats_alike(&repeats, k, expected, values, NULL));
        assert_int_equal(repeats_alike(&repeats, k, expected, true, NULL),
                         plainly_alike(a, columns, true, k, expected));
    }
    repeats_free(&repeats);
    free(offsets);
    return found;
}

/* Few entries of few values in few columns: many lines are alike, and some of them in their values, too. */
static void lines_that_repeat_are_those_of_a_plain_loop(void **state)
{
    int found[2][2] = {{0}};
    for (int seed = 0; seed < 12; seed++)
        for (int mode = 0; mode < 8; mode++) {
            bool columns = mode & 1, values = mode & 2, collide = mode & 4;
            struct csr a = support_matrix(columns ? 4 : 60, columns ? 60 : 4, 0.4, seed % 2, seed % 3 == 0,
                                          (uint64_t)seed);
            threads_set(1 + seed % 3);
            found[columns][values] += check(&a, columns, values, collide);
            csr_free(&a);
        }
    threads_set(0);
    for (int k = 0; k < 2; k++) {
        assert_true(found[k][1] > 50); /* the matrices have repeated lines, */
        assert_true(found[k][0] > found[k][1]);
    }
    struct csr apart = support_dense(3, 3, (const double[]){1, 0, 2, 0, 3, 0, 4, 5, 0});
    assert_int_equal(check(&apart, false, false, false) + check(&apart, true, false, true), 0); /* or not */
    csr_free(&apart);
}

/* A grid has many rows for several threads, and planted repetitions: row 2 i + 1 is row 2 i again. */
static void long_matrices_are_searched_in_blocks(void **state)
{
    enum { ROWS = 30000 };
    int64_t *row_ptr = calloc(ROWS + 1, sizeof *row_ptr);
    int32_t *col = calloc(2 * ROWS, sizeof *col);
    double *val = calloc(2 * ROWS, sizeof *val);
    for (int i = 0; i < ROWS; i++) {
        col[2 * i] = i / 2;
        col[2 * i + 1] = ROWS / 2 + i / 2 % 7;
        val[2 * i] = val[2 * i + 1] = i % 4 == 1 ? 2 : 1; /* every second pair differs in its values */
        row_ptr[i + 1] = 2 * (i + 1);
    }
    const struct csr a = {ROWS, ROWS / 2 + 7, row_ptr, col, val, NULL};
    for (int values = 0; values < 2; values++) {
        struct repeats repeats;
        assert_int_equal(repeats_make(&a, row_ptr, false, values, 0, NULL, &repeats, NULL), STATUS_OK);
        for (int i = 0; i < ROWS; i++)
            assert_int_equal(repeats_of(&repeats, i, NULL),
                             i % 2 == 1 && (!values || i % 4 == 3) ? i - 1 : -1);
        repeats_free(&repeats);
    }
    free(row_ptr);
    free(col);
    free(val);
}

static void zeros_and_nan_are_the_same(void **state)
{
    struct csr a = support_dense(4, 2, (const double[]){1, 1, 1, 1, 1, 1, 1, 2});
    a.val[0] = 0.0, a.val[2] = -0.0, a.val[4] = a.val[6] = NAN;
    assert_int_equal(check(&a, false, true, false), 1);
    a.val[7] = 1;
    assert_int_equal(check(&a, false, true, false), 2);
    csr_free(&a);
}

static void it_is_refused_or_stopped_and_nothing_is_left(void **state)
{
    struct csr a = support_matrix(50, 30, 0.2, true, false, 3);
    struct repeats repeats;
    struct progress progress = {0};
    struct error error = {0};
    progress_cancel(&progress);
    assert_int_equal(repeats_make(&a, a.row_ptr, false, true, 0, &progress, &repeats, NULL),
                     STATUS_CANCELLED);
    assert_null(repeats.hash);
    for (long k = 0; k < 2; k++) {
        error_clear(&error);
        memory_fail_after(k);
        assert_int_equal(repeats_make(&a, a.row_ptr, false, true, 0, NULL, &repeats, &error), STATUS_MEMORY);
        assert_int_equal(memory_failures(), 1);
        memory_fail_after(-1);
        assert_null(repeats.hash);
    }
    assert_int_equal(error.status, STATUS_MEMORY);
    csr_free(&a);
    int64_t *row_ptr =
        calloc(4000001, sizeof *row_ptr); /* 8 bytes a row, for the parts that are not searched */
    const struct csr empty = {4000000, 1, row_ptr, NULL, NULL, NULL};
    error_clear(&error);
    assert_int_equal(repeats_make(&empty, row_ptr, false, false, (size_t)60 << 20, NULL, &repeats, &error),
                     STATUS_LIMIT);
    assert_non_null(strstr(error.message, "comparing rows"));
    assert_int_equal(repeats_make(&empty, row_ptr, false, false, (size_t)70 << 20, NULL, &repeats, NULL),
                     STATUS_OK);
    assert_int_equal(repeats_of(&repeats, 3999999, NULL), -1);
    repeats_free(&repeats);
    free(row_ptr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_repeat_are_those_of_a_plain_loop),
        cmocka_unit_test(long_matrices_are_searched_in_blocks),
        cmocka_unit_test(zeros_and_nan_are_the_same),
        cmocka_unit_test(it_is_refused_or_stopped_and_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
