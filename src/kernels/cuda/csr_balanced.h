/* CSR by tiles of as many entries each, on NVIDIA's GPUs. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_CSR_BALANCED_H
#define SPARSIGHT_KERNELS_CUDA_CSR_BALANCED_H

#include "kernels/cuda/csr_tiles.h"
#include "kernels/cuda/grid.h"
#include "kernels/gpu/device.h"
#include "kernels/kernel.h"

extern const struct trace trace_csr_balanced; /* in csr_balanced_trace.c */

/* Parameters. */
enum { BALANCED_COLUMNS, BALANCED_TILES, BALANCED_RUN };

/* Warps of a block: 20 with the registers and the shared memory that they need fill a multiprocessor of any
 * GPU from compute capability 7.5 on. */
#define BALANCED_WARPS 20

/* launch->state. */
struct balanced {
    struct csr_tiles tiles; /* in the device's memory */
    /* Words of 8 bytes that say with their upper half whether the lower one is there; 0 between products,
     * each warp that takes something puts 0 in its place. Of a chunk: two for its part of the row open at its
     * end, two for that of the row open at its start, if that ends in it. */
    uint64_t *parts;
    uint32_t *arrived; /* of a chunk: parts that are there of the row open at its start; 0 between products */
    size_t read;       /* bytes of the matrix that a product reads */
};

/* A block for each multiprocessor; none if there is no entry. */
static inline struct grid balanced_grid(const struct launch *launch)
{
    const struct balanced *balanced = (const struct balanced *)launch->state;
    int blocks = launch->device->facts.multiprocessors;
    struct grid grid = {balanced->tiles.tiles == 0 ? 0 : blocks > 0 ? blocks : 1, BALANCED_WARPS * WARP, 0};
    return grid;
}

/* In csr_balanced.cu: */
void cuda_csr_balanced(const struct launch *launch);

#endif
