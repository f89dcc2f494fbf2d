/* The report for people: REPORT_WIDE columns of plain characters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "columns/columns.h"
#include "report/parts.h"
#include "report/ranges.h"
#include "report/report.h"

#define TITLE_WIDE 26
#define VALUE_WIDE 16
#define BAR_WIDE 40

/* Words from the command line or a file: no control characters reach the terminal. */
static void append_words(struct text *text, const char *words)
{
    size_t before = text->length;
    text_append(text, "%s", words);
    if (text->length > before) text_visible(text->data + before);
}

/* Characters of `words` that stay on a line with this much room: up to a blank, if there is none up to a
 * comma and with it, else all that fit. */
static size_t line_length(const char *words, size_t room)
{
    size_t blank = 0, comma = 0;
    if (strlen(words) <= room) return strlen(words);
    for (size_t k = 0; k <= room; k++) {
        if (words[k] == ' ') blank = k;
        if (words[k] == ',' && k < room) comma = k + 1;
    }
    return blank ? blank : comma ? comma : room;
}

void append_wrapped(struct text *text, const char *words, int at, int indent)
{
    for (;;) {
        size_t length = line_length(words, (size_t)(REPORT_WIDE - at));
        text_append_bytes(text, words, length);
        text_append(text, "\n");
        words += length;
        words += strspn(words, " ");
        if (!*words) return;
        text_append(text, "%*s", indent, "");
        at = indent;
    }
}

static void append_line(struct text *text, const struct column *column, const struct session *session)
{
    char value[64];
    value_text(column_value(column, session->shown), value, sizeof value);
    text_append(text, "  %-*s %*s%s%s\n", TITLE_WIDE, column->title, VALUE_WIDE, value,
                column->unit[0] ? "  " : "", column->unit);
}

/* All columns of a group, one a line. */
static void append_group(struct text *text, const struct session *session, const struct column_part *part)
{
    text_append(text, "\n%s\n", part->title);
    for (const struct column *column = column_first(columns, part); column; column = column_next(column))
        if (column->type != VALUE_TEXT) append_line(text, column, session);
}

/* Row and column lengths have the same numbers: they stand side by side. */
static void append_lengths(struct text *text, const struct session *session)
{
    const struct column *column = column_first(columns, &part_row_lengths),
                        *twin = column_first(columns, &part_col_lengths);
    text_append(text, "\n%-*s %*s %*s\n", TITLE_WIDE + 2, "Lengths", VALUE_WIDE, "rows", VALUE_WIDE,
                "columns");
    for (; column; column = column_next(column), twin = column_next(twin)) {
        char row[64], col[64];
        value_text(column_value(column, session->shown), row, sizeof row);
        value_text(column_value(twin, session->shown), col, sizeof col);
        text_append(text, "  %-*s %*s %*s%s%s\n", TITLE_WIDE, column->title, VALUE_WIDE, row, VALUE_WIDE, col,
                    column->unit[0] ? "  " : "", column->unit);
    }
}

static void append_range(struct text *text, const struct range *range, int64_t max, int64_t lines)
{
    char lengths[72], count[32], bar[BAR_WIDE + 1];
    range_name(range, lengths, sizeof lengths);
    /* A range that is not empty is seen: at least one mark. */
    int marks = (int)ceil((double)range->count / (double)max * BAR_WIDE);
    memset(bar, '#', (size_t)marks);
    bar[marks] = 0;
    text_append(text, "  %15s  %-*s %11s %6.2f%%\n", lengths, BAR_WIDE, bar,
                format_count(count, sizeof count, range->count),
                100.0 * (double)range->count / (double)lines);
}

static void append_histogram(struct text *text, const struct lengths *lengths)
{
    struct range ranges[RANGES_MAX] = {0};
    if (lengths->lines == 0) return;
    int count = ranges_of(lengths, ranges);
    int64_t max = 1;
    for (int k = 0; k < count; k++)
        if (ranges[k].count > max) max = ranges[k].count;
    text_append(text, "\n%17s  %-*s %11s %7s\n", "Row length", BAR_WIDE, "", "rows", "of all");
    for (int k = 0; k < count; k++)
        append_range(text, &ranges[k], max, lengths->lines);
}

static void append_heading(struct text *text, const struct session *session)
{
    static const char rule[] = "========================================"
                               "========================================";
    const struct matrix *matrix = &session->shown->matrix;
    char rows[32], cols[32];
    append_words(text, matrix->name);
    text_append(text, "\n%s\n%s x %s, %s %s\n", rule, format_count(rows, sizeof rows, matrix->csr.rows),
                format_count(cols, sizeof cols, matrix->csr.cols), field_name(matrix->field),
                symmetry_name(matrix->symmetry));
    append_words(text, matrix->path);
    text_append(text, "\n");
}

void report_text(const struct session *session, struct text *text)
{
    append_heading(text, session);
    append_group(text, session, &part_matrix);
    append_group(text, session, &part_structure);
    append_lengths(text, session);
    append_histogram(text, &session->shown->row_lengths);
    append_formats(text, session);
    append_kernels(text, session);
    append_arrays(text, session);
}

static enum status text_matrix(struct report *report, const struct session *session, struct text *text)
{
    if (report->matrices) text_append(text, "\n\n");
    report_text(session, text);
    return STATUS_OK;
}

/* Errors are told on standard error; the text is about what could be read. */
static enum status text_failure(struct report *report, const struct error *failure, struct text *text)
{
    (void)report;
    (void)failure;
    (void)text;
    return STATUS_OK;
}

static enum status text_end(struct report *report, struct text *text)
{
    (void)report;
    (void)text;
    return STATUS_OK;
}

const struct report_format report_format_text = {
    .name = "text",
    .summary = "for people, 80 columns wide",
    .matrix = text_matrix,
    .failure = text_failure,
    .end = text_end,
};
