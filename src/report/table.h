/* Tables for people: a line a row of one of the session's lists, and the columns that have a heading and
 * something in them. */
#ifndef SPARSIGHT_REPORT_TABLE_H
#define SPARSIGHT_REPORT_TABLE_H

#include "base/text.h"
#include "columns/columns.h"
#include "report/parts.h"
#include "report/report.h"

/* A row; what it is of belongs to the session. */
struct row {
    struct subject subject;
    const char *name;
    char mark; /* before the name: ' ' for none */
};

/* Rows of a list. Owned; free with rows_free. */
struct rows {
    const struct column *columns;
    const struct column_part *part; /* its columns are shown */
    struct row *items;
    int count;
};

/* The formats of a precision, in their order; refused ones are marked '!'. STATUS_MEMORY. */
enum status rows_of_formats(const struct session *session, enum precision precision, struct rows *rows);

/* The kernels of a precision that were timed, the fastest first, ties with it marked '='. STATUS_MEMORY. */
enum status rows_of_kernels(const struct session *session, enum precision precision, struct rows *rows);

/* The kernels of a precision that a part applies to: of estimates those that touch the fewest sectors first,
 * others as they were asked for. STATUS_MEMORY. */
enum status rows_of_part(const struct session *session, enum precision precision,
                         const struct column_part *part, struct rows *rows);

void rows_free(struct rows *rows);

/* What the table of a part is called ("Memory access, f64"), and what it means; it has a row at least. */
void part_title(const struct column_part *part, enum precision precision, char *out, size_t size);
void say_part(struct text *text, const struct session *session, const struct rows *rows, append_note *note);

/* What stands in a cell, integers in at most `wide` characters. Writes into out (size bytes; 64 suffice) and
 * returns it. The share of the bandwidth of what fits in the cache, which it does not tell much of, has a *
 * after it. */
char *row_cell(const struct row *row, const struct column *column, int wide, char *out, size_t size);

/* True if a column has a heading and some row has something in it. */
bool rows_show(const struct rows *rows, const struct column *column);

/* Append the table in plain text, its title over the names, REPORT_WIDE columns wide. */
void append_rows(struct text *text, const char *title, const struct rows *rows);

#endif
