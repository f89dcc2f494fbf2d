/* Kernels for SSS on NVIDIA's GPUs. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_SSS_H
#define SPARSIGHT_KERNELS_CUDA_SSS_H

#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

/* This is in traces/sss.c. */
extern const struct trace trace_sss_atomic;

/* The parameters of sss-atomic. */
enum { SSS_ATOMIC_THREADS, SSS_ATOMIC_BLOCK };

/* Return the number of threads that share a row, a power of two. */
static inline int sss_atomic_threads(const struct launch *launch)
{
    return (int)launch->values.number[SSS_ATOMIC_THREADS];
}

static inline struct grid sss_atomic_grid(const struct launch *launch)
{
    return grid_for(launch->storage->rows, sss_atomic_threads(launch),
                    (int)launch->values.number[SSS_ATOMIC_BLOCK]);
}

/* This is in sss.cu. */
void cuda_sss_atomic(const struct launch *launch);

#endif
