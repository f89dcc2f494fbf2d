/* The report for spreadsheets and scripts (RFC 4180, but lines end as Unix's do): a line for each kernel
 * that was asked for, or if none was, for each format. */
#include <string.h>

#include "base/words.h"
#include "columns/columns.h"
#include "report/report.h"

/* A number has the fewest digits that read back as the same; null is an empty field. */
static void append_value(struct text *text, struct value value)
{
    char written[160];
    switch (value.type) {
    case VALUE_NULL:
        return;
    case VALUE_TEXT:
        words_append(text, MEDIUM_CSV, value.text);
        return;
    case VALUE_INTEGER:
        text_append(text, "%lld", (long long)value.integer);
        return;
    case VALUE_REAL:
        text_append(text, "%s", format_exact(written, sizeof written, value.real));
        return;
    case VALUE_BOOLEAN:
        text_append(text, value.boolean ? "true" : "false");
        return;
    case VALUE_PARAMETERS:
        words_append(text, MEDIUM_CSV, value_text(value, written, sizeof written));
        return;
    }
}

/* A line has the names of the matrix and of its order, then each column's number. */
static void append_line(struct text *text, const struct column *table, const struct subject *subject)
{
    words_append(text, MEDIUM_CSV, subject->matrix_case->matrix.name);
    text_append(text, ",");
    words_append(text, MEDIUM_CSV, subject->matrix_case->order);
    for (const struct column *column = table; column->key; column++) {
        text_append(text, ",");
        append_value(text, column_get(column, subject));
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

/* The table has no place for errors: they are told on standard error. */
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
    .summary = "one line a kernel, or a format if no kernels are run",
    .matrix = csv_matrix,
    .failure = csv_failure,
    .end = csv_end,
};
