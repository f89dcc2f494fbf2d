/* The kernel csr-swept: CSR on NVIDIA's GPUs by blocks of threads that keep the sums of a band of rows in
 * shared memory and sweep over its columns (sweeps.h). It is for matrices with scattered columns, for which
 * the loads of x move more bytes than the matrix. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_CSR_SWEPT_H
#define SPARSIGHT_KERNELS_CUDA_CSR_SWEPT_H

#include "kernels/cuda/grid.h"
#include "kernels/cuda/sweeps.h"
#include "kernels/kernel.h"

extern const struct trace trace_csr_swept; /* in traces/csr_swept.c */

/* The indices of csr-swept's parameters. */
enum { SWEPT_BLOCK, SWEPT_SUMS, SWEPT_PIECES };

/* The launch->state of csr-swept. */
struct swept {
    struct sweeps sweeps; /* in the device's memory */
    void *partials;       /* the sums that pieces leave for joins, in the precision of the values */
    size_t read;          /* bytes of the matrix that a product reads */
};

/* Return the number of entries that a thread has in flight, in registers. */
static inline int swept_each(const struct launch *launch)
{
    return launch->storage->complex ? 2 : 4;
}

/* Each piece has a block. */
static inline struct grid swept_grid(const struct launch *launch)
{
    const struct swept *swept = (const struct swept *)launch->state;
    struct grid grid = {swept->sweeps.count, (int)launch->values.number[SWEPT_BLOCK],
                        (size_t)swept->sweeps.sums * value_size(launch->storage)};
    return grid;
}

/* One thread for each row whose sums are joined. */
static inline struct grid swept_join_grid(const struct launch *launch)
{
    const struct swept *swept = (const struct swept *)launch->state;
    struct grid grid = {swept->sweeps.joined, SWEEP_JOIN, 0};
    return grid;
}

/* These are in csr_swept.cu. cuda_csr_swept_allow allows blocks of the kernel the device's maximum of shared
 * memory. */
enum status cuda_csr_swept_allow(const struct launch *launch, struct error *error);
void cuda_csr_swept(const struct launch *launch);

#endif
