/* ILU(0): L U = A on the pattern of A (Saad 2003, algorithm 10.4). */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/solvers/triangular.h"
#include "base/job.h"
#include "base/memory.h"

/* Eliminate row i by the rows before it. at[j] is the number of the entry of column j in row i; -1 elsewhere.
 */
static void eliminate(struct factors *factors, int64_t i, int64_t *at)
{
    const struct csr *a = factors->a;
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
        at[a->col[k]] = k;
    for (int64_t k = a->row_ptr[i]; k < factors->diagonal[i]; k++) {
        const int64_t pivot = a->col[k];
        factors->val[k] *= factors->inverse[pivot];
        for (int64_t q = factors->diagonal[pivot] + 1; q < a->row_ptr[pivot + 1]; q++)
            if (at[a->col[q]] >= 0) factors->val[at[a->col[q]]] -= factors->val[k] * factors->val[q];
    }
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
        at[a->col[k]] = -1;
}

static enum status factor(struct factors *factors, struct progress *progress, struct error *error)
{
    const struct csr *a = factors->a;
    enum status status = STATUS_OK;
    int64_t *at = memory_array((size_t)a->rows, sizeof *at, error);
    if (!at) return STATUS_MEMORY;
    for (int64_t j = 0; j < a->rows; j++)
        at[j] = -1;
    for (int64_t i = 0; i < a->rows && status == STATUS_OK; i++) {
        eliminate(factors, i, at);
        const double pivot = factors->val[factors->diagonal[i]];
        if (!(fabs(pivot) > DBL_EPSILON * factors_largest(a, i)) || !isfinite(pivot))
            status =
                pivot_refuse("ILU(0)", i / factors->each, isfinite(pivot) ? "zero" : "not finite", error);
        factors->inverse[i] = 1 / pivot;
        if (i % 1024 == 0 && status == STATUS_OK) status = progress_status(progress, error);
    }
    free(at);
    return status;
}

static enum status make_ilu(const struct csr *a, const struct solver_options *options,
                            struct preconditioner *preconditioner, struct progress *progress,
                            struct error *error)
{
    struct factors *factors = memory_zeroed(1, sizeof *factors, error);
    preconditioner->state = factors;
    if (!factors) return STATUS_MEMORY;
    enum status status = factors_make(a, "ILU(0)", options->shift, preconditioner->parts, factors, error);
    if (status == STATUS_OK) status = factor(factors, progress, error);
    return status == STATUS_OK ? factors_prepare(factors, progress, error) : status;
}

const struct preconditioner_kind preconditioner_ilu = {
    .name = "ilu0",
    .title = "ILU(0)",
    .summary = "incomplete LU factors in the pattern of A",
    .source = "Saad 2003, algorithm 10.4",
    .make = make_ilu,
    .apply = factors_apply,
    .release = factors_release,
    .bytes = factors_bytes,
};
