/* Occupancy: how many warps of a launch a multiprocessor holds at a time. */
#ifndef SPARSIGHT_ANALYSIS_WARPS_OCCUPANCY_H
#define SPARSIGHT_ANALYSIS_WARPS_OCCUPANCY_H

#include <stddef.h>

#include "kernels/gpu/profile.h"

/* What a multiprocessor runs out of first. */
enum occupancy_limit {
    OCCUPANCY_WARPS,
    OCCUPANCY_REGISTERS,
    OCCUPANCY_SHARED,
    OCCUPANCY_BLOCKS,
    OCCUPANCY_LIMITS
};

struct occupancy {
    int blocks;                      /* of a multiprocessor at a time; 0: it cannot be launched at all */
    int warps;                       /* blocks x warps of a block */
    double share;                    /* warps / most warps of a multiprocessor: 0 to 1 */
    enum occupancy_limit limit;      /* what admits the fewest blocks; the first of them if several do */
    int blocks_by[OCCUPANCY_LIMITS]; /* that each admits; INT_MAX if nothing of it is needed */
};

/* The occupancy of blocks of `threads` threads with `registers` registers each and `shared` bytes of shared
 * memory a block, static and dynamic together, on a GPU:
 *
 *     w = ceil(threads / 32) warps a block
 *     by warps       floor(most warps / w)
 *     by registers   floor(W / w), W = floor(registers / up(32 x registers a thread, register unit)),
 *                    down to a multiple of the warp unit; 0 above the most of a thread
 *     by shared      floor(shared / up(static + dynamic + reserved, shared unit));
 *                    0 above the most of a block
 *     by blocks      most blocks
 *
 * and the least of these, with up(a, u) the multiple of u that is at least a. A multiprocessor whose L1 and
 * shared memory divide one store is taken to give all it can as shared memory, as the driver does on demand.
 * On compute capability 6.0 blocks that only it could hold count too, which the driver refuses for the sake
 * of 6.1. threads < 1 and registers < 0 are none: nothing is launched. Source: the sheet "Calculator" of
 * NVIDIA's CUDA_Occupancy_Calculator.xls. */
struct occupancy occupancy_of(const struct gpu *gpu, int registers, int threads, size_t shared);

/* "warps", "registers", "shared memory", "blocks" */
const char *occupancy_limit_name(enum occupancy_limit limit);

#endif
