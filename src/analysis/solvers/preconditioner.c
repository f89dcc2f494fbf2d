#include "analysis/solvers/preconditioner.h"

static const struct preconditioner_kind none = {
    .name = "none",
    .title = "none",
    .summary = "no preconditioner",
    .source = "",
};

extern const struct preconditioner_kind preconditioner_jacobi, preconditioner_block_jacobi,
    preconditioner_ilu, preconditioner_ic;

const struct preconditioner_kind *const preconditioners[] = {
    &none, &preconditioner_jacobi, &preconditioner_block_jacobi, &preconditioner_ilu, &preconditioner_ic,
    NULL,
};

enum status preconditioner_make(const struct preconditioner_kind *kind, const struct csr *a, int parts,
                                const struct solver_options *options, struct preconditioner *preconditioner,
                                struct progress *progress, struct error *error)
{
    *preconditioner = (struct preconditioner){.kind = kind, .rows = a->rows, .parts = parts};
    if (!kind->make) return STATUS_OK;
    enum status status = kind->make(a, options, preconditioner, progress, error);
    if (status != STATUS_OK) preconditioner_free(preconditioner);
    return status;
}

void preconditioner_free(struct preconditioner *preconditioner)
{
    if (preconditioner->state) preconditioner->kind->release(preconditioner);
    *preconditioner = (struct preconditioner){0};
}

enum status pivot_refuse(const char *name, int64_t i, const char *what, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE,
                     "%s: the pivot of row %lld is %s; try shift=0.01, or an order of the rows", name,
                     (long long)i + 1, what);
}
