/* Scaling of a product over the parts of a case's partitions: from the time of one process; if a node has
 * several ranks, of one rank. */
#ifndef SPARSIGHT_SESSION_SCALE_H
#define SPARSIGHT_SESSION_SCALE_H

#include "analysis/parts/crowd.h"
#include "base/error.h"
#include "base/job.h"
#include "session/advice.h"
#include "session/session.h"

/* The threads of one rank, if a node has this number of ranks: an even share of the processors; 0: as many as
 * a single process has. */
int session_rank_threads(const struct session *session, int node);

/* The product of one rank as its node's crowd: of this candidate's forecast. {0} if it has none for this
 * processor. It points into the session. */
struct crowd session_crowd(const struct session *session, const struct advice_candidate *candidate);

/* Predict the scaling of all divisions of a case (distribution_predict), in double precision. The kernel is
 * the fastest one that ranks ran, or else the best one of the advice. Its time is that of one process with
 * the threads of a rank: measured, or else forecast. Times of ranks are noted beside the predictions
 * (distribution_compare). Without a profile of the processors nothing is predicted. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status session_scale(struct session *session, struct matrix_case *of, struct progress *progress,
                          struct error *error);

#endif
