#include "report/document/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static enum status start_rows(struct rows *rows, const struct column *table, const struct column_part *part,
                              int max)
{
    *rows = (struct rows){.columns = table, .part = part};
    rows->items = memory_array((size_t)max, sizeof *rows->items, NULL);
    return rows->items ? STATUS_OK : STATUS_MEMORY;
}

static struct value row_value(const struct row *row, const struct column *column)
{
    return column_get(column, &row->subject);
}

/* True if a column belongs to the table and some row has a value. Columns with a heading appear in every
 * form, others if there is room. */
static bool is_shown(const struct rows *rows, const struct column *column, bool headed)
{
    if ((column->heading != NULL) != headed) return false;
    if ((column->instead ? column->instead : column->part) != rows->part) return false;
    for (int k = 0; k < rows->count; k++)
        if (row_value(&rows->items[k], column).type != VALUE_NULL) return true;
    return false;
}

/* The number of columns with a number. */
static int count_shown(const struct rows *rows, bool headed)
{
    int count = 0;
    for (const struct column *column = rows->columns; column->key; column++)
        count += is_shown(rows, column, headed);
    return count;
}

enum status rows_of_formats(const struct conversions *conversions, enum precision precision,
                            const struct column_part *part, struct rows *rows)
{
    int count = atomic_load(&conversions->count);
    if (start_rows(rows, format_columns, part, count) != STATUS_OK) return STATUS_MEMORY;
    for (int k = 0; k < count; k++) {
        const struct conversion *conversion = conversions->items[k];
        if (conversion->choice.precision != precision) continue;
        rows->items[rows->count++] =
            (struct row){.subject = {.conversion = conversion},
                         .name = conversion->name,
                         .mark = conversion_state(conversion) == CONVERSION_REFUSED ? MARK_BAD : MARK_NONE};
    }
    if (part != &part_format && count_shown(rows, true) == 0) rows->count = 0;
    return STATUS_OK;
}

/* By time; equal ones keep the order of the request. */
static int faster(const void *a, const void *b)
{
    const struct result *left = ((const struct row *)a)->subject.result,
                        *right = ((const struct row *)b)->subject.result;
    double x = left->samples.time, y = right->samples.time;
    return x != y ? (x > y) - (x < y) : (left > right) - (left < right);
}

enum status rows_of_kernels(const struct results *results, enum precision precision, struct rows *rows)
{
    if (start_rows(rows, kernel_columns, &part_run, results->count) != STATUS_OK) return STATUS_MEMORY;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (result->choice.format.precision != precision || !result_timed(result)) continue;
        rows->items[rows->count++] =
            (struct row){.subject = {.results = results, .result = result},
                         .name = result->name,
                         .mark = results_tied(results, result) ? MARK_TIE : MARK_NONE};
    }
    qsort(rows->items, (size_t)rows->count, sizeof *rows->items, faster);
    return STATUS_OK;
}

static int64_t sectors_of(const struct row *row)
{
    return estimate_sectors(results_estimate_of(row->subject.results, row->subject.result));
}

static int fewer_sectors(const void *a, const void *b)
{
    int64_t left = sectors_of(a), right = sectors_of(b);
    if (left != right) return left < right ? -1 : 1;
    return ((const struct row *)a)->subject.result > ((const struct row *)b)->subject.result ? 1 : -1;
}

static int sooner(const void *a, const void *b)
{
    const struct subject *left = &((const struct row *)a)->subject,
                         *right = &((const struct row *)b)->subject;
    double first = results_prediction_of(left->results, left->result)->seconds;
    double second = results_prediction_of(right->results, right->result)->seconds;
    if (first != second) return first < second ? -1 : 1;
    return left->result > right->result ? 1 : -1;
}

enum status rows_of_part(const struct results *results, enum precision precision,
                         const struct column_part *part, struct rows *rows)
{
    if (start_rows(rows, kernel_columns, part, results->count) != STATUS_OK) return STATUS_MEMORY;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        const struct subject subject = {.results = results, .result = result};
        if (result->choice.format.precision != precision || !part_applies(part, &subject)) continue;
        if (part == &part_ranked && !result_timed(result)) continue; /* a note has its reason */
        rows->items[rows->count++] = (struct row){.subject = subject, .name = result->name};
    }
    if (count_shown(rows, true) == 0 && part != &part_energy) rows->count = 0; /* it has reasons */
    if (part == &part_predicted) qsort(rows->items, (size_t)rows->count, sizeof *rows->items, sooner);
    if (part == &part_estimate) qsort(rows->items, (size_t)rows->count, sizeof *rows->items, fewer_sectors);
    return STATUS_OK;
}

void rows_free(struct rows *rows)
{
    free(rows->items);
    *rows = (struct rows){0};
}

static void fill_row(const struct table *table, const struct row *row, struct table_row *out)
{
    const struct result *result = row->subject.result;
    out->mark = row->mark;
    out->name = row->name;
    for (int c = 0; c < table->column_count + table->further_count; c++) {
        struct value value = row_value(row, table->columns[c]);
        bool cached = result && result->cached && table->columns[c]->of_memory && value.type != VALUE_NULL;
        out->cells[c] = (struct table_cell){value, cached ? MARK_CACHED : MARK_NONE};
    }
}

/* True if ranks ran kernels by several partitions, which then belong to the names of the rows. */
static bool has_partitions(const struct rows *rows)
{
    for (int k = 1; k < rows->count; k++) {
        const struct result *one = rows->items[0].subject.result, *other = rows->items[k].subject.result;
        if (one && other && strcmp(one->ranked.partition, other->ranked.partition) != 0) return true;
    }
    return false;
}

void document_table(struct document *document, const char *names, const struct rows *rows)
{
    struct table table = {.names = names};
    const bool partitions = has_partitions(rows);
    int all = count_shown(rows, true) + count_shown(rows, false);
    table.columns = document_array(document, all, sizeof *table.columns);
    table.rows = document_array(document, rows->count, sizeof *table.rows);
    if (!table.columns || !table.rows) return;
    for (const struct column *column = rows->columns; column->key; column++)
        if (is_shown(rows, column, true)) table.columns[table.column_count++] = column;
    for (const struct column *column = rows->columns; column->key; column++)
        if (is_shown(rows, column, false)) table.columns[table.column_count + table.further_count++] = column;
    for (; table.row_count < rows->count; table.row_count++) {
        struct table_row *row = &table.rows[table.row_count];
        row->cells = document_array(document, all, sizeof *row->cells);
        if (!row->cells) return;
        fill_row(&table, &rows->items[table.row_count], row);
        if (partitions)
            row->name = document_words(document, "%s by %s", row->name,
                                       rows->items[table.row_count].subject.result->ranked.partition);
    }
    document_add(document, (struct block){.kind = BLOCK_TABLE, .table = table});
}
