/* The report for spreadsheets and scripts (RFC 4180, but lines end as Unix's do): a line for each requested
 * kernel, or else for each requested solve, triangular solve, sparse product or type of numbers, or else for
 * each format. */
#include "report/csv.h"
#include "base/words.h"
#include "columns/columns.h"
#include "report/document/document.h"
#include "report/origin.h"
#include "session/solve_advice.h"

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

/* The table is that of the first list that was requested, or that a saved report has. Every report has
 * formats. */
static const struct column *table_of(const struct report *report, const struct matrix_case *of)
{
    const struct report_request *asked = report->asked;
    if (of->results.count) return kernel_columns;
    if (asked ? asked->solve : of->solving.count > 0) return solve_columns;
    if (asked ? asked->trisolve : of->trisolves.count > 0) return trisolve_columns;
    if (asked ? asked->spgemm : case_has(of, SESSION_SPGEMM)) return spgemm_columns;
    if (asked ? asked->rounding : case_has(of, SESSION_PRECISIONS)) return rounding_columns;
    return format_columns;
}

static enum status append_solves(struct report *report, const struct session *session,
                                 const struct matrix_case *of, struct text *text)
{
    struct solve_advice advice;
    enum status status = session_solve_advice(session, of, &advice, NULL);
    for (int k = 0; status == STATUS_OK && k < advice.run_count; k++)
        append_line(report, text, solve_columns,
                    &(struct subject){.matrix_case = of, .outlook = &advice.runs[k]});
    solve_advice_free(&advice);
    return status;
}

/* Append a line for each row of a list that the case has. */
static enum status append_rows(struct report *report, const struct session *session,
                               const struct matrix_case *of, struct text *text)
{
    const struct column *table = report->table;
    struct subject subject = {.matrix_case = of, .results = &of->results};
    if (table == solve_columns) return append_solves(report, session, of, text);
    for (int k = 0; table == kernel_columns && k < of->results.count; k++) {
        subject.result = &of->results.items[k];
        append_line(report, text, table, &subject);
    }
    for (int k = 0; table == trisolve_columns && k < of->trisolves.count; k++) {
        subject.trisolve = &of->trisolves.runs[k];
        append_line(report, text, table, &subject);
    }
    for (int k = spgemm_first(&of->matrix.csr);
         table == spgemm_columns && case_has(of, SESSION_SPGEMM) && k < SPGEMM_KINDS; k++) {
        subject.spgemm = &of->spgemm[k];
        append_line(report, text, table, &subject);
    }
    for (int k = 0; table == rounding_columns && case_has(of, SESSION_PRECISIONS) && k < NUMBER_TYPES; k++) {
        subject.loss = &of->precisions.type[k];
        append_line(report, text, table, &subject);
    }
    for (int k = 0; table == format_columns && k < atomic_load(&of->conversions.count); k++) {
        subject.conversion = of->conversions.items[k];
        append_line(report, text, table, &subject);
    }
    return STATUS_OK;
}

static enum status csv_matrix(struct report *report, const struct session *session,
                              const struct matrix_case *matrix_case, struct text *text)
{
    if (report->matrices == 0) {
        report->table = table_of(report, matrix_case);
        append_header(text, report->table);
    }
    return append_rows(report, session, matrix_case, text);
}

/* Errors are printed only on standard error, because the table has no rows for them. */
const struct report_format report_format_csv = {
    .name = "csv",
    .summary = "one line per kernel; without kernels, per solve or other requested list, or per format",
    .matrix = csv_matrix,
};
