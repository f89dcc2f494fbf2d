/* The number of entries of rows of a sparse product, by symbolic multiplication. */
#ifndef SPARSIGHT_ANALYSIS_SPGEMM_ROWS_H
#define SPARSIGHT_ANALYSIS_SPGEMM_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"

/* The pattern of a matrix by rows. The columns of row i are index[ptr[i]] .. index[ptr[i+1]-1], in any order
 * and without duplicates. Not owned. */
struct row_pattern {
    const int64_t *ptr;
    const int32_t *index;
};

/* C = left right has `rows` rows and `cols` columns, both at most INT32_MAX. Row i takes
 *
 *     work[i] = sum over the entries (i, k) of `left` of the length of row k of `right`
 *
 * multiplications; `most` is the maximum of these numbers. Not owned. */
struct row_product {
    int64_t rows, cols;
    struct row_pattern left, right;
    const int64_t *work;
    int64_t most;
};

/* Sums over the rows that were counted. */
struct row_counts {
    int64_t entries; /* of C */
    int64_t longest; /* the most entries of a row */
};

/* Count the entries of `count` rows of C: of rows list[0] .. list[count-1], without duplicates, or of rows 0
 * .. count-1 if `list` is NULL. lengths[q] becomes the number of entries of the q-th row, unless `lengths` is
 * NULL.
 *
 * The algorithm is Gustavson's, ACM TOMS 4, 1978, without values. It marks the columns of a row in an array
 * of all columns. If there are many columns and the row has few multiplications, it puts them into a hash
 * table instead. Parallel over rows; O(sum of their work). Progress counts multiplications in the caller's
 * phase. STATUS_MEMORY, STATUS_CANCELLED. */
enum status spgemm_rows_count(const struct row_product *product, const int32_t *list, int64_t count,
                              int32_t *lengths, struct progress *progress, struct row_counts *counts,
                              struct error *error);

/* Return the bytes that spgemm_rows_count allocates temporarily in all threads: at most 4.5 bytes per column
 * and thread. It uses as many threads as 256 MiB have room for, but at least one. */
size_t spgemm_rows_bytes(int64_t cols);

#endif
