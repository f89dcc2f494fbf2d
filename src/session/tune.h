/* Tuning: running the variants of kernels that differ in parameters on a session's matrix, to find the
 * fastest. */
#ifndef SPARSIGHT_SESSION_TUNE_H
#define SPARSIGHT_SESSION_TUNE_H

#include "kernels/tuning/search.h"
#include "session/session.h"

/* Which variants are run. */
enum tune_how {
    TUNE_NOT,
    TUNE_FORECAST, /* those that tuning_search chooses, led by what is forecast */
    TUNE_ALL,      /* every one */
};

/* What "forecast" and "all" mean; false if the text is neither. */
bool tune_how_find(const char *text, enum tune_how *how);

struct tune_options {
    enum tune_how how;
    const struct bench_options *timing; /* how the variants that are results are timed in the end */
    double share;                       /* of the warps that are replayed for estimates; 0: session_run's */
    /* The time of a product that is forecast for a result that was foreseen (session_foresee), in seconds;
     * NaN if it is not known. NULL: the one that it has. */
    double (*forecast)(const struct result *result, bool cold);
};

/* Tune each kernel that `results` ask for on this case, and run it with its variants as session_run does, so
 * that all of them can be compared. Variants that were chosen become results behind those asked for, and what
 * tuning says of them is in result.tuned. A search times each variant that it tries by a few samples first.
 *
 * Where nothing forecasts times, as for kernels of the processor, the bytes of the storage lead the search. A
 * kernel that cannot run here, but whose time is forecast, is tuned by forecasts alone: its results are those
 * that a search would have begun with, and they say so. Fails as session_run does. */
enum status session_tune(struct session *session, struct matrix_case *of, struct results *results,
                         const struct tune_options *options, struct progress *progress, struct error *error);

#endif
