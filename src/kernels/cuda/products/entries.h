/* Products other than y = A x by shares of equal numbers of entries, regardless of rows, for COO and CSR. C
 * and C++ both include this header. */
#ifndef SPARSIGHT_KERNELS_CUDA_PRODUCTS_ENTRIES_H
#define SPARSIGHT_KERNELS_CUDA_PRODUCTS_ENTRIES_H

#include "kernels/cuda/products/products.h"

#define PRODUCT_INTERVAL 64 /* entries of an interval where there are many */
#define PRODUCT_STAGED 256  /* entries that a warp stages in shared memory */

/* Return the length of an interval, the entries that the lanes sharing the vectors take one after another.
 * Long intervals have few rows shared with other lanes, which are added to Y atomically. If the blocks of up
 * to one and a half times the usual length are resident all at once, the length is such that they are just so
 * many: registers leave room for half of the GPU's threads. A second wave of a few blocks takes as long as
 * the first: on an H200 bcsstk33 with 16 vectors takes 12.5 us in one wave, 14.6 us in 1.1. */
static inline int64_t product_interval(int64_t entries, struct product_cut cut, int64_t resident_threads)
{
    int64_t groups = resident_threads / 2 / cut.lanes, wave = (groups > 0 ? groups : 1) * PRODUCT_AHEAD;
    int64_t interval = (entries + wave - 1) / wave * PRODUCT_AHEAD;
    if (interval > PRODUCT_INTERVAL / 2 * 3) return PRODUCT_INTERVAL;
    return interval > 2 * PRODUCT_AHEAD ? interval : 2 * PRODUCT_AHEAD;
}

/* Return true if the entries of COO are staged in shared memory: for few lanes and many entries. On an H200
 * R-MAT of scale 17 with 8 vectors by columns takes 48 us instead of 59, and with 16 by rows in single
 * precision 27 instead of 35. With few entries, intervals of 8 have too many additions: wiki-Vote 9.2 instead
 * of 5.6. */
static inline bool product_staged(int64_t entries, struct product_cut cut, int64_t resident_threads)
{
    return cut.passes == 1 && cut.lanes <= 4 && cut.lanes >= 2 && entries >= 4 * resident_threads;
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
