/* What the kernels of a run would ask of a GPU's memory: an estimate for each result whose kernel has a
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

/* Replay the results' kernels on the pool's matrix, for y = A x; of another product there are forecasts, but
 * no estimates (analysis/forecast/products.h). Each storage is taken once for all kernels that read it, one
 * after another. A result whose matrix cannot be stored, or not be read by its kernel, has no estimate. Of
 * results that were not run the sizes, the bytes to move and the parameters as they were resolved become
 * known. What `estimated` has, for the same options, is taken from there, and what it has not is added; NULL:
 * nothing is known from before, nor kept. Fails with STATUS_CANCELLED or STATUS_MEMORY, and then there is no
 * estimate. */
enum status estimates_make(struct estimates *estimates, struct pool *pool, struct result *results, int count,
                           const struct estimate_options *options, struct estimated *estimated,
                           struct progress *progress, struct error *error);

/* True if the kernel of the result has a trace, or is like one that has, and so needs the storage. */
bool estimates_want(const struct result *result);

void estimates_free(struct estimates *estimates);

#endif
