/* Jobs: work that takes long runs on a thread of its own while the screen goes on; how far it is can be read
 * from any thread, and it can be asked to stop. */
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
    atomic_bool cancel;          /* the work is asked to stop */
    atomic_bool timing;          /* stretches are being timed in this phase */
    atomic_bool held;            /* the phase stays as it is (progress_hold) */
    struct stillness *stillness; /* the job's own; NULL if nobody draws by itself meanwhile */
};

/* The functions below take NULL as a progress that nobody watches. */

/* A phase of `total` steps begins, of which none is done. */
void progress_phase(struct progress *progress, const char *phase, int64_t total);
void progress_add(struct progress *progress, int64_t amount);
void progress_cancel(struct progress *progress);

/* While progress is held, phases that begin and steps that are done do not change it: the functions called
 * meanwhile count as one step of the caller's own phase. */
void progress_hold(struct progress *progress, bool held);

bool progress_cancelled(const struct progress *progress);

/* STATUS_CANCELLED with a message if the progress was cancelled, else STATUS_OK. */
enum status progress_status(const struct progress *progress, struct error *error);

/* To be called around each stretch of work that is timed, in which nothing should be drawn
 * (base/stillness.h). progress_quiet_end returns false if something was drawn in it all the same, so that the
 * stretch should be taken again. */
void progress_quiet_begin(struct progress *progress);
bool progress_quiet_end(struct progress *progress);

/* Code that draws without a request of the user calls this first. True if it may draw now; progress_drawn
 * must follow after drawing. Waits up to this number of seconds for the end of a stretch that is being timed;
 * if it has not come then, the answer is `insist`. */
bool progress_may_draw(struct progress *progress, double seconds, bool insist);
void progress_drawn(struct progress *progress);

/* True if stretches are being timed in this phase, so that less should be drawn. */
bool progress_timing(const struct progress *progress);

/* A piece of work on a thread of its own. The struct is the caller's and must outlive the work. */
struct job {
    enum status (*work)(void *argument, struct progress *progress, struct error *error);
    void *argument;
    struct progress progress;
    struct stillness stillness;
    struct error error;
    enum status status;
    double started; /* clock_seconds() when it was started */
    int threads;    /* threads of the work's parallel regions: as many as those of the caller would get */
    atomic_bool finished;
    bool running; /* true between job_start and job_join */
    pthread_t thread;
};

/* Start work(argument, ...) on a new thread. Signals are blocked there, so that they are delivered to the
 * main thread. Only those of crashes are not: they come to the thread that crashes, and if it blocked them,
 * no handler would run. STATUS_MEMORY if the system gives no thread. */
enum status job_start(struct job *job,
                      enum status (*work)(void *argument, struct progress *progress, struct error *error),
                      void *argument, struct error *error);

/* True once the work has returned, so that job_join need not wait. */
bool job_finished(const struct job *job);

/* Sleep until the work has returned, but at most this number of seconds. True if it has. */
bool job_wait(struct job *job, double seconds);

/* Wait for the work and return its status; job->error says more. If no work is running, returns the last
 * one's status at once. */
enum status job_join(struct job *job);

/* Seconds of a clock that never goes back, since some moment in the past. */
double clock_seconds(void);

#endif
