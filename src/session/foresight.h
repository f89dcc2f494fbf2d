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

/* The results for each storage in turn, in one precision and for one product; none of them was run. Free with
 * foresight_free. */
struct foresight {
    struct results *groups; /* each is that of kernels that read the same storage; owned */
    int count;
    enum precision precision;
    struct product product; /* what the results would compute */
    /* The rows, with their entries, that all was foreseen from, and one column in so many; 0: from all. */
    int64_t excerpt_rows, excerpt_entries;
    double excerpt_columns;
    int version;          /* of the session's processor, by which those of the host were made */
    atomic_bool complete; /* set with release order: the rest changes no more */
    struct foresight
        *next; /* of the same case and precision, for another product (case_want_foresight); owned */
};

static inline bool foresight_complete(const struct foresight *foresight)
{
    return atomic_load_explicit(&foresight->complete, memory_order_acquire);
}

struct session;
struct matrix_case;

/* What is forecast of the processors' kernels of a case anew, for another profile of them. Free with
 * foresight_again_free. */
struct foresight_again {
    struct prediction (*predicted)[2]; /* of the results of all groups, one after the other; owned */
    int count;
};

/* Forecast the kernels of the host of a foresight that is complete for this processor, which changes nothing
 * that others may read. STATUS_MEMORY, STATUS_CANCELLED. */
enum status foresight_forecast_again(struct session *session, struct matrix_case *of,
                                     const struct foresight *foresight, struct processor *processor,
                                     struct foresight_again *again, struct progress *progress,
                                     struct error *error);

/* Put what was forecast anew in the place of what was: on the thread that alone reads the foresight. */
void foresight_take_again(struct foresight *foresight, const struct foresight_again *again, int version);

void foresight_again_free(struct foresight_again *again);

void foresight_free(struct foresight *foresight);

#endif
