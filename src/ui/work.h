/* Computing the parts of a session in the background, one at a time: first what the screen needs, then the
 * rest, until all is there. */
#ifndef SPARSIGHT_UI_WORK_H
#define SPARSIGHT_UI_WORK_H

#include <stdbool.h>

#include "base/job.h"
#include "session.h"
#include "ui/gauge.h"

struct work {
    struct session *session;
    struct job job;
    struct gauge gauge;
    unsigned part;        /* being computed; 0: none */
    unsigned declined;    /* cancelled by the user or failed: not tried again by itself */
    struct error failure; /* why the last one failed */
};

/* Look after the work: end a job that is done, and start the next one: a part of `needed` that is missing,
 * else any other that is. A running job that is not needed gives way to one that is. True if a part was
 * finished or given up. Never waits long. */
bool work_step(struct work *work, unsigned needed);

/* The user's wish: stop what is running, and do not start it again by itself. */
void work_cancel(struct work *work);

/* Those of `parts` that were declined may be tried again. */
void work_retry(struct work *work, unsigned parts);

/* Stop and wait. To be called before the session is freed. */
void work_end(struct work *work);

#endif
