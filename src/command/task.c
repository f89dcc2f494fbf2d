#include "command/task.h"

#include <stdio.h>
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

static enum status run_task(void *argument, struct progress *progress, struct error *error)
{
    struct task *task = argument;
    struct load_options options = *task->options;
    if (task->request || task->prepare) options.beside = case_bytes;
    options.keep = !task->request;
    struct passive passive = {.team = 0};
    if (task->request && report_times_nothing(task->request)) passive_begin(&passive, threads_count());
    const struct cost begun = cost_begin();
    enum status status = session_load(&task->session, task->name, &options, progress, error);
    if (status == STATUS_OK) cost_end(&task->session.shown->costs, "reading", &begun);
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
