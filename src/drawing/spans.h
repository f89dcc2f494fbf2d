/* The lengths of all lines, which are rows or columns, in their order: means and maxima of any stretch of
 * lines, and the longest lines. For a matrix that is not in memory, they may be known only for stretches of
 * `step` lines: then spans are *coarse*. */
#ifndef SPARSIGHT_DRAWING_SPANS_H
#define SPARSIGHT_DRAWING_SPANS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/lengths.h"
#include "base/error.h"

/* Number of lines in a block. The maximum of each block is stored, so that a picture need not read all lines
 * again. */
#define SPANS_BLOCK 256

/* A line and its number of entries. */
struct long_line {
    int64_t line, length;
};

struct spans {
    int64_t lines;
    int64_t step;           /* 1, or more if the spans are coarse */
    const int64_t *offsets; /* offsets[k] entries are in the first k * step lines; so if step is 1, line k has
                               offsets[k + 1] - offsets[k] entries */
    int64_t *maxima;        /* the maximum of each block, which is SPANS_BLOCK lines or, if the spans are
                               coarse, `step` lines; owned */
    int64_t *own;           /* the offsets, if the spans own them; else NULL */
    struct long_line *longest; /* of coarse spans: the longest lines, ordered by spans_longest; owned */
    int longest_count;         /* the number of these */
};

/* Number of longest lines that coarse spans store. */
#define SPANS_LONGEST 256

/* Return the bytes that spans_make allocates and keeps for this number of lines. */
size_t spans_bytes(int64_t lines);

struct stretch {
    int64_t max; /* the maximum of the lines' lengths */
    int64_t at;  /* the first line of that length */
    double mean; /* the mean of the lines' lengths */
};

/* Make *spans from lines + 1 offsets of rows (row_ptr) or of columns (column_offsets), which must outlive
 * *spans. If offsets is NULL, there are no lines. Parallel, O(lines). On failure *spans is {0}. The caller
 * frees it with spans_free. */
enum status spans_make(const int64_t *offsets, int64_t lines, struct spans *spans, struct error *error);

/* The same for offsets that the spans take over, also on failure; spans_free frees them. */
enum status spans_own(int64_t *offsets, int64_t lines, struct spans *spans, struct error *error);

/* Make *coarse from spans that are not coarse: offsets and maxima of stretches of `step` >= 2 lines, and the
 * longest lines. `lengths` is the distribution of all lines. O(lines). STATUS_MEMORY: *coarse is {0} then.
 * The caller frees it with spans_free. */
enum status spans_coarsen(const struct spans *spans, const struct lengths *lengths, int64_t step,
                          struct spans *coarse, struct error *error);

/* The number of stretches of `step` lines. */
static inline int64_t spans_steps(const struct spans *spans)
{
    return spans->step > 0 ? spans->lines / spans->step + (spans->lines % spans->step != 0) : 0;
}

/* Return the number of entries of line k. For coarse spans this is -1, except for their longest lines. */
int64_t spans_length_of(const struct spans *spans, int64_t k);

/* The same for spans that are not coarse. */
static inline int64_t spans_length(const struct spans *spans, int64_t k)
{
    return spans->offsets[k + 1] - spans->offsets[k];
}

/* Return statistics of the existing lines among from .. to-1; if there are none, max and mean are 0 and at is
 * -1. Coarse spans return them for the whole steps of these lines, and `at` is the first line of such a step.
 * O((to - from) / SPANS_BLOCK + SPANS_BLOCK). */
struct stretch spans_stretch(const struct spans *spans, int64_t from, int64_t to);

/* Write the longest lines, at most `max`, the longest first, and lines of one length in their order.
 * `lengths` is the distribution of all lines. Returns their number, for coarse spans at most SPANS_LONGEST.
 * O(lines / SPANS_BLOCK + SPANS_BLOCK max + max^2) if few lines have the same length. */
int spans_longest(const struct spans *spans, const struct lengths *lengths, int64_t *longest, int max);

void spans_free(struct spans *spans);

#endif
