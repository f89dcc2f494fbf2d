/* Estimates that were made of a matrix, so that none is made twice: for the advice, for the table of kernels,
 * for runs and for tuning. */
#ifndef SPARSIGHT_SESSION_ESTIMATED_H
#define SPARSIGHT_SESSION_ESTIMATED_H

#include "analysis/warps/estimate.h"
#include "base/error.h"
#include "kernels/timing/bench.h"

/* More are not kept: a search among variants makes many that nobody asks for again. */
#define ESTIMATED_MAX 1024

/* Findings on a result that was not run. */
struct estimated_item {
    struct result result;     /* without an error */
    struct estimate estimate; /* of a library's kernel that of the one that is replayed for it */
    /* Its options, as in struct estimate_options. */
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

/* Return the findings on this choice for these options, or NULL. */
const struct estimated_item *estimated_find(const struct estimated *estimated,
                                            const struct kernel_choice *choice,
                                            const struct estimate_options *options);

/* Keep the findings, unless there are too many already. STATUS_MEMORY. */
enum status estimated_keep(struct estimated *estimated, const struct result *result,
                           const struct estimate *estimate, const struct estimate_options *options,
                           struct error *error);

void estimated_free(struct estimated *estimated);

#endif
