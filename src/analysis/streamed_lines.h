/* Rows or columns of a matrix whose entries come by once: their lengths, and their sums of sizes. Only
 * streamed.c uses this. */
#ifndef SPARSIGHT_ANALYSIS_STREAMED_LINES_H
#define SPARSIGHT_ANALYSIS_STREAMED_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/compensated.h"

/* So many entries are looked at once, so that what is made of them stays in the first-level cache. */
#define STREAMED_BATCH 1024

/* What is kept of each line. */
struct streamed_lines {
    uint32_t *lengths;
    int32_t *first;   /* the smallest index across the line, INT32_MAX if it is empty; NULL: nobody asks */
    struct sum *sums; /* of sizes; NULL: nobody asks */
};

/* Return where the run of line[first] ends, if lines ascend. */
static inline int64_t streamed_lines_run(const int32_t *line, int64_t first, int64_t count)
{
    int64_t end = first + 1;
    for (; end + 8 <= count && line[end + 7] == line[first]; end += 8)
        ;
    for (int64_t step = 4; step > 0; step /= 2)
        if (end + step <= count && line[end + step - 1] == line[first]) end += step;
    return end;
}

/* Return which of the entries first .. end-1 of a line, which ascend, is the one at i; -1 if none is. That is
 * number `guess`, which is not before them, as often as not, or it is sought by halving. */
static inline int64_t streamed_lines_seek(const int32_t *across, int64_t first, int64_t end, int32_t i,
                                          int64_t guess)
{
    if (guess < end && across[guess] == i) return guess;
    for (int64_t some = end - first; some > 1; some -= some / 2)
        first += across[first + some / 2] <= i ? some / 2 : 0;
    return across[first] == i ? first : -1;
}

/* Take entries of lines line[0..count-1], at most STREAMED_BATCH, which are at `across` in them and have
 * these sizes, |a|; 0 for what does not belong to the sum. Sums are compensated: lines that come one after
 * the other are summed up in several lanes, others in the order of the entries. One thread at a time.
 * `ascend`: lines, and the entries within each, ascend. */
void streamed_lines_take(const struct streamed_lines *lines, const int32_t *line, const int32_t *across,
                         const double *sizes, int64_t count, bool ascend);

#endif
