/* The report as Markdown with tables, as wikis and forges show it. */
#include <stdio.h>
#include <string.h>

#include "columns/columns.h"
#include "report/parts.h"
#include "report/ranges.h"
#include "report/report.h"
#include "report/table.h"

/* Words that mean nothing to Markdown: its marks escaped, control characters replaced. */
static void append_words(struct text *text, const char *words)
{
    struct text plain = {0};
    text_append(&plain, "%s", words);
    for (const char *c = plain.data ? text_visible(plain.data) : ""; *c; c++)
        text_append(text, strchr("\\`*_{}[]<>#|~&$", *c) ? "\\%c" : "%c", *c);
    text->failed = text->failed || plain.failed;
    text_free(&plain);
}

static void append_cell(struct text *text, const char *words)
{
    text_append(text, " ");
    append_words(text, words);
    text_append(text, " |");
}

static void append_line(struct text *text, const struct column *column, const struct session *session)
{
    char value[64];
    text_append(text, "|");
    append_cell(text, column->title);
    append_cell(text, value_text(column_value(column, session->shown), value, sizeof value));
    append_cell(text, column->unit);
    text_append(text, "\n");
}

static void append_group(struct text *text, const struct session *session, const struct column_part *part)
{
    text_append(text, "\n## %s\n\n| number | value | unit |\n|---|---:|---|\n", part->title);
    for (const struct column *column = column_first(columns, part); column; column = column_next(column))
        if (column->type != VALUE_TEXT) append_line(text, column, session);
}

static void append_histogram(struct text *text, const struct lengths *lengths)
{
    struct range ranges[RANGES_MAX] = {0};
    char name[72], count[32];
    if (lengths->lines == 0) return;
    int all = ranges_of(lengths, ranges);
    text_append(text, "\n| row length | rows | of all |\n|---:|---:|---:|\n");
    for (int k = 0; k < all; k++)
        text_append(text, "| %s | %s | %.2f%% |\n", range_name(&ranges[k], name, sizeof name),
                    format_count(count, sizeof count, ranges[k].count),
                    100.0 * (double)ranges[k].count / (double)lengths->lines);
}

/* The columns that plain text has, with their titles and units. */
static void append_table(struct text *text, const char *title, const struct rows *rows)
{
    const struct column *column;
    text_append(text, "|");
    append_cell(text, title);
    for (column = rows->columns; column->key; column++) {
        if (!rows_show(rows, column)) continue;
        bool bare = column_unit_in_cells(column);
        text_append(text, " %s%s%s |", column->title, bare ? "" : ", ", bare ? "" : column->unit);
    }
    text_append(text, "\n|---|");
    for (column = rows->columns; column->key; column++)
        if (rows_show(rows, column)) text_append(text, "---:|");
    text_append(text, "\n");
    for (int k = 0; k < rows->count; k++) {
        const struct row *row = &rows->items[k];
        char cell[64], name[192];
        snprintf(name, sizeof name, "%s%s%c", row->name, row->mark == ' ' ? "" : " ",
                 row->mark == ' ' ? 0 : row->mark);
        text_append(text, "|");
        append_cell(text, name);
        for (column = rows->columns; column->key; column++)
            if (rows_show(rows, column))
                append_cell(text, row_cell(row, column, (int)sizeof cell, cell, sizeof cell));
        text_append(text, "\n");
    }
}

static void append_refusals(struct text *text, const struct rows *rows)
{
    for (int k = 0; k < rows->count; k++) {
        const struct conversion *conversion = rows->items[k].subject.conversion;
        if (conversion_state(conversion) != CONVERSION_REFUSED) continue;
        text_append(text, "%s- ", k ? "" : "\n");
        append_words(text, conversion->name);
        text_append(text, " is refused: ");
        append_words(text, conversion->refusal.message);
        text_append(text, "\n");
    }
}

static void append_format_tables(struct text *text, const struct session *session)
{
    static const enum precision precisions[] = {PRECISION_F64, PRECISION_F32};
    for (int p = 0; p < 2; p++) {
        struct rows rows;
        if (rows_of_formats(session, precisions[p], &rows) != STATUS_OK) text->failed = true;
        if (rows.count > 0) {
            text_append(text, "\n## Formats, %s\n\n", precision_name(precisions[p]));
            append_table(text, "format", &rows);
            append_refusals(text, &rows);
        }
        rows_free(&rows);
    }
}

/* An item of a list. */
static void append_item(struct text *text, char mark, const char *words)
{
    const char marked[] = {mark, 0};
    text_append(text, "- ");
    append_words(text, mark == ' ' ? "" : marked);
    text_append(text, mark == ' ' ? "" : " ");
    append_words(text, words);
    text_append(text, "\n");
}

static void append_part_table(struct text *text, const struct session *session, enum precision precision,
                              const struct column_part *part)
{
    char title[32];
    struct rows rows;
    if (rows_of_part(session, precision, part, &rows) != STATUS_OK) text->failed = true;
    if (rows.count > 0) {
        part_title(part, precision, title, sizeof title);
        text_append(text, "\n### %s\n\n", title);
        append_table(text, "kernel", &rows);
        text_append(text, "\n");
        say_part(text, session, &rows, append_item);
    }
    rows_free(&rows);
}

static void append_kernel_tables(struct text *text, const struct session *session)
{
    static const enum precision precisions[] = {PRECISION_F64, PRECISION_F32};
    if (session->shown->results.count == 0) return;
    text_append(text, "\n## Kernels\n\n");
    say_timing(text, session, append_item);
    for (int p = 0; p < 2; p++) {
        struct rows rows;
        if (rows_of_kernels(session, precisions[p], &rows) != STATUS_OK) text->failed = true;
        if (rows.count > 0) {
            text_append(text, "\n### %s\n\n", precision_name(precisions[p]));
            append_table(text, "kernel", &rows);
            text_append(text, "\n");
        }
        say_outcome(text, session, precisions[p], append_item);
        rows_free(&rows);
        append_part_table(text, session, precisions[p], &part_estimate);
        append_part_table(text, session, precisions[p], &part_cmrs);
    }
}

/* Rows and columns side by side. */
static void append_lengths(struct text *text, const struct session *session)
{
    const struct column *column = column_first(columns, &part_row_lengths),
                        *twin = column_first(columns, &part_col_lengths);
    text_append(text, "\n## Lengths\n\n| number | rows | columns | unit |\n|---|---:|---:|---|\n");
    for (; column; column = column_next(column), twin = column_next(twin)) {
        char value[64];
        text_append(text, "|");
        append_cell(text, column->title);
        append_cell(text, value_text(column_value(column, session->shown), value, sizeof value));
        append_cell(text, value_text(column_value(twin, session->shown), value, sizeof value));
        append_cell(text, column->unit);
        text_append(text, "\n");
    }
}

/* What is printed element by element stays as plain text has it. */
static void append_array_block(struct text *text, const struct session *session)
{
    int k = 0;
    if (!report_shown(session, &k)) return;
    text_append(text, "\n## Arrays\n\n```");
    append_arrays(text, session);
    text_append(text, "```\n");
}

static void append_heading(struct text *text, const struct session *session)
{
    const struct matrix *matrix = &session->shown->matrix;
    char rows[32], cols[32];
    text_append(text, "# ");
    append_words(text, matrix->name);
    text_append(text, "\n\n%s x %s, %s %s: ", format_count(rows, sizeof rows, matrix->csr.rows),
                format_count(cols, sizeof cols, matrix->csr.cols), field_name(matrix->field),
                symmetry_name(matrix->symmetry));
    append_words(text, matrix->path);
    text_append(text, "\n");
}

static enum status markdown_matrix(struct report *report, const struct session *session, struct text *text)
{
    if (report->matrices) text_append(text, "\n");
    append_heading(text, session);
    append_group(text, session, &part_matrix);
    append_group(text, session, &part_structure);
    append_lengths(text, session);
    append_histogram(text, &session->shown->row_lengths);
    append_format_tables(text, session);
    append_kernel_tables(text, session);
    append_array_block(text, session);
    return STATUS_OK;
}

/* A matrix that could not be read is told of in its place. */
static enum status markdown_failure(struct report *report, const struct error *failure, struct text *text)
{
    char words[2048];
    (void)report;
    text_append(text, "\n**");
    append_words(text, error_text(failure, words, sizeof words));
    text_append(text, "**\n");
    return STATUS_OK;
}

static enum status markdown_end(struct report *report, struct text *text)
{
    (void)report;
    (void)text;
    return STATUS_OK;
}

const struct report_format report_format_markdown = {
    .name = "markdown",
    .summary = "headings and tables, as wikis and forges show them",
    .matrix = markdown_matrix,
    .failure = markdown_failure,
    .end = markdown_end,
};
