/* The orders of a matrix side by side in a document. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/document/build.h"
#include "report/document/rows.h"

/* A table of one number, with a row for each item of the cases' lists, and a column for each order. */
struct comparison {
    const struct column *column;
    const char *names; /* the kind of the rows: "format" */
    /* Find item k of a case and write its name. Returns false if it is not of this precision, or unknown in
     * this case. */
    bool (*item)(const struct matrix_case *matrix_case, int k, enum precision precision,
                 struct subject *subject, char *name, size_t size);
    int (*count)(const struct matrix_case *matrix_case);
};

/* Write the heading of an order's column: its name, with parameters if two orders have the same name. */
static const char *heading_of(const struct session *session, int c)
{
    const struct order *order = session->cases[c].reordering.choice.order;
    for (int k = 1; k < session->case_count; k++)
        if (k != c && session->cases[k].reordering.choice.order == order) return session->cases[c].order;
    return order ? order->name : session->cases[c].order;
}

static const struct column **order_headings(struct document *document, const struct session *session,
                                            const struct column *column)
{
    const struct column **headings = document_array(document, session->case_count, sizeof *headings);
    struct column *copies = document_array(document, session->case_count, sizeof *copies);
    if (!headings || !copies) return NULL;
    for (int c = 0; c < session->case_count; c++) {
        copies[c] = *column;
        copies[c].heading = copies[c].title = heading_of(session, c);
        headings[c] = &copies[c];
    }
    return headings;
}

/* Fill a row with the values of item k in each order. Returns false if all are missing. */
static bool fill_row(struct document *document, const struct session *session,
                     const struct comparison *comparison, enum precision precision, int k,
                     struct table_row *row)
{
    bool some = false;
    row->cells = document_array(document, session->case_count, sizeof *row->cells);
    for (int c = 0; row->cells && c < session->case_count; c++) {
        struct subject subject = {.matrix_case = &session->cases[c]};
        char name[CHOICE_NAME];
        if (k >= comparison->count(subject.matrix_case) ||
            !comparison->item(subject.matrix_case, k, precision, &subject, name, sizeof name))
            continue;
        if (!row->name) row->name = document_words(document, "%s", name);
        row->cells[c].value = column_get(comparison->column, &subject);
        some = some || row->cells[c].value.type != VALUE_NULL;
    }
    return some;
}

static void add_comparison(struct document *document, const struct session *session,
                           const struct comparison *comparison, enum precision precision)
{
    struct table table = {.names = comparison->names, .column_count = session->case_count};
    int count = comparison->count(&session->cases[0]);
    table.columns = order_headings(document, session, comparison->column);
    table.rows = document_array(document, count, sizeof *table.rows);
    if (!table.columns || !table.rows) return;
    for (int k = 0; k < count; k++) {
        table.rows[table.row_count] = (struct table_row){0};
        if (fill_row(document, session, comparison, precision, k, &table.rows[table.row_count]))
            table.row_count++;
    }
    if (table.row_count == 0) return;
    document_section(document, "%s by order, %s", comparison->column->title,
                     case_value_name(&session->cases[0], precision));
    document_add(document, (struct block){.kind = BLOCK_TABLE, .table = table});
}

static int count_formats(const struct matrix_case *matrix_case)
{
    return atomic_load(&matrix_case->conversions.count);
}

static bool format_item(const struct matrix_case *matrix_case, int k, enum precision precision,
                        struct subject *subject, char *name, size_t size)
{
    const struct conversion *conversion = matrix_case->conversions.items[k];
    subject->conversion = conversion;
    format_choice_name(&conversion->choice, name, size);
    return conversion->choice.precision == precision;
}

static int count_results(const struct matrix_case *matrix_case)
{
    return matrix_case->results.count;
}

static bool result_item(const struct matrix_case *matrix_case, int k, enum precision precision,
                        struct subject *subject, char *name, size_t size)
{
    const struct result *result = &matrix_case->results.items[k];
    subject->results = &matrix_case->results;
    subject->result = result;
    kernel_choice_name(&result->choice, name, size);
    if (result->choice.threads) {
        size_t length = strlen(name);
        snprintf(name + length, size - length, ", %d thread%s", result->choice.threads,
                 result->choice.threads == 1 ? "" : "s");
    }
    return result->choice.format.precision == precision;
}

static const struct column *column_of(const struct column *table, const char *key)
{
    while (table->key && strcmp(table->key, key) != 0)
        table++;
    return table;
}

/* Make the rows of a table with a line for each order, with the columns of a part. */
static void add_orders(struct document *document, const struct session *session, const struct column *table,
                       const struct column_part *part)
{
    struct rows rows = {.columns = table, .part = part};
    rows.items = memory_array((size_t)session->case_count, sizeof *rows.items, NULL);
    if (!rows.items) document->failed = true;
    for (int c = 0; rows.items && c < session->case_count; c++)
        rows.items[rows.count++] = (struct row){.subject = {.matrix_case = &session->cases[c]},
                                                .name = session->cases[c].order,
                                                .mark = MARK_NONE};
    if (rows.items) document_table(document, "order", &rows);
    rows_free(&rows);
}

void document_orders(struct document *document, const struct session *session,
                     const struct matrix_case *matrix_case)
{
    static const enum precision precisions[] = {PRECISION_F64, PRECISION_F32};
    const struct comparison comparisons[] = {
        {column_of(format_columns, "bytes"), "format", format_item, count_formats},
        {column_of(kernel_columns, "estimate.loads.sectors"), "kernel", result_item, count_results},
        {column_of(kernel_columns, "predicted_us"), "kernel", result_item, count_results},
        {column_of(kernel_columns, "time_us"), "kernel", result_item, count_results},
    };
    if (matrix_case != session->cases || session->case_count + session->refused_count < 2) return;
    document_section(document, "%s", part_order.title);
    if (session->case_count > 1) {
        add_orders(document, session, order_columns, &part_order);
        document_note(document, MARK_NONE,
                      "Kernel times exclude permuting x and y. The column 'x and y' has the host's time for "
                      "permuting both for one product. Times are compared with those in the natural order.");
    }
    for (int k = 0; k < session->refused_count; k++)
        document_note(document, MARK_BAD, "%s: %s", session->refused[k].name,
                      session->refused[k].error.message);
    if (session->case_count == 1) return;
    document_section(document, "%s by order", part_structure.title);
    add_orders(document, session, columns, &part_structure);
    for (int p = 0; p < 2; p++)
        for (size_t k = 0; k < sizeof comparisons / sizeof *comparisons; k++)
            add_comparison(document, session, &comparisons[k], precisions[p]);
}
