/* How well CMRS can read a strip of rows, as a model: what a warp asks for, and what is moved for it. After
 * eq. 5.1 and 5.2 of Koza, Matyka, Szkoda and Mirosław, SIAM J. Sci. Comput. 36, 2014, as we understand them:
 * derived here from what they define.
 *
 * A strip of h rows of mean length mu is a run of L = h mu elements of b bytes that lie one after another.
 * Memory is read by transactions of lambda bytes that begin at multiples of lambda. Where the run begins is
 * as likely one place as another, so that it takes 1 + b (L - 1) / lambda transactions in the mean. This
 * holds if b divides lambda, for L >= 1, and for the mean of several L too, since it is linear. Where b does
 * not divide lambda, it is by (b - g) / lambda too few, g being the greatest common divisor of both. */
#ifndef SPARSIGHT_ANALYSIS_CMRS_MODEL_H
#define SPARSIGHT_ANALYSIS_CMRS_MODEL_H

#include <stdint.h>

#include "kernels/kernel.h"

/* The share of the bytes moved that was asked for: f(h, mu, b) = h mu b / (lambda + b (h mu - 1)); NaN unless
 * h mu >= 1, b > 0 and lambda > 0. */
double cmrs_model_f(double height, double mean, double value_bytes, double lambda);

/* The most that strips of h rows can gain over a warp a row: a(h, mu, b) = f(h, mu, b) / f(1, mu, b); NaN
 * unless mu >= 1 and h >= 1. It is 1 for h = 1, and less than h otherwise. */
double cmrs_model_a(double height, double mean, double value_bytes, double lambda);

/* Bytes that one product moves by eq. 6.1, taken literally: row numbers packed into the column indices, and
 * strips of h rows without an end of the last one, whatever is stored:
 *
 *     plus = nnz (b + 4) + 4 ceil(m / h) + b (n + m),
 *
 * and minus with nnz, the elements of x that are loaded, in the place of n. h >= 1. */
struct kernel_bytes cmrs_model_bytes(int64_t rows, int64_t cols, int64_t nnz, double height,
                                     double value_bytes);

#endif
