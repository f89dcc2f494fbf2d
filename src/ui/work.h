/* Computing in the background, one thing at a time: first the parts of the session that the screen needs,
 * then a view's errand, then the conversions that are shown, then all other parts and the sizes of all other
 * conversions. */
#ifndef SPARSIGHT_UI_WORK_H
#define SPARSIGHT_UI_WORK_H

#include <stdbool.h>

#include "base/job.h"
#include "session/session.h"
#include "ui/errand.h"
#include "ui/widgets/gauge.h"

/* What is being done, or comes next: a part of the session, an errand or a conversion. {0}: nothing. */
struct task {
    unsigned part;
    struct errand *errand;
    struct conversion *conversion;
    bool build; /* else it is only planned */
};

struct work {
    struct session *session;
    const struct conversions_shown *shown; /* NULL: none. Those that are neither shown nor listed are freed */
    struct errand *errand;                 /* NULL: none */
    struct job job;
    struct gauge gauge;
    struct task task;     /* being done */
    unsigned declined;    /* parts cancelled by the user or failed: not tried again by themselves */
    struct error failure; /* why the last thing failed */
    int failures;         /* how often something failed */
};

/* Look after the work: end a job that is done, and start the next one: a part of `needed` that is missing,
 * else an errand, else a conversion that is shown, else what else is missing. A running job gives way to what
 * is more urgent, unless it is an errand that is alone. An errand gives way to another one.
 * True if something was finished or given up. Never
 * waits long. */
bool work_step(struct work *work, unsigned needed);

/* True if something is being done. */
bool work_busy(const struct work *work);

/* True if an errand is being done that nothing else may be computed beside. */
bool work_alone(const struct work *work);

/* The user's wish: stop what is running, and do not start it again by itself. */
void work_cancel(struct work *work);

/* Those of `parts` that were declined may be tried again, the errand, and all conversions. */
void work_retry(struct work *work, unsigned parts);

/* Stop and wait. To be called before the session is freed. */
void work_end(struct work *work);

#endif
