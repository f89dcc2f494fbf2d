/* The background work for screens. One task runs at a time, in this order: (1) the parts that the screen
 * needs, of the shown case and of the case drawn beside it; (2) a view's errand; (3) the conversions that
 * views hold; (4) the picture and the structure of the shown case, and its first forecasts; (5) its other
 * parts; (6) the sizes of its other conversions; (7) the same for the other cases; (8) the other forecasts of
 * kernels for advice on the shown case; (9) a view's errand that is `patient`; (10) the forecasts for the
 * other cases; (11) the parts that take more than linear time. */
#ifndef SPARSIGHT_UI_WORK_H
#define SPARSIGHT_UI_WORK_H

#include <stdbool.h>

#include "base/job.h"
#include "session/session.h"
#include "ui/errand.h"
#include "ui/widgets/gauge.h"

/* A task: a part of the session, an errand or a conversion. {0}: no task. */
struct task {
    unsigned part;          /* a bit of session_part; 0: none */
    struct matrix_case *of; /* the case of the part */
    struct errand *errand;
    struct conversion *conversion;
    bool build; /* the conversion is built, and not only planned */
};

struct work {
    struct session *session;
    const struct conversions_shown *shown; /* the conversions that views hold: the arrays of the others are
                                              freed; NULL if no view can hold any */
    struct errand *errand;                 /* NULL stands for none */
    struct matrix_case *beside; /* the case that is drawn beside the one that is shown; NULL: none */
    struct job job;
    struct gauge gauge;
    struct task task;                 /* the job's task; {0} if there is no job */
    unsigned declined[SESSION_CASES]; /* the parts of each case that failed or were cancelled: they are
                                         retried only if the user asks */
    struct error failure;             /* the error of the last task that failed */
    int failures;                     /* the number of tasks that have failed */
    int foreseen;                     /* the last value of case_foreseen of the shown case */
};

/* End the job if it has finished, and start the next one. `needed` are the parts of the session that the
 * screen needs. A running job is cancelled if a task with a higher priority in the order above appears. An
 * errand is also cancelled for another errand. An errand that is `alone` is not cancelled for these. Never
 * waits for a job. Returns true if the screen may have changed: a task was finished or given up, or there are
 * more forecasts. */
bool work_step(struct work *work, unsigned needed);

/* Return the declined parts of the shown case. */
unsigned work_declined(const struct work *work);

/* True if there is a job. */
bool work_busy(const struct work *work);

/* True if the job is an errand during which nothing else may be computed. */
bool work_alone(const struct work *work);

/* True if that errand was begun by the user, and other work of the user would disturb it. */
bool work_guarded(const struct work *work);

/* Stop a measurement that the program began by itself, because work of the user begins now. It begins again
 * when work_step finds nothing more urgent. Waits until its job has ended. Returns false, and stops nothing,
 * if work_guarded. */
bool work_make_way(struct work *work);

/* Cancel the job for the user: its task is not started again before work_retry. */
void work_cancel(struct work *work);

/* Allow retries of declined tasks: of these `parts` of all cases, the errand and all conversions. */
void work_retry(struct work *work, unsigned parts);

/* Cancel the job and wait for its end. Call this before the session is freed. */
void work_end(struct work *work);

#endif
