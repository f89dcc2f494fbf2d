/* Starts a session for a matrix whose entries are not kept. Only session.c uses this. */
#ifndef SPARSIGHT_SESSION_STREAM_H
#define SPARSIGHT_SESSION_STREAM_H

#include "analysis/streamed.h"
#include "session/session.h"

/* Make a matrix that was loaded into the taker of `streamed`, which has chosen it, the only case of the
 * session. *matrix becomes the case's, but not if that fails. STATUS_MEMORY, STATUS_CANCELLED. */
enum status stream_session(struct session *session, struct streamed *streamed, struct matrix *matrix,
                           struct progress *progress, struct error *error);

#endif
