/* The kernel for BSR on NVIDIA's GPUs. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_BSR_H
#define SPARSIGHT_KERNELS_CUDA_BSR_H

#include "formats/bsr.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct trace trace_bsr; /* in traces/bsr.c */

/* The indices of the kernel's parameters. */
enum { BSR_LANES, BSR_BLOCK, BSR_COPIES, BSR_EARLY };

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

/* With copies, a block of threads copies the columns and values of a tile of block rows into shared memory.
 * Each thread then multiplies a row of a block row. A warp has whole block rows only. */
#define BSR_TILE_ROWS(size, threads) (WARP / (size) * ((threads) / WARP))

/* The number of blocks whose elements of x a thread loads before it waits for the first. */
#define BSR_COPIED_AHEAD(value) ((value) > 8 ? 1 : 2)

/* The part of a block's row with which a thread begins, by the row, and by `held`, the number of its block
 * row in the warp. Shared memory serves eight lanes at once, 16 bytes each, if these lie in different banks;
 * all banks together have 128 bytes. Rows of a block that are 128 bytes apart lie in the same banks, as do
 * equal rows of two blocks of 128 bytes. Their lanes therefore begin with different parts. */
#define BSR_COPIED_TURN(size, value, row, held) \
    ((size) * (value) == 32 && (value) > 4 ? (held) : (row) * (size) * (value) / 128)

/* The contents of shared memory: two barriers; the first block of each block row, counted from the tile's
 * first; columns; values. Copies begin and end at multiples of 16 bytes. */
struct bsr_room {
    int columns, values; /* where these begin, in bytes */
    int bytes;
};

static inline struct bsr_room bsr_room_of(int rows, int blocks, int block_bytes)
{
    struct bsr_room room;
    room.columns = 16 + (rows + 1 + 3) / 4 * 16;
    room.values = room.columns + 16 + (blocks + 3) / 4 * 16;
    room.bytes = room.values + 16 + (blocks * block_bytes + 15) / 16 * 16;
    return room;
}

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
    int32_t tile;            /* the block rows of a tile; 0: nothing is copied */
    int32_t copied;          /* the blocks of a tile that are copied at once */
    int32_t whole;           /* a block row with more blocks is cut into pieces */
    int32_t pieces, cut;     /* numbers of pieces, and of block rows that have some */
    struct bsr_piece *piece; /* this and the following are in the device's memory, or NULL */
    /* Sums of pieces (partials.cuh), and how many pieces of a row have come; all 0 between products. */
    uint64_t *partials;
    uint32_t *arrived;
};

/* With copies, a block of threads for each tile. Otherwise a warp for each piece, then lanes for each block
 * row. */
static inline struct grid bsr_grid(const struct launch *launch)
{
    const struct bsr_state *state = (const struct bsr_state *)launch->state;
    const int size = (int)launch->storage->number[BSR_SIZE];
    if (state->tile > 0) {
        struct grid grid = grid_for(launch->storage->number[BSR_BLOCK_ROWS], 1, state->tile);
        grid.threads = (int)launch->values.number[BSR_BLOCK];
        grid.shared =
            (size_t)bsr_room_of(state->tile, state->copied, size * size * (int)value_size(launch->storage))
                .bytes;
        return grid;
    }
    const int64_t lanes = (int64_t)launch->values.number[BSR_LANES];
    return grid_for((int64_t)state->pieces * WARP + launch->storage->number[BSR_BLOCK_ROWS] * lanes, 1,
                    (int)launch->values.number[BSR_BLOCK]);
}

/* This is in bsr.cu. */
void cuda_bsr(const struct launch *launch);

#endif
