/* The memory requests of a GPU kernel on this matrix, estimated without running it: counts, and the numbers
 * derived from them. */
#ifndef SPARSIGHT_ANALYSIS_WARPS_ESTIMATE_H
#define SPARSIGHT_ANALYSIS_WARPS_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/forecast/memory.h"
#include "analysis/warps/coalescing.h"
#include "analysis/warps/occupancy.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/profile.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* The sequential requests of a product's launches, from which the latency term is computed. Requests of
 * memory are those for which a warp waits: loads, and atomic operations whose result is used. A warp that
 * waits for each of its requests takes time proportional to their number. A GPU on which `places` warps
 * are resident takes at least as long as its longest warp, and as all requests divided by the resident
 * warps (Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17, 1969). The resident
 * warps are the multiprocessors x the warps that each of them holds, or the warps of the launch if they
 * are fewer. Sums over the launches. */
struct estimate_steps {
    int64_t launches;
    int64_t early;          /* launches that begin while the previous launch still runs */
    int64_t longest;        /* requests of memory of the warp with the most */
    int64_t longest_hits;   /* those of them that an L1 for this warp alone serves completely */
    int64_t longest_missed; /* the sectors of these requests that such an L1 lacks */
    int64_t longest_shared; /* requests of shared memory of the warp with the most */
    int64_t hottest; /* the most additions by reductions and atomic operations to sectors of one line of y in
                        each turn of the resident warps, summed over the turns */
    double requests; /* requests of memory / resident warps; NaN in a build without nvcc */
    double shared;   /* requests of shared memory / resident warps; NaN likewise */
    double turns;    /* warps / resident warps, where warps that take pieces of work count as pieces; NaN
                        likewise */
};

/* The estimate of one product. Unknown numbers are NaN. */
struct estimate {
    bool there;      /* false if there is no estimate; the other members are then undefined */
    char gpu[32];    /* the name of the GPU's profile */
    int granule;     /* bytes that a load of this GPU fetches at a time */
    int value_bytes; /* bytes of a value (value_width) */
    bool complex;    /* values are pairs of numbers */
    double sampled;  /* the share of the warps that were replayed; if it is 1, the counts are exact */
    double error;    /* `error` of struct coalescing */
    struct trace_counts accesses[ACCESSES]; /* the accesses of memory: loads, stores, reductions, atomics */
    struct trace_counts operands[OPERANDS]; /* the accesses of each operand, of all kinds together */
    double lane_utilisation;                /* coalescing_lane_utilisation */
    double occupancy; /* the warps of the largest launch that a multiprocessor holds at a time, as a share of
                         the maximum; NaN in a build without nvcc */
    enum occupancy_limit limit; /* the bound of the occupancy */
    struct estimate_steps steps;
    struct memory_traffic memory;   /* the traffic of L2 and of the GPU's memory */
    const struct kernel_pace *pace; /* of the loop of the launch; NULL: the kernel's (kernel_paced) */
    int kind; /* of a product other than y = A x: enum product_kind, by whose pace it is forecast */
};

/* A bound on the time of a product. A kernel that is found to take at least `enough` seconds with warm caches
 * is not replayed to the end. It has no estimate, and `least` becomes the seconds that it takes at least. */
struct estimate_bar {
    double enough;
    double least; /* 0: the estimate is complete */
};

struct estimate_options {
    const struct gpu *gpu; /* the caller's */
    double share;          /* the share of the warps to replay, in (0, 1]; 0 means 1 */
    double most_slots; /* number of slots above which only a share of the warps is replayed, so that they read
                          about this number; several times this number for a kernel whose neighbouring warps
                          add to the same lines of y; 0: no bound */
    uint64_t seed;     /* of the sample */
    struct memory_reuse
        *reuse; /* the caller's, for the matrix; NULL: reuse is estimated from windows alone */
    struct product product;
    double times; /* the number of equal parts of the product, of which the launch computes one, because its
                     matrix is the excerpt (analysis/forecast/excerpt.h) of `reuse`; 0 means 1 */
    size_t limit; /* bytes for a stored matrix, and for each table of a kernel; 0: the default of
                     memory_check */
    struct estimate_bar *bar; /* the caller's; NULL: all kernels are replayed to the end */
    double *fastest; /* for lists of kernels (session/estimates.h), which then leave out slow kernels: the
                        least seconds so far, INFINITY at first; the caller's. NULL: nothing is left out */
};

/* Replay a launch that was prepared for an estimate (see coalescing_count, whose cost and errors it has). If
 * it does a part of the product, the counts are multiplied by the number of parts, except the longest warps,
 * which are those of the whole. The error of the sample is then unknown. */
enum status estimate_make(const struct launch *launch, const struct estimate_options *options,
                          struct estimate *estimate, struct progress *progress, struct error *error);

/* Useful bytes / bytes that were moved, over all accesses of memory (coalescing_efficiency); NaN if there is
 * none. */
double estimate_efficiency(const struct estimate *estimate);

/* The number of sectors that all accesses of memory touch, summed over requests. */
int64_t estimate_sectors(const struct estimate *estimate);

/* Passes of shared memory beyond the minimum, and lanes whose reduction or atomic operation hit the same
 * element as another lane. */
int64_t estimate_bank_conflicts(const struct estimate *estimate);
int64_t estimate_atomic_conflicts(const struct estimate *estimate);

#endif
