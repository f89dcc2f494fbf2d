/* Kernels for CMRS on NVIDIA's GPUs. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_CMRS_H
#define SPARSIGHT_KERNELS_CUDA_CMRS_H

#include "formats/cmrs.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct trace trace_cmrs, trace_cmrs_padded; /* in cmrs_trace.c */

/* Parameters of cmrs and cmrs-padded. */
enum { CMRS_BASIC_BLOCK, CMRS_BASIC_ALIGNED };
enum { CMRS_PADDED_BLOCK };

/* A warp a strip; of shared memory, so many cells a warp. */
static inline struct grid cmrs_grid(const struct launch *launch, int block, int64_t cells)
{
    struct grid grid = grid_for(launch->storage->number[CMRS_STRIPS], WARP, block);
    grid.shared = (size_t)(block / WARP) * (size_t)cells * value_size(launch->storage);
    return grid;
}

/* The height, or the next power of two: what cmrs is compiled for. */
static inline int cmrs_rows(int64_t height)
{
    int rows = 1;
    while (rows < height)
        rows *= 2;
    return rows;
}

/* A cell for each row of the strip and each lane, those of a row side by side: whatever rows the lanes add
 * to, each lies in a bank of its own (two of them for doubles, which go by half warps). */
static inline struct grid cmrs_basic_grid(const struct launch *launch)
{
    return cmrs_grid(launch, (int)launch->values.number[CMRS_BASIC_BLOCK],
                     launch->storage->number[CMRS_HEIGHT] * WARP);
}

/* A cell for each row. */
static inline struct grid cmrs_padded_grid(const struct launch *launch)
{
    return cmrs_grid(launch, (int)launch->values.number[CMRS_PADDED_BLOCK], CMRS_HEIGHT_MAX);
}

/* In cmrs.cu: */
enum status cuda_cmrs_allow(const struct launch *launch, struct error *error);
void cuda_cmrs(const struct launch *launch);
void cuda_cmrs_padded(const struct launch *launch);

#endif
