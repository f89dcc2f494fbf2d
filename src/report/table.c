#include "report/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "report/parts.h"

#define INDENT 2
#define GAP_MAX 2 /* blanks between columns, or one if that leaves room for the names */
/* Characters of an integer, beyond which it is written with three digits: the first that leaves room for the
 * names. */
#define INTEGER_MAX 9
#define INTEGER_MIN 5
/* Longer names stand on a line of their own. */
#define NAME_MAX 28

/* A table of plain text: its rows, and how wide they are written. */
struct layout {
    const struct rows *rows;
    int integer;           /* most characters of an integer */
    int gap;               /* blanks between columns */
    int wide[COLUMNS_MAX]; /* of each column; 0: not shown */
    int name;              /* of the names; longer ones take a line */
};

/* Rows */

static enum status start_rows(struct rows *rows, const struct column *table, const struct column_part *part,
                              int max)
{
    *rows = (struct rows){.columns = table, .part = part};
    rows->items = memory_array((size_t)max, sizeof *rows->items, NULL);
    return rows->items ? STATUS_OK : STATUS_MEMORY;
}

enum status rows_of_formats(const struct session *session, enum precision precision, struct rows *rows)
{
    const struct conversions *conversions = &session->shown->conversions;
    int count = atomic_load(&conversions->count);
    if (start_rows(rows, format_columns, &part_format, count) != STATUS_OK) return STATUS_MEMORY;
    for (int k = 0; k < count; k++) {
        const struct conversion *conversion = conversions->items[k];
        if (conversion->choice.precision != precision) continue;
        rows->items[rows->count++] =
            (struct row){.subject = {.conversion = conversion},
                         .name = conversion->name,
                         .mark = conversion_state(conversion) == CONVERSION_REFUSED ? '!' : ' '};
    }
    return STATUS_OK;
}

/* By time; what is as fast stays as it was asked for. */
static int faster(const void *a, const void *b)
{
    const struct result *left = ((const struct row *)a)->subject.result,
                        *right = ((const struct row *)b)->subject.result;
    double x = left->samples.time, y = right->samples.time;
    return x != y ? (x > y) - (x < y) : (left > right) - (left < right);
}

enum status rows_of_kernels(const struct session *session, enum precision precision, struct rows *rows)
{
    const struct results *results = &session->shown->results;
    if (start_rows(rows, kernel_columns, &part_run, results->count) != STATUS_OK) return STATUS_MEMORY;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (result->choice.format.precision != precision || !result_timed(result)) continue;
        rows->items[rows->count++] = (struct row){.subject = {.results = results, .result = result},
                                                  .name = result->name,
                                                  .mark = results_tied(results, result) ? '=' : ' '};
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

/* True if some column of these rows has a number. */
static bool any_shown(const struct rows *rows)
{
    for (int c = 0; rows->columns[c].key; c++)
        if (rows_show(rows, &rows->columns[c])) return true;
    return false;
}

enum status rows_of_part(const struct session *session, enum precision precision,
                         const struct column_part *part, struct rows *rows)
{
    const struct results *results = &session->shown->results;
    if (start_rows(rows, kernel_columns, part, results->count) != STATUS_OK) return STATUS_MEMORY;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (result->choice.format.precision != precision ||
            !part_applies(part, &(struct subject){.results = results, .result = result}))
            continue;
        rows->items[rows->count++] = (struct row){
            .subject = {.results = results, .result = result}, .name = result->name, .mark = ' '};
    }
    if (!any_shown(rows)) rows->count = 0;
    if (part == &part_estimate) qsort(rows->items, (size_t)rows->count, sizeof *rows->items, fewer_sectors);
    return STATUS_OK;
}

void rows_free(struct rows *rows)
{
    free(rows->items);
    *rows = (struct rows){0};
}

/* Cells */

static struct value row_value(const struct row *row, const struct column *column)
{
    return column->get(column, &row->subject);
}

char *row_cell(const struct row *row, const struct column *column, int wide, char *out, size_t size)
{
    struct value value = row_value(row, column);
    bool cached = row->subject.result && row->subject.result->cached;
    value_brief(column, value, wide, out, size);
    size_t length = strlen(out);
    if (cached && value.type != VALUE_NULL && column->of_memory && length + 1 < size)
        snprintf(out + length, size - length, "*");
    return out;
}

bool rows_show(const struct rows *rows, const struct column *column)
{
    if (!column->heading || column->part != rows->part) return false;
    for (int k = 0; k < rows->count; k++)
        if (row_value(&rows->items[k], column).type != VALUE_NULL) return true;
    return false;
}

/* Plain text */

/* Width of a column: of its widest cell; 0 if it is not shown. */
static int column_wide(const struct layout *layout, const struct column *column)
{
    char cell[64];
    if (!rows_show(layout->rows, column)) return 0;
    int wide = (int)strlen(column->heading);
    for (int k = 0; k < layout->rows->count; k++)
        wide = (int)max(
            wide, (int)strlen(row_cell(&layout->rows->items[k], column, layout->integer, cell, sizeof cell)));
    return wide;
}

/* Widths for integers of at most `integer` characters; what they leave for the names. */
static int measure(struct layout *layout, int integer)
{
    const struct column *table = layout->rows->columns;
    int room = REPORT_WIDE - INDENT;
    layout->integer = integer;
    for (int c = 0; table[c].key; c++) {
        layout->wide[c] = column_wide(layout, &table[c]);
        if (layout->wide[c]) room -= layout->gap + layout->wide[c];
    }
    return room;
}

static void lay_out(struct layout *layout, const char *title)
{
    int longest = (int)strlen(title) - INDENT, room, integer = INTEGER_MAX;
    for (int k = 0; k < layout->rows->count; k++)
        longest = (int)max(longest, (int)strlen(layout->rows->items[k].name));
    longest = (int)min(longest, NAME_MAX);
    layout->gap = GAP_MAX;
    while ((room = measure(layout, integer)) < longest && integer > INTEGER_MIN)
        integer -= 2;
    if (room < longest) {
        layout->gap = 1;
        room = measure(layout, integer);
    }
    layout->name = (int)min(longest, room);
}

static void append_row(const struct layout *layout, const struct row *row, struct text *text)
{
    const struct column *table = layout->rows->columns;
    text_append(text, "%c ", row->mark);
    if ((int)strlen(row->name) > layout->name) {
        append_wrapped(text, row->name, INDENT, 2 * INDENT);
        text_append(text, "%*s", INDENT + layout->name, "");
    } else {
        text_append(text, "%-*s", layout->name, row->name);
    }
    for (int c = 0; table[c].key; c++) {
        char cell[64];
        if (!layout->wide[c]) continue;
        text_append(text, "%*s%*s", layout->gap, "", layout->wide[c],
                    row_cell(row, &table[c], layout->integer, cell, sizeof cell));
    }
    text_append(text, "\n");
}

void append_rows(struct text *text, const char *title, const struct rows *rows)
{
    struct layout layout = {.rows = rows};
    lay_out(&layout, title);
    text_append(text, "%-*s", INDENT + layout.name, title);
    for (int c = 0; rows->columns[c].key; c++)
        if (layout.wide[c])
            text_append(text, "%*s%*s", layout.gap, "", layout.wide[c], rows->columns[c].heading);
    text_append(text, "\n");
    for (int k = 0; k < rows->count; k++)
        append_row(&layout, &rows->items[k], text);
}
