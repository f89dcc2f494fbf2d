/* The loss from storing a matrix of f64 values in fewer bits. It is measured for each type of numbers
 * (number_types.h), by the rounding of values and by the error of the product y = A x. */
#ifndef SPARSIGHT_ANALYSIS_PRECISIONS_H
#define SPARSIGHT_ANALYSIS_PRECISIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/number_types.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* Counts of rounded values. A value a is a finite real number, or the finite real or imaginary part of a
 * complex one. s, the stored value, is the sum of the parts of the type. */
struct rounded {
    int64_t exact;     /* values with s = a */
    int64_t infinite;  /* values that overflow */
    int64_t zero;      /* values that underflow to 0: s = 0 /= a */
    int64_t subnormal; /* values with a subnormal part, which may have lost bits. Processors that flush such
                          numbers take it as 0 */
    double largest;    /* the largest |s - a| / |a| of values that do not overflow; 0 if there is none */
};

/* Precisions in which products are added up. */
enum summation { SUMS_F64, SUMS_F32, SUMS };

/* The error of y = A x with rounded values. For row i, y_i is the computed element, r_i the exact one for the
 * given A, and g_i = sum |a_ij x_j|.
 *
 * x is the random vector that checks of kernels use (kernels/timing/operands.h), with seed 1 and 1/2 <= |x_j|
 * <= 1. It is rounded to f32, so that all sums take the same x.
 *
 * The terms of a row are added one after the other, in the order of the columns, starting from 0. Each
 * product is rounded before it is added (no fma).
 *
 *     sums in f64   s x, where s is the exact sum of the parts
 *     sums in f32   p x for each part p of a value, the largest part first
 *
 * A complex entry has two terms in each sum: Re a Re x, then -Im a Im x for Re y, and Re a Im x, then Im a Re
 * x for Im y.
 *
 * Errors are infinite if a y_i overflows. 0 / 0 is 0. */
struct product_error {
    double max_error; /* maximum of |y_i - r_i| / g_i */
    double relative;  /* the 99th percentile of |y_i - r_i| / |r_i|: the smallest number that at least 99% of
                         the rows with r_i /= 0 do not exceed. It is rounded up to 8 significant bits, is 0 or
                         at least 2^-64, and is infinite beyond 2^64. NaN if there is no such row */
    double norm;      /* ||y - r|| / ||r||, Euclidean norms */
};

struct precision_loss {
    struct rounded values;
    /* The same after scaling rows and columns. Scaling may help if a value overflows, underflows or becomes
     * subnormal. If none does, and for f64, `scaled` is equal to `values`. */
    struct rounded scaled;
    bool scaling;                       /* scaling may help */
    struct product_error product[SUMS]; /* without scaling; all NaN if the type has no such sums */
};

struct precisions {
    int64_t values;   /* number of finite values; both parts of complex ones count */
    int64_t rows;     /* number of rows with entries for which r_i and g_i are finite. Only these count for
                         products */
    int64_t nonzeros; /* number of these rows with r_i /= 0 */
    struct precision_loss type[NUMBER_TYPES]; /* in the order of number_types */
};

/* Return the bytes that precisions_measure allocates temporarily for a vector and for each block of rows.
 * Each thread takes another 1.1 MB. */
size_t precisions_bytes(const struct csr *a);

/* Measure all types.
 *
 * r_i is computed by a compensated sum with exact products (Dot2 of Ogita, Rump and Oishi, SIAM J. Sci.
 * Comput. 26, 2005). It is kept as the unevaluated sum of two doubles. Its error is some n^2 2^-106 g_i in a
 * row of n entries. This holds without underflow: products below some 2^-1000 may lose bits.
 *
 * Scaling is that of Higham, Pranesh and Zounon ("Squeezing a matrix into half precision, with an application
 * to solving linear systems", SIAM J. Sci. Comput. 41, 2019). They divide rows by their largest |a_ij|, then
 * columns by theirs, and multiply all values by a constant close to the largest number of the type. Here all
 * factors are powers of two, so that scaling itself rounds nothing. A row or column is divided by the
 * smallest power of two that exceeds its largest |a_ij|, and all values are multiplied by 2^scaled of the
 * type. For a complex value, |a_ij| is the larger of |Re a_ij| and |Im a_ij|. A product scales x and y
 * accordingly.
 *
 * Results do not depend on the number of threads. Parallel by rows; O(nnz + rows + cols), and two more passes
 * if scaling may help a type. STATUS_MEMORY, STATUS_CANCELLED; *precisions is {0} then. */
enum status precisions_measure(const struct csr *a, struct progress *progress, struct precisions *precisions,
                               struct error *error);

#endif
