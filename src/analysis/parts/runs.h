/* Runs of rows or columns with about equally many entries. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_RUNS_H
#define SPARSIGHT_ANALYSIS_PARTS_RUNS_H

#include <stdint.h>

/* Return the part of a line, a row or a column. Its entries are number begin .. end - 1 of all nnz, line by
 * line. All entries are divided evenly: a line belongs to the part that gets the middle of its entries. So a
 * border between parts is at most half a line away from the even division. Lines before the first entry go to
 * the first part, and so do all lines of a matrix without entries. */
static inline int32_t runs_part(int64_t begin, int64_t end, int64_t nnz, int64_t parts)
{
    const double share = (double)nnz / (double)parts, middle = ((double)begin + (double)end) / 2;
    const int64_t part = share > 0 ? (int64_t)(middle / share) : 0;
    return (int32_t)(part < parts ? part : parts - 1);
}

#endif
