/* Kernels for ELL on NVIDIA's GPUs. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_ELL_H
#define SPARSIGHT_KERNELS_CUDA_ELL_H

#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct kernel kernel_cuda_ell_padded, kernel_cuda_ell_masked;

/* Parameters of all of them. */
enum { ELL_BLOCK };

/* A thread a row. */
static inline struct grid ell_grid(const struct launch *launch)
{
    return grid_for(launch->storage->rows, 1, (int)launch->values.number[ELL_BLOCK]);
}

/* In ell.cu: */
void cuda_ell_padded(const struct launch *launch);
void cuda_ell_masked(const struct launch *launch);

#endif
