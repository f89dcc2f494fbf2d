/* Kernels for COO on NVIDIA's GPUs. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_COO_H
#define SPARSIGHT_KERNELS_CUDA_COO_H

#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct kernel kernel_cuda_coo_atomic;

/* Parameters of coo-atomic. */
enum { COO_ATOMIC_BLOCK };

/* A thread an entry. */
static inline struct grid coo_atomic_grid(const struct launch *launch)
{
    return grid_for(launch->storage->nnz, 1, (int)launch->values.number[COO_ATOMIC_BLOCK]);
}

/* In coo.cu: */
void cuda_coo_atomic(const struct launch *launch);

#endif
