/* Kernels for ELL on NVIDIA's GPUs, each for one way to store it. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_ELL_H
#define SPARSIGHT_KERNELS_CUDA_ELL_H

#include "formats/ell.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct kernel kernel_cuda_ell_padded, kernel_cuda_ell_bounded, kernel_cuda_ell_masked,
    kernel_cuda_ell_rowmajor;

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
