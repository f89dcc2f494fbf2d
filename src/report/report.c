#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/guess.h"
#include "base/words.h"

const struct report_format *const report_formats[] = {&report_format_text,
                                                      &report_format_json,
                                                      &report_format_jsonl,
                                                      &report_format_csv,
                                                      &report_format_markdown,
                                                      &report_format_html,
                                                      NULL};

const struct report_format *report_format_find(const char *name, struct error *error)
{
    struct text names = {0};
    struct guess guess;
    char meant[GUESS_TEXT];
    guess_start(&guess, name, strlen(name));
    for (const struct report_format *const *format = report_formats; *format; format++) {
        if (strcmp((*format)->name, name) == 0) {
            text_free(&names);
            return *format;
        }
        text_append(&names, "%s%s", names.length ? ", " : "", (*format)->name);
        guess_offer(&guess, (*format)->name, (*format)->name);
    }
    error_set(error, STATUS_USAGE, "unknown format '%s'%s%s are: %s", name, guess_text(&guess, meant),
              guess.count ? "? There" : "; there", names.data ? names.data : "");
    text_free(&names);
    return NULL;
}

enum status report_open(struct report *report, const struct report_format *format, const char *path,
                        struct error *error)
{
    *report = (struct report){.format = format};
    report->matrices_array = json_array();
    report->errors_array = json_array();
    enum status status = STATUS_OK;
    if (!report->matrices_array || !report->errors_array)
        status = error_set(error, STATUS_MEMORY, "out of memory");
    if (status == STATUS_OK) status = output_open(&report->output, path, error);
    if (status != STATUS_OK) report_abandon(report);
    return status;
}

/* Write `text` if all went well with making it, and free it. */
static enum status emit(struct report *report, enum status status, struct text *text, struct error *error)
{
    if (text->failed) status = STATUS_MEMORY;
    if (status != STATUS_OK)
        error_set(error, status, "out of memory while the report was written");
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
    enum status status = report->format->failure(report, failure, &text);
    return emit(report, status, &text, error);
}

enum status report_close(struct report *report, struct error *error)
{
    struct text text = {0};
    enum status status = report->format->end(report, &text);
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
    text_free(&report->index);
    *report = (struct report){0};
}
