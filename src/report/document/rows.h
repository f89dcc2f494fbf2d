/* Rows of a session's lists for tables: their selection, order and marks, and the columns that have a heading
 * and a value. */
#ifndef SPARSIGHT_REPORT_DOCUMENT_ROWS_H
#define SPARSIGHT_REPORT_DOCUMENT_ROWS_H

#include "report/document/document.h"

/* A row; its data belong to the session. */
struct row {
    struct subject subject;
    const char *name;
    enum mark mark;
};

/* Rows of a list. Owned; free with rows_free. */
struct rows {
    const struct column *columns;
    const struct column_part *part; /* its columns are shown */
    struct row *items;
    int count;
};

/* The formats of a precision, in their order, for the columns of a part; refused ones are marked.
 * None if a part other than part_format has no number. STATUS_MEMORY. */
enum status rows_of_formats(const struct conversions *conversions, enum precision precision,
                            const struct column_part *part, struct rows *rows);

/* The kernels of a precision that were timed, the fastest first, ties with it marked. STATUS_MEMORY. */
enum status rows_of_kernels(const struct results *results, enum precision precision, struct rows *rows);

/* The kernels of a precision that a part applies to: estimates by ascending sectors, others in the order of
 * the request. STATUS_MEMORY. */
enum status rows_of_part(const struct results *results, enum precision precision,
                         const struct column_part *part, struct rows *rows);

void rows_free(struct rows *rows);

/* Append their table: the columns of their part that have a value in some row; those without a heading come
 * last. Rows with data in the cache are marked in the columns on memory. names: the kind of the rows,
 * "kernel". */
void document_table(struct document *document, const char *names, const struct rows *rows);

#endif
