/* Jobs: long work runs on a separate thread while the screen stays responsive. Any thread can read its
 * progress and cancel it. */
#ifndef SPARSIGHT_BASE_JOB_H
#define SPARSIGHT_BASE_JOB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/stillness.h"

/* The progress of a piece of work. The work writes it; any thread may read it. Start with {0}. */
struct progress {
    _Atomic int64_t done;
    _Atomic int64_t total;       /* 0 if it is not known */
    _Atomic(const char *) phase; /* a static string such as "counting rows" */
    atomic_bool cancel;          /* a request to stop the work */
    atomic_bool timing;          /* stretches are being timed in this phase */
    atomic_bool held;            /* the phase stays as it is (progress_hold) */
    struct stillness *stillness; /* the stillness of the job; NULL if no other thread draws by itself */
};

/* The functions below take NULL as a progress that nobody watches. */

/* Begin a phase of `total` steps, none of which is done. */
void progress_phase(struct progress *progress, const char *phase, int64_t total);
void progress_add(struct progress *progress, int64_t amount);
void progress_cancel(struct progress *progress);

/* While progress is held, new phases and finished steps do not change it: the functions called in this time
 * count as one step of the caller's phase. */
void progress_hold(struct progress *progress, bool held);

bool progress_cancelled(const struct progress *progress);

/* STATUS_CANCELLED with a message if the progress was cancelled, else STATUS_OK. */
enum status progress_status(const struct progress *progress, struct error *error);

/* Call these around each timed stretch of work, during which nothing should be drawn (base/stillness.h).
 * progress_quiet_end returns false if something was drawn nevertheless; then the stretch should be
 * repeated. */
void progress_quiet_begin(struct progress *progress);
bool progress_quiet_end(struct progress *progress);

/* Code that draws without a request of the user calls this first. True if it may draw now; progress_drawn
 * must follow after drawing. Waits up to this number of seconds for the end of a stretch that is being timed;
 * if it has not come then, the answer is `insist`. */
bool progress_may_draw(struct progress *progress, double seconds, bool insist);
void progress_drawn(struct progress *progress);

/* True if stretches are being timed in this phase, so that less should be drawn. */
bool progress_timing(const struct progress *progress);

/* Work on a separate thread. The caller owns the struct, which must outlive the work. */
struct job {
    enum status (*work)(void *argument, struct progress *progress, struct error *error);
    void *argument;
    struct progress progress;
    struct stillness stillness;
    struct error error;
    enum status status;
    double started; /* clock_seconds() when it was started */
    int threads;    /* threads of the work's parallel regions, the same as in those of the caller */
    atomic_bool finished;
    bool running; /* true between job_start and job_join */
    pthread_t thread;
};

/* Start work(argument, ...) on a new thread. Signals are blocked there, so that they are delivered to the
 * main thread. The signals of crashes are not blocked: they are delivered to the thread that crashes, and no
 * handler would run if it blocked them. STATUS_MEMORY if the system gives no thread. */
enum status job_start(struct job *job,
                      enum status (*work)(void *argument, struct progress *progress, struct error *error),
                      void *argument, struct error *error);

/* True once the work has returned, so that job_join need not wait. */
bool job_finished(const struct job *job);

/* Sleep until the work has returned, but at most this number of seconds. True if it has. */
bool job_wait(struct job *job, double seconds);

/* Wait for the work and return its status; job->error has the message. If no work is running, returns the
 * last one's status at once. */
enum status job_join(struct job *job);

/* Seconds of a clock that never goes back, since some moment in the past. */
double clock_seconds(void);

#endif
