#include "base/passive.h"

#include <omp.h>

#include "base/threads.h"

static void passive_wait(struct passive *passive)
{
    pthread_mutex_lock(&passive->lock);
    passive->began = true;
    pthread_cond_broadcast(&passive->turned);
    while (!passive->over)
        pthread_cond_wait(&passive->turned, &passive->lock);
    pthread_mutex_unlock(&passive->lock);
}

/* All threads of the team sleep inside the region. Outside, they would spin for milliseconds in search of
 * work. */
static void *passive_run(void *argument)
{
#pragma omp parallel num_threads(((struct passive *)argument)->team)
    passive_wait(argument);
    return NULL;
}

/* A team of n threads beside regions of t threads makes OpenMP count n + t - 1 threads. */
void passive_begin(struct passive *passive, int threads)
{
    const int processors = omp_get_num_procs();
    const int team = threads < processors ? processors - threads + 2 : 2;
    if (passive->team > 0 || threads < 2 || team > PASSIVE_TEAM_MAX || threads_possible(team + 1) < team + 1)
        return;
    *passive = (struct passive){.lock = PTHREAD_MUTEX_INITIALIZER, .turned = PTHREAD_COND_INITIALIZER};
    passive->team = team;
    if (pthread_create(&passive->thread, NULL, passive_run, passive) != 0) {
        passive->team = 0;
        return;
    }
    pthread_mutex_lock(&passive->lock);
    while (!passive->began)
        pthread_cond_wait(&passive->turned, &passive->lock);
    pthread_mutex_unlock(&passive->lock);
}

void passive_end(struct passive *passive)
{
    if (passive->team == 0) return;
    pthread_mutex_lock(&passive->lock);
    passive->over = true;
    pthread_cond_broadcast(&passive->turned);
    pthread_mutex_unlock(&passive->lock);
    pthread_join(passive->thread, NULL);
    *passive = (struct passive){.team = 0};
}
