/* Estimated GPU memory requests of the kernels of a run: an estimate for each result whose kernel has a
 * trace, whether the kernel could run here or not. */
#ifndef SPARSIGHT_SESSION_ESTIMATES_H
#define SPARSIGHT_SESSION_ESTIMATES_H

#include "analysis/warps/estimate.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/timing/bench.h"
#include "session/estimated.h"

/* Start with {0}; free with estimates_free. */
struct estimates {
    struct estimate *items; /* one for each result, in their order; owned */
    int count;
};

/* Replay the results' kernels on the pool's matrix, for y = A x; other products have forecasts, but no
 * estimates (analysis/forecast/products.h). Each storage is taken once for all kernels that read it, one
 * after another. A result whose matrix cannot be stored, or not be read by its kernel, has no estimate. For
 * results that were not run, the sizes, the bytes to move and the resolved parameters become known. Findings
 * in `estimated` for the same options are reused, and new ones are added; NULL: nothing is reused or kept.
 * Fails with STATUS_CANCELLED or STATUS_MEMORY, and then there is no estimate. */
enum status estimates_make(struct estimates *estimates, struct pool *pool, struct result *results, int count,
                           const struct estimate_options *options, struct estimated *estimated,
                           struct progress *progress, struct error *error);

/* True if the kernel of the result has a trace, or is like one that has, and so needs the storage. */
bool estimates_want(const struct result *result);

void estimates_free(struct estimates *estimates);

#endif
