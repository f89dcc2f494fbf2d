/* The report for spreadsheets and scripts (RFC 4180, but lines end as Unix's do): a line for each requested
 * kernel, or if none was requested, for each format. */
#include "base/words.h"
#include "columns/columns.h"
#include "report/report.h"

/* A line has the names of the matrix and of its order, then the value of each column. */
static void append_line(struct text *text, const struct column *table, const struct subject *subject)
{
    words_append(text, MEDIUM_CSV, subject->matrix_case->matrix.name);
    text_append(text, ",");
    words_append(text, MEDIUM_CSV, subject->matrix_case->order);
    for (const struct column *column = table; column->key; column++) {
        text_append(text, ",");
        value_csv(column_get(column, subject), text);
    }
    text_append(text, "\n");
}

static void append_header(struct text *text, const struct column *table)
{
    text_append(text, "name,order");
    for (const struct column *column = table; column->key; column++)
        text_append(text, ",%s", column->key);
    text_append(text, "\n");
}

static enum status csv_matrix(struct report *report, const struct session *session,
                              const struct matrix_case *matrix_case, struct text *text)
{
    const struct results *results = &matrix_case->results;
    const struct conversions *conversions = &matrix_case->conversions;
    const struct column *table = results->count ? kernel_columns : format_columns;
    if (report->matrices == 0) append_header(text, table);
    for (int k = 0; k < results->count; k++)
        append_line(
            text, table,
            &(struct subject){.matrix_case = matrix_case, .results = results, .result = &results->items[k]});
    for (int k = 0; results->count == 0 && k < atomic_load(&conversions->count); k++)
        append_line(text, table,
                    &(struct subject){.matrix_case = matrix_case, .conversion = conversions->items[k]});
    return STATUS_OK;
}

/* The table has no rows for errors; they go to standard error. */
static enum status csv_failure(struct report *report, const struct error *failure, struct text *text)
{
    return STATUS_OK;
}

static enum status csv_end(struct report *report, struct text *text)
{
    return STATUS_OK;
}

const struct report_format report_format_csv = {
    .name = "csv",
    .summary = "one line per kernel, or per format if no kernels are run",
    .matrix = csv_matrix,
    .failure = csv_failure,
    .end = csv_end,
};
