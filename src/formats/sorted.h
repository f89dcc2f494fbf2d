/* Rows in the order of their lengths, as JDS and SELL-C-sigma store them. */
#ifndef SPARSIGHT_FORMATS_SORTED_H
#define SPARSIGHT_FORMATS_SORTED_H

#include "formats/format.h"

/* Sort the rows within each window of `window` rows by length, longest first; rows of equal length stay in
 * order. order[r] becomes the row at sorted position r. Two windows of 4 rows, the last one cut off:
 *
 *     row        0  1  2  3   4  5  6
 *     length     2  5  2  3   0  1  4
 *     order      1  3  0  2   6  5  4
 *
 * A radix sort by digits of at most 11 bits, in parallel: O(rows) time, and sort_rows_bytes of memory.
 * Returns STATUS_MEMORY or STATUS_CANCELLED. */
enum status sort_rows(const struct csr *a, int64_t window, struct progress *progress, int32_t *order,
                      struct error *error);

/* Return the temporary bytes of sort_rows: 4 per row and some counts. */
size_t sort_rows_bytes(const struct csr *a, int64_t window);

/* Count the rows of each length: counts[length], length = 0 .. `longest`, which is that of the longest row.
 * Parallel. If cancelled, the counts are wrong. */
void count_lengths(const struct csr *a, int64_t longest, struct progress *progress, uint32_t *counts);

/* Return the sorted position of row i, which lies in first .. end-1: order[first] .. order[end-1] are rows
 * that sort_rows put there from one window. The length of row i is known from `a`, so that a binary search
 * by length and index finds it. O(log rows). */
int64_t sorted_position(const struct csr *a, const int32_t *order, int64_t first, int64_t end, int64_t i);

/* Return the sorted position of row i among order[first] .. order[end-1], or -1 if it is not there, where the
 * length of row i is not known. length(storage, r) is the length of the row at sorted position r. Rows of
 * equal length form a run in which indices ascend, and each run is searched in turn:
 *
 *     length     5  5  5  3  3  1
 *     order      2  7  9  0  4  1
 *                \_____/  \__/  |     runs
 *
 * It takes O(different lengths x log rows) calls of `length`. */
int64_t sorted_search(const struct storage *storage, const int32_t *order, int64_t first, int64_t end,
                      int64_t i, int64_t (*length)(const struct storage *storage, int64_t r));

/* Return the number of entries in a padded line of `wide` slots: slot, slot + stride, slot + 2 stride, ...
 * Entries come before padding, so that a binary search finds the first slot of padding. O(log wide). */
int64_t padded_length(const struct storage *storage, int64_t slot, int64_t stride, int64_t wide);

#endif
