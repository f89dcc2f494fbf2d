/* The kernel for DIA on NVIDIA's GPUs. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_DIA_H
#define SPARSIGHT_KERNELS_CUDA_DIA_H

#include "formats/dia.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct trace trace_dia; /* in traces/dia.c */

/* The indices of the kernel's parameters. */
enum { DIA_KERNEL_BLOCK, DIA_KERNEL_EARLY };

#define DIA_AHEAD 8 /* number of values that a thread requests before it waits for the first */

/* Each row has a thread. */
static inline struct grid dia_grid(const struct launch *launch)
{
    return grid_for(launch->storage->rows, 1, (int)launch->values.number[DIA_KERNEL_BLOCK]);
}

/* This is in dia.cu. */
void cuda_dia(const struct launch *launch);

#endif
