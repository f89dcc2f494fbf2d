/* The table of formats for people. */
#include <stdio.h>

#include "base/memory.h"
#include "report/parts.h"
#include "report/table.h"

#define INDENT 2

static void append_smallest(const struct rows *rows, struct text *text)
{
    const struct conversion *smallest = NULL;
    char bytes[32], rounded[32];
    for (int k = 0; k < rows->count; k++) {
        const struct conversion *conversion = rows->items[k].subject.conversion;
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
static void append_refusals(const struct session *session, const struct rows *rows, struct text *text)
{
    char limit[32];
    bool large = false;
    for (int k = 0; k < rows->count; k++) {
        const struct conversion *conversion = rows->items[k].subject.conversion;
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
                    format_bytes(limit, sizeof limit, (double)memory_limit(session->limit)));
}

static void append_precision(struct text *text, const struct session *session, enum precision precision)
{
    char title[32];
    struct rows rows;
    if (rows_of_formats(session, precision, &rows) != STATUS_OK) text->failed = true;
    if (rows.count > 0) {
        snprintf(title, sizeof title, "Formats, %s", precision_name(precision));
        text_append(text, "\n");
        append_rows(text, title, &rows);
        append_smallest(&rows, text);
        append_refusals(session, &rows, text);
    }
    rows_free(&rows);
}

void append_formats(struct text *text, const struct session *session)
{
    append_precision(text, session, PRECISION_F64);
    append_precision(text, session, PRECISION_F32);
}
