/* Bins of line lengths, for a histogram of so many bars. */
#ifndef SPARSIGHT_DRAWING_BINS_H
#define SPARSIGHT_DRAWING_BINS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/lengths.h"

/* Lines whose length is in from..to, both included, and the entries they hold. */
struct bin {
    int64_t from, to;
    int64_t lines, entries;
};

/* At most `limit` bins (at least 2 asked for) that together hold all lengths from the smallest to the
 * largest: one for each length if they fit; else of one nice width (1, 2, 5, 10, ...) each; else, if hardly a
 * line would be beyond the first few of these, growing geometrically, and then *geometric is true. Returns
 * how many; 0 if there are no lines. O(lengths->bins + limit). */
int bins_make(const struct lengths *lengths, struct bin *bins, int limit, bool *geometric);

/* The bin that holds this length, or the nearest one. */
int bins_find(const struct bin *bins, int count, int64_t length);

#endif
