/* The time that a product would take on a GPU: forecast from what its launches ask for, what caches let
 * through, and what the GPU takes for each thing (struct gpu_pace). */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_TIME_H
#define SPARSIGHT_ANALYSIS_FORECAST_TIME_H

#include <stdbool.h>

#include "analysis/warps/estimate.h"
#include "kernels/gpu/profile.h"
#include "kernels/kernel.h"
#include "kernels/prediction.h"

/* What was fitted to measured times (data/README.md), beside the kernels' paces. */
struct time_constants {
    double overlap;     /* how the terms overlap: q below */
    double l1_seen;     /* how much of what L1 saves of a latency a request sees, others being under way, */
    double memory_seen; /* and of what memory adds to it */
    double l1_reached;  /* what products reach of the measured bandwidths in these terms, */
    double l1_lines;    /* of lines in place of sectors, each of which L1 has to look up; */
    double l2_reached;  /* their overlap is told above */
    double dram_reached;
    double reductions_reached;
    double shared_pass;   /* seconds that a multiprocessor takes for a pass of shared memory */
    double next_launches; /* the times of an empty launch that one takes which depends on the launch before */
    double early_launch;  /* the times of a launch that one takes which begins early, where the GPU's profile
                             does not say */
};

extern const struct time_constants time_constants;

/* How the terms make the time: latency and shared memory follow each other in a warp, launches come first. */
struct combination time_combination(void);

/* Forecast a product of this kernel from its estimate for this GPU, or, if the estimate is another kernel's
 * on the same storage, as the library's kernel that is like it. `cold`: the caches were flushed before; else
 * the same product came before, and what is left of it in L2 is not read again. The model:
 *
 *     T = launch + next x (launches - 1) + start + (sum of term^q)^(1/q)
 *
 * launch   and `next` are the GPU's; `start` is the kernel's, such as clearing y. Where the same product
 *          came before, a launch that begins early takes what the GPU takes for such a one.
 * longest  the longest warp waits for its requests one after the other. Where a sum is handed from warp to
 *          warp by way of memory (an atomic operation whose result is used says so), it waits for that, too.
 * latency  so do all warps, as many at a time as have a place (struct estimate_steps): if there are more
 *          warps than places, the fullest place has ceil(warps / places) of them, where a wave of a few
 *          warps counts in part. A request takes the
 *          latency of L2 x (1 - part of what L1 has + part of what memory has): GPU latencies by the share of
 *          sectors that each has. How much of that a request of this kernel really waits, since others are
 *          under way at the same time, is the kernel's (struct kernel_pace).
 * shared   is added to both: requests of shared memory.
 * l1, l2   sectors of loads and the lines that they lie in, and sectors that are asked of L2, at the GPU's
 *          bandwidths of scattered sectors. The kernel of a library asks for a multiple of these sectors.
 * dram     bytes read and written at its bandwidths of both, of which no product reaches more than all: so
 *          no forecast is shorter than these bytes take, be it a library's or an own kernel's.
 * reductions, hottest
 *          sectors that are added to, at their bandwidth; additions that meet in one line of y, one after
 *          the other.
 * arithmetic
 *          a multiplication and addition for each slot, in the units that a multiprocessor has for it, and
 *          passes of shared memory, which it makes one after the other.
 *
 * With q = 1 the terms would follow each other, with q = infinity the largest would hide all others; they
 * overlap, but not perfectly. q, the parts and the kernels' paces were fitted to measured times:
 * data/README.md says to which and how, and `make check-forecast` holds the forecast against others.
 * Everything else is counted, or measured by sparsight kernels --calibrate. O(1). Without nvcc in the build,
 * without a forecast of memory or without a pace of the kernel there is no prediction. */
void time_forecast(const struct gpu *gpu, const struct kernel *kernel, const struct estimate *estimate,
                   bool cold, struct prediction *prediction);

/* The same for a kernel of this pace, without the interval. */
void time_forecast_at(const struct gpu *gpu, const struct kernel_pace *pace, const struct estimate *estimate,
                      bool cold, struct prediction *prediction);

#endif
