/* Jobs: long work off the screen's thread, with progress that can be read and a wish to stop that is heard.
 */
#ifndef SPARSIGHT_BASE_JOB_H
#define SPARSIGHT_BASE_JOB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/stillness.h"

/* How far a piece of work is. Written by the work, read by whoever shows it, from any thread. total 0: not
 * known. phase is a static string such as "counting rows". Start with {0}. */
struct progress {
    _Atomic int64_t done;
    _Atomic int64_t total;
    _Atomic(const char *) phase;
    atomic_bool cancel;
    atomic_bool timing;          /* stretches are being timed in this phase */
    struct stillness *stillness; /* the job's own; NULL: nobody draws by itself */
};

/* All take NULL for "nobody is watching". */
void progress_phase(struct progress *progress, const char *phase, int64_t total); /* done starts at 0 again */
void progress_add(struct progress *progress, int64_t amount);
void progress_cancel(struct progress *progress);
bool progress_cancelled(const struct progress *progress);

/* STATUS_CANCELLED with its message if cancelled, else STATUS_OK. */
enum status progress_status(const struct progress *progress, struct error *error);

/* A stretch that is timed, in which nothing is drawn (see base/stillness.h). progress_quiet_end: false if it
 * was disturbed and should be taken again. */
void progress_quiet_begin(struct progress *progress);
bool progress_quiet_end(struct progress *progress);

/* To be asked by whoever draws by itself: true if it may draw now, and progress_drawn must follow. Waits up
 * to so many seconds for the end of a stretch; one that insists then draws all the same. */
bool progress_may_draw(struct progress *progress, double seconds, bool insist);
void progress_drawn(struct progress *progress);

/* True while stretches are being timed: there is no hurry to draw. */
bool progress_timing(const struct progress *progress);

/* One piece of work on a thread of its own. The struct is the caller's and must outlive the work. */
struct job {
    enum status (*work)(void *argument, struct progress *progress, struct error *error);
    void *argument;
    struct progress progress;
    struct stillness stillness;
    struct error error;
    enum status status;
    double started; /* clock_seconds() at the start */
    int threads;    /* that the work's parallel regions get: as many as the caller's would */
    atomic_bool finished;
    bool running; /* between job_start and job_join */
    pthread_t thread;
};

/* Start work(argument, ...) on a new thread. Signals are blocked there, so that they reach the main one; but
 * for those of crashes, whose handlers a blocked one would never reach. */
enum status job_start(struct job *job,
                      enum status (*work)(void *argument, struct progress *progress, struct error *error),
                      void *argument, struct error *error);

/* True once the work has returned; job_join then does not wait. */
bool job_finished(const struct job *job);

/* Sleep until the work has returned, but no longer than so many seconds. True if it has. */
bool job_wait(struct job *job, double seconds);

/* Wait for the work and return its status; job->error says more. Does nothing if no work was started. */
enum status job_join(struct job *job);

/* Monotonic seconds. */
double clock_seconds(void);

#endif
