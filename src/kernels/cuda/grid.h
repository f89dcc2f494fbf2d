/* The division of a launch into blocks of threads. C and C++ both include this, so that the launch of a
 * kernel and the trace of its warps use the same numbers. */
#ifndef SPARSIGHT_KERNELS_CUDA_GRID_H
#define SPARSIGHT_KERNELS_CUDA_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel.h"

#define WARP 32
#define SHARED_PLAIN 49152 /* bytes of shared memory that a block may have without special permission */

/* Minimum major compute capability for kernels that begin while the previous one ends (early.cuh). */
#define EARLY_MAJOR 9

/* This parameter of kernels. */
#define EARLY_PARAMETER                                                                               \
    {                                                                                                 \
        .name = "early", .help = "1: loads of the matrix begin before the previous kernel has ended", \
        .type = PARAMETER_YES_NO, .automatic = "1 from compute capability 9.0 on"                     \
    }

struct grid {
    int64_t blocks; /* if it is 0, nothing is launched */
    int threads;    /* the threads of a block */
    size_t shared;  /* bytes of dynamic shared memory of a block */
};

/* Return the bytes of a value of this storage. */
static inline size_t value_size(const struct storage *storage)
{
    return (size_t)value_width(storage->precision, storage->complex);
}

/* Return the grid for this number of units of work, with blocks of `threads` threads. A unit has `each`
 * consecutive threads; `each` divides `threads`. */
static inline struct grid grid_for(int64_t units, int each, int threads)
{
    int64_t units_a_block = threads / each;
    struct grid grid = {(units + units_a_block - 1) / units_a_block, threads, 0};
    return grid;
}

/* Return the number of threads that the launch's GPU holds at once, for rules that choose parameters: 2048 a
 * multiprocessor, the number of most compute capabilities. */
int64_t grid_resident_threads(const struct launch *launch);

/* For kernels whose threads work together in warps, return STATUS_UNAVAILABLE unless the kernel's own
 * parameter k, the threads of a block, is a multiple of WARP. */
enum status check_warps(const struct launch *launch, int k, struct error *error);

/* Resolve the kernel's own parameter k, its early start; by default it starts early if the GPU can. */
void choose_early(struct launch *launch, int k);

/* True if the launch's matrix stays in the GPU's L2 from one product to the next: with x and y it has at most
 * half of its bytes. Loads of such a matrix do not advise L2 to evict it first. With that advice it would
 * never displace older data of other kernels, and nearly all of it would come from memory each time. */
bool matrix_stays(const struct launch *launch);

/* True if the kernel begins early on the launch's GPU, by its parameter. */
bool begins_early(const struct launch *launch, int k);

#endif
