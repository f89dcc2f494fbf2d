/* Waiting without a busy processor: threads that wait for others in parallel regions sleep early. */
#ifndef SPARSIGHT_BASE_PASSIVE_H
#define SPARSIGHT_BASE_PASSIVE_H

#include <pthread.h>
#include <stdbool.h>

/* GCC's threads look for work for about a millisecond before they sleep, but only briefly if OpenMP manages
 * more threads than there are processors (GOMP_SPINCOUNT in the manual of libgomp). So passive waiting is an
 * idle team that makes them more. Other implementations of OpenMP lose nothing by it. Start with {0}. */
struct passive {
    pthread_t thread; /* owns the team, and waits */
    pthread_mutex_t lock;
    pthread_cond_t turned;
    bool began, over;
    int team; /* number of threads of the team; 0: it has not begun */
};

/* The largest team. On a machine with more idle processors there is no passive waiting. */
#define PASSIVE_TEAM_MAX 16

/* Begin it for regions of `threads` threads; nothing if it has begun already, if threads is 1, or if the
 * system gives no threads. Code that times parallel regions must not run meanwhile: waking a sleeping
 * thread takes longer. It takes some 50 us. */
void passive_begin(struct passive *passive, int threads);

/* End it, if it has begun. */
void passive_end(struct passive *passive);

#endif
