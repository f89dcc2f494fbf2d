/* The kernel for SELL-C-sigma on NVIDIA's GPUs. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_SELL_H
#define SPARSIGHT_KERNELS_CUDA_SELL_H

#include "formats/sell.h"
#include "kernels/cuda/grid.h"
#include "kernels/cuda/told_values.h"
#include "kernels/kernel.h"

extern const struct trace trace_sell; /* in traces/sell.c */

/* The indices of the kernel's parameters. */
enum { SELL_COLUMNS, SELL_VALUES, SELL_AHEAD, SELL_BLOCK, SELL_EARLY };
#define SELL_AHEAD_MAX 8

/* A chunk of more than 32 rows is cut into slices of 32 rows, each of which a warp multiplies. */
#define SELL_SLICE 32

/* Columns of 16 bits are counted from the smallest column of their slice, which is in `base`. -1 there means
 * that the slice's entries span more than 65536 columns, which are read from the format. Element s of
 * `narrow` is for slot s. Padding repeats the last column of its row, or has the smallest one of the slice if
 * the row is empty. Both are NULL if columns have 32 bits. */
struct sell_columns {
    int64_t slices;
    int32_t *base;
    uint16_t *narrow;
    int64_t wide, wide_slots; /* number of slices that span too much, and of their slots */
};

/* Make the columns of `bits` bits on the host: 16 or 32, or 0 for 16 unless more than a sixteenth of the
 * slots lies in slices that span too much. Returns STATUS_MEMORY, or STATUS_LIMIT if they need more bytes
 * than `limit` (0: the default of memory_check); then nothing is allocated. Parallel, O(slots + rows
 * log(length of the longest)). */
enum status sell_columns_make(const struct storage *storage, int bits, size_t limit,
                              struct sell_columns *columns, struct error *error);
void sell_columns_free(struct sell_columns *columns); /* takes {0} */

/* The launch->state of the kernel. */
struct sell_state {
    struct sell_columns columns; /* in the device's memory */
    struct unique unique;        /* the same; {0} if values are read from the format */
    size_t read;                 /* bytes of the matrix that a product reads */
};

/* Return the number of slices of a chunk. */
static inline int32_t sell_chunk_slices(const struct storage *storage)
{
    return (int32_t)storage->values.number[SELL_C] / SELL_SLICE;
}

/* Return the number of slices of the matrix. */
static inline int64_t sell_slices(const struct storage *storage)
{
    return storage->number[SELL_CHUNKS] * sell_chunk_slices(storage);
}

/* The maximum number of threads of a block, by the bytes of a value. A multiprocessor has registers for 512
 * threads with complex values in double precision. */
#define SELL_THREADS_MAX(value) ((value) > 8 ? 512 : 1024)

/* The launch has a warp for each slice. */
static inline struct grid sell_grid(const struct launch *launch)
{
    const int block = (int)launch->values.number[SELL_BLOCK],
              most = SELL_THREADS_MAX(value_size(launch->storage));
    return grid_for(sell_slices(launch->storage), WARP, block < most ? block : most);
}

/* This is in sell.cu. */
void cuda_sell(const struct launch *launch);

#endif
