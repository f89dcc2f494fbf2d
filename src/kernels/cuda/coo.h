/* Kernels for COO on NVIDIA's GPUs. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_COO_H
#define SPARSIGHT_KERNELS_CUDA_COO_H

#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

struct tracer;

/* The following are in traces/coo.c. */
extern const struct trace trace_coo_atomic, trace_coo_segmented;

/* Replay the requests of a warp whose first `lanes` threads each have an entry of COO, from entry e on, which
 * they add to y. Rows, columns and values are in arrays q_row, q_row + 1 and q_row + 2 of the storage. */
void replay_entries(struct tracer *tracer, const struct launch *launch, int q_row, int64_t e, int lanes);

/* The parameters of coo-atomic, and those of coo-segmented. */
enum { COO_ATOMIC_BLOCK };
enum { COO_SEGMENTED_BLOCK, COO_SEGMENTED_STEPS };

/* Each entry has a thread. */
static inline struct grid coo_atomic_grid(const struct launch *launch)
{
    return grid_for(launch->storage->nnz, 1, (int)launch->values.number[COO_ATOMIC_BLOCK]);
}

/* Number of entries of a warp, its interval. */
static inline int64_t coo_segmented_interval(const struct launch *launch)
{
    return WARP * (int64_t)launch->values.number[COO_SEGMENTED_STEPS];
}

/* Each interval has a warp. */
static inline struct grid coo_segmented_grid(const struct launch *launch)
{
    int64_t interval = coo_segmented_interval(launch);
    return grid_for((launch->storage->nnz + interval - 1) / interval, WARP,
                    (int)launch->values.number[COO_SEGMENTED_BLOCK]);
}

/* The following are in coo.cu. */
void cuda_coo_atomic(const struct launch *launch);
void cuda_coo_segmented(const struct launch *launch);

#endif
