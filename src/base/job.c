#include "base/job.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/threads.h"

void progress_phase(struct progress *progress, const char *phase, int64_t total)
{
    if (!progress || atomic_load(&progress->held)) return;
    atomic_store(&progress->done, 0);
    atomic_store(&progress->total, total);
    atomic_store(&progress->phase, phase);
    atomic_store(&progress->timing, false);
}

void progress_add(struct progress *progress, int64_t amount)
{
    if (!progress || atomic_load_explicit(&progress->held, memory_order_relaxed)) return;
    atomic_fetch_add_explicit(&progress->done, amount, memory_order_relaxed);
}

void progress_hold(struct progress *progress, bool held)
{
    if (progress) atomic_store(&progress->held, held);
}

void progress_cancel(struct progress *progress)
{
    if (progress) atomic_store(&progress->cancel, true);
}

bool progress_cancelled(const struct progress *progress)
{
    return progress && atomic_load_explicit(&progress->cancel, memory_order_relaxed);
}

enum status progress_status(const struct progress *progress, struct error *error)
{
    if (!progress_cancelled(progress)) return STATUS_OK;
    return error_set(error, STATUS_CANCELLED, "cancelled");
}

void progress_quiet_begin(struct progress *progress)
{
    if (!progress || !progress->stillness) return;
    if (!progress_timing(progress)) atomic_store_explicit(&progress->timing, true, memory_order_relaxed);
    stillness_begin(progress->stillness);
}

bool progress_quiet_end(struct progress *progress)
{
    return !progress || !progress->stillness || stillness_end(progress->stillness);
}

bool progress_may_draw(struct progress *progress, double seconds, bool insist)
{
    return !progress || !progress->stillness || stillness_ask(progress->stillness, seconds, insist);
}

void progress_drawn(struct progress *progress)
{
    if (progress && progress->stillness) stillness_drawn(progress->stillness);
}

bool progress_timing(const struct progress *progress)
{
    return progress && atomic_load_explicit(&progress->timing, memory_order_relaxed);
}

static void *run(void *argument)
{
    struct job *job = argument;
    threads_set(job->threads);
    threads_fit();
    job->status = job->work(job->argument, &job->progress, &job->error);
    atomic_store(&job->finished, true);
    stillness_over(&job->stillness);
    return NULL;
}

enum status job_start(struct job *job,
                      enum status (*work)(void *argument, struct progress *progress, struct error *error),
                      void *argument, struct error *error)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    sigset_t all, before;
    memset(job, 0, sizeof *job);
    job->work = work;
    job->argument = argument;
    job->started = clock_seconds();
    job->threads = threads_count();
    if (!stillness_open(&job->stillness))
        return error_set(error, STATUS_MEMORY, "cannot start a thread: no lock is to be had");
    job->progress.stillness = &job->stillness;
    sigfillset(&all);
    for (size_t k = 0; k < sizeof crashes / sizeof *crashes; k++)
        sigdelset(&all, crashes[k]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&job->thread, NULL, run, job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code) {
        job->progress.stillness = NULL;
        stillness_close(&job->stillness);
        return error_set(error, STATUS_MEMORY, "cannot start a thread: %s", strerror(code));
    }
    job->running = true;
    return STATUS_OK;
}

bool job_finished(const struct job *job)
{
    return atomic_load(&job->finished);
}

bool job_wait(struct job *job, double seconds)
{
    return !job->running || stillness_wait(&job->stillness, seconds);
}

enum status job_join(struct job *job)
{
    if (!job->running) return job->status;
    pthread_join(job->thread, NULL);
    job->running = false;
    job->progress.stillness = NULL;
    stillness_close(&job->stillness);
    return job->status;
}

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
