/* Tables of a document as plain text. */
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "report/text/text.h"

#define INDENT 2
#define GAP_MAX 2 /* blanks between columns, or one if that leaves room for the names */
/* Maximum characters of an integer before it is written with three digits: the first of these that leaves
 * room for the names. */
#define INTEGER_MAX 9
#define INTEGER_MIN 5
/* Longer names take a line of their own. */
#define NAME_MAX 28

/* The widths of a table. */
struct layout {
    const struct table *table;
    int integer;           /* maximum characters of an integer */
    int gap;               /* blanks between columns */
    int wide[COLUMNS_MAX]; /* width of each column */
    int name;              /* width of the names; a longer name takes a line of its own */
};

/* Write the text of a cell into out, and return it. */
static char *write_cell(const struct layout *layout, const struct table_row *row, int c, char *out,
                        size_t size)
{
    const struct table_cell *cell = &row->cells[c];
    value_brief(layout->table->columns[c], cell->value, layout->integer, out, size);
    size_t length = strlen(out);
    if (cell->mark != MARK_NONE && length + 1 < size)
        snprintf(out + length, size - length, "%c", mark_signs[cell->mark]);
    return out;
}

/* Return the width of a column: that of its widest cell. */
static int column_wide(const struct layout *layout, int c)
{
    const struct table *table = layout->table;
    char cell[64];
    int wide = (int)strlen(table->columns[c]->heading);
    for (int k = 0; k < table->row_count; k++)
        wide = (int)max(wide, (int)strlen(write_cell(layout, &table->rows[k], c, cell, sizeof cell)));
    return wide;
}

/* Compute the widths for integers of at most `integer` characters. Returns the room left for the names. */
static int measure(struct layout *layout, int integer)
{
    int room = REPORT_WIDE - INDENT;
    layout->integer = integer;
    for (int c = 0; c < layout->table->column_count; c++) {
        layout->wide[c] = column_wide(layout, c);
        room -= layout->gap + layout->wide[c];
    }
    return room;
}

static void lay_out(struct layout *layout, const char *title)
{
    const struct table *table = layout->table;
    int longest = (int)strlen(title) - INDENT, room, integer = INTEGER_MAX;
    for (int k = 0; k < table->row_count; k++)
        longest = (int)max(longest, (int)strlen(table->rows[k].name));
    longest = (int)min(longest, NAME_MAX);
    layout->gap = GAP_MAX;
    while ((room = measure(layout, integer)) < longest && integer > INTEGER_MIN)
        integer--;
    if (room < longest) {
        layout->gap = 1;
        room = measure(layout, integer);
    }
    layout->name = (int)min(longest, room);
}

static void append_row(const struct layout *layout, const struct table_row *row, struct text *text)
{
    text_append(text, "%c ", mark_signs[row->mark]);
    if ((int)strlen(row->name) > layout->name) {
        text_wrapped(text, row->name, INDENT, 2 * INDENT);
        text_append(text, "%*s", INDENT + layout->name, "");
    } else {
        text_append(text, "%-*s", layout->name, row->name);
    }
    for (int c = 0; c < layout->table->column_count; c++) {
        char cell[64];
        text_append(text, "%*s%*s", layout->gap, "", layout->wide[c],
                    write_cell(layout, row, c, cell, sizeof cell));
    }
    text_append(text, "\n");
}

void text_table(struct text *text, const char *title, const struct table *table)
{
    struct layout layout = {.table = table};
    lay_out(&layout, title);
    text_append(text, "%-*s", INDENT + layout.name, title);
    for (int c = 0; c < table->column_count; c++)
        text_append(text, "%*s%*s", layout.gap, "", layout.wide[c], table->columns[c]->heading);
    text_append(text, "\n");
    for (int k = 0; k < table->row_count; k++)
        append_row(&layout, &table->rows[k], text);
}
