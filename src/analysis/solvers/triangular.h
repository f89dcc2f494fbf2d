/* Solves with two triangular factors that lie in the pattern of A, for ILU(0) and IC(0). */
#ifndef SPARSIGHT_ANALYSIS_SOLVERS_TRIANGULAR_H
#define SPARSIGHT_ANALYSIS_SOLVERS_TRIANGULAR_H

#include "analysis/solvers/preconditioner.h"
#include "kernels/trisolve/trisolve.h"

/* Entries of L lie below the diagonal of A's pattern, those of U above it. */
struct factors {
    const struct csr *a;                  /* the matrix with the pattern; the caller owns it */
    double *val;                          /* nnz values; this and the following members are owned */
    int64_t *diagonal;                    /* the number of the diagonal entry of each row */
    double *inverse;                      /* 1 / the pivot of each row: of U, and of L too if both have it */
    int each;                             /* rows for each of the matrix: 2 if that is complex and embedded */
    bool both;                            /* L has the pivots on its diagonal (Cholesky); else ones */
    double *ones;                         /* NULL if both */
    struct trisolve_parts parts;          /* L and U, with the pivots */
    struct trisolve_parts lower;          /* L and its diagonal, in the arrays of `parts` and `ones` */
    const struct trisolve_kernel *kernel; /* the kernel that solves with both */
    void *solve[TRIANGLES];
};

/* Allocate, copy the values of A, find the diagonal, and add the shift to it. STATUS_UNAVAILABLE if a row has
 * no diagonal entry. `name` is that of the preconditioner. */
enum status factors_make(const struct csr *a, const char *name, double shift, int each,
                         struct factors *factors, struct error *error);

/* Prepare the solves with the factors, once they are computed. Threads share levels if that is faster.
 */
enum status factors_prepare(struct factors *factors, struct progress *progress, struct error *error);

/* Return the largest |a| of row i. */
double factors_largest(const struct csr *a, int64_t i);

/* Solve L U z = r. */
void factors_solve(const struct factors *factors, const double *r, double *z);

/* Free the arrays; takes {0}. */
void factors_free(struct factors *factors);

/* For the descriptors, whose state is a struct factors: */
void factors_apply(const struct preconditioner *preconditioner, const double *r, double *z);
void factors_release(struct preconditioner *preconditioner);
size_t factors_bytes(const struct csr *a, const struct solver_options *options);

#endif
