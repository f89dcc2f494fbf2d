#include "command/task.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/job.h"
#include "base/passive.h"
#include "base/threads.h"
#include "command/meter.h"

static enum status reorder(struct task *task, struct progress *progress, struct error *error)
{
    const struct matrix *matrix = &task->session.shown->matrix;
    size_t limit = task->session.limit;
    enum status status = order_compute(task->order, matrix, limit, progress, &task->permutation, error);
    if (status == STATUS_OK)
        status = permute_matrix(matrix, &task->permutation, limit, progress, &task->reordered, error);
    if (status != STATUS_OK && !error->path[0]) snprintf(error->path, sizeof error->path, "%s", task->name);
    return status;
}

/* One thread reads a smaller file, in a few milliseconds: gathering others, and waiting for them, would take
 * longer. */
#define SMALL_FILE ((off_t)384 << 10)

static bool is_small(const char *name)
{
    struct stat about;
    return stat(name, &about) == 0 && S_ISREG(about.st_mode) && about.st_size < SMALL_FILE;
}

/* Load the matrix. Where nothing is timed, threads wait passively (base/passive.h). */
static enum status load(struct task *task, struct passive *passive, struct progress *progress,
                        struct error *error)
{
    struct load_options options = *task->options;
    const bool small = is_small(task->name);
    const int threads = threads_count();
    if (task->request || task->prepare) options.beside = case_bytes;
    options.keep = !task->request;
    if (small) threads_set(1);
    if (!small && task->request && report_times_nothing(task->request)) passive_begin(passive, threads);
    const struct cost begun = cost_begin();
    enum status status = session_load(&task->session, task->name, &options, progress, error);
    if (status == STATUS_OK) cost_end(&task->session.shown->costs, "reading", &begun);
    if (small) threads_set(threads);
    return status;
}

static enum status run_task(void *argument, struct progress *progress, struct error *error)
{
    struct task *task = argument;
    struct passive passive = {.team = 0};
    enum status status = load(task, &passive, progress, error);
    if (status == STATUS_OK && task->request) {
        task->session.passive = &passive;
        status = report_prepare(&task->session, task->request, progress, error);
        task->session.passive = NULL;
    }
    passive_end(&passive);
    if (status == STATUS_OK && task->prepare)
        status = task->prepare(&task->session, task->argument, progress, error);
    if (status == STATUS_OK && task->order) status = reorder(task, progress, error);
    return status;
}

enum status finish_task(struct task *task, struct error *error)
{
    struct job job;
    enum status status = job_start(&job, run_task, task, error);
    if (status != STATUS_OK) return status;
    status =
        wait_with_meter(&job, task->options->name ? task->options->name : task->name, isatty(STDERR_FILENO));
    *error = job.error;
    return status;
}

void task_free(struct task *task)
{
    session_free(&task->session);
    permutation_free(&task->permutation);
    matrix_free(&task->reordered);
}
