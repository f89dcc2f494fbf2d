#include "analysis/solvers/triangular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/graphs/levels.h"

/* Rows of a level in the mean from which threads share levels: below, a barrier takes longer than it saves.
 */
#define LEVEL_MIN 2048

double factors_largest(const struct csr *a, int64_t i)
{
    double largest = 0;
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
        largest = fmax(largest, fabs(a->val[k]));
    return largest;
}

enum status factors_make(const struct csr *a, const char *name, double shift, struct factors *factors,
                         struct error *error)
{
    const size_t rows = (size_t)a->rows, nnz = (size_t)csr_nnz(a);
    *factors = (struct factors){.a = a};
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
                             name, (long long)i + 1);
        factors->diagonal[i] = k;
        if (shift > 0) factors->val[k] += copysign(shift * factors_largest(a, i), a->val[k]);
    }
    return STATUS_OK;
}

static enum status sort_levels(const struct csr *a, enum triangle triangle, struct progress *progress,
                               int32_t *level, struct sweep *sweep, struct error *error)
{
    struct level_sets sets;
    enum status status = levels_find(a, triangle, progress, level, &sets, error);
    if (status != STATUS_OK || a->rows < LEVEL_MIN * sets.count) return status;
    sweep->levels = sets.count;
    sweep->from = memory_zeroed((size_t)sets.count + 2, sizeof *sweep->from, error);
    sweep->rows = memory_array((size_t)a->rows, sizeof *sweep->rows, error);
    if (!sweep->from || !sweep->rows) return STATUS_MEMORY;
    for (int64_t i = 0; i < a->rows; i++)
        sweep->from[level[i] + 2]++;
    for (int64_t l = 0; l <= sets.count; l++)
        sweep->from[l + 1] += sweep->from[l];
    for (int64_t i = 0; i < a->rows; i++)
        sweep->rows[sweep->from[level[i] + 1]++] = (int32_t)i;
    return STATUS_OK;
}

enum status factors_sweep(struct factors *factors, struct progress *progress, struct error *error)
{
    enum status status = STATUS_OK;
    if (threads_count() == 1 || factors->a->rows < LEVEL_MIN) return STATUS_OK;
    int32_t *level = memory_array((size_t)factors->a->rows, sizeof *level, error);
    if (!level) return STATUS_MEMORY;
    for (int t = 0; t < TRIANGLES && status == STATUS_OK; t++)
        status = sort_levels(factors->a, (enum triangle)t, progress, level, &factors->sweep[t], error);
    free(level);
    return status;
}

/* z_i = r_i - sum over j < i of l_ij z_j, divided by the pivot if L has it. */
static void forward(const struct factors *factors, int64_t i, const double *r, double *z)
{
    double sum = r[i];
    for (int64_t k = factors->a->row_ptr[i]; k < factors->diagonal[i]; k++)
        sum -= factors->val[k] * z[factors->a->col[k]];
    z[i] = factors->both ? sum * factors->inverse[i] : sum;
}

/* z_i = (z_i - sum over j > i of u_ij z_j) / u_ii */
static void backward(const struct factors *factors, int64_t i, double *z)
{
    double sum = z[i];
    for (int64_t k = factors->diagonal[i] + 1; k < factors->a->row_ptr[i + 1]; k++)
        sum -= factors->val[k] * z[factors->a->col[k]];
    z[i] = sum * factors->inverse[i];
}

static void solve_lower(const struct factors *factors, const double *r, double *z)
{
    const struct sweep *sweep = &factors->sweep[TRIANGLE_LOWER];
    if (!sweep->rows) {
        for (int64_t i = 0; i < factors->a->rows; i++)
            forward(factors, i, r, z);
        return;
    }
#pragma omp parallel
    for (int64_t l = 0; l < sweep->levels; l++) {
#pragma omp for schedule(static)
        for (int64_t k = sweep->from[l]; k < sweep->from[l + 1]; k++)
            forward(factors, sweep->rows[k], r, z);
    }
}

static void solve_upper(const struct factors *factors, double *z)
{
    const struct sweep *sweep = &factors->sweep[TRIANGLE_UPPER];
    if (!sweep->rows) {
        for (int64_t i = factors->a->rows - 1; i >= 0; i--)
            backward(factors, i, z);
        return;
    }
#pragma omp parallel
    for (int64_t l = 0; l < sweep->levels; l++) {
#pragma omp for schedule(static)
        for (int64_t k = sweep->from[l]; k < sweep->from[l + 1]; k++)
            backward(factors, sweep->rows[k], z);
    }
}

void factors_solve(const struct factors *factors, const double *r, double *z)
{
    solve_lower(factors, r, z);
    solve_upper(factors, z);
}

void factors_free(struct factors *factors)
{
    free(factors->val);
    free(factors->diagonal);
    free(factors->inverse);
    for (int t = 0; t < TRIANGLES; t++) {
        free(factors->sweep[t].rows);
        free(factors->sweep[t].from);
    }
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
    /* values; diagonal, pivots and a row's entries; levels with the rows of both sweeps */
    return (size_t)csr_nnz(a) * sizeof(double) + 24 * rows + levels_bytes(a->rows) + 28 * rows;
}
