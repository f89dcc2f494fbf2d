/* Stillness: a worker that times something marks each stretch in which it wants to be alone, and whoever
 * draws by itself asks first and draws between two stretches. Neither waits long for the other: a drawer that
 * insists draws in spite of a stretch, which the worker is told, so that it can take it again; and a worker
 * begins in spite of a drawing that does not end, and is told so too. */
#ifndef SPARSIGHT_BASE_STILLNESS_H
#define SPARSIGHT_BASE_STILLNESS_H

#include <pthread.h>
#include <stdbool.h>

/* One worker and any number of drawers. Start with stillness_open, end with stillness_close. */
struct stillness {
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    bool stretch;   /* one is being timed */
    bool disturbed; /* something is or was drawn in it */
    bool next;      /* the worker waits to begin: who asks from now on comes after the stretch */
    bool over;      /* the worker has ended */
    int waiting;    /* drawers that have asked */
    int granted;    /* of those, how many the worker waits for */
    int drawing;    /* drawers that draw */
};

/* False if the system has none to give. */
bool stillness_open(struct stillness *still);
void stillness_close(struct stillness *still);

/* Begin a stretch. Drawers that wait go first, which is waited for 50 ms at most. Under 0.1 us if there are
 * none. */
void stillness_begin(struct stillness *still);

/* End the stretch; false if it was disturbed. */
bool stillness_end(struct stillness *still);

/* Ask to draw, and wait for the end of the stretch that is being timed, but no longer than so many seconds.
 * True: stillness_drawn must follow. False, if the time is over and it does not insist: do not draw. A drawer
 * that insists is always told to draw. */
bool stillness_ask(struct stillness *still, double seconds, bool insist);
void stillness_drawn(struct stillness *still);

/* The worker has ended, and there are no more stretches. */
void stillness_over(struct stillness *still);

/* Sleep until then, but no longer than so many seconds. True if it has ended. */
bool stillness_wait(struct stillness *still, double seconds);

#endif
