/* How a launch is cut into blocks of threads. C and C++ alike: what launches and what counts the accesses of
 * its warps go by the same numbers. */
#ifndef SPARSIGHT_KERNELS_CUDA_GRID_H
#define SPARSIGHT_KERNELS_CUDA_GRID_H

#include <stddef.h>
#include <stdint.h>

#define WARP 32

struct grid {
    int64_t blocks; /* 0: nothing to do, and nothing is launched */
    int threads;    /* of a block */
    size_t shared;  /* bytes of shared memory that a block is given at launch */
};

/* Blocks of so many threads for `units`, each being the work of `each` threads in a row; `each` divides
 * `threads`. */
static inline struct grid grid_for(int64_t units, int each, int threads)
{
    int64_t units_a_block = threads / each;
    struct grid grid = {(units + units_a_block - 1) / units_a_block, threads, 0};
    return grid;
}

#endif
