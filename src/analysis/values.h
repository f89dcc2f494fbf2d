/* Values: their range and signs, their distribution over the powers of ten, norms, and diagonal dominance. */
#ifndef SPARSIGHT_ANALYSIS_VALUES_H
#define SPARSIGHT_ANALYSIS_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/exact.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/slab.h"

/* Decades: number d counts the values with 10^e <= |a| < 10^(e+1), e = d + VALUES_FIRST_DECADE, where the
 * powers of ten are rounded to double precision. The first holds the smallest denormal number, the last the
 * largest finite one. */
#define VALUES_FIRST_DECADE (-324)
#define VALUES_DECADES 633

/* |a| is the absolute value, or the modulus of a complex value. A value is finite if it is neither NaN nor
 * infinite, in both parts if it is complex. */
struct values {
    int64_t positive, negative; /* real values above and below 0; 0 if the matrix is complex */
    int64_t nan;                /* values of which a part is NaN and none infinite */
    int64_t infinite;        /* values of which a part is infinite, or the modulus beyond double precision */
    double min, max;         /* of the finite values; NaN if there is none, or if the matrix is complex */
    double min_abs, max_abs; /* of the finite values, the smallest |a| above 0 and the largest |a|; NaN if
                                there is none */
    double mean_abs;         /* sum of |a| over the finite values / their number; NaN if there is none */
    double norm_1;           /* the largest sum of |a| of a column */
    double norm_inf;         /* the largest sum of |a| of a row */
    double norm_frobenius;   /* sqrt(sum |a|^2). All norms are 0 for a matrix without entries, NaN if a value
                                is not finite, and infinite if the norm is beyond double precision */
    int64_t dominant_rows;   /* rows i with |a_ii| >= the sum of |a_ij| over j /= i, rounded to double; empty
                                rows count */
    int64_t strict_rows;     /* rows with > instead of >= */
    int64_t positive_diagonal; /* entries a_ii that are real and > 0 */
    int64_t decades[VALUES_DECADES];
};

/* Values with 10^first <= |a| < 10^(first + width); all bins have the same width. */
struct value_bin {
    int first;
    int64_t count;
};

/* Make at most `limit` >= 2 bins that cover all decades with a value. Each bin has *width decades, one of 1,
 * 2, 5, 10, ..., and begins at a multiple of *width. Returns the number of bins. */
int values_bins(const struct values *values, struct value_bin *bins, int limit, int *width);

/* Return the bytes that values_measure allocates temporarily for sums of columns. */
size_t values_bytes(int64_t cols, int64_t nnz);

/* The findings in a slab. Parts are joined in any order, and then finished. */
struct values_part {
    struct values values; /* without the means and norms, which are computed last; a minimum or maximum
                             without values is infinite */
    int64_t finite;
    struct exact sums; /* of the finite values */
};

/* Scan a slab. Sums of rows are compensated (Neumaier, ZAMM 54, 1974), in blocks of entries that are counted
 * from the first of the matrix. Parallel; O(nnz + rows). STATUS_MEMORY, STATUS_CANCELLED. */
enum status values_scan(const struct slab *slab, struct progress *progress, struct values_part *part,
                        struct error *error);

/* The powers of ten from 10^VALUES_FIRST_DECADE on, and for each exponent of a double the decade of the
 * smallest number with this exponent. */
struct powers {
    double power[VALUES_DECADES + 1];
    short decade[2048];
};

void values_powers(struct powers *powers);

struct row_sum;

/* Begin a part without a slab, and take values and rows in any order. Values are real if `imaginary` is NULL.
 * Rows without entries must be taken, too, if the matrix is square. The caller counts positive_diagonal. */
void values_start(struct values_part *part);
void values_take(const struct powers *powers, const double *val, const double *imaginary, int64_t count,
                 struct values_part *part);
void values_take_row(const struct row_sum *row, bool square, struct values *values);

/* Add the findings of another slab to *to. */
void values_join(struct values_part *to, const struct values_part *from);

/* Return the largest |a| of the finite values, 0 if there is none, for column_sums. */
double values_largest(const struct values_part *part);

/* Compute the numbers of the whole matrix from its joined parts and its norm_1, the largest sum of a
 * column. */
void values_finish(const struct values_part *part, bool complex, double norm_1, struct values *values);

/* Compute all numbers for a matrix as one slab, and its column sums (column_sums.h). Sums over all values are
 * exact until they are rounded, so that they do not depend on threads or slabs. Parallel; O(nnz + rows +
 * cols), and O(nnz log nnz) if fewer than a quarter of the columns can have an entry. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status values_measure(const struct csr *a, struct progress *progress, struct values *values,
                           struct error *error);

#endif
