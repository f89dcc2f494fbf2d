/* The units of the kernels of DASP for processors: long rows, row blocks, blocks of 8 lines of short rows,
 * and the rows of at most one entry without a partner, DASP_TAIL at a time. */
#ifndef SPARSIGHT_KERNELS_CPU_DASP_H
#define SPARSIGHT_KERNELS_CPU_DASP_H

#include "formats/dasp_parts.h"

#define DASP_TAIL 32

/* The first unit of each kind but the first, and the number of all. */
struct dasp_units {
    int64_t row_blocks, short_blocks, tail, count;
};

static inline struct dasp_units dasp_units(const struct storage *storage)
{
    const struct dasp_short s = dasp_short(storage);
    struct dasp_units units = {.row_blocks = storage->number[DASP_LONG],
                               .short_blocks = dasp_pieces(storage)};
    units.tail = units.short_blocks + s.four_blocks + s.pair_blocks + s.two_blocks;
    units.count = units.tail + (storage->rows - s.single + DASP_TAIL - 1) / DASP_TAIL;
    return units;
}

#endif
