/* An errand is background work for a view; only the view keeps the result. The view sets explorer->errand,
 * and sets its state to ERRAND_WANTED; work.c runs it and sets the final state. */
#ifndef SPARSIGHT_UI_ERRAND_H
#define SPARSIGHT_UI_ERRAND_H

#include <stdbool.h>

#include "base/error.h"
#include "base/job.h"

enum errand_state {
    ERRAND_NONE,
    ERRAND_WANTED,
    ERRAND_RUNNING, /* the view must not touch the data of `argument` */
    ERRAND_DONE,
    ERRAND_FAILED, /* it failed, or the user cancelled it: it is retried only if the user asks */
};

/* `run` is called on its own thread; the members belong to the screen's thread. */
struct errand {
    enum status (*run)(void *argument, struct progress *progress, struct error *error);
    void *argument;
    enum errand_state state;
    bool alone;        /* it measures time: nothing else is computed meanwhile, and no screen stops it */
    bool yields;       /* if `alone`: the program began it by itself, and it gives way to the user's work */
    bool patient;      /* it runs only after the forecasts of kernels for the shown case */
    const char *title; /* the title of its progress on screens that wait for it */
    bool unwanted;     /* the view sets it during the run to stop the errand, which becomes ERRAND_NONE */
    bool declined;     /* the user has cancelled it */
};

/* True if the errand waits to run, or runs. */
static inline bool errand_pending(const struct errand *errand)
{
    return errand->state == ERRAND_WANTED || errand->state == ERRAND_RUNNING;
}

/* True if the explorer's errand is pending, and is not this one, which then has to wait. */
static inline bool errand_waits(const struct errand *errand, const struct errand *other)
{
    return other && other != errand && errand_pending(other);
}

#endif
