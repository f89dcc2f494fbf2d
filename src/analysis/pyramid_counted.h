/* A pattern pyramid of a matrix that is not in memory, whose entries are counted while they are streamed. */
#ifndef SPARSIGHT_ANALYSIS_PYRAMID_COUNTED_H
#define SPARSIGHT_ANALYSIS_PYRAMID_COUNTED_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/pyramid.h"
#include "base/error.h"

/* Make an empty table for a matrix of this number of rows and columns. Its grid is the finest that
 * PYRAMID_SIDE and this number of bytes allow with 64-bit sums, but has at least 256 cells along the longer
 * side. Its sums have 32 bits as long as they can count all entries. STATUS_MEMORY. The caller frees it with
 * pyramid_free. */
enum status pyramid_counted_begin(int64_t rows, int64_t cols, size_t bytes, struct pyramid *pyramid,
                                  struct error *error);

/* Return the largest number of bytes of such a table, which it takes while its sums become wide. */
size_t pyramid_begin_bytes(int64_t rows, int64_t cols, size_t bytes);

/* Count entries, in any order; `before` entries were counted already. One thread at a time. STATUS_MEMORY if
 * memory for 64-bit sums is lacking; the table is then unchanged. */
enum status pyramid_count_entries(struct pyramid *pyramid, int64_t before, const int32_t *row,
                                  const int32_t *col, int64_t count, struct error *error);

/* Sum up the counts, which makes the table a pyramid. Parallel; O(grid). */
void pyramid_end(const struct pyramid *pyramid);

#endif
