/* Kernels for ELL on NVIDIA's GPUs, each for one layout and padding. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_ELL_H
#define SPARSIGHT_KERNELS_CUDA_ELL_H

#include "formats/ell.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

struct tracer;

/* The following are in traces/ell.c. */
extern const struct trace trace_ell_padded, trace_ell_bounded, trace_ell_masked, trace_ell_rowmajor;

/* A transposed rectangle of height x width slots in arrays q_col and q_val of a storage, from slot `slot` on.
 */
struct rectangle {
    int q_col, q_val;
    int64_t slot, height, width;
    bool masked; /* slots whose column is -1 are skipped */
};

/* Replay the requests of a warp whose first `lanes` threads each have a row of a rectangle, from row i on. */
void replay_rectangle(struct tracer *tracer, const struct launch *launch, const struct rectangle *rectangle,
                      int64_t i, int lanes);

/* The parameter of each of the kernels. launch->state of ell-bounded is the lengths of the rows, in 32 bits
 * each, in the device's memory; that of the others is NULL. */
enum { ELL_BLOCK };

/* Each row has a thread. */
static inline struct grid ell_grid(const struct launch *launch)
{
    return grid_for(launch->storage->rows, 1, (int)launch->values.number[ELL_BLOCK]);
}

/* The following are in ell.cu. */
void cuda_ell_padded(const struct launch *launch);
void cuda_ell_bounded(const struct launch *launch);
void cuda_ell_masked(const struct launch *launch);
void cuda_ell_rowmajor(const struct launch *launch);

#endif
