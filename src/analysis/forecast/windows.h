/* The requests of some multiprocessors of a GPU to L2 during a part of a product: the warps of each make
 * requests in turns, and its L1 filters them. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_WINDOWS_H
#define SPARSIGHT_ANALYSIS_FORECAST_WINDOWS_H

#include "analysis/forecast/reuse.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/profile.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* The counts in the windows, of one operand. */
struct window_counts {
    int64_t loads;           /* sectors that loads asked L1 for */
    int64_t misses;          /* those that missed L1 */
    int64_t once;            /* misses whose load advises L2 to evict them first */
    int64_t touches;         /* sectors requested from L2, also by stores, reductions and atomics */
    int64_t lines, granules; /* first requests of a line, or a granule, from L2 by a multiprocessor */
    /* The gaps, in requests of one multiprocessor, between its requests of a line from L2; and those of them
     * that end with a granule it has requested before. */
    int64_t line_gap[REUSE_BINS], granule_gap[REUSE_BINS];
};

struct windows {
    struct window_counts operand[OPERANDS];
    int64_t requests; /* requests of memory that were counted; */
    int64_t waits;    /* those that a warp waits for: loads and atomic operations; */
    int64_t served;   /* those of them of which L1 had all sectors */
    int64_t active;   /* multiprocessors used by the largest launch of the product */
};

struct windows_options {
    const struct gpu *gpu;
    int64_t requests; /* requests of memory by the whole launch */
    double times; /* the number of equal parts of the product of which the launch computes one; the number of
                     multiprocessors is divided by it */
    uint64_t seed;
    double budget;       /* the approximate number of requests to replay; more if two windows need them */
    unsigned unfollowed; /* bit o: touches of operand o in L2 are not counted, because the caller knows them
                            from the whole matrix; the members from `touches` on are 0 */
};

/* Replay the windows of a launch that was prepared for an estimate (kernels/gpu/paper.h).
 *
 * A window is a multiprocessor s of the S that the GPU has, with a start in its list of blocks s, s + S, s +
 * 2 S, ... of a launch. The multiprocessor runs as many blocks at a time as the occupancy admits. Blocks
 * begin as slots become free. The active warps make one request of memory each in turn. If the window does
 * not begin with the launch, its first requests fill L1 and are not counted; their number is that of the
 * requests of the window's first blocks. Only the first requests of a warp with very many are replayed.
 * Windows are spread evenly over the launch, and multiprocessors are drawn by the seed.
 *
 * If the number of registers is unknown (trace_resources), 32 a thread are assumed. Parallel; the result does
 * not depend on the threads. STATUS_MEMORY, STATUS_CANCELLED. */
enum status windows_replay(const struct launch *launch, const struct windows_options *options,
                           struct windows *windows, struct progress *progress, struct error *error);

/* A warp that is alone on its multiprocessor, as the longest one is after the shorter ones have ended. The
 * members are averages over the requests that it waits for. If there are very many, only the first are
 * replayed. */
struct window_alone {
    double hits;   /* the share of requests of which L1 has all sectors */
    double missed; /* sectors of a request that L1 lacks */
};

/* Replay this warp of a stage. STATUS_MEMORY. */
enum status windows_alone(const struct launch *launch, const struct gpu *gpu, int64_t stage, int64_t warp,
                          struct window_alone *alone, struct error *error);

/* Return the bytes of L1 that blocks of `shared` bytes of shared memory leave, with this number of them on a
 * multiprocessor: if both share one memory, shared memory gets the smallest sufficient size that CUDA admits,
 * and at least 32 KiB if the memory is larger. */
size_t windows_l1(const struct gpu *gpu, size_t shared, int blocks);

#endif
