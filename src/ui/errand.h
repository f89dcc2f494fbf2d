/* An errand is work that a view wants done in the background and whose result only the view keeps. The view
 * sets explorer->errand, and the state to ERRAND_WANTED; work.c runs it and leaves in the state how it ended.
 */
#ifndef SPARSIGHT_UI_ERRAND_H
#define SPARSIGHT_UI_ERRAND_H

#include <stdbool.h>

#include "base/error.h"
#include "base/job.h"

enum errand_state {
    ERRAND_NONE,
    ERRAND_WANTED,
    ERRAND_RUNNING, /* the view must not touch what `argument` points to */
    ERRAND_DONE,
    ERRAND_FAILED, /* it failed, or the user cancelled it: it is not tried again unless the user asks */
};

/* `run` is called on a thread of its own; the members belong to the screen's thread. */
struct errand {
    enum status (*run)(void *argument, struct progress *progress, struct error *error);
    void *argument;
    enum errand_state state;
    bool alone;        /* it times something: nothing else is computed meanwhile, and no screen stops it */
    const char *title; /* the title above its progress on screens that wait for it */
    bool unwanted; /* the view sets it while the errand is running: it is stopped, and is ERRAND_NONE then */
    bool declined; /* the user has cancelled it */
};

#endif
