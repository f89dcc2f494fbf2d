/* Products other than y = A x by shares of equal numbers of entries, regardless of rows, for COO and CSR. C
 * and C++ both include this header. */
#ifndef SPARSIGHT_KERNELS_CUDA_PRODUCTS_ENTRIES_H
#define SPARSIGHT_KERNELS_CUDA_PRODUCTS_ENTRIES_H

#include "kernels/cuda/products/products.h"

#define PRODUCT_INTERVAL 64 /* entries of an interval where there are many */
#define PRODUCT_STAGED 256  /* entries that a warp stages in shared memory, at most */

/* Return the length of an interval, the entries that the lanes sharing the vectors take one after another.
 * Rows that intervals share are added to Y atomically; with long intervals these are few. The number of
 * intervals fills whole waves of resident blocks, since a last wave of a few blocks takes as long as the
 * others: on an H200 bcsstk33 with 16 vectors takes 12.5 us in one wave, 14.6 us in 1.1. Registers leave room
 * for half of the GPU's threads. If intervals of 1.5 times the usual length need only one wave, there is one.
 */
static inline int64_t product_interval(int64_t entries, struct product_cut cut, int64_t resident_threads)
{
    const int64_t groups = resident_threads / 2 / cut.lanes, wave = groups > 0 ? groups : 1,
                  most = wave * PRODUCT_INTERVAL,
                  waves = entries <= most / 2 * 3 ? 1 : (entries + most - 1) / most,
                  step = waves * wave * PRODUCT_AHEAD;
    const int64_t interval = (entries + step - 1) / step * PRODUCT_AHEAD;
    return interval > 2 * PRODUCT_AHEAD ? interval : 2 * PRODUCT_AHEAD;
}

/* Return the cut for entries that are staged in shared memory. Vectors that are stored column by column and
 * read as they lie are `apart`: a lane takes two. */
static inline struct product_cut product_staged_cut(int columns, int size, bool apart, uintptr_t addresses)
{
    return product_cut_of(columns, size, apart ? 2 : 16 / size, apart ? 0 : addresses, 1);
}

/* The time of a warp's other work, in times of an entry of a group. */
#define PRODUCT_STAGED_MORE 3

/* Return the number of staged entries that a group of lanes takes, a multiple of PRODUCT_AHEAD; 0 if entries
 * are not staged, because more than 4 lanes share the vectors. The number minimises the time of all waves of
 * resident blocks. On an H200 R-MAT of scale 16 with 2 vectors by columns takes 15.9 us with
 * 4 entries, and 18.7 with 8, in 1.09 waves. */
static inline int product_staged(int64_t entries, struct product_cut cut, int64_t resident_threads)
{
    const int64_t groups = resident_threads / 2 / cut.lanes, wave = groups > 0 ? groups : 1;
    int64_t least = INT64_MAX;
    int best = 0;
    if (cut.passes != 1 || cut.lanes > 4) return 0;
    for (int each = PRODUCT_AHEAD; each <= PRODUCT_STAGED / WARP * cut.lanes; each += PRODUCT_AHEAD) {
        const int64_t waves = (entries + each * wave - 1) / (each * wave);
        if (waves * (each + PRODUCT_STAGED_MORE) >= least) continue;
        least = waves * (each + PRODUCT_STAGED_MORE);
        best = each;
    }
    return best;
}

/* Return the warps that stage these entries. */
static inline int64_t product_staged_warps(int64_t entries, struct product_cut cut, int each)
{
    const int64_t all = (int64_t)(WARP / cut.lanes) * each;
    return (entries + all - 1) / all;
}

/* Return the number of vectors of a lane that adds to vectors stored by columns without turning them. */
static inline int product_apart_vectors(int columns)
{
    return columns > 4 ? 8 : 4;
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
