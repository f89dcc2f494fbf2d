/* The partition of a matrix's rows into contiguous ranges, one for each rank, and the owner of a row. */
#ifndef SPARSIGHT_RANKS_CUT_H
#define SPARSIGHT_RANKS_CUT_H

#include <stdint.h>

#include "base/error.h"

/* Rank r owns the rows begin[r] .. begin[r+1]-1. The table has the owner of every 2^shift-th row, from which
 * one or two steps find the owner of any row. Start with {0}; free with cut_free. */
struct cut {
    int64_t *begin; /* parts + 1, ascending from 0 to the number of rows */
    int parts;
    int shift;
    int32_t *table;
};

/* Make a cut without rows for this number of parts; the caller fills in `begin`, and calls cut_index.
 * STATUS_MEMORY. */
enum status cut_make(struct cut *cut, int parts, struct error *error);

/* Make the table for `begin`. STATUS_MEMORY. */
enum status cut_index(struct cut *cut, struct error *error);

/* Cut this number of rows into ranges of equally many rows. STATUS_MEMORY. */
enum status cut_evenly(struct cut *cut, int parts, int64_t rows, struct error *error);

static inline int32_t cut_owner(const struct cut *cut, int64_t row)
{
    int32_t owner = cut->table[row >> cut->shift];
    while (row >= cut->begin[owner + 1])
        owner++;
    return owner;
}

void cut_free(struct cut *cut);

#endif
