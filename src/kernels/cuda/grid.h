/* How a launch is cut into blocks of threads. C and C++ alike: what launches and what counts the accesses of
 * its warps go by the same numbers. */
#ifndef SPARSIGHT_KERNELS_CUDA_GRID_H
#define SPARSIGHT_KERNELS_CUDA_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel.h"

#define WARP 32
#define SHARED_PLAIN 49152 /* bytes that every block may have; for more, a kernel has to be allowed to */

struct grid {
    int64_t blocks; /* 0: nothing to do, and nothing is launched */
    int threads;    /* of a block */
    size_t shared;  /* bytes of shared memory that a block is given at launch */
};

/* Bytes of a value. */
static inline size_t value_size(const struct storage *storage)
{
    return storage->precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
}

/* Blocks of so many threads for `units`, each being the work of `each` threads in a row; `each` divides
 * `threads`. */
static inline struct grid grid_for(int64_t units, int each, int threads)
{
    int64_t units_a_block = threads / each;
    struct grid grid = {(units + units_a_block - 1) / units_a_block, threads, 0};
    return grid;
}

/* STATUS_UNAVAILABLE unless the kernel's own parameter k, threads of a block, is a multiple of WARP: for
 * kernels whose warps work together. */
enum status check_warps(const struct launch *launch, int k, struct error *error);

#endif
