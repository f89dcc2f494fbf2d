/* Is y = A x right? Every row is held against a compensated sum, within what rounding allows. */
#ifndef SPARSIGHT_KERNELS_TIMING_CHECK_H
#define SPARSIGHT_KERNELS_TIMING_CHECK_H

#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "formats/format.h"
#include "matrix/csr.h"

/* What y should be, in the precision of a kernel: entries and x are rounded to it first. All arrays have
 * `rows` elements and are owned; free with reference_free. */
struct reference {
    enum precision precision;
    int64_t rows;
    double *y;         /* sum a x (+ y0), compensated; NaN if a term is not finite: then y is not either */
    double *magnitude; /* sum abs(a x) (+ abs(y0)) */
    double *bound; /* that abs(y - computed) cannot exceed in any order of summation, with products and sums
                      rounded one by one or together, subnormal numbers kept or taken as 0; infinite where
                      the order decides whether the sum overflows */
};

/* The reference of a real matrix and x, an array of a->cols float or double by precision. start: what y held
 * before, for y += A x, likewise; or NULL. Dot2 of Ogita, Rump and Oishi, "Accurate sum and dot product",
 * SIAM J. Sci. Comput. 26, 2005: as if computed in twice the double precision. The bound of a row with n
 * entries is (n + 2) u sum abs(a x), u the unit roundoff (Jeannerod and Rump, "Improved error bounds for
 * inner products in floating-point arithmetic", SIAM J. Matrix Anal. Appl. 34, 2013, and 2 u for the
 * reference itself), and what underflow may take. So an entry that is left out is noticed if it is more than
 * (n + 2) u of its row's magnitude: in double precision always but for tiny entries, in single precision
 * surely up to some thousand entries a row. Parallel. STATUS_MEMORY, STATUS_CANCELLED. */
enum status reference_make(const struct csr *a, enum precision precision, const void *x, const void *start,
                           struct progress *progress, struct reference *reference, struct error *error);
void reference_free(struct reference *reference);

/* Hold y, computed by a kernel, against the reference. *max_error: max over rows of abs(y - ref) / magnitude,
 * 0 where both are 0, infinite where y is NaN and should not be. STATUS_INPUT names the first row beyond its
 * bound, what it is and what it should be, with as many digits as tell the two apart; a row that is still NaN
 * was never written. Parallel. */
enum status reference_check(const struct reference *reference, const void *y, double *max_error,
                            struct error *error);

#endif
