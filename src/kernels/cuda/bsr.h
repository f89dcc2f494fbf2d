/* The kernel for BSR on NVIDIA's GPUs. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_BSR_H
#define SPARSIGHT_KERNELS_CUDA_BSR_H

#include "formats/bsr.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct trace trace_bsr; /* in traces/bsr.c */

/* The indices of the kernel's parameters. */
enum { BSR_LANES, BSR_BLOCK, BSR_EARLY };

/* How lanes share a block, by its size and the bytes of a value. A lane loads BSR_WIDE neighbouring values of
 * a row at once, 16 bytes at most, so that a row has BSR_ACROSS lanes. A block is loaded in BSR_TIMES
 * requests, each of BSR_HIGH rows, which have BSR_SHARE lanes in all. In double precision:
 *
 *     size 4                                size 6
 *       lane 0  lane 1                        lane 0  lane 1  lane 2
 *            2       3                             3       4       5
 *            0       1                             6       7       8
 *            2       3     second request          0       1       2     second request
 *                                                  3       4       5
 *                                                  6       7       8
 *
 * So a lane has the same columns of a block in each request, and loads their elements of x once. */
#define BSR_WIDE(size, value) ((value) > 8 || (size) % 2 ? 1 : (value) > 4 || (size) % 4 ? 2 : 4)
#define BSR_ACROSS(size, value) ((size) / BSR_WIDE(size, value))
#define BSR_TIMES(size, value)                                                                      \
    ((size) == 6 || (size) == 7 || ((size) == 8 && (value) > 4) || ((size) == 4 && (value) == 8) || \
             ((size) == 2 && (value) == 4)                                                          \
         ? 2                                                                                        \
         : 1)
#define BSR_HIGH(size, value) (((size) + BSR_TIMES(size, value) - 1) / BSR_TIMES(size, value))
#define BSR_SHARE(size, value) (BSR_HIGH(size, value) * BSR_ACROSS(size, value))

/* The number of blocks that a lane requests before the first arrives. On an H200 more are slower. */
#define BSR_AHEAD(value) ((value) > 4 ? 2 : 4)

#define BSR_THREADS_MAX 512 /* of a block of threads: each may have 128 registers */

/* A piece of a block row with many blocks. A warp multiplies it, and loads this by halves of 16 bytes. */
struct bsr_piece {
    int64_t first;   /* block */
    int32_t count;   /* of blocks */
    int32_t row;     /* the block row */
    int32_t from;    /* the number of the row's first piece, */
    int32_t pieces;  /* and how many it has */
    int32_t which;   /* the row's number among those that have pieces */
    int32_t nothing; /* the struct has 32 bytes */
};

/* The launch->state of the kernel. */
struct bsr_state {
    int32_t whole;           /* a block row with more blocks is cut into pieces */
    int32_t pieces, cut;     /* numbers of pieces, and of block rows that have some */
    struct bsr_piece *piece; /* this and the following are in the device's memory, or NULL */
    /* Sums of pieces (partials.cuh), and how many pieces of a row have come; all 0 between products. */
    uint64_t *partials;
    uint32_t *arrived;
};

/* First the pieces, a warp for each, and then the block rows. */
static inline struct grid bsr_grid(const struct launch *launch)
{
    const struct bsr_state *state = (const struct bsr_state *)launch->state;
    const int64_t lanes = (int64_t)launch->values.number[BSR_LANES];
    return grid_for((int64_t)state->pieces * WARP + launch->storage->number[BSR_BLOCK_ROWS] * lanes, 1,
                    (int)launch->values.number[BSR_BLOCK]);
}

/* This is in bsr.cu. */
void cuda_bsr(const struct launch *launch);

#endif
