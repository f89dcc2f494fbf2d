/* The work computes in the background what screens show, one thing at a time and in this order: the parts of
 * the case that is shown that the screen needs, and those of the case that it is drawn beside; a view's
 * errand; the conversions that views hold; the other parts of the case that is shown; the sizes of its other
 * conversions; the same of the other cases; what is forecast of kernels, from which advice is made; and the
 * parts that take more than linear time. */
#ifndef SPARSIGHT_UI_WORK_H
#define SPARSIGHT_UI_WORK_H

#include <stdbool.h>

#include "base/job.h"
#include "session/session.h"
#include "ui/errand.h"
#include "ui/widgets/gauge.h"

/* One of a part of the session, an errand and a conversion. {0} stands for no task. */
struct task {
    unsigned part;          /* a bit of session_part; 0 stands for none */
    struct matrix_case *of; /* the case that it is a part of */
    struct errand *errand;
    struct conversion *conversion;
    bool build; /* the conversion is built, and not only planned */
};

struct work {
    struct session *session;
    const struct conversions_shown *shown; /* the conversions that views hold: the arrays of the others are
                                              freed. NULL if no view can hold any */
    struct errand *errand;                 /* NULL stands for none */
    struct matrix_case *beside; /* the case that is drawn beside the one that is shown; NULL: none */
    struct job job;
    struct gauge gauge;
    struct task task;                 /* what the job does; {0} if there is no job */
    unsigned declined[SESSION_CASES]; /* the parts of each case that failed or that the user has cancelled:
                                         they are not tried again unless the user asks */
    struct error failure;             /* why the last task that failed did so */
    int failures;                     /* how many tasks have failed */
    int foreseen; /* case_foreseen of the case that is shown, when it was last looked at */
};

/* End the job if it has finished, and start the next one; `needed` are the parts of the session that the
 * screen needs. A running job is cancelled if a task that comes before it in the order above turns up, or if
 * it is an errand and another one does; an errand that is alone is cancelled for none of these. Never waits
 * for a job. Returns true if what is shown may have changed: a task was finished or given up, or there are
 * more forecasts. */
bool work_step(struct work *work, unsigned needed);

/* Return the parts of the case that is shown that were declined. */
unsigned work_declined(const struct work *work);

/* True if there is a job. */
bool work_busy(const struct work *work);

/* True if the job is an errand beside which nothing else may be computed. */
bool work_alone(const struct work *work);

/* Cancel the job for the user: its task is not started again before work_retry. */
void work_cancel(struct work *work);

/* Let those of `parts` of all cases, the errand and all conversions that were declined be tried again. */
void work_retry(struct work *work, unsigned parts);

/* Cancel the job and wait for its end. To be called before the session is freed. */
void work_end(struct work *work);

#endif
