/* Sums of absolute values over columns. Only values.c uses this. */
#ifndef SPARSIGHT_ANALYSIS_COLUMN_SUMS_H
#define SPARSIGHT_ANALYSIS_COLUMN_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* Return the bytes that column_sums_max takes for a while: 8 for each column and stretch of rows, which is at
 * most one for each entry but for the first stretch; or 16 for each entry where less than a column in four
 * can have one. */
size_t column_sums_bytes(int64_t cols, int64_t nnz);

/* *largest becomes the largest sum of |a| of a column, 0 if there is none. What it is if a value is not
 * finite is undefined. It does not depend on the number of threads. Parallel; O(nnz + rows + cols), or
 * O(nnz log nnz) where less than a column in four can have an entry. STATUS_MEMORY, STATUS_CANCELLED. */
enum status column_sums_max(const struct csr *a, struct progress *progress, double *largest,
                            struct error *error);

#endif
