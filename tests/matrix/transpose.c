/* matrix/transpose: a loaded matrix and A^T, at every position. */
#include <string.h>

#include "base/memory.h"
#include "matrix/matrix.h"
#include "matrix/transpose.h"
#include "support/cmocka.h"
#include "support/support.h"

static struct matrix loaded(struct csr a, enum symmetry symmetry)
{
    struct matrix matrix = {.csr = a, .symmetry = symmetry, .name = memory_string("a", NULL)};
    matrix.field = a.imaginary ? FIELD_COMPLEX : FIELD_REAL;
    return matrix;
}

static void every_place_changes_sides(void **state)
{
    for (int complex = 0; complex < 2; complex++) {
        struct csr before = support_matrix(60, 90, 0.2, true, complex, 3);
        struct matrix matrix = loaded(support_matrix(60, 90, 0.2, true, complex, 3), SYMMETRY_GENERAL);
        assert_int_equal(matrix_transpose(&matrix, 0, NULL, NULL), STATUS_OK);
        const struct csr *a = &matrix.csr;
        assert_int_equal(csr_validate(a, NULL), STATUS_OK);
        assert_int_equal(a->rows, 90);
        assert_int_equal(a->cols, 60);
        assert_int_equal(csr_nnz(a), csr_nnz(&before));
        for (int64_t i = 0; i < before.rows; i++)
            for (int64_t k = before.row_ptr[i]; k < before.row_ptr[i + 1]; k++) {
                int64_t at = csr_find(a, before.col[k], i);
                assert_true(at >= 0 && a->val[at] == before.val[k]);
                assert_true(!complex || a->imaginary[at] == before.imaginary[k]); /* not conjugated */
            }
        assert_true(matrix.transposed);
        assert_string_equal(matrix.name, "a^T");
        csr_free(&before);
        matrix_free(&matrix);
    }
}

/* The arrays of a symmetric matrix are neither copied nor looked at. */
static void a_symmetric_matrix_stays(void **state)
{
    const double values[] = {1, 2, 0, 2, 0, 3, 0, 3, 4};
    struct matrix matrix = loaded(support_dense(3, 3, values), SYMMETRY_SYMMETRIC);
    const double *val = matrix.csr.val;
    assert_int_equal(matrix_transpose(&matrix, 1, NULL, NULL), STATUS_OK);
    assert_ptr_equal(matrix.csr.val, val);
    assert_string_equal(matrix.name, "a^T");
    matrix_free(&matrix);
}

/* a12 = 5, a21 = -5; and a12 = 1 + 2i, a21 = 1 - 2i. */
static void symmetries_stay(void **state)
{
    const double skew[] = {0, 5, -5, 0}, real[] = {3, 1, 1, 4};
    struct matrix matrix = loaded(support_dense(2, 2, skew), SYMMETRY_SKEW);
    assert_int_equal(matrix_transpose(&matrix, 0, NULL, NULL), STATUS_OK);
    assert_int_equal(matrix.symmetry, SYMMETRY_SKEW);
    assert_true(matrix.csr.val[0] == -5 && matrix.csr.val[1] == 5);
    matrix_free(&matrix);
    struct csr hermitian = support_dense(2, 2, real);
    hermitian.imaginary = memory_zeroed(4, sizeof(double), NULL);
    hermitian.imaginary[1] = 2, hermitian.imaginary[2] = -2;
    matrix = loaded(hermitian, SYMMETRY_HERMITIAN);
    assert_int_equal(matrix_transpose(&matrix, 0, NULL, NULL), STATUS_OK);
    assert_int_equal(matrix.symmetry, SYMMETRY_HERMITIAN);
    assert_true(matrix.csr.imaginary[1] == -2 && matrix.csr.imaginary[2] == 2);
    matrix_free(&matrix);
}

static void summed_places_change_sides_in_order(void **state)
{
    struct matrix matrix = loaded(support_matrix(5, 9, 0.9, false, false, 4), SYMMETRY_GENERAL);
    assert_int_equal(summed_add(&matrix.summed, 0, 3, 2, NULL), STATUS_OK);
    assert_int_equal(summed_add(&matrix.summed, 0, 8, 5, NULL), STATUS_OK);
    assert_int_equal(summed_add(&matrix.summed, 4, 1, 3, NULL), STATUS_OK);
    assert_int_equal(summed_add(&matrix.summed, 4, 3, 4, NULL), STATUS_OK);
    assert_int_equal(matrix_transpose(&matrix, 0, NULL, NULL), STATUS_OK);
    static const struct summed_place expected[] = {{1, 4, 3}, {3, 0, 2}, {3, 4, 4}, {8, 0, 5}};
    assert_int_equal(matrix.summed.kept, 4);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(matrix.summed.list[k].row, expected[k].row);
        assert_int_equal(matrix.summed.list[k].col, expected[k].col);
        assert_int_equal(matrix.summed.list[k].entries, expected[k].entries);
    }
    matrix_free(&matrix);
}

/* After any failure the matrix is unchanged. */
static void failures_leave_the_matrix(void **state)
{
    struct matrix matrix = loaded(support_matrix(40, 30, 0.5, false, true, 5), SYMMETRY_GENERAL);
    enum status status = STATUS_MEMORY;
    int64_t k = 0;
    for (; status != STATUS_OK; k++) {
        struct error error = {0};
        memory_fail_after(k);
        status = matrix_transpose(&matrix, 0, NULL, &error);
        memory_fail_after(-1);
        if (status == STATUS_OK) break;
        assert_int_equal(status, STATUS_MEMORY);
        assert_int_equal(error.status, STATUS_MEMORY);
        assert_false(matrix.transposed);
        assert_string_equal(matrix.name, "a");
        assert_int_equal(matrix.csr.rows, 40);
        assert_int_equal(csr_validate(&matrix.csr, NULL), STATUS_OK);
    }
    assert_true(k >= 4); /* row_ptr, col, val, imaginary */
    matrix_free(&matrix);
    matrix = loaded(support_matrix(2000, 2000, 0.5, false, false, 6), SYMMETRY_GENERAL); /* 24 MB */
    struct progress progress = {0};
    progress_cancel(&progress);
    assert_int_equal(matrix_transpose(&matrix, 0, &progress, NULL), STATUS_CANCELLED);
    assert_false(matrix.transposed);
    struct error error = {0};
    assert_int_equal(matrix_transpose(&matrix, (size_t)40 << 20, NULL, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "the transposed matrix"));
    assert_int_equal(csr_validate(&matrix.csr, NULL), STATUS_OK);
    matrix_free(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_changes_sides), cmocka_unit_test(a_symmetric_matrix_stays),
        cmocka_unit_test(symmetries_stay),           cmocka_unit_test(summed_places_change_sides_in_order),
        cmocka_unit_test(failures_leave_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
