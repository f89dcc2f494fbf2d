/* Products of COO other than y = A x on NVIDIA's GPUs. C and C++ both include this header. */
#ifndef SPARSIGHT_KERNELS_CUDA_PRODUCTS_ENTRIES_H
#define SPARSIGHT_KERNELS_CUDA_PRODUCTS_ENTRIES_H

#include "kernels/cuda/products/products.h"

#define PRODUCT_ENTRIES_AHEAD 4 /* a warp takes so many times the entries that it has room for */

/* Return the grid of entries_atomic: each entry has the lanes of the cut. */
static inline struct grid entries_atomic_grid(int64_t entries, struct product_cut cut)
{
    int64_t warp = (int64_t)(WARP / cut.lanes) * PRODUCT_ENTRIES_AHEAD;
    return grid_for((entries + warp - 1) / warp, WARP, PRODUCT_THREADS);
}

/* The following are in entries.cu. */
void cuda_entries_atomic(const struct launch *launch);
void cuda_entries_segmented(const struct launch *launch);

#endif
