/* Jacobi: M is the diagonal of A. Of a complex matrix, make gets the real one of twice the size
 * (embedding.h), and the inverses are pairs of numbers. */
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
    const int parts = preconditioner->parts;
    for (int64_t i = 0; i < a->rows; i += parts) {
        const int64_t k = csr_find(a, i, i);
        const struct scalar entry =
            k < 0 ? (struct scalar){0} : (struct scalar){a->val[k], parts > 1 ? -a->val[k + 1] : 0};
        if (scalar_size(entry) == 0)
            return error_set(
                error, STATUS_UNAVAILABLE,
                "Jacobi: row %lld has no diagonal entry; GMRES without a preconditioner needs none",
                (long long)(i / parts) + 1);
        const struct scalar inverted = scalar_quotient((struct scalar){1, 0}, entry);
        inverse[i] = inverted.re;
        if (parts > 1) inverse[i + 1] = inverted.im;
    }
    return STATUS_OK;
}

static void apply_jacobi(const struct preconditioner *preconditioner, const double *r, double *z)
{
    const double *inverse = preconditioner->state;
    if (preconditioner->parts > 1) {
#pragma omp parallel for schedule(static) if (preconditioner->rows > VECTOR_SHARED)
        for (int64_t i = 0; i < preconditioner->rows; i += 2) {
            z[i] = inverse[i] * r[i] - inverse[i + 1] * r[i + 1];
            z[i + 1] = inverse[i] * r[i + 1] + inverse[i + 1] * r[i];
        }
        return;
    }
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
