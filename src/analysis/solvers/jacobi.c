/* Jacobi: M is the diagonal of A. */
#include <stdlib.h>

#include "analysis/solvers/preconditioner.h"
#include "analysis/solvers/vectors.h"
#include "base/memory.h"

static enum status make_jacobi(const struct csr *a, const struct solver_options *options,
                               struct preconditioner *preconditioner, struct progress *progress,
                               struct error *error)
{
    double *inverse = memory_array((size_t)a->rows, sizeof *inverse, error);
    preconditioner->state = inverse;
    if (!inverse) return STATUS_MEMORY;
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t k = csr_find(a, i, i);
        if (k < 0 || a->val[k] == 0)
            return error_set(
                error, STATUS_UNAVAILABLE,
                "Jacobi: row %lld has no diagonal entry; GMRES without a preconditioner needs none",
                (long long)i + 1);
        inverse[i] = 1 / a->val[k];
    }
    return STATUS_OK;
}

static void apply_jacobi(const struct preconditioner *preconditioner, const double *r, double *z)
{
    const double *inverse = preconditioner->state;
#pragma omp parallel for schedule(static) if (preconditioner->rows > VECTOR_SHARED)
    for (int64_t i = 0; i < preconditioner->rows; i++)
        z[i] = inverse[i] * r[i];
}

static void release_jacobi(struct preconditioner *preconditioner)
{
    free(preconditioner->state);
}

static size_t jacobi_bytes(const struct csr *a, const struct solver_options *options)
{
    return (size_t)a->rows * sizeof(double);
}

const struct preconditioner_kind preconditioner_jacobi = {
    .name = "jacobi",
    .title = "Jacobi",
    .summary = "the diagonal",
    .source = "Saad 2003, section 10.2",
    .make = make_jacobi,
    .apply = apply_jacobi,
    .release = release_jacobi,
    .bytes = jacobi_bytes,
};
