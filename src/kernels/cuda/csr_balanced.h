/* The kernel csr-balanced: CSR on NVIDIA's GPUs by tiles with equal numbers of entries (csr_tiles.h). C and
 * C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_CSR_BALANCED_H
#define SPARSIGHT_KERNELS_CUDA_CSR_BALANCED_H

#include "kernels/cuda/csr_tiles.h"
#include "kernels/cuda/grid.h"
#include "kernels/cuda/told_values.h"
#include "kernels/gpu/device.h"
#include "kernels/kernel.h"

extern const struct trace trace_csr_balanced; /* in traces/csr_balanced.c */

/* The indices of csr-balanced's parameters. */
enum { BALANCED_COLUMNS, BALANCED_VALUES, BALANCED_TILES, BALANCED_RUN };

/* Number of warps of a block: with their registers and shared memory, blocks of this size fill a
 * multiprocessor of any GPU from compute capability 7.5 on. */
#define BALANCED_WARPS 20
/* For complex numbers, for which 20 warps have too few registers on some GPUs. */
#define BALANCED_WARPS_COMPLEX 16

/* The launch->state of csr-balanced. */
struct balanced {
    struct csr_tiles tiles; /* in the device's memory */
    /* The same; {0} if values are read from CSR. The indices are in the order of csr_tile_place, and the
     * padding of the last tile has index 0. */
    struct unique unique;
    /* Partial sums of rows that lie in several chunks: a double in two words of 8 bytes. Each word has a half
     * of the double in its lower half, and a flag that it is valid in its upper half. A complex number is two
     * doubles. Chunk c has words 4 c .. 4 c + 3, or 8 c .. 8 c + 7: half of them for the sum of the row that
     * is open at its end, half for that of the row that was open at its start, if it ends in c. Between
     * products they are 0, since each warp that takes a sum sets it to 0. */
    uint64_t *partials;
    uint32_t *arrived; /* for each chunk, the number of partial sums stored for the row open at its start; 0
                          between products */
    size_t read;       /* bytes of the matrix that a product reads */
};

/* Return the number of words of `partials` of a chunk. */
static inline int balanced_words(const struct launch *launch)
{
    return launch->storage->complex ? 8 : 4;
}

static inline int balanced_warps(const struct launch *launch)
{
    return launch->storage->complex ? BALANCED_WARPS_COMPLEX : BALANCED_WARPS;
}

/* A block for each multiprocessor; no block if there are no entries. */
static inline struct grid balanced_grid(const struct launch *launch)
{
    const struct balanced *balanced = (const struct balanced *)launch->state;
    int blocks = launch->device->facts.multiprocessors;
    struct grid grid = {balanced->tiles.tiles == 0 ? 0
                        : blocks > 0               ? blocks
                                                   : 1,
                        balanced_warps(launch) * WARP, 0};
    return grid;
}

/* This is in csr_balanced.cu. */
void cuda_csr_balanced(const struct launch *launch);

#endif
