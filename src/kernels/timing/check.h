/* Checking whether a kernel's product is right: every element of Y is compared with a compensated sum, and
 * may differ from it by no more than rounding explains. */
#ifndef SPARSIGHT_KERNELS_TIMING_CHECK_H
#define SPARSIGHT_KERNELS_TIMING_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "formats/format.h"
#include "kernels/product.h"
#include "matrix/csr.h"

/* The expected Y for kernels of one precision: entries and X are rounded to that precision first, since the
 * kernels read them so. The arrays are owned; free with reference_free. They have the layout of Y
 * (product_place): of each vector `size` elements, and of a complex matrix `y` has twice as many numbers, y[2
 * e] and y[2 e + 1] being the two parts of element e. */
struct reference {
    enum precision precision;
    bool complex;
    struct product product;
    int64_t size;  /* the elements of one vector of Y */
    int64_t first; /* the number of Y's first row among those of a larger matrix, for messages; 0 at first */
    double *
        y; /* y_i = sum a_ij x_j (+ y0_i), by compensated summation, and with a_ji for a_ij if A is
              transposed; NaN if a term is not finite, since a kernel's result cannot be finite then either */
    double *magnitude; /* sum abs(a_ij x_j) (+ abs(y0_i)), with moduli of complex numbers */
    double *bound; /* a kernel's result is right if it differs from `y` by at most this; infinite if overflow
                      depends on the order of the summation */
};

/* Make the reference for a matrix, a product, and X, an array of float or double numbers by the precision, or
 * of pairs of them if the matrix is complex; kernels/product.h has its size and layout. `start` is Y before a
 * product Y += A X, an array of the size and layout of Y; NULL for Y = A X. For a transposed product the
 * matrix is transposed, which temporarily takes csr_bytes.
 *
 * y is computed by Dot2 of Ogita, Rump and Oishi ("Accurate sum and dot product", SIAM J. Sci. Comput. 26,
 * 2005), which is as accurate as if it were computed in twice the double precision and then rounded.
 *
 * The bound of a row with n terms, for each vector, is
 *
 *     bound = (n + 2) u magnitude + flushed + 2 n tiny
 *
 * where u is the unit roundoff (2^-53 in double precision, 2^-24 in single) and tiny the smallest normal
 * number. The first summand comes from a theorem of Jeannerod and Rump ("Improved error bounds for inner
 * products in floating-point arithmetic", SIAM J. Matrix Anal. Appl. 34, 2013): in whatever order a kernel
 * adds up the n terms, and whether products and sums are rounded one by one or together (fma),
 *
 *     abs(computed - exact) <= n u sum abs(a_ij x_j).
 *
 * Of the other 2 u, one is the rounding of the reference, and one covers the terms of order n^2 u^2: the rest
 * of its error, and the rounding of magnitude. It suffices for rows of up to 2^26 entries.
 *
 * The theorem excludes underflow, for which the other summands allow. A kernel may take subnormal factors as
 * 0: `flushed` is the sum of abs(a_ij x_j) over the terms that have one. It may take subnormal results as 0
 * too, so that each of the n products and each of the n - 1 sums loses up to tiny.
 *
 * A complex row with n terms is two real ones with 2 n terms each, to each of which the theorem applies:
 *
 *     Re y = sum Re a Re x + sum (-Im a) Im x        Im y = sum Re a Im x + sum Im a Re x
 *
 * The products of a term's parts have r = abs(Re a Re x) + abs(Im a Im x) and s = abs(Re a Im x) + abs(Im a
 * Re x), with r^2 + s^2 = abs(a x)^2 + 4 abs(Re a Re x Im a Im x) <= 2 abs(a x)^2. So the modulus of the
 * error is at most 2 n u times the root of (sum r)^2 + (sum s)^2, which by Minkowski's inequality is at most
 * the root of 2 times the sum of abs(a x):
 *
 *     bound = root(2) ((2 n + 2) u magnitude + flushed + 4 n tiny)
 *
 * A missing entry is certainly detected if abs(a_ij x_j) is more than twice the bound, since rounding may
 * hide an error up to the bound. If the entries of a row have equal magnitudes and those of x lie between 1/2
 * and 1, this holds if n (n + 2) < 1 / 4u, in rows of up to 2000 entries in single precision and of up to 47
 * million in double.
 *
 * O(nnz columns). Parallel, except for transposing. Fails with STATUS_MEMORY and STATUS_CANCELLED. */
enum status reference_make(const struct csr *a, enum precision precision, struct product product,
                           const void *x, const void *start, struct progress *progress,
                           struct reference *reference, struct error *error);
void reference_free(struct reference *reference);

/* Compare y, the array Y computed by a kernel, with the reference; for complex numbers the moduli of
 * differences. *max_error becomes the maximum over all its elements e of
 *
 *     abs(y[e] - reference->y[e]) / reference->magnitude[e],
 *
 * where 0 / 0 counts as 0, and a y[e] that is NaN but should not be as infinite. Fails with STATUS_INPUT if
 * an element exceeds its bound: the message names the row and the vector of the first such element, its value
 * and the expected one, with enough digits to distinguish the two. An element that is NaN was probably never
 * written, since Y was filled with NaN before. Parallel. */
enum status reference_check(const struct reference *reference, const void *y, double *max_error,
                            struct error *error);

#endif
