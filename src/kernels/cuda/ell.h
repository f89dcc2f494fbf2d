/* Kernels for ELL on NVIDIA's GPUs, each for one way to store it. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_ELL_H
#define SPARSIGHT_KERNELS_CUDA_ELL_H

#include "formats/ell.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

struct tracer;

/* In ell_trace.c: */
extern const struct trace trace_ell_padded, trace_ell_bounded, trace_ell_masked, trace_ell_rowmajor;

/* A transposed rectangle of slots in arrays q_col and q_val of a storage, from `slot` on. */
struct rectangle {
    int q_col, q_val;
    int64_t slot, height, width;
    bool masked; /* columns are -1 where there is no entry, and those slots are skipped */
};

/* A thread a row: the warp's first `lanes` threads go through rows i, i + 1, ... */
void replay_rectangle(struct tracer *tracer, const struct launch *launch, const struct rectangle *rectangle,
                      int64_t i, int lanes);

/* The parameter of each of them. ell-bounded keeps the lengths of the rows, 32 bits each, in the device's
 * memory: launch->state. */
enum { ELL_BLOCK };

/* A thread a row. */
static inline struct grid ell_grid(const struct launch *launch)
{
    return grid_for(launch->storage->rows, 1, (int)launch->values.number[ELL_BLOCK]);
}

/* In ell.cu: */
void cuda_ell_padded(const struct launch *launch);
void cuda_ell_bounded(const struct launch *launch);
void cuda_ell_masked(const struct launch *launch);
void cuda_ell_rowmajor(const struct launch *launch);

#endif
