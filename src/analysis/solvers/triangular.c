#include "analysis/solvers/triangular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/graphs/levels.h"

double factors_largest(const struct csr *a, int64_t i)
{
    double largest = 0;
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
        largest = fmax(largest, fabs(a->val[k]));
    return largest;
}

enum status factors_make(const struct csr *a, const char *name, double shift, int each,
                         struct factors *factors, struct error *error)
{
    const size_t rows = (size_t)a->rows, nnz = (size_t)csr_nnz(a);
    *factors = (struct factors){.a = a, .each = each};
    factors->val = memory_array(nnz, sizeof *factors->val, error);
    factors->diagonal = memory_array(rows, sizeof *factors->diagonal, error);
    factors->inverse = memory_array(rows, sizeof *factors->inverse, error);
    if (!factors->val || !factors->diagonal || !factors->inverse) return STATUS_MEMORY;
    memcpy(factors->val, a->val, nnz * sizeof *factors->val);
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t k = csr_find(a, i, i);
        if (k < 0)
            return error_set(error, STATUS_UNAVAILABLE,
                             "%s: row %lld has no diagonal entry; an order of the rows may bring one there",
                             name, (long long)(i / each) + 1);
        factors->diagonal[i] = k;
        if (shift > 0) factors->val[k] += copysign(shift * factors_largest(a, i), a->val[k]);
    }
    return STATUS_OK;
}

static enum status make_parts(struct factors *factors, struct error *error)
{
    const struct csr *a = factors->a;
    const struct csr filled = {a->rows, a->cols, a->row_ptr, a->col, factors->val, NULL, NULL};
    enum status status = trisolve_parts_make(&filled, &factors->parts, error);
    factors->lower = factors->parts;
    if (status != STATUS_OK || factors->both) return status;
    factors->ones = memory_array((size_t)a->rows, sizeof *factors->ones, error);
    if (!factors->ones) return STATUS_MEMORY;
    for (int64_t i = 0; i < a->rows; i++)
        factors->ones[i] = 1;
    factors->lower.diagonal = factors->lower.inverse = factors->ones;
    return STATUS_OK;
}

enum status factors_prepare(struct factors *factors, struct progress *progress, struct error *error)
{
    const int threads = threads_count();
    enum status status = make_parts(factors, error);
    factors->kernel = threads > 1 ? &trisolve_levels : &trisolve_sequential;
    for (int t = 0; t < TRIANGLES && status == STATUS_OK; t++)
        status = factors->kernel->prepare(t == TRIANGLE_LOWER ? &factors->lower : &factors->parts,
                                          t == TRIANGLE_LOWER ? TRISOLVE_LOWER : TRISOLVE_UPPER, threads,
                                          progress, &factors->solve[t], error);
    return status;
}

void factors_solve(const struct factors *factors, const double *r, double *z)
{
    factors->kernel->run(factors->solve[TRIANGLE_LOWER], r, z);
    factors->kernel->run(factors->solve[TRIANGLE_UPPER], z, z);
}

void factors_free(struct factors *factors)
{
    free(factors->val);
    free(factors->diagonal);
    free(factors->inverse);
    free(factors->ones);
    for (int t = 0; t < TRIANGLES; t++)
        if (factors->solve[t]) factors->kernel->release(factors->solve[t]);
    trisolve_parts_free(&factors->parts);
    *factors = (struct factors){0};
}

void factors_apply(const struct preconditioner *preconditioner, const double *r, double *z)
{
    factors_solve(preconditioner->state, r, z);
}

void factors_release(struct preconditioner *preconditioner)
{
    factors_free(preconditioner->state);
    free(preconditioner->state);
}

size_t factors_bytes(const struct csr *a, const struct solver_options *options)
{
    const size_t rows = (size_t)a->rows;
    /* The values; the diagonal, pivots, ones and the entries of a row; the parts, with their copies for
     * threads, the levels and the division of the rows. */
    return (size_t)csr_nnz(a) * sizeof(double) + 32 * rows + 2 * trisolve_parts_bytes(a) +
           levels_bytes(a->rows) + 64 * rows;
}
