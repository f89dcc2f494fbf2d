/* Waiting without a busy processor: threads that wait for others in parallel regions sleep early. */
#ifndef SPARSIGHT_BASE_PASSIVE_H
#define SPARSIGHT_BASE_PASSIVE_H

#include <pthread.h>
#include <stdbool.h>

/* GCC's threads spin for about a millisecond before they sleep, but only briefly if OpenMP manages more
 * threads than there are processors (GOMP_SPINCOUNT in the manual of libgomp). So passive waiting starts an
 * idle team, which makes the number of threads larger. Other implementations of OpenMP lose nothing by it.
 * Start with {0}. */
struct passive {
    pthread_t thread; /* owns the team, and waits */
    pthread_mutex_t lock;
    pthread_cond_t turned;
    bool began, over;
    int team; /* number of threads of the team; 0: it has not begun */
};

/* The largest team. On a machine with more idle processors there is no passive waiting. */
#define PASSIVE_TEAM_MAX 16

/* Begin passive waiting for regions of `threads` threads. Does nothing if it has begun already, if threads is
 * 1, or if the system gives no threads. Do not time parallel regions before passive_end: waking a sleeping
 * thread takes longer. It takes some 50 us. */
void passive_begin(struct passive *passive, int threads);

/* End passive waiting, if it has begun. */
void passive_end(struct passive *passive);

#endif
