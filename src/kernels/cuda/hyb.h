/* Kernels for HYB on NVIDIA's GPUs, which read its ELL part transposed. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_HYB_H
#define SPARSIGHT_KERNELS_CUDA_HYB_H

#include "formats/ell.h"
#include "formats/hyb.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct trace trace_hyb, trace_hyb_fused, trace_hyb_host; /* in hyb_trace.c */

/* The parameter of each of them. hyb-fused keeps in the device's memory, launch->state, where the COO entries
 * of each block of rows begin, 64 bits each, and where the last ones end. */
enum { HYB_BLOCK };

/* The ELL part knows its padding by the column -1. */
static inline bool hyb_masked(const struct launch *launch)
{
    return (int)launch->storage->values.number[HYB_PAD] == ELL_SENTINEL;
}

/* A thread a row. */
static inline struct grid hyb_rows_grid(const struct launch *launch)
{
    return grid_for(launch->storage->rows, 1, (int)launch->values.number[HYB_BLOCK]);
}

/* A thread an entry of COO. */
static inline struct grid hyb_rest_grid(const struct launch *launch)
{
    return grid_for(launch->storage->slots[1], 1, (int)launch->values.number[HYB_BLOCK]);
}

/* A thread a row, and a sum for each in shared memory. */
static inline struct grid hyb_fused_grid(const struct launch *launch)
{
    struct grid grid = hyb_rows_grid(launch);
    grid.shared = (size_t)grid.threads * value_size(launch->storage);
    return grid;
}

/* In hyb.cu: */
void cuda_hyb(const struct launch *launch);
void cuda_hyb_fused(const struct launch *launch);
void cuda_hyb_host(const struct launch *launch);

/* y on the host and the events between which it is copied: make and free launch->state of hyb-host. */
enum status cuda_hyb_host_make(struct launch *launch, struct error *error);
void cuda_hyb_host_free(struct launch *launch);

/* Seconds in which the last product copied y, to the host and back. */
double cuda_hyb_host_transfer(const struct launch *launch);

#endif
