/* IC(0): L L^T = A on the pattern of A (Meijerink and van der Vorst, Math. Comp. 31, 1977; Barrett and
 * others 1994, section 3.4). L^T is kept as the upper triangle, so that both solves go by rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/solvers/triangular.h"
#include "base/job.h"
#include "base/memory.h"

/* Return the sum over the columns before `end` that rows i and j of L have in common of their products. */
static double common(const struct factors *factors, int64_t i, int64_t j, int32_t end)
{
    const struct csr *a = factors->a;
    int64_t p = a->row_ptr[i], q = a->row_ptr[j];
    double sum = 0;
    while (a->col[p] < end && a->col[q] < end) {
        if (a->col[p] == a->col[q]) sum += factors->val[p] * factors->val[q];
        const int32_t column = a->col[p];
        p += column <= a->col[q];
        q += a->col[q] <= column;
    }
    return sum;
}

/* Compute row i of L. Both rows of a pair have their diagonal entry, at which `common` ends. */
static double factor_row(struct factors *factors, int64_t i)
{
    const struct csr *a = factors->a;
    double rest = factors->val[factors->diagonal[i]];
    for (int64_t k = a->row_ptr[i]; k < factors->diagonal[i]; k++) {
        const int32_t j = a->col[k];
        factors->val[k] = (factors->val[k] - common(factors, i, j, j)) * factors->inverse[j];
        rest -= factors->val[k] * factors->val[k];
    }
    return rest;
}

/* Copy L into the upper triangle. Rows come in ascending order, and with them the columns of each row of L^T.
 */
static void transpose(struct factors *factors, int64_t *next)
{
    const struct csr *a = factors->a;
    for (int64_t i = 0; i < a->rows; i++) {
        next[i] = factors->diagonal[i] + 1;
        for (int64_t k = a->row_ptr[i]; k < factors->diagonal[i]; k++)
            factors->val[next[a->col[k]]++] = factors->val[k];
    }
}

static enum status factor(struct factors *factors, struct progress *progress, struct error *error)
{
    const struct csr *a = factors->a;
    enum status status = STATUS_OK;
    int64_t *next = memory_array((size_t)a->rows, sizeof *next, error);
    if (!next) return STATUS_MEMORY;
    for (int64_t i = 0; i < a->rows && status == STATUS_OK; i++) {
        const double square = factor_row(factors, i), root = sqrt(square);
        if (!(square > 0) || !isfinite(square)) {
            status = pivot_refuse("IC(0)", i / factors->each,
                                  isfinite(square) ? "not positive" : "not finite", error);
            break;
        }
        factors->val[factors->diagonal[i]] = root;
        factors->inverse[i] = 1 / root;
        if (i % 1024 == 0) status = progress_status(progress, error);
    }
    if (status == STATUS_OK) transpose(factors, next);
    free(next);
    return status;
}

static enum status make_ic(const struct csr *a, const struct solver_options *options,
                           struct preconditioner *preconditioner, struct progress *progress,
                           struct error *error)
{
    struct factors *factors = memory_zeroed(1, sizeof *factors, error);
    preconditioner->state = factors;
    if (!factors) return STATUS_MEMORY;
    enum status status = factors_make(a, "IC(0)", options->shift, preconditioner->parts, factors, error);
    factors->both = true;
    if (status == STATUS_OK) status = factor(factors, progress, error);
    return status == STATUS_OK ? factors_prepare(factors, progress, error) : status;
}

const struct preconditioner_kind preconditioner_ic = {
    .name = "ic0",
    .title = "IC(0)",
    .summary = "an incomplete Cholesky factor in the pattern of A",
    .source = "Meijerink and van der Vorst 1977",
    .symmetric = true,
    .make = make_ic,
    .apply = factors_apply,
    .release = factors_release,
    .bytes = factors_bytes,
};
