/* The lengths of all lines (rows, or columns) in their order: means and maxima of any stretch of them, and
 * the longest ones. */
#ifndef SPARSIGHT_DRAWING_SPANS_H
#define SPARSIGHT_DRAWING_SPANS_H

#include <stdint.h>

#include "analysis/lengths.h"
#include "base/error.h"

/* Maxima are kept of blocks of so many lines, so that a picture does not read all lines again. */
#define SPANS_BLOCK 256

struct spans {
    int64_t lines;
    const int64_t *offsets; /* line k has offsets[k + 1] - offsets[k] entries */
    int64_t *maxima;        /* of each block; owned */
};

struct stretch {
    int64_t max;
    int64_t at; /* the first line of that length */
    double mean;
};

/* Of lines whose entries begin at these lines + 1 offsets (row_ptr of the rows, column_offsets of the
 * columns), which must outlive it; NULL stands for no lines. Parallel, O(lines). On failure *spans is {0}.
 * The caller frees with spans_free. */
enum status spans_make(const int64_t *offsets, int64_t lines, struct spans *spans, struct error *error);

static inline int64_t spans_length(const struct spans *spans, int64_t k)
{
    return spans->offsets[k + 1] - spans->offsets[k];
}

/* Lines from..to-1, clipped; max 0, at -1 and mean 0 of none. O(to - from) / SPANS_BLOCK + SPANS_BLOCK. */
struct stretch spans_stretch(const struct spans *spans, int64_t from, int64_t to);

/* The `max` longest lines, longest first, those of one length in their order. `lengths` is their
 * distribution. Returns how many. O(lines / SPANS_BLOCK + SPANS_BLOCK x max) and a sort, for few lines of
 * the same length. */
int spans_longest(const struct spans *spans, const struct lengths *lengths, int64_t *longest, int max);

void spans_free(struct spans *spans);

#endif
