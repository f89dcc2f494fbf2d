/* Block Jacobi: M is the blocks of `block` rows on the diagonal of A. Their inverses are kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/solvers/preconditioner.h"
#include "analysis/solvers/vectors.h"
#include "base/memory.h"
#include "base/range.h"

struct blocks {
    int size;        /* rows of a block; the last may have fewer */
    double *inverse; /* size x size numbers for each, row-major; owned */
};

/* Copy rows from .. from+n-1 and the same columns of A into d, n x n, row-major. */
static void take_block(const struct csr *a, int64_t from, int n, double *d)
{
    memset(d, 0, (size_t)n * (size_t)n * sizeof *d);
    for (int i = 0; i < n; i++) {
        const int64_t end = a->row_ptr[from + i + 1];
        for (int64_t k = csr_lower_bound(a, from + i, from); k < end && a->col[k] < from + n; k++)
            d[i * n + (a->col[k] - from)] = a->val[k];
    }
}

static void swap_lines(double *d, int n, int i, int j)
{
    for (int k = 0; k < n; k++) {
        const double kept = d[i * n + k];
        d[i * n + k] = d[j * n + k];
        d[j * n + k] = kept;
    }
}

/* Invert d into `inverse`, and destroy d: Gauss-Jordan elimination with partial pivoting. False if it is
 * singular. */
static bool invert(double *d, int n, double *inverse)
{
    double largest = 0;
    for (int k = 0; k < n * n; k++) {
        largest = fmax(largest, fabs(d[k]));
        inverse[k] = k / n == k % n;
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(d[i * n + k]) > fabs(d[pivot * n + k])) pivot = i;
        if (!(fabs(d[pivot * n + k]) > largest * 1e-15)) return false;
        swap_lines(d, n, k, pivot);
        swap_lines(inverse, n, k, pivot);
        const double scale = 1 / d[k * n + k];
        for (int j = 0; j < n; j++) {
            d[k * n + j] *= scale;
            inverse[k * n + j] *= scale;
        }
        for (int i = 0; i < n; i++) {
            const double factor = d[i * n + k];
            if (i == k || factor == 0) continue;
            for (int j = 0; j < n; j++) {
                d[i * n + j] -= factor * d[k * n + j];
                inverse[i * n + j] -= factor * inverse[k * n + j];
            }
        }
    }
    return true;
}

static void release_blocks(struct preconditioner *preconditioner)
{
    struct blocks *blocks = preconditioner->state;
    free(blocks->inverse);
    free(blocks);
}

/* Return the first block that is singular; the number of blocks if none is. */
static int64_t invert_all(const struct csr *a, struct blocks *blocks, double *scratch,
                          struct progress *progress)
{
    const int64_t count = divide_up(a->rows, blocks->size), square = (int64_t)blocks->size * blocks->size;
    for (int64_t b = 0; b < count && !progress_cancelled(progress); b++) {
        const int n = (int)min(blocks->size, a->rows - b * blocks->size);
        take_block(a, b * blocks->size, n, scratch);
        if (!invert(scratch, n, blocks->inverse + b * square)) return b;
    }
    return count;
}

static enum status make_blocks(const struct csr *a, const struct solver_options *options,
                               struct preconditioner *preconditioner, struct progress *progress,
                               struct error *error)
{
    const int rows = options->block * preconditioner->parts;
    const size_t size = (size_t)rows;
    const int64_t count = divide_up(a->rows, rows);
    struct blocks *blocks = memory_zeroed(1, sizeof *blocks, error);
    preconditioner->state = blocks;
    if (!blocks) return STATUS_MEMORY;
    blocks->size = rows;
    blocks->inverse = memory_array((size_t)count * size, size * sizeof *blocks->inverse, error);
    double *scratch = memory_array(size, size * sizeof *scratch, error);
    if (!blocks->inverse || !scratch) {
        free(scratch);
        return STATUS_MEMORY;
    }
    const int64_t singular = invert_all(a, blocks, scratch, progress);
    free(scratch);
    if (progress_cancelled(progress)) return progress_status(progress, error);
    if (singular == count) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE,
                     "block Jacobi: the block from row %lld on is singular; try another block=ROWS",
                     (long long)(singular * options->block) + 1);
}

static void apply_blocks(const struct preconditioner *preconditioner, const double *r, double *z)
{
    const struct blocks *blocks = preconditioner->state;
    const int64_t rows = preconditioner->rows, count = divide_up(rows, blocks->size);
#pragma omp parallel for schedule(static) if (rows > VECTOR_SHARED)
    for (int64_t b = 0; b < count; b++) {
        const int64_t from = b * blocks->size;
        const int n = (int)min(blocks->size, rows - from);
        const double *inverse = blocks->inverse + from * blocks->size;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += inverse[i * n + j] * r[from + j];
            z[from + i] = sum;
        }
    }
}

static size_t blocks_bytes(const struct csr *a, const struct solver_options *options)
{
    return (size_t)(a->rows + 2 * options->block) * (size_t)options->block * sizeof(double);
}

const struct preconditioner_kind preconditioner_block_jacobi = {
    .name = "block-jacobi",
    .title = "block Jacobi",
    .summary = "blocks of rows on the diagonal",
    .source = "Barrett and others 1994, section 3.2",
    .make = make_blocks,
    .apply = apply_blocks,
    .release = release_blocks,
    .bytes = blocks_bytes,
};
