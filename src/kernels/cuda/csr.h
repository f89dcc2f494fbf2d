/* Kernels for CSR on NVIDIA's GPUs. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_CSR_H
#define SPARSIGHT_KERNELS_CUDA_CSR_H

#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

struct tracer;

/* The following are in traces/csr.c. */
extern const struct trace trace_csr_scalar, trace_csr_vector;

/* Replay the requests of a warp whose first `lanes` threads each have a row of CSR, from row `first` on, up
 * to their sums. q_row_ptr, q_col and q_val are the numbers of the storage's arrays. */
void replay_rows(struct tracer *tracer, const struct launch *launch, int q_row_ptr, int q_col, int q_val,
                 int64_t first, int lanes);

/* The parameters of csr-scalar, and those of csr-vector. */
enum { CSR_SCALAR_BLOCK, CSR_SCALAR_EARLY };
enum { CSR_VECTOR_THREADS, CSR_VECTOR_BLOCK, CSR_VECTOR_ALIGNED, CSR_VECTOR_REDUCE, CSR_VECTOR_EARLY };

/* The values of `reduce`. */
enum { CSR_SHUFFLE, CSR_SHARED };

/* Each thread has a row. */
static inline struct grid csr_scalar_grid(const struct launch *launch)
{
    return grid_for(launch->storage->rows, 1, (int)launch->values.number[CSR_SCALAR_BLOCK]);
}

/* Each row has the number of threads of the parameter. If their sums are added in shared memory, each thread
 * has a cell there. */
static inline struct grid csr_vector_grid(const struct launch *launch)
{
    const double *number = launch->values.number;
    struct grid grid =
        grid_for(launch->storage->rows, (int)number[CSR_VECTOR_THREADS], (int)number[CSR_VECTOR_BLOCK]);
    if ((int)number[CSR_VECTOR_REDUCE] == CSR_SHARED)
        grid.shared = (size_t)grid.threads * value_size(launch->storage);
    return grid;
}

/* The following are in csr.cu. */
void cuda_csr_scalar(const struct launch *launch);
void cuda_csr_vector(const struct launch *launch);

#endif
