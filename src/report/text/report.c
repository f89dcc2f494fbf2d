/* The report for people: documents as plain text. */
#include "report/report.h"
#include "report/document/build.h"
#include "report/text/text.h"

static void append_case(const struct session *session, const struct matrix_case *matrix_case,
                        struct text *text)
{
    struct document document = {0};
    document_build(&document, session, matrix_case);
    text_write(&document, text);
    document_free(&document);
}

void report_text(const struct session *session, struct text *text)
{
    append_case(session, session->shown, text);
}

static enum status text_matrix(struct report *report, const struct session *session,
                               const struct matrix_case *matrix_case, struct text *text)
{
    if (report->matrices) text_append(text, "\n\n");
    append_case(session, matrix_case, text);
    return STATUS_OK;
}

/* Errors are told on standard error; the text is about what could be read. */
static enum status text_failure(struct report *report, const struct error *failure, struct text *text)
{
    return STATUS_OK;
}

static enum status text_end(struct report *report, struct text *text)
{
    return STATUS_OK;
}

const struct report_format report_format_text = {
    .name = "text",
    .summary = "for people, 80 columns wide",
    .matrix = text_matrix,
    .failure = text_failure,
    .end = text_end,
};
