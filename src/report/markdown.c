#include "report/markdown.h"

#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "report/document/build.h"
#include "report/report.h"
#include "report/text/text.h"

static void append_words(struct text *text, const char *words)
{
    words_append(text, MEDIUM_MARKDOWN, words);
}

static void append_cell(struct text *text, const char *words)
{
    text_append(text, " ");
    append_words(text, words);
    text_append(text, " |");
}

/* Append the line below a table's heading: `left` left-aligned columns of words, then `right` right-aligned
 * columns of numbers. */
static void append_rule(struct text *text, int left, int right)
{
    text_append(text, "|");
    for (int k = 0; k < left + right; k++)
        text_append(text, k < left ? "---|" : "---:|");
}

static void append_numbers(struct text *text, const struct numbers *numbers)
{
    text_append(text, "\n|");
    append_cell(text, "number");
    for (int k = 0; k < numbers->abreast; k++)
        append_cell(text, numbers->heads[k] ? numbers->heads[k] : "value");
    append_cell(text, "unit");
    text_append(text, "\n");
    append_rule(text, 1, numbers->abreast);
    text_append(text, "---|\n");
    for (int n = 0; n < numbers->count; n++) {
        const struct number *number = &numbers->items[n];
        char value[64];
        text_append(text, "|");
        append_cell(text, number->column->title);
        for (int k = 0; k < numbers->abreast; k++)
            append_cell(text, value_shown(number->column, number->values[k], value, sizeof value));
        append_cell(text, column_unit(number->column));
        text_append(text, "\n");
    }
}

/* A chart becomes a table of the lengths of its bars. */
static void append_chart(struct text *text, const struct chart *chart)
{
    text_append(text, "\n|");
    append_cell(text, chart->label);
    append_cell(text, chart->counted);
    text_append(text, " of all |\n");
    append_rule(text, 0, 3);
    text_append(text, "\n");
    for (int k = 0; k < chart->count; k++) {
        char name[72], count[32];
        const struct range *range = &chart->ranges[k];
        text_append(text, "| %s | %s | %.2f%% |\n", chart->name(range, name, sizeof name),
                    format_count(count, sizeof count, range->count),
                    100.0 * (double)range->count / (double)chart->total);
    }
}

static void append_row(struct text *text, const struct table *table, const struct table_row *row)
{
    char name[192], cell[64], marked[72];
    const char sign[] = {' ', mark_signs[row->mark], 0};
    snprintf(name, sizeof name, "%s%s", row->name, row->mark == MARK_NONE ? "" : sign);
    text_append(text, "|");
    append_cell(text, name);
    for (int c = 0; c < table->column_count; c++) {
        const char mark[] = {mark_signs[row->cells[c].mark], 0};
        value_brief(table->columns[c], row->cells[c].value, (int)sizeof cell, cell, sizeof cell);
        snprintf(marked, sizeof marked, "%s%s", cell, row->cells[c].mark == MARK_NONE ? "" : mark);
        append_cell(text, marked);
    }
    text_append(text, "\n");
}

/* Lines of Markdown may be long: headings are titles with their units, and integers are written in full. */
static void append_table(struct text *text, const struct table *table)
{
    text_append(text, "\n|");
    append_cell(text, table->names);
    for (int c = 0; c < table->column_count; c++) {
        const struct column *column = table->columns[c];
        char heading[192];
        bool bare = column_unit_in_cells(column);
        snprintf(heading, sizeof heading, "%s%s%s", column->title, bare ? "" : ", ",
                 bare ? "" : column_unit(column));
        append_cell(text, heading);
    }
    text_append(text, "\n");
    append_rule(text, 1, table->column_count);
    text_append(text, "\n");
    for (int k = 0; k < table->row_count; k++)
        append_row(text, table, &table->rows[k]);
}

/* A note is an item of a list. */
static void append_note(struct text *text, const struct note *note)
{
    const char sign[] = {mark_signs[note->mark], 0};
    text_append(text, "- ");
    append_words(text, note->mark == MARK_NONE ? "" : sign);
    text_append(text, note->mark == MARK_NONE ? "" : " ");
    append_words(text, note->words);
    text_append(text, "\n");
}

/* Append a block after a blank line; only items of a list have none between them. */
static void append_block(struct text *text, const struct block *block, bool item)
{
    switch (block->kind) {
    case BLOCK_SECTION:
        text_append(text, "\n## ");
        append_words(text, block->words);
        text_append(text, "\n");
        break;
    case BLOCK_NUMBERS:
        append_numbers(text, &block->numbers);
        break;
    case BLOCK_CHART:
        append_chart(text, &block->chart);
        break;
    case BLOCK_TABLE:
        append_table(text, &block->table);
        break;
    case BLOCK_NOTE:
        text_append(text, item ? "" : "\n");
        append_note(text, &block->note);
        break;
    case BLOCK_PARAGRAPH:
        text_append(text, "\n");
        append_words(text, block->words);
        text_append(text, "\n");
        break;
    case BLOCK_ARRAYS: /* arrays look as in plain text */
        text_append(text, "\n```\n");
        text_arrays(text, block->storage, SIZE_MAX);
        text_append(text, "```\n");
        break;
    }
}

static void append_blocks(const struct document *document, struct text *text)
{
    for (int k = 0; k < document->count; k++)
        append_block(text, &document->blocks[k], k && document->blocks[k - 1].kind == BLOCK_NOTE);
    text->failed = text->failed || document->failed;
}

void markdown_write(const struct document *document, struct text *text)
{
    text_append(text, "# ");
    append_words(text, document->title);
    text_append(text, "\n\n");
    append_words(text, document->summary);
    text_append(text, ": ");
    append_words(text, document->source);
    text_append(text, "\n");
    append_blocks(document, text);
}

/* The origin of all matrices comes first, so that the advice comes last. */
static void append_origin(struct report *report, struct text *text)
{
    struct document document = {0};
    report_head(report, &document);
    for (int k = 0; k < document.count; k++)
        append_block(text, &document.blocks[k], true); /* no blank line before the first */
    if (document.count) text_append(text, "\n");
    text->failed = text->failed || document.failed;
    document_free(&document);
}

static enum status markdown_matrix(struct report *report, const struct session *session,
                                   const struct matrix_case *matrix_case, struct text *text)
{
    struct document document = {0};
    if (report->matrices)
        text_append(text, "\n");
    else
        append_origin(report, text);
    report_document(report, session, matrix_case, &document);
    markdown_write(&document, text);
    document_free(&document);
    return STATUS_OK;
}

/* A matrix that could not be read is replaced by its error. */
static enum status markdown_failure(struct report *report, const struct error *failure, struct text *text)
{
    char words[2048];
    text_append(text, "\n**");
    append_words(text, error_text(failure, words, sizeof words));
    text_append(text, "**\n");
    return STATUS_OK;
}

const struct report_format report_format_markdown = {
    .name = "markdown",
    .summary = "headings and tables, as wikis and forges show them",
    .brief = true,
    .matrix = markdown_matrix,
    .failure = markdown_failure,
};
