/* What a kernel of a GPU does with its memory on this matrix, on paper: counts, and what they come to. */
#ifndef SPARSIGHT_ANALYSIS_WARPS_ESTIMATE_H
#define SPARSIGHT_ANALYSIS_WARPS_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/warps/coalescing.h"
#include "analysis/warps/occupancy.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/profile.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* Of one product. Numbers that are not known are NaN. */
struct estimate {
    bool there;     /* false: there is none, and nothing below means anything */
    char gpu[32];   /* the profile's name */
    int granule;    /* bytes in which that GPU's loads fetch */
    double sampled; /* share of the warps that were replayed; 1: all, and the counts are exact */
    double error;   /* of a sample: half the 95% interval of all sectors, as a share of them; else 0 */
    struct trace_counts accesses[ACCESSES]; /* of memory: loads, stores, reductions, atomics */
    struct trace_counts operands[OPERANDS]; /* of each: loads, stores and all others together */
    double lane_utilisation;                /* coalescing_lane_utilisation */
    double occupancy;           /* share of the warps that a multiprocessor can hold, of the launch with the
                                   most warps; NaN in a build without nvcc */
    enum occupancy_limit limit; /* what bounds it */
};

struct estimate_options {
    const struct gpu *gpu; /* the caller's */
    double share;          /* of the warps to replay, in (0, 1]; 0: 1 */
    uint64_t seed;         /* of the sample */
    struct product product;
    size_t limit; /* bytes for a stored matrix; 0: what memory_check takes by itself */
};

/* Replay a launch that was prepared on paper (see coalescing_count, whose cost and errors it has). */
enum status estimate_make(const struct launch *launch, const struct estimate_options *options,
                          struct estimate *estimate, struct progress *progress, struct error *error);

/* Bytes that were asked for / bytes that were moved, over all accesses of memory; NaN if there is none. */
double estimate_efficiency(const struct estimate *estimate);

/* Passes of shared memory beyond the least, and lanes whose reduction or atomic operation met another's. */
int64_t estimate_bank_conflicts(const struct estimate *estimate);
int64_t estimate_atomic_conflicts(const struct estimate *estimate);

#endif
