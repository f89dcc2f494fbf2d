#include "base/stillness.h"

#include <string.h>
#include <time.h>

/* Maximum wait for drawers at the beginning of a stretch. */
#define COURTESY_SECONDS 0.05

bool stillness_open(struct stillness *still)
{
    pthread_condattr_t monotonic;
    memset(still, 0, sizeof *still);
    if (pthread_condattr_init(&monotonic) != 0) return false;
    bool timed = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 &&
                 pthread_cond_init(&still->changed, &monotonic) == 0;
    pthread_condattr_destroy(&monotonic);
    if (!timed) return false;
    if (pthread_mutex_init(&still->lock, NULL) == 0) return true;
    pthread_cond_destroy(&still->changed);
    return false;
}

void stillness_close(struct stillness *still)
{
    pthread_cond_destroy(&still->changed);
    pthread_mutex_destroy(&still->lock);
}

static struct timespec from_now(double seconds)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    long whole = (long)seconds, nanoseconds = at.tv_nsec + (long)((seconds - (double)whole) * 1e9);
    at.tv_sec += whole + nanoseconds / 1000000000;
    at.tv_nsec = nanoseconds % 1000000000;
    return at;
}

/* Sleep until something changes; false after a timeout. The caller holds the lock. */
static bool sleep_until(struct stillness *still, const struct timespec *at)
{
    return pthread_cond_timedwait(&still->changed, &still->lock, at) == 0;
}

void stillness_begin(struct stillness *still)
{
    pthread_mutex_lock(&still->lock);
    if (still->waiting || still->drawing) {
        struct timespec stop = from_now(COURTESY_SECONDS);
        still->next = true;
        still->granted = still->waiting;
        pthread_cond_broadcast(&still->changed);
        while ((still->granted || still->drawing) && sleep_until(still, &stop))
            ;
        still->granted = 0;
        still->next = false;
    }
    still->stretch = true;
    still->disturbed = still->drawing > 0;
    pthread_mutex_unlock(&still->lock);
}

bool stillness_end(struct stillness *still)
{
    pthread_mutex_lock(&still->lock);
    bool quiet = !still->disturbed;
    still->stretch = false;
    if (still->waiting) pthread_cond_broadcast(&still->changed);
    pthread_mutex_unlock(&still->lock);
    return quiet;
}

/* True if a waiting drawer may draw now, which consumes a grant of the worker. The caller holds the lock. */
static bool may_draw(struct stillness *still)
{
    if (!still->stretch && !still->next) return true;
    if (!still->granted) return false;
    still->granted--;
    return true;
}

bool stillness_ask(struct stillness *still, double seconds, bool insist)
{
    pthread_mutex_lock(&still->lock);
    bool may = !still->stretch && !still->next;
    if (!may) {
        struct timespec stop = from_now(seconds);
        bool time_left = true;
        still->waiting++;
        while (!(may = may_draw(still)) && time_left)
            time_left = sleep_until(still, &stop);
        still->waiting--;
        if (!may && insist) still->disturbed = may = true;
    }
    if (may) still->drawing++;
    pthread_mutex_unlock(&still->lock);
    return may;
}

void stillness_drawn(struct stillness *still)
{
    pthread_mutex_lock(&still->lock);
    still->drawing--;
    if (still->next) pthread_cond_broadcast(&still->changed);
    pthread_mutex_unlock(&still->lock);
}

void stillness_over(struct stillness *still)
{
    pthread_mutex_lock(&still->lock);
    still->over = true;
    pthread_cond_broadcast(&still->changed);
    pthread_mutex_unlock(&still->lock);
}

bool stillness_wait(struct stillness *still, double seconds)
{
    pthread_mutex_lock(&still->lock);
    struct timespec stop = from_now(seconds);
    bool time_left = true;
    while (!still->over && time_left)
        time_left = sleep_until(still, &stop);
    bool over = still->over;
    pthread_mutex_unlock(&still->lock);
    return over;
}
