/* matrix/csr: searching, checking and thinning the canonical matrix. */
#include <math.h>
#include <string.h>

#include "matrix/csr.h"
#include "support/cmocka.h"
#include "support/support.h"

/* Every position of a matrix, and the rims, compared with a plain scan of the row. */
static void searching_equals_a_scan(void **state)
{
    struct csr a = support_matrix(60, 90, 0.2, true, false, 3);
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = -1; j <= a.cols + 1; j++) {
            int64_t k = a.row_ptr[i];
            while (k < a.row_ptr[i + 1] && a.col[k] < j)
                k++;
            assert_int_equal(csr_lower_bound(&a, i, j), k);
            assert_int_equal(csr_find(&a, i, j), k < a.row_ptr[i + 1] && a.col[k] == j ? k : -1);
        }
    for (int64_t i = 0; i < a.rows; i++) /* some of them empty */
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++)
            assert_int_equal(csr_row_of(&a, k), i);
    csr_free(&a);
}

static void refused(const struct csr *a, const char *message)
{
    struct error error = {0};
    assert_int_equal(csr_validate(a, &error), STATUS_INPUT);
    assert_non_null(strstr(error.message, message));
}

static void each_broken_invariant_is_named(void **state)
{
    int64_t row_ptr[] = {0, 2, 2, 4};
    int32_t col[] = {0, 2, 1, 2};
    double val[] = {1, 2, 3, 4};
    struct csr a = {.rows = 3, .cols = 3, .row_ptr = row_ptr, .col = col, .val = val};
    assert_int_equal(csr_validate(&a, NULL), STATUS_OK);
    col[3] = 3, refused(&a, "row 3: a column lies outside the matrix");
    col[3] = -1, refused(&a, "row 3: a column lies outside the matrix");
    col[3] = 1, refused(&a, "row 3: columns are not strictly ascending");
    col[3] = 0, refused(&a, "row 3: columns are not strictly ascending");
    col[0] = 2, refused(&a, "row 1: columns are not strictly ascending"); /* the first of two */
    col[0] = 0, col[3] = 2;
    row_ptr[2] = 1, refused(&a, "row 2: offsets descend");
    row_ptr[2] = 2, row_ptr[0] = 1, refused(&a, "the first offset is not 0");
    row_ptr[0] = 0;
    a.val = NULL, refused(&a, "an array is missing");
    a.val = val, a.cols = (int64_t)INT32_MAX + 1, refused(&a, "is not a size");
    a.cols = 3, a.rows = -1, refused(&a, "is not a size");
}

/* Dropping keeps nonzero entries in order; NaN and a zero real part beside an imaginary one stay. */
static void only_zeros_are_dropped(void **state)
{
    for (int complex = 0; complex < 2; complex++) {
        struct csr a = support_matrix(70, 50, 0.3, true, complex, 9), before;
        before = support_matrix(70, 50, 0.3, true, complex, 9);
        a.val[0] = before.val[0] = NAN;
        a.val[1] = before.val[1] = -0.0;
        int64_t kept = 0, zeros = csr_count_zeros(&a);
        assert_int_equal(csr_drop_zeros(&a), zeros);
        for (int64_t i = 0; i < before.rows; i++) {
            assert_int_equal(a.row_ptr[i], kept);
            for (int64_t k = before.row_ptr[i]; k < before.row_ptr[i + 1]; k++) {
                if (before.val[k] == 0 && (!complex || before.imaginary[k] == 0)) continue;
                assert_int_equal(a.col[kept], before.col[k]);
                assert_memory_equal(&a.val[kept], &before.val[k], sizeof(double));
                if (complex) assert_true(a.imaginary[kept] == before.imaginary[k]);
                kept++;
            }
        }
        assert_int_equal(csr_nnz(&a), kept);
        assert_int_equal(csr_nnz(&before) - kept, zeros);
        assert_true(zeros > 20);
        assert_int_equal(csr_count_zeros(&a), 0);
        assert_int_equal(csr_drop_zeros(&a), 0);
        csr_free(&a);
        csr_free(&before);
    }
}

static void sizes_are_checked(void **state)
{
    assert_int_equal(csr_bytes(3, 10, 0), 4 * 8 + 10 * 12);
    assert_int_equal(csr_bytes(3, 10, 1), 4 * 8 + 10 * 20);
    assert_int_equal(csr_bytes(0, 0, 0), 8);
    assert_int_equal(csr_bytes(1, INT64_MAX, 0), SIZE_MAX);
    struct csr none = {0};
    assert_int_equal(csr_nnz(&none), 0);
    csr_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searching_equals_a_scan),
        cmocka_unit_test(each_broken_invariant_is_named),
        cmocka_unit_test(only_zeros_are_dropped),
        cmocka_unit_test(sizes_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
