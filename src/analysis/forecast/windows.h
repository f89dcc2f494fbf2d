/* What some multiprocessors of a GPU ask of L2 during a part of a product: the requests of the warps that
 * each holds at a time, taken in turns, as its L1 lets them through. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_WINDOWS_H
#define SPARSIGHT_ANALYSIS_FORECAST_WINDOWS_H

#include "analysis/forecast/reuse.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/profile.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* What was counted in the windows, of one operand. */
struct window_counts {
    int64_t loads;           /* sectors that loads asked L1 for */
    int64_t misses;          /* those of them that L1 did not have */
    int64_t once;            /* those of the misses whose load advises L2 to let them go first */
    int64_t touches;         /* sectors that L2 is asked for, also by stores, reductions and atomics */
    int64_t lines, granules; /* lines, and granules, that a multiprocessor asks L2 for the first time */
    /* The gaps, in requests of one multiprocessor, between the times that it asks L2 for a line; and of these
     * the ones behind which it asks for a granule that it has asked for before. */
    int64_t line_gap[REUSE_BINS], granule_gap[REUSE_BINS];
};

struct windows {
    struct window_counts operand[OPERANDS];
    int64_t requests; /* requests of memory that were counted */
    int64_t active;   /* multiprocessors that the largest launch of the product keeps busy */
};

struct windows_options {
    const struct gpu *gpu;
    int64_t requests; /* of memory, of the whole launch */
    double times; /* the launch does one of so many equal parts of a product, and is dealt to so many times
                     fewer multiprocessors */
    uint64_t seed;
    double budget; /* about so many requests are replayed, or more if two windows need them */
};

/* Replay the windows of a launch that was prepared for an estimate (kernels/gpu/paper.h).
 *
 * A window is a multiprocessor s of the S that the GPU has, which runs blocks s, s + S, s + 2 S, ... of a
 * launch, as many at a time as the occupancy admits, and a place of this list to begin at. Blocks are begun
 * as places become free. The warps at work make a request of memory each in turn. If the window does not
 * begin with the launch, its first requests, as many as those of the blocks that it begins with, fill L1 and
 * are not counted. Of a warp with very many requests only the first are replayed. Windows are spread evenly
 * over the launch, and multiprocessors are drawn by the seed.
 *
 * Without a compiler's word on registers (trace_resources) a thread is assumed to have 32. Parallel; the
 * result does not depend on the threads. STATUS_MEMORY, STATUS_CANCELLED. */
enum status windows_replay(const struct launch *launch, const struct windows_options *options,
                           struct windows *windows, struct progress *progress, struct error *error);

/* Return the bytes of L1 that blocks of `shared` bytes of shared memory leave, with so many of them on a
 * multiprocessor: where the two divide one store, shared memory is given the smallest of the sizes that CUDA
 * admits which suffices, and no less than 32 KiB if the store has more. */
size_t windows_l1(const struct gpu *gpu, size_t shared, int blocks);

#endif
