/* What is forecast of kernels without running any, so that there is advice before something was timed: of all
 * kernels of this build, each with the parameters that it has by default. */
#ifndef SPARSIGHT_SESSION_FORESIGHT_H
#define SPARSIGHT_SESSION_FORESIGHT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "formats/choice.h"
#include "session/results.h"

/* A storage that is larger than CSR by this factor, and by as many bytes as stand below, is not converted to
 * be forecast: a product reads it all, and no kernel is so much slower with CSR. */
#define FORESIGHT_LARGER 4
#define FORESIGHT_SMALL ((size_t)1 << 20)

/* The results for each storage in turn, in one precision; none of them was run. Free with foresight_free. */
struct foresight {
    struct results *groups; /* each is that of kernels that read the same storage; owned */
    int count;
    /* The rows, with their entries, that all was foreseen from, and one column in so many; 0: from all. */
    int64_t excerpt_rows, excerpt_entries;
    double excerpt_columns;
    atomic_bool complete; /* set with release order: the rest changes no more */
};

static inline bool foresight_complete(const struct foresight *foresight)
{
    return atomic_load_explicit(&foresight->complete, memory_order_acquire);
}

void foresight_free(struct foresight *foresight);

#endif
