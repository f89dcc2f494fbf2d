/* Counting the memory requests of a kernel's warps on this matrix, as a profiler counts them, without a
 * GPU. */
#ifndef SPARSIGHT_ANALYSIS_WARPS_COALESCING_H
#define SPARSIGHT_ANALYSIS_WARPS_COALESCING_H

#include <stdint.h>

#include "analysis/warps/sample.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* The sequential requests of one launch's warps: loads from memory, and atomic operations whose result is
 * used. A warp does not wait for stores and reductions. If warps fetch work items dynamically, an item counts
 * as a warp. */
struct coalescing_launch {
    int64_t warps;          /* warps of the launch */
    int64_t replayed;       /* those of them that were replayed */
    int64_t requests;       /* requests of memory of all warps, estimated if not all were replayed */
    int64_t longest;        /* the most memory requests of a replayed warp */
    int64_t longest_warp;   /* the number of that warp; of equal ones, the smallest */
    int64_t shared;         /* requests of shared memory of all warps, estimated if not all were replayed */
    int64_t longest_shared; /* the most requests of shared memory of a replayed warp */
};

/* The counts of one product, over all warps, or estimated from some of them. */
struct coalescing {
    struct trace_counts count[ACCESSES][OPERANDS];
    int64_t warps;    /* the warps of all launches of the product */
    int64_t replayed; /* those of them that were replayed */
    double share;     /* replayed / warps; 1 if there are none */
    int64_t hottest;  /* the most additions, by reductions and atomic operations, to sectors of one line of y;
                         summed over  the turns of warps that run at a time (coalescing_count_turns) */
    double error; /* half the width of the 95% confidence interval of all sectors, as a share of them: 0 if
                     all warps were replayed, NaN if too few were for an interval */
};

/* Replay a launch that was prepared for an estimate (kernels/gpu/paper.h) and has a trace. `share` is the
 * share of the warps to replay, in (0, 1]. If it is less than 1 the heaviest blocks of warps are replayed for
 * certain (analysis/warps/sample.h), so that the longest warp is among them. The sample of the rest is
 * stratified, so that each region of the matrix is represented: neighbouring blocks make strata of about 2 /
 * share blocks, and two blocks are drawn from each (Cochran, Sampling Techniques, 3rd edition, 1977, section
 * 5A.12, on two units a stratum). The same seed draws the same sample. `launches` is an array of
 * trace_stages(launch), or NULL. STATUS_CANCELLED, STATUS_MEMORY. O(what is replayed), parallel; the counts
 * do not depend on the threads. */
enum status coalescing_count(const struct launch *launch, double share, uint64_t seed,
                             struct coalescing *coalescing, struct coalescing_launch *launches,
                             struct progress *progress, struct error *error);

/* The same if places[s] warps of launch s run at a time; 0: all do. An addition to a line waits for the other
 * additions to it that are in flight: those of running warps, and of some finished ones, since a warp does
 * not wait for its additions. So 3 x places warps make a turn, and each turn waits for its own hottest line.
 * Lanes of a request that add to different elements of a sector make one addition (kernels/gpu/turns.h). The
 * 3 was fitted to an H200 (data/README.md). NULL: all warps of each launch are a turn. */
enum status coalescing_count_turns(const struct launch *launch, double share, uint64_t seed,
                                   const int64_t *places, struct coalescing *coalescing,
                                   struct coalescing_launch *launches, struct progress *progress,
                                   struct error *error);

/* Return the number of memory requests for which this warp of launch s waits. O(its requests). */
int64_t coalescing_warp_requests(const struct launch *launch, int64_t s, int64_t warp);

/* The counts of one kind of access, summed over all operands but shared memory. */
struct trace_counts coalescing_sum(const struct coalescing *coalescing, enum access access);

/* The counts of all kinds of access, summed over all operands but shared memory. */
struct trace_counts coalescing_sum_of_all(const struct coalescing *coalescing);

/* Sectors / requests; NaN without requests, and for shared memory, which has no sectors. */
double coalescing_sectors_per_request(const struct trace_counts *counts);

/* Useful bytes / bytes that were moved, in blocks of `granule` bytes: 32 for sectors, 128 for lines. It is at
 * most 1: a byte counts as useful once, even if several lanes request it, and not at all if only lanes on
 * padding do. NaN if nothing was moved, without requests or with requests of shared memory only, and if the
 * useful bytes are unknown. */
double coalescing_efficiency(const struct trace_counts *counts, int granule);

/* The same over all loads, stores, reductions and atomics of memory. */
double coalescing_efficiency_of_all(const struct coalescing *coalescing, int granule);

/* Active lanes that do not work on padding, summed over the loads of memory, / (32 x loads): the share of a
 * warp that control divergence, short rows, tails and padding leave active. NaN if there are no loads. */
double coalescing_lane_utilisation(const struct coalescing *coalescing);

/* Active lanes that work on padding / active lanes; NaN if there are none. */
double coalescing_padding(const struct trace_counts *counts);

/* Passes of shared memory beyond one for each request, over all its accesses. */
int64_t coalescing_bank_conflicts(const struct coalescing *coalescing);

#endif
