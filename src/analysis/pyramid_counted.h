/* A pattern pyramid of a matrix that is not in memory, whose entries are counted while they are streamed. */
#ifndef SPARSIGHT_ANALYSIS_PYRAMID_COUNTED_H
#define SPARSIGHT_ANALYSIS_PYRAMID_COUNTED_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/pyramid.h"
#include "base/error.h"

/* Make an empty table for a matrix of so many rows and columns, with the finest grid that PYRAMID_SIDE and so
 * many bytes, of 64-bit sums, allow, unless that would leave fewer than 256 cells along the longer side. Its
 * sums have 32 bits as long as these count all entries. STATUS_MEMORY. The caller frees it with
 * pyramid_free. */
enum status pyramid_counted_begin(int64_t rows, int64_t cols, size_t bytes, struct pyramid *pyramid,
                                  struct error *error);

/* Return the bytes that such a table takes at most, while its sums become wide. */
size_t pyramid_begin_bytes(int64_t rows, int64_t cols, size_t bytes);

/* Count entries, in any order, when `before` were counted already; one thread at a time. STATUS_MEMORY if
 * there is none for 64-bit sums, and then it is still what it was. */
enum status pyramid_count_entries(struct pyramid *pyramid, int64_t before, const int32_t *row,
                                  const int32_t *col, int64_t count, struct error *error);

/* Sum up what was counted; only then it is a pyramid. Parallel; O(grid). */
void pyramid_end(const struct pyramid *pyramid);

#endif
