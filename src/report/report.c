#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/guess.h"
#include "base/words.h"
#include "report/document/build.h"
#include "report/origin.h"

const struct report_format *const report_formats[] = {
    &report_format_text,         &report_format_json,     &report_format_jsonl, &report_format_csv,
    &report_format_csv_matrices, &report_format_markdown, &report_format_html,  NULL};

static const char *format_name(int k)
{
    return report_formats[k] ? report_formats[k]->name : NULL;
}

const struct report_format *report_format_find(const char *name, struct error *error)
{
    for (int k = 0; report_formats[k]; k++)
        if (strcmp(report_formats[k]->name, name) == 0) return report_formats[k];
    guess_refuse("unknown format", name, strlen(name), format_name, error);
    return NULL;
}

enum status report_open(struct report *report, const struct report_format *format, const char *path,
                        struct error *error)
{
    *report = (struct report){.format = format};
    report->matrices_array = json_array();
    report->errors_array = json_array();
    enum status status = STATUS_OK;
    report->date = origin_date();
    if (!report->matrices_array || !report->errors_array || !report->date)
        status = error_set(error, STATUS_MEMORY, "out of memory");
    if (status == STATUS_OK) status = output_open(&report->output, path, error);
    if (status != STATUS_OK) report_abandon(report);
    return status;
}

/* Write `text` if it is complete, and free it. */
static enum status emit(struct report *report, enum status status, struct text *text, struct error *error)
{
    if (text->failed) status = STATUS_MEMORY;
    if (status != STATUS_OK)
        error_set(error, status, "out of memory for the report");
    else if (text->length) {
        words_check_lines(text->data, text->length);
        status = output_write(&report->output, text->data, text->length, error);
    }
    text_free(text);
    return status;
}

enum status report_matrix(struct report *report, const struct session *session, struct error *error)
{
    const struct machine *machine = &session->shown->results.machines.host;
    struct text text = {0};
    enum status status = report->format->matrix(report, session, session->shown, &text);
    report->matrices++;
    report->read = fmax(report->read, machine->read);
    report->copy = fmax(report->copy, machine->copy);
    report->cache = fmax(report->cache, (double)machine->cache);
    return emit(report, status, &text, error);
}

enum status report_failure(struct report *report, const struct error *failure, struct error *error)
{
    struct text text = {0};
    enum status status = STATUS_OK;
    if (report->format->failure) status = report->format->failure(report, failure, &text);
    return emit(report, status, &text, error);
}

void report_document(const struct report *report, const struct session *session,
                     const struct matrix_case *matrix_case, struct document *document)
{
    document->from = report->from;
    document_build(document, session, matrix_case);
}

const struct result *report_fastest(const struct results *results)
{
    const struct result *fastest = NULL;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (result_timed(result) && (!fastest || result->samples.time < fastest->samples.time))
            fastest = result;
    }
    return fastest;
}

const json_t *report_here(struct report *report)
{
    if (!report->origin) report->origin = origin_here(report->date, report->command);
    return report->origin;
}

void report_origin(struct report *report, struct document *document)
{
    if (!report->from) origin_section(report_here(report), "Report", document);
}

void report_head(struct report *report, struct document *document)
{
    if (!report->from) origin_head(report_here(report), document);
}

enum status report_close(struct report *report, struct error *error)
{
    struct text text = {0};
    enum status status = STATUS_OK;
    if (report->format->end) status = report->format->end(report, &text);
    status = emit(report, status, &text, error);
    if (status == STATUS_OK) status = output_commit(&report->output, error);
    report_abandon(report);
    return status;
}

void report_abandon(struct report *report)
{
    output_abandon(&report->output);
    json_decref(report->matrices_array);
    json_decref(report->errors_array);
    json_decref(report->origin);
    json_decref(report->date);
    text_free(&report->index);
    *report = (struct report){0};
}
