/* Rows in the order of their lengths, as JDS and SELL-C-sigma store them. */
#ifndef SPARSIGHT_FORMATS_SORTED_H
#define SPARSIGHT_FORMATS_SORTED_H

#include "formats/format.h"

/* The rows of every window of `window` rows (the last may have fewer) by length, longest first, equal ones as
 * they came: order[r] is the row at sorted position r, r = 0 .. rows-1. Counting sort by digits of 11 bits,
 * in parallel; O(rows), and 4 bytes a row of scratch. STATUS_MEMORY or STATUS_CANCELLED. */
enum status sort_rows(const struct csr *a, int64_t window, struct progress *progress, int32_t *order,
                      struct error *error);

/* Bytes that sort_rows takes beside `order`. */
size_t sort_rows_bytes(const struct csr *a, int64_t window);

/* How often each length occurs: counts[len], len = 0 .. `longest`, that of the longest row. Parallel. */
void count_lengths(const struct csr *a, int64_t longest, struct progress *progress, uint32_t *counts);

/* Where row i stands in order[first..end-1], which sort_rows made of one window and which holds it.
 * O(log rows). */
int64_t sorted_position(const struct csr *a, const int32_t *order, int64_t first, int64_t end, int64_t i);

/* The same from a storage alone, which tells the length of the row at sorted position r. -1 if the row is not
 * among them. O(different lengths x log rows) calls of `length`. */
int64_t sorted_search(const struct storage *storage, const int32_t *order, int64_t first, int64_t end,
                      int64_t i, int64_t (*length)(const struct storage *storage, int64_t r));

/* Entries of a padded line: those before the padding among slots slot, slot + stride, ..., `wide` of them.
 * O(log wide). */
int64_t padded_length(const struct storage *storage, int64_t slot, int64_t stride, int64_t wide);

#endif
