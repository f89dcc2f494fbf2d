#include "report/text/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/document/build.h"
#include "report/report.h"
#include "report/text/picture.h"

#define TITLE_WIDE 26
#define VALUE_WIDE 16
#define BAR_WIDE 40

/* Words from the command line or a file, without control characters, which must not reach the terminal. */
static void append_words(struct text *text, const char *words, size_t length)
{
    size_t before = text->length;
    text_append_bytes(text, words, length);
    if (text->length > before) text_visible(text->data + before);
}

/* The number of characters of `words` for a line with this room: up to a blank, or else up to and including a
 * comma, or else all that fit. */
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

void text_wrapped(struct text *text, const char *words, int at, int indent)
{
    for (;;) {
        size_t length = line_length(words, (size_t)(REPORT_WIDE - at));
        append_words(text, words, length);
        text_append(text, "\n");
        words += length;
        words += strspn(words, " ");
        if (!*words) return;
        text_append(text, "%*s", indent, "");
        at = indent;
    }
}

static void append_number(struct text *text, const struct number *number, int abreast)
{
    text_append(text, "  %-*s", TITLE_WIDE, number->column->title);
    for (int k = 0; k < abreast; k++) {
        char value[64];
        text_append(text, " %*s", VALUE_WIDE,
                    value_shown(number->column, number->values[k], value, sizeof value));
    }
    text_append(text, "%s%s\n", column_unit(number->column)[0] ? "  " : "", column_unit(number->column));
}

/* The title of the section comes before the heads of the values. */
static void append_numbers(struct text *text, const char *title, const struct numbers *numbers)
{
    if (!numbers->heads[0]) {
        text_append(text, "%s\n", title);
    } else {
        text_append(text, "%-*s", TITLE_WIDE + 2, title);
        for (int k = 0; k < numbers->abreast; k++)
            text_append(text, " %*s", VALUE_WIDE, numbers->heads[k]);
        text_append(text, "\n");
    }
    for (int k = 0; k < numbers->count; k++)
        append_number(text, &numbers->items[k], numbers->abreast);
}

static void append_bar(struct text *text, const struct chart *chart, const struct range *range, int64_t max)
{
    char lengths[72], count[32], bar[BAR_WIDE + 1];
    chart->name(range, lengths, sizeof lengths);
    /* A range that is not empty has at least one mark. */
    int marks = (int)ceil((double)range->count / (double)max * BAR_WIDE);
    memset(bar, '#', (size_t)marks);
    bar[marks] = 0;
    text_append(text, "  %15s  %-*s %11s %6.2f%%\n", lengths, BAR_WIDE, bar,
                format_count(count, sizeof count, range->count),
                100.0 * (double)range->count / (double)chart->total);
}

static void append_chart(struct text *text, const struct chart *chart)
{
    char label[72];
    int64_t max = 1;
    for (int k = 0; k < chart->count; k++)
        if (chart->ranges[k].count > max) max = chart->ranges[k].count;
    snprintf(label, sizeof label, "%s", chart->label);
    label[0] = (char)toupper((unsigned char)label[0]);
    text_append(text, "\n%17s  %-*s %11s %7s\n", label, BAR_WIDE, "", chart->counted, "of all");
    for (int k = 0; k < chart->count; k++)
        append_bar(text, chart, &chart->ranges[k], max);
}

/* A block with the title of the section that it begins, or with none. */
static void append_block(struct text *text, const char *title, const struct block *block)
{
    bool takes_title = block->kind == BLOCK_NUMBERS || block->kind == BLOCK_TABLE;
    if (title && !takes_title) text_append(text, "%s\n", title);
    switch (block->kind) {
    case BLOCK_SECTION:
        text_append(text, "\n");
        break;
    case BLOCK_NUMBERS:
        append_numbers(text, title ? title : "", &block->numbers);
        break;
    case BLOCK_CHART:
        append_chart(text, &block->chart);
        break;
    case BLOCK_TABLE:
        text_table(text, title ? title : "", &block->table);
        break;
    case BLOCK_NOTE:
        text_append(text, "%c ", mark_signs[block->note.mark]);
        text_wrapped(text, block->note.words, 2, 4);
        break;
    case BLOCK_PARAGRAPH:
        text_append(text, "  ");
        text_wrapped(text, block->words, 2, 2);
        break;
    case BLOCK_ARRAYS:
        text_arrays(text, block->storage, SIZE_MAX);
        break;
    }
}

static void append_line(struct text *text, const char *words)
{
    append_words(text, words, strlen(words));
    text_append(text, "\n");
}

static void append_heading(const struct document *document, struct text *text)
{
    static const char rule[] = "========================================"
                               "========================================";
    append_line(text, document->title);
    append_line(text, rule);
    append_line(text, document->summary);
    append_line(text, document->source);
}

static void append_blocks(const struct document *document, struct text *text)
{
    const char *title = NULL;
    for (int k = 0; k < document->count; k++) {
        const struct block *block = &document->blocks[k];
        append_block(text, title, block);
        title = block->kind == BLOCK_SECTION ? block->words : NULL;
    }
    if (title) append_line(text, title);
    text->failed = text->failed || document->failed;
}

void text_write(const struct document *document, struct text *text)
{
    append_heading(document, text);
    append_blocks(document, text);
}

void report_text(const struct session *session, struct text *text)
{
    struct document document = {0};
    document_build(&document, session, session->shown);
    text_write(&document, text);
    document_free(&document);
}

/* The origin of all matrices comes first, so that the advice comes last. */
static void append_origin(struct report *report, struct text *text)
{
    struct document document = {0};
    report_head(report, &document);
    append_blocks(&document, text);
    if (document.count) text_append(text, "\n");
    document_free(&document);
}

static enum status text_matrix(struct report *report, const struct session *session,
                               const struct matrix_case *matrix_case, struct text *text)
{
    struct document document = {0};
    enum status status = STATUS_OK;
    if (report->matrices)
        text_append(text, "\n\n");
    else
        append_origin(report, text);
    report_document(report, session, matrix_case, &document);
    append_heading(&document, text);
    if (report->picture != REPORT_NO_PICTURE)
        status = text_picture(session, matrix_case, report->picture == REPORT_ASCII, text);
    append_blocks(&document, text);
    document_free(&document);
    return status;
}

/* Errors are on standard error alone: the text covers the matrices that could be read. */
const struct report_format report_format_text = {
    .name = "text",
    .summary = "for people, 80 columns wide",
    .brief = true,
    .matrix = text_matrix,
};
