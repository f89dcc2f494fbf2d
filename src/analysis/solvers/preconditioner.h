/* Preconditioners: M^-1 r instead of A^-1 r. Each kind is a descriptor in the table of preconditioner.c. */
#ifndef SPARSIGHT_ANALYSIS_SOLVERS_PRECONDITIONER_H
#define SPARSIGHT_ANALYSIS_SOLVERS_PRECONDITIONER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/solvers/solver.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

struct preconditioner;

struct preconditioner_kind {
    const char *name;    /* "ilu0" */
    const char *title;   /* "ILU(0)" */
    const char *summary; /* one line for the help */
    const char *source;
    bool symmetric; /* it needs a symmetric matrix, or a Hermitian one */
    /* Make M of a square real matrix. A complex one comes embedded, with preconditioner->parts = 2.
     * STATUS_UNAVAILABLE with the reason and the remedy if it does not exist; STATUS_MEMORY,
     * STATUS_CANCELLED. NULL: M is the identity. */
    enum status (*make)(const struct csr *a, const struct solver_options *options,
                        struct preconditioner *preconditioner, struct progress *progress,
                        struct error *error);
    void (*apply)(const struct preconditioner *preconditioner, const double *r, double *z);
    void (*release)(struct preconditioner *preconditioner);
    /* The largest number of bytes that `make` allocates. */
    size_t (*bytes)(const struct csr *a, const struct solver_options *options);
};

/* All kinds, ended by NULL. */
extern const struct preconditioner_kind *const preconditioners[];
#define PRECONDITIONERS 5

/* A preconditioner of a matrix. Free with preconditioner_free; takes {0}. */
struct preconditioner {
    const struct preconditioner_kind *kind;
    int64_t rows; /* numbers of a vector */
    int parts;    /* 2 if the vectors are complex, as pairs of numbers; else 1 */
    void *state;
};

/* `parts` is 2 if `a` is an embedded complex matrix (embedding.h), else 1. */
enum status preconditioner_make(const struct preconditioner_kind *kind, const struct csr *a, int parts,
                                const struct solver_options *options, struct preconditioner *preconditioner,
                                struct progress *progress, struct error *error);
void preconditioner_free(struct preconditioner *preconditioner);

/* STATUS_UNAVAILABLE for a pivot of row i of the matrix (from 0) that is zero, or not positive. */
enum status pivot_refuse(const char *name, int64_t i, const char *what, struct error *error);

#endif
