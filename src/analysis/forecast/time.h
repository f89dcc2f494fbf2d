/* The time of a product on a GPU: forecast from the requests of its launches, the misses of caches, and the
 * GPU's time for each kind of work (struct gpu_pace). */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_TIME_H
#define SPARSIGHT_ANALYSIS_FORECAST_TIME_H

#include <stdbool.h>

#include "analysis/warps/estimate.h"
#include "kernels/gpu/profile.h"
#include "kernels/kernel.h"
#include "kernels/prediction.h"

/* The constants that were fitted to measured times (data/README.md), beside the kernels' paces. */
struct time_constants {
    double overlap;     /* overlap of the terms: q below */
    double l1_seen;     /* share of L1's saved latency that a request sees while others are in flight, */
    double memory_seen; /* the same of the latency that memory adds */
    double l1_reached;  /* share of the measured bandwidth that products reach in the term l1, for sectors */
    double l1_lines;    /* the same for lines, each of which L1 has to look up */
    double l2_reached;  /* the same in the terms l2, dram and reductions */
    double dram_reached;
    double reductions_reached;
    double reductions_again; /* further share of a sector's time if lanes meet in an element */
    double shared_pass;      /* seconds of a multiprocessor for a pass of shared memory */
    double next_launches;    /* a launch that depends on the one before, in times of an empty launch */
    double early_launch;     /* a launch that begins early, in times of a launch, if the profile has none */
    double alone_seen;       /* share of L1's saved latency that the longest warp sees once it is alone */
    double alone_missed;     /* its further wait for each sector that L1 lacks, in times of a sector at a
                                multiprocessor's share of the bandwidth of L2 */
};

extern const struct time_constants time_constants;

/* The combination of the terms into the time of a kernel with this overlap (struct kernel_pace): latency and
 * shared memory follow each other in a warp, launches come first. */
struct combination time_combination(double overlap);

/* Forecast a product of this kernel from its estimate for this GPU. If the kernel is a library's, the
 * estimate is that of a similar kernel on the same storage. `cold`: the caches were flushed before; else the
 * same product came before, and data that is still in L2 is not read again. The model:
 *
 *     T = launch + next x (launches - 1) + start + (sum of term^q)^(1/q)
 *
 * launch     and `next` are the GPU's; `start` is the kernel's, such as clearing y. If the same product came
 *            before, a launch that begins early takes the GPU's time for an early launch.
 * longest    The longest warp waits for its requests one after the other. While others run as well, each
 *            request takes the latency below. Then L1 serves this warp alone, and its hits are counted for
 *            it (windows_alone). If warps hand a sum on through memory (an atomic operation whose result is
 *            used), the wait for it is added. The end of a bulk copy into shared memory counts as one
 *            request.
 * latency    All warps wait likewise, as many at a time as are resident (struct estimate_steps). If there
 *            are more warps, the fullest slot of a resident warp has ceil(warps / resident) of them, where a
 *            wave of a few warps counts in part. A request takes the latency of L2. If L1 has all its
 *            sectors, a part of the difference to L1's latency is subtracted, since lanes wait for the
 *            slowest; else memory's further latency is added for the share of sectors that it serves. The
 *            share of this that a request really waits, while others are in flight, is the kernel's
 *            (struct kernel_pace).
 * shared     Requests of shared memory, added to both.
 * l1, l2     Sectors of loads and their lines, and sectors requested from L2, at the GPU's bandwidths of
 *            scattered sectors. A library's kernel requests a multiple of these sectors.
 * dram       Bytes read and written, at the bandwidths of both. No product exceeds these bandwidths, so that
 *            no forecast is shorter than the time of these bytes, for our kernels and those of libraries.
 * reductions Sectors that are added to, at their bandwidth; longer if lanes meet in an element.
 * hottest    Additions to sectors of one line of y, one after the other.
 * arithmetic A multiplication and addition for each slot, in the units of a multiprocessor, and passes of
 *            shared memory, which it makes one after the other.
 *
 * With q = 1 the terms would follow each other, with q = infinity the largest would hide all others. They
 * overlap, but not perfectly: better in a kernel whose loads do not depend on sums of other lanes or warps.
 * So each kernel has a q, 1 + overlap (q of all - 1). A second loop of a kernel may have a pace of its
 * own (estimate->pace). q, the parts and the paces were fitted to measured times (data/README.md); `make
 * check-forecast` compares forecasts with others. All other numbers are counted, or measured by `sparsight
 * kernels --calibrate`. O(1). There is no prediction without nvcc in the build, without a forecast of memory
 * or without a pace of the kernel. */
void time_forecast(const struct gpu *gpu, const struct kernel *kernel, const struct estimate *estimate,
                   bool cold, struct prediction *prediction);

/* The same for a kernel of this pace, without the interval. */
void time_forecast_at(const struct gpu *gpu, const struct kernel_pace *pace, const struct estimate *estimate,
                      bool cold, struct prediction *prediction);

/* Return a lower bound on the seconds of a product with warm caches, from an estimate whose counts are lower
 * bounds: each term increases with the counts, and the time with the terms. 0: unknown. */
double time_at_least(const struct gpu *gpu, const struct kernel *kernel, const struct estimate *estimate);

#endif
