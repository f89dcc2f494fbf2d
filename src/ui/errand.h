/* An errand: work that a view wants done in the background, beside what the session keeps. */
#ifndef SPARSIGHT_UI_ERRAND_H
#define SPARSIGHT_UI_ERRAND_H

#include <stdbool.h>

#include "base/error.h"
#include "base/job.h"

enum errand_state {
    ERRAND_NONE,
    ERRAND_WANTED,  /* set by the view */
    ERRAND_RUNNING, /* this and the others by the work; the argument is the work's meanwhile */
    ERRAND_DONE,
    ERRAND_FAILED, /* or cancelled by the user: not tried again by itself */
};

/* All of it is for the screen's thread; only `run` is called on another. */
struct errand {
    enum status (*run)(void *argument, struct progress *progress, struct error *error);
    void *argument;
    enum errand_state state;
    bool alone;        /* it is timed: it is stopped for no screen, and nothing else is computed meanwhile */
    const char *title; /* of an errand that is alone: what other screens wait for */
    bool unwanted;     /* set by the view while it is RUNNING: it is stopped, and its state then NONE */
    bool declined;     /* stopped by the user */
};

#endif
