/* Bins of row or column lengths, for a histogram. */
#ifndef SPARSIGHT_DRAWING_BINS_H
#define SPARSIGHT_DRAWING_BINS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/lengths.h"

/* The lines whose lengths are from .. to, both included. */
struct bin {
    int64_t from, to;
    int64_t lines, entries; /* how many these are, and how many entries they have */
};

/* Make at most `limit` bins, 2 or more, that have all lengths from the minimum to the maximum: one for each
 * length if they suffice; else bins of one nice width (1, 2, 5, 10, ...); or if hardly a line would be
 * outside the first few of these, bins whose widths grow geometrically, and then *geometric is true. Returns
 * how many there are, 0 if there are no lines. O(lengths->bins + limit). */
int bins_make(const struct lengths *lengths, struct bin *bins, int limit, bool *geometric);

/* The number of the bin that has this length, or else of the nearest one. */
int bins_find(const struct bin *bins, int count, int64_t length);

#endif
