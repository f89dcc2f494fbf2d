#include "support/generate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "matrix/generators/generate.h"

static const struct load_options usual;

struct matrix generated(const char *specification)
{
    struct matrix matrix = {0};
    struct error error = {0};
    if (generate_matrix(specification, &usual, NULL, &matrix, &error) != STATUS_OK)
        fail_msg("%s: %s", specification, error.message);
    if (csr_validate(&matrix.csr, &error) != STATUS_OK) fail_msg("%s: %s", specification, error.message);
    assert_string_equal(matrix.name, specification);
    assert_int_equal(matrix.stored, csr_nnz(&matrix.csr));
    assert_true(matrix.coordinate);
    return matrix;
}

double value_at(const struct csr *a, int64_t i, int64_t j)
{
    int64_t k = csr_find(a, i, j);
    return k < 0 ? 0 : a->val[k];
}

bool is_symmetric(const struct csr *a)
{
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            if (csr_find(a, a->col[k], i) < 0 || value_at(a, a->col[k], i) != a->val[k]) return false;
    return true;
}

bool same_matrix(const struct csr *a, const struct csr *b)
{
    size_t nnz = (size_t)csr_nnz(a);
    return a->rows == b->rows && a->cols == b->cols &&
           memcmp(a->row_ptr, b->row_ptr, (size_t)(a->rows + 1) * sizeof *a->row_ptr) == 0 &&
           memcmp(a->col, b->col, nnz * sizeof *a->col) == 0 &&
           memcmp(a->val, b->val, nnz * sizeof *a->val) == 0;
}
