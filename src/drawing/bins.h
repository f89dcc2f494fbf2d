/* Bins of row or column lengths, for a histogram. */
#ifndef SPARSIGHT_DRAWING_BINS_H
#define SPARSIGHT_DRAWING_BINS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/lengths.h"

/* The lines with lengths from .. to, both included. */
struct bin {
    int64_t from, to;
    int64_t lines, entries; /* the number of these lines, and of their entries */
};

/* Make at most `limit` >= 2 bins that cover all lengths from the minimum to the maximum: one for each length
 * if they suffice, else bins of one nice width (1, 2, 5, 10, ...). If nearly all lines would be in the first
 * few of these, the widths grow geometrically instead, and *geometric becomes true. Returns the number of
 * bins, 0 if there are no lines. O(lengths->bins + limit). */
int bins_make(const struct lengths *lengths, struct bin *bins, int limit, bool *geometric);

/* Return the number of the bin with this length, or else of the nearest bin. */
int bins_find(const struct bin *bins, int count, int64_t length);

#endif
