/* Occupancy: how many warps of a launch a multiprocessor of a GPU holds at a time. */
#ifndef SPARSIGHT_ANALYSIS_WARPS_OCCUPANCY_H
#define SPARSIGHT_ANALYSIS_WARPS_OCCUPANCY_H

#include <stddef.h>

#include "kernels/gpu/profile.h"

/* A multiprocessor takes blocks until it runs out of one of these; the first one limits the occupancy. */
enum occupancy_limit {
    OCCUPANCY_WARPS,
    OCCUPANCY_REGISTERS,
    OCCUPANCY_SHARED,
    OCCUPANCY_BLOCKS,
    OCCUPANCY_LIMITS
};

struct occupancy {
    int blocks;                 /* blocks that a multiprocessor holds; 0 if none can be launched at all */
    int warps;                  /* blocks x warps of a block */
    double share;               /* warps / maximum of warps of a multiprocessor, from 0 to 1 */
    enum occupancy_limit limit; /* the resource that admits the fewest blocks; the first of equal ones */
    int blocks_by[OCCUPANCY_LIMITS]; /* the number of blocks that each resource admits; INT_MAX if the launch
                                        does not use it */
};

/* The occupancy of blocks of `threads` threads, each with `registers` registers, and `shared` bytes of shared
 * memory a block, static and dynamic together. With w = ceil(threads / 32) warps a block, and up(a, u) the
 * smallest multiple of u that is not below a, a multiprocessor holds the minimum of
 *
 *     by warps       floor(maximum of warps / w)
 *     by registers   floor(W / w), where W = floor(registers / up(32 x registers a thread, register unit)),
 *                    rounded down to a multiple of the warp unit; 0 if a thread has too many
 *     by shared      floor(shared memory / up(static + dynamic + reserved, shared unit)); 0 if a block has
 *                    too much
 *     by blocks      maximum of blocks
 *
 * blocks. If L1 and shared memory divide one store, shared memory is assumed to get as much as it can, as the
 * driver does on demand. On compute capability 6.0, blocks that the hardware could hold count, although the
 * driver refuses them for compatibility with 6.1. For threads < 1 or registers < 0 all numbers are
 * 0. Source: the sheet "Calculator" of NVIDIA's CUDA_Occupancy_Calculator.xls. */
struct occupancy occupancy_of(const struct gpu *gpu, int registers, int threads, size_t shared);

/* The limit's name: "warps", "registers", "shared memory", "blocks". */
const char *occupancy_limit_name(enum occupancy_limit limit);

#endif
