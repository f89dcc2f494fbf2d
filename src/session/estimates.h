/* Estimated GPU memory requests of the kernels of a run: an estimate for each result whose kernel has a
 * trace, whether the kernel could run here or not. */
#ifndef SPARSIGHT_SESSION_ESTIMATES_H
#define SPARSIGHT_SESSION_ESTIMATES_H

#include "analysis/warps/estimate.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/timing/bench.h"

/* The estimates of a matrix so far, so none is made twice for the advice, the table of kernels, runs and
 * tuning. */

/* The maximum number of kept estimates: a search among variants makes many that are never needed again. */
#define ESTIMATED_MAX 1024

/* The estimate and other facts on a result that was not run. */
struct estimated_item {
    struct result result;     /* without an error */
    struct estimate estimate; /* for a library's kernel, that of the kernel replayed instead */
    /* Its options, as in struct estimate_options. */
    struct gpu gpu;
    struct product product;
    double share, most_slots;
    bool excerpt; /* from an excerpt of the matrix */
    uint64_t seed;
};

/* Start with {0}; free with estimated_free. Only one thread at a time may use it. */
struct estimated {
    struct estimated_item **items; /* owned */
    int count, room;
};

/* Return the facts on this choice for these options, or NULL. */
const struct estimated_item *estimated_find(const struct estimated *estimated,
                                            const struct kernel_choice *choice,
                                            const struct estimate_options *options);

/* Keep the facts, unless there are too many already. STATUS_MEMORY. */
enum status estimated_keep(struct estimated *estimated, const struct result *result,
                           const struct estimate *estimate, const struct estimate_options *options,
                           struct error *error);

void estimated_free(struct estimated *estimated);

/* Start with {0}; free with estimates_free. */
struct estimates {
    struct estimate *items; /* one for each result, in their order; owned */
    int count;
};

/* Replay the results' kernels on the pool's matrix, for y = A x; other products have forecasts, but no
 * estimates (analysis/forecast/products.h). Each storage is taken once for all kernels that read it, one
 * after another. A result has no estimate if its matrix cannot be stored, or its kernel cannot read it. For
 * results that were not run, the sizes, the bytes to move and the resolved parameters become known. Facts in
 * `estimated` for the same options are reused, and new ones are added; NULL: nothing is reused or kept. Fails
 * with STATUS_CANCELLED or STATUS_MEMORY, and then there is no estimate. */
enum status estimates_make(struct estimates *estimates, struct pool *pool, struct result *results, int count,
                           const struct estimate_options *options, struct estimated *estimated,
                           struct progress *progress, struct error *error);

/* True if the kernel of the result, or a similar one, has a trace: then it needs the storage. */
bool estimates_want(const struct result *result);

void estimates_free(struct estimates *estimates);

#endif
