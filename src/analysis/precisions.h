/* Precisions: what it costs to store a matrix of f64 values in fewer bits. For each type of numbers
 * (number_types.h): how its values are rounded, and the error of the product y = A x. */
#ifndef SPARSIGHT_ANALYSIS_PRECISIONS_H
#define SPARSIGHT_ANALYSIS_PRECISIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/number_types.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* How values are rounded. A value here is a finite real number, or such a part of a complex one: parts are
 * rounded separately. s is what is stored for a, the sum of the type's parts. */
struct rounded {
    int64_t exact;     /* values with s = a */
    int64_t infinite;  /* values that overflow */
    int64_t zero;      /* values that underflow to 0: s = 0 /= a */
    int64_t subnormal; /* values of which a part is a subnormal number. It may have lost bits, and processors
                          that flush such numbers take it as 0 */
    double largest;    /* the largest |s - a| / |a| of values that do not overflow; 0 if there is none */
};

/* Precisions in which products are added up. */
enum summation { SUMS_F64, SUMS_F32, SUMS };

/* The error of y = A x with rounded values. For row i let y_i be what is computed, r_i the exact product of A
 * as it is given, and g_i = sum |a_ij x_j|. x is the random vector with which kernels are checked
 * (kernels/timing/operands.h): seed 1, 1/2 <= |x_j| <= 1, rounded to f32, so that all sums take the same x.
 *
 * The terms of a row are added one after the other, in the order of the columns, starting from 0. Each
 * product is rounded before it is added (no fma).
 *
 *     sums in f64   s x, where s is the exact sum of the parts
 *     sums in f32   p x for each part p of a value, the largest part first
 *
 * A term of a complex row is Re a Re x and then -Im a Im x in the sum for Re y, Re a Im x and then Im a Re x
 * in that for Im y.
 *
 * Errors are infinite if a y_i overflows. 0 / 0 is 0. */
struct product_error {
    double max_error; /* maximum of |y_i - r_i| / g_i */
    double relative;  /* the 99th percentile of |y_i - r_i| / |r_i|: the smallest number that at least 99% of
                         the rows with r_i /= 0 do not exceed, rounded up to 8 significant bits; at least
                         2^-64 if it is not 0, and infinite beyond 2^64. NaN if there is no such row */
    double norm;      /* ||y - r|| / ||r||, Euclidean norms */
};

struct precision_loss {
    struct rounded values;
    /* The same after rows and columns were scaled. Scaling is of use if a value overflows, underflows or
     * becomes subnormal; `scaled` is equal to `values` where none does, and for f64. */
    struct rounded scaled;
    bool scaling;                       /* it is of use */
    struct product_error product[SUMS]; /* without scaling. All NaN if the type has no such sums */
};

struct precisions {
    int64_t values;   /* finite values, of complex ones the parts */
    int64_t rows;     /* rows with entries for which r_i and g_i are finite: only these count for products */
    int64_t nonzeros; /* of these rows, those with r_i /= 0 */
    struct precision_loss type[NUMBER_TYPES]; /* in the order of number_types */
};

/* Return the bytes that precisions_measure allocates and frees again, for a vector and for each block of
 * rows. Each thread takes some 1.1 MB more. */
size_t precisions_bytes(const struct csr *a);

/* Measure all types.
 *
 * r_i is computed by a compensated sum with exact products (Dot2 of Ogita, Rump and Oishi, SIAM J. Sci.
 * Comput. 26, 2005) and kept as the unevaluated sum of two doubles, whose error is some n^2 2^-106 g_i in a
 * row of n entries. It excludes underflow: products below 2^-1000 or so may lose bits.
 *
 * Scaling is that of Higham, Pranesh and Zounon ("Squeezing a matrix into half precision, with an application
 * to solving linear systems", SIAM J. Sci. Comput. 41, 2019): rows are divided by their largest |a_ij|, then
 * columns by theirs, and all values are multiplied by a constant close to the largest number. Here all
 * factors are powers of two, so that scaling itself rounds nothing: a row or column is divided by the
 * smallest power of two that exceeds its largest |a_ij|, and multiplied by 2^scaled of the type. Of complex
 * values the larger part is taken for |a_ij|. x and y are scaled in return.
 *
 * Results do not depend on the number of threads. Parallel by rows; O(nnz + rows + cols), and two more passes
 * if scaling is of use for a type. STATUS_MEMORY, STATUS_CANCELLED; *precisions is {0} then. */
enum status precisions_measure(const struct csr *a, struct progress *progress, struct precisions *precisions,
                               struct error *error);

#endif
