/* Checking triangular solves: every row is compared with a bound of its rounding error. */
#ifndef SPARSIGHT_KERNELS_TRISOLVE_CHECK_H
#define SPARSIGHT_KERNELS_TRISOLVE_CHECK_H

#include "kernels/trisolve/trisolve.h"

/* The largest bound for which a step of SymGS counts as checked, as a share of the largest |x|. */
#define TRISOLVE_BOUND_MAX 1e-6

/* The bounds of a result; the arrays are owned. Free with trisolve_check_free, which takes {0}. */
struct trisolve_check {
    const struct trisolve_parts *parts; /* the caller owns the parts, as b */
    enum trisolve_operation operation;
    const double *b;
    double *x;     /* for TRISOLVE_SYMGS, the expected result */
    double *bound; /* and the bound of the difference from it */
    bool loose;    /* the bounds are too large to tell a wrong result from a right one */
};

/* Make the check of an operation. `start` is x0 of TRISOLVE_SYMGS. STATUS_MEMORY. O(nnz + rows).
 *
 * A substitution in any order of the terms of a row solves a system near the given one (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2002, theorem 8.5): with n terms in row i and the unit roundoff u,
 *
 *     abs(b - T x)_i <= (n + 3) u (abs(T) abs(x) + abs(b))_i,
 *
 * to first order, where multiplying by 1 / t_ii adds one rounding. The residual is computed with an error of
 * the same size. So the check allows twice this bound, with n + 8 instead of n + 3, plus the loss by
 * underflow.
 *
 * A step of SymGS has x as its result, and x1 is unknown. So x is compared with a step computed here, row
 * after row. Both solves have an error bound by comparison matrices: if M(T) has abs(t_ii) on the diagonal
 * and -abs(t_ij) elsewhere, and r bounds the residuals, then abs(x - exact) <= M(T)^-1 r (Higham,
 * section 8.2).
 */
enum status trisolve_check_make(const struct trisolve_parts *parts, enum trisolve_operation operation,
                                const double *b, const double *start, struct trisolve_check *check,
                                struct error *error);
void trisolve_check_free(struct trisolve_check *check);

/* Compare a result. STATUS_UNAVAILABLE names the first wrong row, or says that x overflows. */
enum status trisolve_check_result(const struct trisolve_check *check, const double *x, struct error *error);

#endif
