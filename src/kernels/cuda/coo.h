/* Kernels for COO on NVIDIA's GPUs. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_COO_H
#define SPARSIGHT_KERNELS_CUDA_COO_H

#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

struct tracer;

/* In coo_trace.c: */
extern const struct trace trace_coo_atomic, trace_coo_segmented;

/* A thread an entry of COO, in arrays q_row, q_row + 1 and q_row + 2 of the storage: rows, columns and
 * values. The warp's first `lanes` threads have the entries from e on. */
void replay_entries(struct tracer *tracer, const struct launch *launch, int q_row, int64_t e, int lanes);

/* Parameters of coo-atomic and coo-segmented. */
enum { COO_ATOMIC_BLOCK };
enum { COO_SEGMENTED_BLOCK, COO_SEGMENTED_STEPS };

/* A thread an entry. */
static inline struct grid coo_atomic_grid(const struct launch *launch)
{
    return grid_for(launch->storage->nnz, 1, (int)launch->values.number[COO_ATOMIC_BLOCK]);
}

/* Entries that a warp goes through. */
static inline int64_t coo_segmented_interval(const struct launch *launch)
{
    return WARP * (int64_t)launch->values.number[COO_SEGMENTED_STEPS];
}

/* A warp an interval. */
static inline struct grid coo_segmented_grid(const struct launch *launch)
{
    int64_t interval = coo_segmented_interval(launch);
    return grid_for((launch->storage->nnz + interval - 1) / interval, WARP,
                    (int)launch->values.number[COO_SEGMENTED_BLOCK]);
}

/* In coo.cu: */
void cuda_coo_atomic(const struct launch *launch);
void cuda_coo_segmented(const struct launch *launch);

#endif
