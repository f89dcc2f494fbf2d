/* Kernels for CSR on NVIDIA's GPUs. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_CSR_H
#define SPARSIGHT_KERNELS_CUDA_CSR_H

#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct kernel kernel_cuda_csr_scalar, kernel_cuda_csr_vector;

/* Parameters of csr-scalar and csr-vector. */
enum { CSR_SCALAR_BLOCK };
enum { CSR_VECTOR_THREADS, CSR_VECTOR_BLOCK };

/* A thread a row. */
static inline struct grid csr_scalar_grid(const struct launch *launch)
{
    return grid_for(launch->storage->rows, 1, (int)launch->values.number[CSR_SCALAR_BLOCK]);
}

/* So many threads a row. */
static inline struct grid csr_vector_grid(const struct launch *launch)
{
    return grid_for(launch->storage->rows, (int)launch->values.number[CSR_VECTOR_THREADS],
                    (int)launch->values.number[CSR_VECTOR_BLOCK]);
}

/* In csr.cu: */
void cuda_csr_scalar(const struct launch *launch);
void cuda_csr_vector(const struct launch *launch);

#endif
