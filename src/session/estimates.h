/* What the kernels of a run would ask of a GPU's memory: an estimate for each result whose kernel has a
 * trace, whether the kernel could run here or not. */
#ifndef SPARSIGHT_SESSION_ESTIMATES_H
#define SPARSIGHT_SESSION_ESTIMATES_H

#include "analysis/warps/estimate.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/timing/bench.h"

/* Estimates that were made of a matrix, so that none is made twice: for the advice, for the table of kernels,
 * for runs and for tuning. */

/* More are not kept: a search among variants makes many that nobody asks for again. */
#define ESTIMATED_MAX 1024

/* What was found of a result that was not run. */
struct estimated_item {
    struct result result;     /* without an error */
    struct estimate estimate; /* of a library's kernel that of the one that is replayed for it */
    /* What it was made for, as in struct estimate_options. */
    struct gpu gpu;
    struct product product;
    double share, most_slots;
    bool excerpt; /* from an excerpt of the matrix */
    uint64_t seed;
};

/* Start with {0}; free with estimated_free. For one thread at a time. */
struct estimated {
    struct estimated_item **items; /* owned */
    int count, room;
};

/* Return what is known of this choice for these options, or NULL. */
const struct estimated_item *estimated_find(const struct estimated *estimated,
                                            const struct kernel_choice *choice,
                                            const struct estimate_options *options);

/* Keep what was found, unless there are too many already. STATUS_MEMORY. */
enum status estimated_keep(struct estimated *estimated, const struct result *result,
                           const struct estimate *estimate, const struct estimate_options *options,
                           struct error *error);

void estimated_free(struct estimated *estimated);

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
