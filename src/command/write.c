#include "command/write.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/job.h"
#include "base/output.h"
#include "command/meter.h"

/* The job that writes. */
struct write_task {
    struct writing writing;
    FILE *file;
    const char *path;
};

static enum status run_write(void *argument, struct progress *progress, struct error *error)
{
    const struct write_task *task = argument;
    return writing_run(&task->writing, task->file, task->path, progress, error);
}

enum status write_output(const struct writing *writing, const char *path, struct error *error)
{
    struct write_task task = {.writing = *writing, .path = path};
    struct output output;
    struct job job;
    enum status status = output_open(&output, path, error);
    if (status != STATUS_OK) return status;
    task.file = output.file;
    /* On one terminal the progress line would mix with the matrix. */
    bool watched = isatty(STDERR_FILENO) && !isatty(fileno(output.file));
    status = job_start(&job, run_write, &task, error);
    if (status == STATUS_OK) {
        status = wait_with_meter(&job, output.path, watched);
        *error = job.error;
    }
    if (status != STATUS_OK && output_unread(&output)) status = STATUS_CANCELLED;
    if (status != STATUS_OK && !error->path[0]) snprintf(error->path, sizeof error->path, "%s", output.path);
    if (status == STATUS_OK) status = output_commit(&output, error);
    output_abandon(&output);
    return status;
}

void write_comment(const char *command, const struct matrix *natural, const char *order, const char *source,
                   struct text *comment)
{
    text_append(comment, "sparsight %s %s%s%s%s%s", command, natural->transposed ? "--transpose " : "",
                order ? "--reorder=" : "", order ? order : "", order ? " " : "", source);
}

void write_permutation_comment(const struct text *comment, struct text *explained)
{
    text_append(explained,
                "%s: line k is the number of the row or column of the matrix that becomes row or column k",
                comment->data ? comment->data : "");
}

enum status write_results(const struct task *task, const char *command, const struct reader *writer,
                          const char *path, const char *permutation, struct error *error)
{
    struct text comment = {0}, explained = {0};
    const struct matrix *natural = &task->session.shown->matrix;
    bool made = strcmp(command, "gen") == 0 && strncmp(task->name, "gen:", 4) == 0;
    char order[ORDER_NAME] = "";
    if (task->order) order_choice_name(task->order, order, sizeof order);
    write_comment(command, natural, task->order ? order : NULL, made ? natural->name : task->name, &comment);
    write_permutation_comment(&comment, &explained);
    enum status status =
        comment.failed || explained.failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
    struct writing written = {.matrix = task->order ? &task->reordered : natural, .writer = writer};
    if (status == STATUS_OK) {
        written.comment = text_visible(comment.data);
        status = write_output(&written, path, error);
    }
    if (status == STATUS_OK && permutation) {
        written.permutation = &task->permutation;
        written.comment = text_visible(explained.data);
        status = write_output(&written, permutation, error);
    }
    text_free(&comment);
    text_free(&explained);
    return status;
}
