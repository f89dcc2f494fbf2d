/* Kernels for CMRS on NVIDIA's GPUs. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_CMRS_H
#define SPARSIGHT_KERNELS_CUDA_CMRS_H

#include "formats/cmrs.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct trace trace_cmrs, trace_cmrs_padded; /* in traces/cmrs.c */

/* The parameters of cmrs, and those of cmrs-padded. */
enum { CMRS_BASIC_BLOCK, CMRS_BASIC_ALIGNED };
enum { CMRS_PADDED_BLOCK };

/* Each strip has a warp, and each warp this number of elements of shared memory. */
static inline struct grid cmrs_grid(const struct launch *launch, int block, int64_t cells)
{
    struct grid grid = grid_for(launch->storage->number[CMRS_STRIPS], WARP, block);
    grid.shared = (size_t)(block / WARP) * (size_t)cells * value_size(launch->storage);
    return grid;
}

/* Return the smallest power of two that is not below the height: cmrs is compiled for these. */
static inline int cmrs_rows(int64_t height)
{
    int rows = 1;
    while (rows < height)
        rows *= 2;
    return rows;
}

/* There is a cell for each row of the strip and each lane; cell (r, l) is number 32 r + l. So for any rows
 * that the lanes add to, each lane has its own bank, or two for doubles, of which half a warp is served at a
 * time. */
static inline struct grid cmrs_basic_grid(const struct launch *launch)
{
    return cmrs_grid(launch, (int)launch->values.number[CMRS_BASIC_BLOCK],
                     launch->storage->number[CMRS_HEIGHT] * WARP);
}

/* There is a cell for each row. */
static inline struct grid cmrs_padded_grid(const struct launch *launch)
{
    return cmrs_grid(launch, (int)launch->values.number[CMRS_PADDED_BLOCK], CMRS_HEIGHT_MAX);
}

/* The following are in cmrs.cu. cuda_cmrs_allow allows blocks of the kernel for this launch the device's
 * maximum of shared memory. */
enum status cuda_cmrs_allow(const struct launch *launch, struct error *error);
void cuda_cmrs(const struct launch *launch);
void cuda_cmrs_padded(const struct launch *launch);

#endif
