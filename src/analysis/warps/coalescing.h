/* What a kernel's warps ask of memory on this matrix, counted as a profiler would, without a GPU. */
#ifndef SPARSIGHT_ANALYSIS_WARPS_COALESCING_H
#define SPARSIGHT_ANALYSIS_WARPS_COALESCING_H

#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* Neighbouring warps that are replayed, or left out, together. */
#define COALESCING_BLOCK 16

/* Counts of one product: of all warps, or estimated from some of them. */
struct coalescing {
    struct trace_counts count[ACCESSES][OPERANDS];
    int64_t warps;    /* of all launches of the product */
    int64_t replayed; /* of them */
    double share;     /* replayed / warps; 1 if there are none */
    double error; /* half the width of the 95% confidence interval of all sectors, as a share of them: 0 if
                     all warps were replayed, NaN if so few were that nothing can be said */
};

/* Replay a launch that was prepared on paper (kernels/paper.h) and has a trace. share: of the warps to
 * replay, in (0, 1]. Less than 1 takes two blocks of neighbouring warps at random from each stratum of about
 * 2 / share blocks, so that all regions of the matrix have their part (stratified sampling; Cochran, Sampling
 * Techniques, 1977, section 5A.12, for two units a stratum); the same seed takes the same. Fails with
 * STATUS_CANCELLED or STATUS_MEMORY. O(what is replayed), parallel; the counts do not depend on the threads.
 */
enum status coalescing_count(const struct launch *launch, double share, uint64_t seed,
                             struct coalescing *coalescing, struct progress *progress, struct error *error);

/* Sums over operands other than shared memory. */
struct trace_counts coalescing_sum(const struct coalescing *coalescing, enum access access);

/* Bytes that active lanes asked for / bytes that were moved for them, in blocks of `granule` bytes (32:
 * sectors, 128: lines); NaN if nothing was asked for. */
double coalescing_efficiency(const struct trace_counts *counts, int granule);

/* The same over all loads, stores, reductions and atomics of memory. */
double coalescing_efficiency_of_all(const struct coalescing *coalescing, int granule);

/* Active lanes / (32 x loads), summed over the loads of memory: control divergence, short rows and tails
 * together. NaN if there is none. */
double coalescing_lane_utilisation(const struct coalescing *coalescing);

/* Extra passes of shared memory, over all its accesses. */
int64_t coalescing_bank_conflicts(const struct coalescing *coalescing);

#endif
