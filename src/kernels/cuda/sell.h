/* Kernel for SELL-C-sigma on NVIDIA's GPUs. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_SELL_H
#define SPARSIGHT_KERNELS_CUDA_SELL_H

#include "formats/sell.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct trace trace_sell; /* in sell_trace.c */

/* Parameters. */
enum { SELL_COLUMNS, SELL_AHEAD, SELL_BLOCK };

/* A slice is 32 rows of a chunk: what a warp multiplies. */
#define SELL_SLICE 32

/* Columns of 16 bits: less a slice's least column, which is `base`, -1 where its entries span more than 65536
 * columns (its columns are read from the format). Column s of `narrow` is that of slot s; what pads a row
 * repeats the row's last column, or has the slice's least one if there is none. Both NULL if columns have 32
 * bits. */
struct sell_columns {
    int64_t slices;
    int32_t *base;
    uint16_t *narrow;
    int64_t wide, wide_slots; /* slices that span too much, and their slots */
};

/* Make them on the host; 16 or 32 bits, or 0: 16 if not more than a sixteenth of the slots spans too much.
 * STATUS_MEMORY or STATUS_LIMIT, and nothing is left behind then. Parallel, O(slots + rows log(longest)). */
enum status sell_columns_make(const struct storage *storage, int bits, struct sell_columns *columns,
                              struct error *error);
void sell_columns_free(struct sell_columns *columns); /* takes {0} */

/* launch->state. */
struct sell_state {
    struct sell_columns columns; /* in the device's memory */
    size_t read;                 /* bytes of the matrix that a product reads */
};

/* Slices of a chunk. */
static inline int32_t sell_parts(const struct storage *storage)
{
    return (int32_t)storage->values.number[SELL_C] / SELL_SLICE;
}

static inline int64_t sell_slices(const struct storage *storage)
{
    return storage->number[SELL_CHUNKS] * sell_parts(storage);
}

/* A warp a slice. */
static inline struct grid sell_grid(const struct launch *launch)
{
    return grid_for(sell_slices(launch->storage), WARP, (int)launch->values.number[SELL_BLOCK]);
}

/* In sell.cu: */
void cuda_sell(const struct launch *launch);

#endif
