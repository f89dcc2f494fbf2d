/* What a product moves between the caches and the memory of a GPU: forecast from the requests of some warps,
 * without running it. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_MEMORY_H
#define SPARSIGHT_ANALYSIS_FORECAST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/forecast/reuse.h"
#include "analysis/warps/coalescing.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/profile.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* The forecast of one product. Its launches alone are counted, not what clears y before them. */
struct memory_traffic {
    bool there;                /* false if there is no forecast, and nothing below means anything */
    double misses[OPERANDS];   /* sectors that loads ask of L2, since L1 does not have them */
    double sectors[OPERANDS];  /* sectors that are asked of L2: these, stores, reductions and atomics */
    double reads[OPERANDS];    /* bytes that are read from the GPU's memory if L2 is empty at first */
    double writes;             /* bytes that are written to it until the product ends, then */
    double warm_reads[OPERANDS]; /* the same two if the same product came before: what is left of it in L2 */
    double warm_writes;
    double stays; /* the share of the product's time for which L2 keeps what was touched; 1 if that is all */
};

/* What is known of how soon x and y are touched again, which kernels that go through the rows in the same
 * order share. Start with {.a = the matrix}. */
struct memory_reuse {
    const struct csr *a;
    bool there[2]; /* that of x in the order of the rows, for elements of 4 and of 8 bytes */
    struct reuse x[2];
};

struct memory_options {
    const struct gpu *gpu;
    const struct coalescing *coalescing; /* what the launch asks for */
    struct memory_reuse *reuse;          /* the caller's */
    uint64_t seed;
    double budget; /* see struct windows_options */
};

/* Forecast a launch that was prepared for an estimate. L1 is looked at in windows (analysis/forecast/windows.h).
 * L2 is taken to keep what was touched last, whichever multiprocessor did it, in pieces of 64 bytes, which is
 * also what is fetched at a time; loads that advise it to let their data go first take no room in it. What one
 * multiprocessor reads lies in L2 once, and again in the partition of that multiprocessor if that is another
 * one; x, which all read, lies in each partition. The time for which L2 keeps something is that in which as
 * much is touched as it holds (analysis/forecast/reuse.h): of the arrays as the windows show it, and of x and
 * y, if rows do not take their turn, as the whole matrix does.
 *
 * O(nnz) once for each order of the rows, and the windows. STATUS_MEMORY, STATUS_CANCELLED. */
enum status memory_forecast(const struct launch *launch, const struct memory_options *options,
                            struct memory_traffic *traffic, struct progress *progress, struct error *error);

/* The sum over all operands. */
double memory_sum(const double of[OPERANDS]);

#endif
