/* The formats of a matrix in a document. */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/document/build.h"
#include "report/document/rows.h"

static void add_smallest(struct document *document, const struct rows *rows)
{
    const struct conversion *smallest = NULL;
    char bytes[32], rounded[32];
    for (int k = 0; k < rows->count; k++) {
        const struct conversion *conversion = rows->items[k].subject.conversion;
        if (conversion_state(conversion) == CONVERSION_REFUSED) continue;
        if (!smallest || conversion->size.bytes < smallest->size.bytes) smallest = conversion;
    }
    if (!smallest) return;
    bool large = smallest->size.bytes >= 1024;
    format_bytes(rounded, sizeof rounded, (double)smallest->size.bytes);
    document_note(document, MARK_NONE, "Smallest: %s, %s bytes%s%s%s", smallest->name,
                  format_count(bytes, sizeof bytes, (int64_t)smallest->size.bytes), large ? " (" : "",
                  large ? rounded : "", large ? ")" : "");
}

/* The errors of sizes that are estimated. */
static void add_estimates(struct document *document, const struct rows *rows)
{
    char bytes[32], error[32];
    for (int k = 0; k < rows->count; k++) {
        const struct conversion *conversion = rows->items[k].subject.conversion;
        if (!atomic_load(&conversion->sized) || !(conversion->size.error > 0)) continue;
        document_note(document, MARK_NONE, "%s is estimated from a sample of the rows: %s +- %s",
                      conversion->name, format_bytes(bytes, sizeof bytes, (double)conversion->size.bytes),
                      format_bytes(error, sizeof error, conversion->size.error));
    }
}

/* The reasons of refused formats. Those over the limit share one note, since the table has their sizes.
 * Others that are refused for their size are within this limit: only a pattern requested them, or a rank has
 * less room. */
static void add_refusals(struct document *document, const struct session *session, const struct rows *rows)
{
    const size_t most = memory_limit(session->limit);
    char limit[32];
    bool large = false;
    for (int k = 0; k < rows->count; k++) {
        const struct conversion *conversion = rows->items[k].subject.conversion;
        if (conversion_state(conversion) != CONVERSION_REFUSED) continue;
        const struct format_size *size = &conversion->size;
        bool limited = atomic_load(&conversion->sized) && conversion->refusal.status == STATUS_LIMIT &&
                       (size->peak > most || size->bytes > most);
        large = large || limited;
        if (!limited)
            document_note(document, MARK_BAD, "%s is refused: %s", conversion->name,
                          conversion->refusal.message);
    }
    if (large)
        document_note(document, MARK_BAD, "refused: larger than the limit of %s; --limit=BYTES sets it",
                      format_bytes(limit, sizeof limit, (double)most));
}

static void add_precision(struct document *document, const struct session *session,
                          const struct matrix_case *matrix_case, enum precision precision)
{
    struct rows rows;
    if (rows_of_formats(&matrix_case->conversions, precision, &part_format, &rows) != STATUS_OK)
        document->failed = true;
    if (rows.count > 0) {
        document_section(document, "%s, %s", part_format.title, case_value_name(matrix_case, precision));
        document_table(document, "format", &rows);
        add_smallest(document, &rows);
        add_estimates(document, &rows);
        add_refusals(document, session, &rows);
    }
    rows_free(&rows);
}

/* Add the criteria of the formats in this precision. Returns false if there are none. */
static bool add_criteria(struct document *document, const struct matrix_case *matrix_case,
                         enum precision precision)
{
    struct rows rows;
    if (rows_of_formats(&matrix_case->conversions, precision, &part_criteria, &rows) != STATUS_OK)
        document->failed = true;
    bool any = rows.count > 0;
    if (any) {
        document_section(document, "%s, %s", part_criteria.title, case_value_name(matrix_case, precision));
        document_table(document, "format", &rows);
    }
    rows_free(&rows);
    return any;
}

/* The definitions of the criteria, one line each, except those that criteria_of leaves out. */
static void add_definitions(struct document *document, bool empty)
{
    if (empty)
        document_note(document, MARK_NONE,
                      "Only space is counted: the other criteria would need a pass over rows that are nearly "
                      "all empty.");
    for (const struct column *column = format_columns; column->key; column++)
        if (column->part == &part_criteria && (!empty || strcmp(column->key, "criteria.space") == 0))
            document_note(document, MARK_NONE, "%s: %s", column->heading, column->help);
}

void document_formats(struct document *document, const struct session *session,
                      const struct matrix_case *matrix_case)
{
    add_precision(document, session, matrix_case, PRECISION_F64);
    add_precision(document, session, matrix_case, PRECISION_F32);
    bool f64 = add_criteria(document, matrix_case, PRECISION_F64);
    bool f32 = add_criteria(document, matrix_case, PRECISION_F32);
    if (f64 || f32) add_definitions(document, case_nearly_empty(matrix_case));
}
