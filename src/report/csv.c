/* The report for spreadsheets and scripts (RFC 4180, but lines end as Unix's do): a line for each requested
 * kernel, or if none was requested, for each format. */
#include "report/csv.h"
#include "base/words.h"
#include "columns/columns.h"
#include "report/document/document.h"
#include "report/origin.h"

void csv_origin_header(struct text *text)
{
    for (const struct origin_fact *fact = origin_facts; fact->key; fact++)
        text_append(text, ",report.%s", fact->key);
    text_append(text, "\n");
}

void csv_origin(struct report *report, struct text *text)
{
    const json_t *origin = report->from ? report->from->origin : report_here(report);
    text->failed = text->failed || (!origin && !report->from);
    for (const struct origin_fact *fact = origin_facts; fact->key; fact++) {
        struct text value = {0};
        origin_append(origin, fact, &value);
        text_append(text, ",");
        if (value.length) words_append(text, MEDIUM_CSV, value.data);
        text->failed = text->failed || value.failed;
        text_free(&value);
    }
    text_append(text, "\n");
}

/* A line contains the names of the matrix and of its order, the value of each column, and the origin. */
static void append_line(struct report *report, struct text *text, const struct column *table,
                        const struct subject *subject)
{
    words_append(text, MEDIUM_CSV, subject->matrix_case->matrix.name);
    text_append(text, ",");
    words_append(text, MEDIUM_CSV, subject->matrix_case->order);
    for (const struct column *column = table; column->key; column++) {
        text_append(text, ",");
        value_csv(column_get(column, subject), text);
    }
    csv_origin(report, text);
}

static void append_header(struct text *text, const struct column *table)
{
    text_append(text, "name,order");
    for (const struct column *column = table; column->key; column++)
        text_append(text, ",%s", column->key);
    csv_origin_header(text);
}

static enum status csv_matrix(struct report *report, const struct session *session,
                              const struct matrix_case *matrix_case, struct text *text)
{
    const struct results *results = &matrix_case->results;
    const struct conversions *conversions = &matrix_case->conversions;
    if (report->matrices == 0) report->table = results->count ? kernel_columns : format_columns;
    const bool of_kernels = report->table == kernel_columns;
    if (report->matrices == 0) append_header(text, report->table);
    for (int k = 0; of_kernels && k < results->count; k++)
        append_line(
            report, text, report->table,
            &(struct subject){.matrix_case = matrix_case, .results = results, .result = &results->items[k]});
    for (int k = 0; !of_kernels && k < atomic_load(&conversions->count); k++)
        append_line(report, text, report->table,
                    &(struct subject){.matrix_case = matrix_case, .conversion = conversions->items[k]});
    return STATUS_OK;
}

/* Errors are printed only on standard error, because the table has no rows for them. */
const struct report_format report_format_csv = {
    .name = "csv",
    .summary = "one line per kernel, or per format if no kernels are run",
    .matrix = csv_matrix,
};
