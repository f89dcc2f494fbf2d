/* Sums of absolute values over columns. They are added as integers, so that the order makes no difference. */
#ifndef SPARSIGHT_ANALYSIS_COLUMN_SUMS_H
#define SPARSIGHT_ANALYSIS_COLUMN_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/exact.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* |a| as an integer. The unit is that of the largest value's mantissa, 2^53 units or fewer, divided by 2^43.
 * Fractions of a unit are cut off, and 2^31 values of a column are less than 2^127. So sums are as exact as
 * doubles of 64 bits of mantissa, relative to the largest value. Values that are not finite are 0. `largest`
 * is the largest |a| of the matrix. */
exact_integer column_size(double largest, double size);

/* Return the value of this number of units. */
double column_sum(double largest, exact_integer units);

/* sums[j - from] += |a| of the entries of columns from .. to-1. Parallel; O(rows log len + entries there). If
 * it is cancelled, some sums are incomplete. */
void column_sums_add(const struct csr *a, double largest, int64_t from, int64_t to, exact_integer *sums,
                     struct progress *progress);

/* Return the bytes that column_sums_max allocates temporarily: 16 for each column and thread; if that is more
 * than 2 for each entry, the larger of 2 for each entry and 16 for each column. If fewer than a quarter of
 * the columns can have an entry, 16 for each entry. */
size_t column_sums_bytes(int64_t cols, int64_t nnz);

/* *sum becomes the largest sum of |a| of a column, 0 if there is none; `largest` is the largest |a| of finite
 * values. It does not depend on the number of threads. Parallel; O(nnz + rows + cols), or O(nnz log nnz) if
 * fewer than a quarter of the columns can have an entry. STATUS_MEMORY, STATUS_CANCELLED. */
enum status column_sums_max(const struct csr *a, double largest, struct progress *progress, double *sum,
                            struct error *error);

#endif
