/* Products other than y = A x by shares of equal numbers of entries, regardless of rows, for COO and CSR. C
 * and C++ both include this header. */
#ifndef SPARSIGHT_KERNELS_CUDA_PRODUCTS_ENTRIES_H
#define SPARSIGHT_KERNELS_CUDA_PRODUCTS_ENTRIES_H

#include "kernels/cuda/products/products.h"

#define PRODUCT_INTERVAL 64 /* maximum entries of an interval */

/* Return the length of an interval, the entries that the lanes sharing the vectors take one after another.
 * Long intervals have few rows shared with other lanes, which are added to Y atomically. They are shortened
 * if they would occupy less than five eighths of the GPU's resident threads, which is the fastest for small
 * matrices on an H200. */
static inline int64_t product_interval(int64_t entries, struct product_cut cut, int64_t resident_threads)
{
    int64_t interval = PRODUCT_INTERVAL;
    while (interval > 2 * PRODUCT_AHEAD && entries / interval * cut.lanes < resident_threads / 8 * 5)
        interval /= 2;
    return interval;
}

/* Return the number of blocks of a pass whose lanes each process this number of entries. */
static inline int64_t product_entries_passing(int64_t entries, struct product_cut cut, int64_t interval)
{
    return grid_for((entries + interval - 1) / interval, cut.lanes, PRODUCT_THREADS).blocks;
}

static inline struct grid product_entries_grid(int64_t passing, struct product_cut cut)
{
    struct grid grid = {passing * cut.passes, PRODUCT_THREADS, 0};
    return grid;
}

/* The following are in entries.cu. They enqueue the product of a launch: for COO, whose rows and columns are
 * swapped if A is transposed; for COO whose entries are in row order; and for CSR. */
void cuda_entries_atomic(const struct launch *launch);
void cuda_entries_by_row(const struct launch *launch);
void cuda_entries_of_csr(const struct launch *launch);

#endif
