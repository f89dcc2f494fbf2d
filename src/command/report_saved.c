/* `sparsight report --results=FILE`: a report on the matrices of saved reports. */
#include "command/survey_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "command/say.h"
#include "report/document/document.h"
#include "report/saved/saved.h"

/* The state of a report on saved reports. */
struct saved_task {
    struct report *report;
    const struct options *options;
    bool *named;  /* for each operand: a matrix of this name was found */
    bool *failed; /* of the caller: the exit status is not 0 */
};

/* Print and report that a saved report, or a matrix in it, could not be read. */
static enum status fail(const struct saved_task *task, const struct error *failure, struct error *error)
{
    *task->failed = true;
    say_error(failure);
    return report_failure(task->report, failure, error);
}

/* Return whether the matrix was requested. */
static bool is_asked(const struct saved_task *task, const json_t *matrix)
{
    const struct options *options = task->options;
    const char *name = json_string_value(json_object_get(matrix, "name"));
    bool asked = options->operand_count == 0;
    for (int k = 0; k < options->operand_count; k++) {
        if (!name || strcmp(name, options->operands[k]) != 0) continue;
        task->named[k] = asked = true;
    }
    return asked;
}

static enum status report_case(const struct saved_task *task, const struct saved *saved, size_t k,
                               struct error *error)
{
    struct session session;
    struct error failure = {0};
    enum status status = saved_case(saved, k, task->options->load.limit, &session, &failure);
    status = status == STATUS_OK ? report_matrix(task->report, &session, error) : fail(task, &failure, error);
    session_free(&session);
    return status;
}

/* Report a matrix's error that the saved report contains. */
static enum status report_error(const struct saved_task *task, const json_t *saved, struct error *error)
{
    struct error failure = {0};
    const char *path = json_string_value(json_object_get(saved, "path"));
    const char *message = json_string_value(json_object_get(saved, "message"));
    error_at(&failure, STATUS_INPUT, path ? path : "", json_integer_value(json_object_get(saved, "line")),
             json_integer_value(json_object_get(saved, "column")), "%s",
             message ? message : "no reason is given");
    return report_failure(task->report, &failure, error);
}

static enum status report_file(const struct saved_task *task, const struct saved *saved, struct error *error)
{
    const json_t *matrices = saved_matrices(saved), *errors = saved_errors(saved);
    enum status status = STATUS_OK;
    for (size_t k = 0; k < json_array_size(matrices) && status == STATUS_OK; k++) {
        const json_t *matrix = json_array_get(matrices, k), *origin = json_object_get(matrix, "report");
        const struct document_from from = {
            .path = saved_path(saved), .origin = origin ? origin : saved_about(saved), .matrix = matrix};
        if (!is_asked(task, matrix)) continue;
        task->report->from = &from;
        status = report_case(task, saved, k, error);
        task->report->from = NULL;
    }
    const struct document_from from = {.path = saved_path(saved), .origin = saved_about(saved)};
    task->report->from = &from;
    if (task->options->operand_count == 0)
        for (size_t k = 0; k < json_array_size(errors) && status == STATUS_OK; k++)
            status = report_error(task, json_array_get(errors, k), error);
    task->report->from = NULL;
    return status;
}

/* Report the operands that are in no saved report. */
static enum status report_unnamed(const struct saved_task *task, struct error *error)
{
    const struct options *options = task->options;
    enum status status = STATUS_OK;
    for (int k = 0; k < options->operand_count && status == STATUS_OK; k++) {
        struct error failure = {0};
        if (task->named[k]) continue;
        error_at(&failure, STATUS_INPUT, options->operands[k], 0, 0,
                 "no saved report of --results has a matrix of this name; without names all matrices are "
                 "reported");
        status = fail(task, &failure, error);
    }
    return status;
}

enum status report_saved(struct report *report, const struct options *options, bool *failed,
                         struct error *error)
{
    static const struct document_from no_file;
    struct saved_task task = {.report = report, .options = options, .failed = failed};
    task.named = memory_zeroed((size_t)options->operand_count + 1, sizeof *task.named, error);
    enum status status = task.named ? STATUS_OK : STATUS_MEMORY;
    for (int k = 0; k < options->saved_count && status == STATUS_OK; k++) {
        struct saved *saved = NULL;
        struct error failure = {0};
        report->from = NULL;
        if (saved_open(options->saved[k], options->load.limit, &saved, &failure) == STATUS_OK)
            status = report_file(&task, saved, error);
        else
            status = fail(&task, &failure, error);
        saved_close(saved);
    }
    if (status == STATUS_OK) status = report_unnamed(&task, error);
    report->from = &no_file; /* each matrix has its own origin */
    free(task.named);
    return status;
}

enum status report_saved_check(const struct options *options, struct error *error)
{
    const struct report_request *request = &options->request;
    const struct {
        bool given;
        const char *name;
    } computing[] = {{request->kernels.count > 0, "kernels"},
                     {request->tune != TUNE_NOT, "tune"},
                     {request->convert.count > 0, "convert"},
                     {request->arrays.count > 0, "arrays"},
                     {request->orders.count > 0, "reorder"},
                     {request->structure, "structure"},
                     {request->costs, "timing"},
                     {request->only != 0, "only"},
                     {request->distribution.count > 0, "parts"},
                     {request->x != NULL, "x"},
                     {request->b != NULL, "b"},
                     {options->load.stream, "stream"}};
    if (options->saved_count == 0) return STATUS_OK;
    for (size_t k = 0; k < sizeof computing / sizeof *computing; k++)
        if (computing[k].given)
            return error_set(error, STATUS_USAGE,
                             "--%s computes with the matrix, and --results reports what was saved: leave out "
                             "one of the two",
                             computing[k].name);
    if (options->format->carries)
        return error_set(error, STATUS_USAGE,
                         "--format=%s with --results: saved reports are JSON already; give text, csv, "
                         "csv-matrices, markdown or html",
                         options->format->name);
    return STATUS_OK;
}
