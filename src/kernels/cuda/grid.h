/* How a launch is cut into blocks of threads. C and C++ both include this, so that what launches a kernel and
 * what counts the accesses of its warps go by the same numbers. */
#ifndef SPARSIGHT_KERNELS_CUDA_GRID_H
#define SPARSIGHT_KERNELS_CUDA_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel.h"

#define WARP 32
#define SHARED_PLAIN                                                                      \
    49152 /* bytes of shared memory that any block may have; a kernel may be allowed more \
           */

struct grid {
    int64_t blocks; /* if it is 0, nothing is launched */
    int threads;    /* the threads of a block */
    size_t shared;  /* bytes of shared memory that a block is given at launch */
};

/* Return the bytes of a value of this storage. */
static inline size_t value_size(const struct storage *storage)
{
    return (size_t)value_width(storage->precision, storage->complex);
}

/* Return the grid for so many units of work, with blocks of `threads` threads. A unit takes `each` threads
 * that follow each other; `each` divides `threads`. */
static inline struct grid grid_for(int64_t units, int each, int threads)
{
    int64_t units_a_block = threads / each;
    struct grid grid = {(units + units_a_block - 1) / units_a_block, threads, 0};
    return grid;
}

/* For kernels whose threads work together in warps, return STATUS_UNAVAILABLE unless the kernel's own
 * parameter k, the threads of a block, is a multiple of WARP. */
enum status check_warps(const struct launch *launch, int k, struct error *error);

#endif
