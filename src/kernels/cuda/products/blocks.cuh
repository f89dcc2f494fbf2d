/* Products of BSR with several vectors, in blocks.cu. */
#ifndef SPARSIGHT_KERNELS_CUDA_PRODUCTS_BLOCKS_CUH
#define SPARSIGHT_KERNELS_CUDA_PRODUCTS_BLOCKS_CUH

#include "kernels/cuda/products/products.cuh"

extern "C" {
#include "kernels/cuda/bsr.h"
}

/* The arrays of BSR. */
template <class real> struct block_source {
    int64_t rows, cols, block_rows;
    const void *row_ptr;
    bool wide; /* row_ptr has 64 bits */
    const int32_t *col;
    const real *val;

    __device__ __forceinline__ int64_t pointer(int64_t r) const
    {
        return wide ? __ldg(static_cast<const long *>(row_ptr) + r)
                    : __ldg(static_cast<const int *>(row_ptr) + r);
    }
};

/* Return the minimum number of lanes that share a block row: fewer blocks for each where block rows are few.
 */
inline int blocks_threads(const struct launch *launch)
{
    const int64_t rows = launch->storage->number[BSR_BLOCK_ROWS],
                  blocks = launch->storage->number[BSR_BLOCKS];
    int threads = 1;
    while (threads < WARP && threads * rows < grid_resident_threads(launch) / 4 &&
           2 * threads * rows <= blocks)
        threads *= 2;
    return threads;
}

/* Return whether tensor cores multiply: if a warp's vectors and columns fit. */
inline bool blocks_use_tensor(const struct launch *launch)
{
    return launch->values.number[BSR_TENSOR] != 0 && launch->device->facts.major >= 8 &&
           product_columns(launch->product) % 8 == 0 &&
           launch->storage->cols % launch->storage->number[BSR_SIZE] == 0;
}

/* Enqueue the product of a launch that product_prepare has prepared. */
template <class real> void enqueue_blocks_product(const struct launch *launch, const block_source<real> &a);

#endif
