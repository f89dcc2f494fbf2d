/* Kernels for HYB on NVIDIA's GPUs, which require a transposed ELL part. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_HYB_H
#define SPARSIGHT_KERNELS_CUDA_HYB_H

#include "formats/ell.h"
#include "formats/hyb.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct trace trace_hyb, trace_hyb_fused, trace_hyb_host; /* in traces/hyb.c */

/* The parameter of each of the kernels. launch->state of hyb-fused is an array in the device's memory: the
 * offsets of the COO entries of each block of rows, and the end of the last block, in 64 bits each. */
enum { HYB_BLOCK };

/* Return true if padding of the ELL part has column -1. */
static inline bool hyb_masked(const struct launch *launch)
{
    return (int)launch->storage->values.number[HYB_PAD] == ELL_SENTINEL;
}

/* Each row has a thread. */
static inline struct grid hyb_rows_grid(const struct launch *launch)
{
    return grid_for(launch->storage->rows, 1, (int)launch->values.number[HYB_BLOCK]);
}

/* Each entry of COO has a thread. */
static inline struct grid hyb_rest_grid(const struct launch *launch)
{
    return grid_for(launch->storage->slots[1], 1, (int)launch->values.number[HYB_BLOCK]);
}

/* Each row has a thread, and its sum is in shared memory. */
static inline struct grid hyb_fused_grid(const struct launch *launch)
{
    struct grid grid = hyb_rows_grid(launch);
    grid.shared = (size_t)grid.threads * value_size(launch->storage);
    return grid;
}

/* The following are in hyb.cu. */
void cuda_hyb(const struct launch *launch);
void cuda_hyb_fused(const struct launch *launch);
void cuda_hyb_host(const struct launch *launch);

/* Make and free launch->state of hyb-host: a copy of y on the host, whose size was checked before, and the
 * events between which y is copied. */
enum status cuda_hyb_host_make(struct launch *launch, struct error *error);
void cuda_hyb_host_free(struct launch *launch);

/* Return the seconds that the last product took to copy y to the host and back; NaN if unknown. */
double cuda_hyb_host_transfer(const struct launch *launch);

#endif
