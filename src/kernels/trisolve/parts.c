/* The division of a matrix into L, D and U. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "kernels/trisolve/trisolve.h"

static enum status may_divide(const struct csr *a, struct error *error)
{
    if (a->rows != a->cols)
        return error_set(error, STATUS_UNAVAILABLE, "triangular solves need a square matrix");
    if (a->skeleton)
        return error_set(error, STATUS_UNAVAILABLE, "triangular solves need all entries in memory");
    if (a->imaginary)
        return error_set(error, STATUS_UNAVAILABLE, "triangular solves of complex matrices are not timed");
    return csr_check_finite(a, "triangular solves", error);
}

/* The first entry of row i that is not left of the diagonal. */
static int64_t diagonal_at(const struct csr *a, int64_t i)
{
    return csr_lower_bound(a, i, i);
}

static void count(const struct csr *a, struct trisolve_parts *parts)
{
    int64_t ones = 0;
#pragma omp parallel for schedule(static) reduction(+ : ones) if (csr_nnz(a) >= PARALLEL_MIN)
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t k = diagonal_at(a, i), end = a->row_ptr[i + 1];
        const bool there = k < end && a->col[k] == i, one = !there || a->val[k] == 0;
        parts->triangle[TRIANGLE_LOWER].row_ptr[i] = k - a->row_ptr[i];
        parts->triangle[TRIANGLE_UPPER].row_ptr[i] = end - k - there;
        parts->diagonal[i] = one ? 1 : a->val[k];
        parts->inverse[i] = 1 / parts->diagonal[i];
        ones += one;
    }
    parts->ones = ones;
}

static void copy(const struct csr *a, struct trisolve_parts *parts)
{
#pragma omp parallel for schedule(static) if (csr_nnz(a) >= PARALLEL_MIN)
    for (int64_t i = 0; i < a->rows; i++) {
        for (int t = 0; t < TRIANGLES; t++) {
            struct trisolve_triangle *triangle = &parts->triangle[t];
            const int64_t to = triangle->row_ptr[i], number = triangle->row_ptr[i + 1] - to;
            const int64_t from = t == TRIANGLE_LOWER ? a->row_ptr[i] : a->row_ptr[i + 1] - number;
            if (number == 0) continue;
            memcpy(triangle->col + to, a->col + from, (size_t)number * sizeof *triangle->col);
            memcpy(triangle->val + to, a->val + from, (size_t)number * sizeof *triangle->val);
        }
    }
}

enum status trisolve_parts_make(const struct csr *a, struct trisolve_parts *parts, struct error *error)
{
    *parts = (struct trisolve_parts){.rows = a->rows};
    enum status status = may_divide(a, error);
    if (status != STATUS_OK) return status;
    const size_t rows = (size_t)a->rows;
    parts->diagonal = memory_array(rows, sizeof *parts->diagonal, error);
    parts->inverse = memory_array(rows, sizeof *parts->inverse, error);
    bool all = parts->diagonal && parts->inverse;
    for (int t = 0; t < TRIANGLES && all; t++) {
        parts->triangle[t].row_ptr = memory_zeroed(rows + 1, sizeof *parts->triangle[t].row_ptr, error);
        all = parts->triangle[t].row_ptr;
    }
    if (all) count(a, parts);
    for (int t = 0; t < TRIANGLES && all; t++) {
        struct trisolve_triangle *triangle = &parts->triangle[t];
        threads_offsets(triangle->row_ptr, a->rows);
        const size_t number = (size_t)triangle->row_ptr[rows];
        triangle->col = memory_array(number, sizeof *triangle->col, error);
        triangle->val = memory_array(number, sizeof *triangle->val, error);
        all = triangle->col && triangle->val;
    }
    if (all) copy(a, parts);
    return all ? STATUS_OK : STATUS_MEMORY;
}

void trisolve_parts_free(struct trisolve_parts *parts)
{
    for (int t = 0; t < TRIANGLES; t++) {
        free(parts->triangle[t].row_ptr);
        free(parts->triangle[t].col);
        free(parts->triangle[t].val);
    }
    free(parts->diagonal);
    free(parts->inverse);
    *parts = (struct trisolve_parts){0};
}

size_t trisolve_parts_bytes(const struct csr *a)
{
    return (size_t)csr_nnz(a) * (sizeof *a->col + sizeof *a->val) + (size_t)(a->rows + 1) * 32;
}
