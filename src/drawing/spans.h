/* The lengths of all lines, which are rows or columns, in their order: means and maxima of any stretch of
 * lines, and the longest lines. */
#ifndef SPARSIGHT_DRAWING_SPANS_H
#define SPARSIGHT_DRAWING_SPANS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/lengths.h"
#include "base/error.h"

/* The maxima of blocks of so many lines are kept, so that a picture need not read all lines again. */
#define SPANS_BLOCK 256

struct spans {
    int64_t lines;
    const int64_t *offsets; /* line k has offsets[k + 1] - offsets[k] entries */
    int64_t *maxima;        /* the maximum of each block; owned */
};

/* The bytes that spans_make takes for so many lines, and keeps. */
size_t spans_bytes(int64_t lines);

struct stretch {
    int64_t max; /* the maximum of the lines' lengths */
    int64_t at;  /* the first line of that length */
    double mean; /* the mean of the lines' lengths */
};

/* Make *spans of lines + 1 offsets, those of rows (row_ptr) or of columns (column_offsets), which must stay
 * as long as *spans. If offsets is NULL, there are no lines. Parallel, O(lines). On failure *spans is {0}.
 * The caller frees it with spans_free. */
enum status spans_make(const int64_t *offsets, int64_t lines, struct spans *spans, struct error *error);

static inline int64_t spans_length(const struct spans *spans, int64_t k)
{
    return spans->offsets[k + 1] - spans->offsets[k];
}

/* What is known of lines from .. to-1, as far as there are such lines; if there are none, max and mean are 0
 * and at is -1. O((to - from) / SPANS_BLOCK + SPANS_BLOCK). */
struct stretch spans_stretch(const struct spans *spans, int64_t from, int64_t to);

/* Write the longest lines, at most `max`, longest first and those of one length in their order. `lengths` is
 * the distribution of all lines. Returns how many there are. O(lines / SPANS_BLOCK + SPANS_BLOCK max + max^2)
 * if few lines have the same length. */
int spans_longest(const struct spans *spans, const struct lengths *lengths, int64_t *longest, int max);

void spans_free(struct spans *spans);

#endif
