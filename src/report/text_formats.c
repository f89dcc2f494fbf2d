/* The table of formats for people. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "report/parts.h"

#define INDENT 2
#define GAP 2
/* Characters of an integer, beyond which it is written with three digits: the first that leaves room for the
 * names. */
#define INTEGER_MOST 9
#define INTEGER_LEAST 5
#define COLUMNS_MOST 16
/* Longer names stand on a line of their own. */
#define NAME_MOST 28

/* The formats of one precision, and how wide they are written. */
struct table {
    const struct session *session;
    enum precision precision;
    int integer;            /* most characters of an integer */
    int wide[COLUMNS_MOST]; /* of each of format_columns; 0: not shown */
    int name;               /* of the names; longer ones take a line */
};

/* The next conversion of the table's precision after *k, NULL if there is none. */
static const struct conversion *next_row(const struct table *table, int *k)
{
    const struct conversions *conversions = &table->session->conversions;
    while (*k < atomic_load(&conversions->count)) {
        const struct conversion *conversion = conversions->items[(*k)++];
        if (conversion->precision == table->precision) return conversion;
    }
    return NULL;
}

static char *write_cell(const struct table *table, const struct column *column,
                        const struct conversion *conversion, char *out, size_t size)
{
    return value_brief(column, format_value(column, conversion), table->integer, out, size);
}

/* Width of a column: of its widest cell, but 0 if it has no heading or nothing in it is known. */
static int column_wide(const struct table *table, const struct column *column)
{
    const struct conversion *conversion;
    char cell[64];
    int wide = column->heading ? (int)strlen(column->heading) : 0;
    bool known = false;
    for (int k = 0; wide && (conversion = next_row(table, &k));) {
        wide = (int)greatest(wide, (int)strlen(write_cell(table, column, conversion, cell, sizeof cell)));
        if (format_value(column, conversion).type != VALUE_NULL) known = true;
    }
    return known ? wide : 0;
}

/* Widths for integers of at most `integer` characters; what they leave for the names. */
static int measure(struct table *table, int integer)
{
    int room = REPORT_WIDE - INDENT;
    table->integer = integer;
    for (int c = 0; format_columns[c].key; c++) {
        table->wide[c] = column_wide(table, &format_columns[c]);
        if (table->wide[c]) room -= GAP + table->wide[c];
    }
    return room;
}

static void lay_out(struct table *table)
{
    const struct conversion *conversion;
    int longest = (int)strlen("Formats, f64") - INDENT, room, integer = INTEGER_MOST;
    for (int k = 0; (conversion = next_row(table, &k));)
        longest = (int)greatest(longest, (int)strlen(conversion->name));
    longest = (int)least(longest, NAME_MOST);
    while ((room = measure(table, integer)) < longest && integer > INTEGER_LEAST)
        integer -= 2;
    table->name = (int)least(longest, room);
}

static void append_row(const struct table *table, const struct conversion *conversion, struct text *text)
{
    bool refused = conversion_state(conversion) == CONVERSION_REFUSED;
    text_append(text, "%c ", refused ? '!' : ' ');
    if ((int)strlen(conversion->name) > table->name) {
        append_wrapped(text, conversion->name, INDENT, 2 * INDENT);
        text_append(text, "%*s", INDENT + table->name, "");
    } else {
        text_append(text, "%-*s", table->name, conversion->name);
    }
    for (int c = 0; format_columns[c].key; c++) {
        char cell[64];
        if (!table->wide[c]) continue;
        text_append(text, "%*s%*s", GAP, "", table->wide[c],
                    write_cell(table, &format_columns[c], conversion, cell, sizeof cell));
    }
    text_append(text, "\n");
}

static void append_smallest(const struct table *table, struct text *text)
{
    const struct conversion *conversion, *smallest = NULL;
    char bytes[32], rounded[32];
    for (int k = 0; (conversion = next_row(table, &k));) {
        if (conversion_state(conversion) == CONVERSION_REFUSED) continue;
        if (!smallest || conversion->size.bytes < smallest->size.bytes) smallest = conversion;
    }
    if (!smallest) return;
    text_append(text, "  Smallest: %s, %s bytes", smallest->name,
                format_count(bytes, sizeof bytes, (int64_t)smallest->size.bytes));
    if (smallest->size.bytes >= 1024)
        text_append(text, " (%s)", format_bytes(rounded, sizeof rounded, (double)smallest->size.bytes));
    text_append(text, "\n");
}

/* Why formats are refused: those over the limit together, since their sizes stand in the table. */
static void append_refusals(const struct table *table, struct text *text)
{
    const struct conversion *conversion;
    char limit[32];
    bool large = false;
    for (int k = 0; (conversion = next_row(table, &k));) {
        if (conversion_state(conversion) != CONVERSION_REFUSED) continue;
        bool limited = atomic_load(&conversion->sized) && conversion->refusal.status == STATUS_LIMIT;
        large = large || limited;
        if (limited) continue;
        char words[sizeof conversion->name + sizeof conversion->refusal.message + 32];
        snprintf(words, sizeof words, "! %s is refused: %s", conversion->name, conversion->refusal.message);
        append_wrapped(text, words, 0, 2 * INDENT);
    }
    if (large)
        text_append(text, "! refused: larger than the limit of %s; --limit=BYTES sets it\n",
                    format_bytes(limit, sizeof limit, (double)memory_limit(table->session->limit)));
}

static void append_table(struct table *table, struct text *text)
{
    const struct conversion *conversion;
    int k = 0;
    if (!next_row(table, &k)) return;
    lay_out(table);
    text_append(text, "\nFormats, %-*s", INDENT + table->name - (int)strlen("Formats, "),
                precision_name(table->precision));
    for (int c = 0; format_columns[c].key; c++)
        if (table->wide[c]) text_append(text, "%*s%*s", GAP, "", table->wide[c], format_columns[c].heading);
    text_append(text, "\n");
    for (k = 0; (conversion = next_row(table, &k));)
        append_row(table, conversion, text);
    append_smallest(table, text);
    append_refusals(table, text);
}

void append_formats(struct text *text, const struct session *session)
{
    struct table table = {.session = session, .precision = PRECISION_F64};
    append_table(&table, text);
    table.precision = PRECISION_F32;
    append_table(&table, text);
}
