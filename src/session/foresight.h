/* Forecasts of all kernels of this build with their default parameters, without running any, for advice
 * before any kernel was timed. */
#ifndef SPARSIGHT_SESSION_FORESIGHT_H
#define SPARSIGHT_SESSION_FORESIGHT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "formats/choice.h"
#include "session/results.h"

/* A storage larger than CSR by this factor, and by the number of bytes below, is not forecast: a product
 * reads all of it, and no CSR kernel is slower by this factor. */
#define FORESIGHT_LARGER 4
#define FORESIGHT_SMALL ((size_t)1 << 20)

/* The results for each storage in turn, in one precision and for one product; none of them was run. If the
 * session is brief, kernels of GPUs that change no sentence of the advice may have no forecast (`least`).
 * Groups are published one by one: while one thread makes the next (session_foresight), another may read
 * those below foresight_count. Free with foresight_free. */
struct foresight {
    struct results *groups; /* each has the kernels that read one storage; owned */
    atomic_int count;       /* set with release order: groups below it do not change until all are complete */
    enum precision precision;
    struct product product; /* the product of the results */
    /* The rows and entries of the excerpt behind all forecasts, and its sampling of columns (one of every
     * this many); 0: all. */
    int64_t excerpt_rows, excerpt_entries;
    double excerpt_columns;
    int version;          /* of the session's processor, used for those of the host */
    atomic_bool complete; /* set with release order: afterwards nothing changes */
    struct foresight
        *next; /* of the same case and precision, for another product (case_want_foresight); owned */
};

static inline int foresight_count(const struct foresight *foresight)
{
    return atomic_load_explicit(&foresight->count, memory_order_acquire);
}

static inline bool foresight_complete(const struct foresight *foresight)
{
    return atomic_load_explicit(&foresight->complete, memory_order_acquire);
}

struct session;
struct matrix_case;

/* Choose the excerpt for forecasts of a case. If all entries are available, in memory or in a stream's
 * excerpt, and there are many (excerpt_kept), make a smaller excerpt in *own, if memory suffices; otherwise
 * *own is {0}. The caller frees it. *chosen may be an empty excerpt. STATUS_MEMORY, STATUS_CANCELLED. */
enum status foresight_excerpt(const struct session *session, const struct matrix_case *of,
                              struct progress *progress, struct excerpt *own, const struct excerpt **chosen,
                              struct error *error);

/* New forecasts of a case's CPU kernels, for another profile of the processors. Free with
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

/* Replace the forecasts by the new ones; call it on the only thread that reads the foresight. */
void foresight_take_again(struct foresight *foresight, const struct foresight_again *again, int version);

void foresight_again_free(struct foresight_again *again);

void foresight_free(struct foresight *foresight);

#endif
