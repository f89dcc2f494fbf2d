/* The model of Koza, Matyka, Szkoda and Mirosław, SIAM J. Sci. Comput. 36, 2014, section 5: how many bytes a
 * GPU moves for a strip of CMRS, and the largest gain of strips over a warp a row.
 *
 * A strip of h rows of mean length mu is a run of L = h mu elements of b bytes that lie one after another.
 * Memory is read by transactions of lambda bytes that begin at multiples of lambda. The run begins at any
 * offset with equal probability, so that it takes 1 + b (L - 1) / lambda transactions in the mean, for b L
 * requested bytes:
 *
 *     f = lambda (1 + b (L - 1) / lambda) / (b L) = 1 + (lambda - b) / (b L).
 *
 * This holds if b divides lambda and L >= 1. The number of transactions holds for the mean of several L too,
 * since it is linear. If b does not divide lambda, the formula gives (b - g) / lambda transactions too few,
 * where g is the greatest common divisor of both. */
#ifndef SPARSIGHT_ANALYSIS_CMRS_MODEL_H
#define SPARSIGHT_ANALYSIS_CMRS_MODEL_H

#include <stdint.h>

#include "kernels/kernel.h"

/* Bytes moved / bytes requested, eq. 5.1: f(h, mu, b) = 1 + (lambda - b) / (h mu b). 1 is best, more is
 * worse. NaN unless h mu >= 1, b > 0 and lambda > 0. */
double cmrs_model_f(double height, double mean, double value_bytes, double lambda);

/* The largest gain of strips of h rows over a warp a row, eq. 5.2: a(h, mu, b) = f(1, mu, b) / f(h, mu, b);
 * NaN unless mu >= 1 and h >= 1. It is 1 for h = 1, and less than h otherwise. */
double cmrs_model_a(double height, double mean, double value_bytes, double lambda);

/* The approximation of a that the paper prints: 1 + (h - 1) / (1 + h mu b / lambda). It has lambda instead of
 * lambda - b, so it exceeds a unless h = 1. It is NaN if a is. */
double cmrs_model_a_approximate(double height, double mean, double value_bytes, double lambda);

/* Bytes that one product moves by eq. 6.1, taken literally, with row numbers packed into the column indices,
 * and ceil(m / h) offsets of strips, without the end of the last strip, whatever is stored:
 *
 *     plus = nnz (b + 4) + 4 ceil(m / h) + b (n + m),
 *
 * and minus has nnz, the number of loaded elements of x, instead of n. h >= 1. */
struct kernel_bytes cmrs_model_bytes(int64_t rows, int64_t cols, int64_t nnz, double height,
                                     double value_bytes);

#endif
