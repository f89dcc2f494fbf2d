/* The generated matrices for timing the loops of the host. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "kernels/timing/processor_parts.h"
#include "matrix/generators/hash.h"

/* The rows of a small matrix are a multiple of this: whole chunks, strips and blocks of all sizes. */
#define ROWS_UNIT 96

#define GROUP 24 /* number of rows with the same columns, to make blocks full */

static int64_t length_of(const struct shape_of *shape, int64_t i)
{
    if (shape->kind != SHAPE_UNEVEN && shape->kind != SHAPE_SORTED) return shape->length;
    return hash_below(hash_at(hash_key(1, HASH_LENGTH, i), 0), 2 * shape->length + 1);
}

/* Columns ascend: `length` equal parts have one random column each. */
static int32_t column_of(const struct shape_of *shape, int64_t i, int64_t c)
{
    if (shape->kind == SHAPE_BLOCKS) return (int32_t)(i / GROUP * GROUP + c);
    if (shape->kind != SHAPE_SCATTERED) return (int32_t)(i + c);
    int64_t part = shape->cols / shape->length;
    return (int32_t)(c * part + hash_below(hash_at(hash_key(1, HASH_PLACE, i), c), part));
}

enum status processor_make_matrix(const struct shape_of *shape, struct csr *a, struct error *error)
{
    *a = (struct csr){.rows = shape->rows, .cols = shape->cols};
    a->row_ptr = memory_array((size_t)a->rows + 1, sizeof *a->row_ptr, error);
    if (!a->row_ptr) return STATUS_MEMORY;
    a->row_ptr[0] = 0;
    for (int64_t i = 0; i < a->rows; i++)
        a->row_ptr[i + 1] = length_of(shape, i);
    if (shape->kind == SHAPE_SORTED)
        qsort(a->row_ptr + 1, (size_t)a->rows, sizeof *a->row_ptr, compare_integers);
    for (int64_t i = 0; i < a->rows; i++)
        a->row_ptr[i + 1] += a->row_ptr[i];
    a->col = memory_array((size_t)csr_nnz(a) + 1, sizeof *a->col, error);
    a->val = a->col ? memory_array((size_t)csr_nnz(a) + 1, sizeof *a->val, error) : NULL;
    if (!a->val) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) if (csr_nnz(a) > PARALLEL_MIN)
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            a->col[k] = column_of(shape, i, k - a->row_ptr[i]);
            a->val[k] = 1;
        }
    return STATUS_OK;
}

struct shape_of processor_shape(enum shape_kind kind, int64_t entries, int64_t length)
{
    int64_t rows = max(1, entries / length / ROWS_UNIT) * ROWS_UNIT;
    return (struct shape_of){kind, rows, rows + 2 * length + GROUP, length};
}
