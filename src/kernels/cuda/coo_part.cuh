/* The entries of long rows, which HYB and JDS store as COO. They are added to y, which already has the sums
 * of the other entries. */
#ifndef SPARSIGHT_KERNELS_CUDA_COO_PART_CUH
#define SPARSIGHT_KERNELS_CUDA_COO_PART_CUH

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

/* Each thread has an entry, and adds its product to y by an atomic addition. */
template <class real>
__global__ void coo_part(int64_t entries, const int32_t *__restrict__ row, const int32_t *__restrict__ col,
                         const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y)
{
    int64_t e = thread_of_grid();
    if (e < entries) atomicAdd(&y[row[e]], val[e] * x[col[e]]);
}

/* Enqueue coo_part for the part whose rows, columns and values are in arrays q, q + 1 and q +
 * 2. */
template <class real>
inline void enqueue_coo_part(const struct launch *launch, int q, const struct grid &grid)
{
    enqueue(launch, grid, "coo_part", coo_part<real>, launch->storage->slots[1], array_of<int32_t>(launch, q),
            array_of<int32_t>(launch, q + 1), array_of<real>(launch, q + 2), x_of<real>(launch),
            y_of<real>(launch));
}

#endif
