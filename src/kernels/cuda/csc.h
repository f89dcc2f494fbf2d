/* Kernels for CSC on NVIDIA's GPUs. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_CSC_H
#define SPARSIGHT_KERNELS_CUDA_CSC_H

#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

/* This is in traces/csc.c. */
extern const struct trace trace_csc_atomic;

/* The parameters of csc-atomic. */
enum { CSC_ATOMIC_THREADS, CSC_ATOMIC_BLOCK };

/* Return the number of threads that share a column, a power of two. */
static inline int csc_atomic_threads(const struct launch *launch)
{
    return (int)launch->values.number[CSC_ATOMIC_THREADS];
}

static inline struct grid csc_atomic_grid(const struct launch *launch)
{
    return grid_for(launch->storage->cols, csc_atomic_threads(launch),
                    (int)launch->values.number[CSC_ATOMIC_BLOCK]);
}

/* This is in csc.cu. */
void cuda_csc_atomic(const struct launch *launch);

#endif
