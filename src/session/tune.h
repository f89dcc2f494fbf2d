/* Tuning: running the variants of kernels that differ in parameters on a session's matrix, to find the
 * fastest. */
#ifndef SPARSIGHT_SESSION_TUNE_H
#define SPARSIGHT_SESSION_TUNE_H

#include "kernels/tuning/search.h"
#include "session/session.h"

/* The choice of the variants to run. */
enum tune_how {
    TUNE_NOT,
    TUNE_FORECAST, /* variants that tuning_search chooses, guided by forecasts */
    TUNE_ALL,      /* every one */
};

/* Parse "forecast" or "all"; false for other texts. */
bool tune_how_find(const char *text, enum tune_how *how);

struct tune_options {
    enum tune_how how;
    const struct bench_options *timing; /* the final timing of the variants that become results */
    double share;                       /* of the warps to replay for estimates; 0: session_run's */
    /* The forecast seconds of a product for a result of session_foresee; NaN if unknown. NULL: the result's
     * own forecast. */
    double (*forecast)(const struct result *result, bool cold);
};

/* Tune each kernel requested by `results` on this case, and run its variants as session_run does, so all can
 * be compared. Chosen variants become results after the requested ones, and result.tuned has the outcome of
 * tuning. A search first times each variant with a few samples.
 *
 * Without forecasts, as for CPU kernels, the bytes of the storage guide the search. A kernel that cannot run
 * here but has forecasts is tuned by them alone: its results are the first variants of a search, and are
 * marked as such. Fails as session_run does. */
enum status session_tune(struct session *session, struct matrix_case *of, struct results *results,
                         const struct tune_options *options, struct progress *progress, struct error *error);

#endif
