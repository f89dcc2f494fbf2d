/* Stillness: a worker marks each stretch that it times. Code that draws without a request of the user asks
 * first, and draws between two stretches. Neither waits long for the other. A drawer that insists draws
 * during a stretch. A worker starts a stretch after 50 ms even if a drawing has not ended. In both cases
 * stillness_end reports it, and the worker can repeat the stretch. */
#ifndef SPARSIGHT_BASE_STILLNESS_H
#define SPARSIGHT_BASE_STILLNESS_H

#include <pthread.h>
#include <stdbool.h>

/* One worker and any number of drawers. Start with stillness_open, end with stillness_close. */
struct stillness {
    pthread_mutex_t lock; /* protects the fields below */
    pthread_cond_t changed;
    bool stretch;   /* a stretch is being timed */
    bool disturbed; /* something is being drawn in the stretch, or was drawn in it */
    bool next;      /* the worker waits to begin a stretch, and new drawers wait for its end */
    bool over;      /* the worker has ended */
    int waiting;    /* the number of waiting drawers */
    int granted;    /* the number of these that may draw before the worker begins */
    int drawing;    /* the number of drawing drawers */
};

/* Make *still ready for use. False if the system gives no lock. */
bool stillness_open(struct stillness *still);
void stillness_close(struct stillness *still);

/* Begin a stretch. Waiting drawers draw first; this takes at most 50 ms. Without any it takes less than 0.1
 * us. */
void stillness_begin(struct stillness *still);

/* End the stretch. False if something was drawn in it. */
bool stillness_end(struct stillness *still);

/* Ask to draw, and wait for the end of the stretch that is being timed, at most this number of seconds. True
 * if the drawer may draw, and then stillness_drawn must follow. If the stretch has not ended by then, the
 * answer is `insist`. */
bool stillness_ask(struct stillness *still, double seconds, bool insist);
void stillness_drawn(struct stillness *still);

/* Call this when the worker has ended: there are no more stretches. */
void stillness_over(struct stillness *still);

/* Sleep until the worker has ended, at most this number of seconds. True if it has. */
bool stillness_wait(struct stillness *still, double seconds);

#endif
