/* The blocks of a document as HTML. */
#include <stdio.h>
#include <string.h>

#include "report/html/html.h"
#include "report/text/text.h"

/* Maximum bytes of the end of a table and of all blocks. */
#define ENDS 2000

/* Maximum bytes of words from files, and of the arrays of one format. Tables with more than ROWS_TALL rows
 * scroll within the page. */
#define WORDS_MAX 4000
#define ARRAYS_MAX 200000
#define ROWS_TALL 40

struct writer {
    struct text *text;
    size_t end;                /* maximum length of the text */
    const char *section;       /* the title of the section; NULL if none is open */
    bool list;                 /* notes are being written */
    bool flow;                 /* narrow sections are written beside each other */
    const struct text *beside; /* appended after the first of these; NULL if it was appended */
    int left_out;              /* number of omitted blocks */
};

/* True if this number of bytes can still be appended. */
static bool has_room(const struct writer *writer, size_t bytes)
{
    return writer->text->length + bytes + ENDS <= writer->end;
}

static void put(struct writer *writer, const char *mark_up)
{
    text_append(writer->text, "%s", mark_up);
}

static void put_words(struct writer *writer, const char *words)
{
    html_words(writer->text, words);
}

static void put_mark(struct writer *writer, enum mark mark)
{
    if (mark == MARK_NONE) return;
    text_append(writer->text, " <b class=\"mark%s\">%c</b>", mark == MARK_BAD ? " bad" : "",
                mark_signs[mark]);
}

/* Append a title with its definition. */
static void put_title(struct writer *writer, const struct column *column)
{
    if (!column->help) {
        put_words(writer, column->title);
        return;
    }
    put(writer, "<abbr title=\"");
    put_words(writer, column->help);
    put(writer, "\">");
    put_words(writer, column->title);
    put(writer, "</abbr>");
}

static void put_numbers(struct writer *writer, const struct numbers *numbers)
{
    char value[192];
    put(writer, "<table class=\"numbers\">\n");
    if (numbers->heads[0]) {
        put(writer, "<thead><tr><td></td>");
        for (int k = 0; k < numbers->abreast; k++)
            text_append(writer->text, "<th scope=\"col\">%s</th>", numbers->heads[k]);
        put(writer, "<td></td></tr></thead>\n");
    }
    put(writer, "<tbody>\n");
    for (int n = 0; n < numbers->count; n++) {
        const struct number *number = &numbers->items[n];
        put(writer, "<tr><th scope=\"row\">");
        put_title(writer, number->column);
        put(writer, "</th>");
        for (int k = 0; k < numbers->abreast; k++) {
            put(writer, "<td>");
            put_words(writer, value_shown(number->column, number->values[k], value, sizeof value));
            put(writer, "</td>");
        }
        put(writer, "<td class=\"unit\">");
        put_words(writer, column_unit(number->column));
        put(writer, "</td></tr>\n");
    }
    put(writer, "</tbody></table>\n");
}

static void put_chart(struct writer *writer, const struct chart *chart)
{
    int64_t most = 1;
    for (int k = 0; k < chart->count; k++)
        if (chart->ranges[k].count > most) most = chart->ranges[k].count;
    put(writer, "<table class=\"chart\">\n<thead><tr><th scope=\"col\">");
    put_words(writer, chart->label);
    put(writer, "</th><td></td><th scope=\"col\">");
    put_words(writer, chart->counted);
    put(writer, "</th><th scope=\"col\">of all</th></tr></thead>\n<tbody>\n");
    for (int k = 0; k < chart->count; k++) {
        char name[72], count[32];
        const struct range *range = &chart->ranges[k];
        text_append(writer->text,
                    "<tr><td>%s</td><td class=\"bar\" style=\"--part:%.2f%%\"></td><td>%s</td>"
                    "<td>%.2f%%</td></tr>\n",
                    chart->name(range, name, sizeof name), 100 * (double)range->count / (double)most,
                    format_count(count, sizeof count, range->count),
                    100 * (double)range->count / (double)chart->total);
    }
    put(writer, "</tbody></table>\n");
}

/* True if the cells of a column are words, which are left-aligned. */
static bool has_words(const struct column *column)
{
    return column->type == VALUE_TEXT || column->type == VALUE_PARAMETERS;
}

static void put_heading(struct writer *writer, const struct column *column, bool further)
{
    text_append(writer->text, "<th scope=\"col\"%s%s title=\"",
                further && has_words(column) ? " class=\"more words\""
                : further                    ? " class=\"more\""
                : has_words(column)          ? " class=\"words\""
                                             : "",
                column->largest_first ? " data-largest=\"\"" : "");
    put_words(writer, column->help ? column->help : column->title);
    put(writer, "\">");
    put_words(writer, column->title);
    if (!column_unit_in_cells(column)) {
        put(writer, " <small>");
        put_words(writer, column_unit(column));
        put(writer, "</small>");
    }
    put(writer, "</th>");
}

/* A cell with a number also has the exact value to sort by, since the displayed one is rounded. */
static void put_cell(struct writer *writer, const struct column *column, const struct table_cell *cell,
                     bool further)
{
    char written[192], exact[32];
    const struct value value = cell->value;
    put(writer, further && has_words(column) ? "<td class=\"more words\""
                : further                    ? "<td class=\"more\""
                : has_words(column)          ? "<td class=\"words\""
                                             : "<td");
    if (value.type == VALUE_INTEGER) text_append(writer->text, " data-v=\"%lld\"", (long long)value.integer);
    if (value.type == VALUE_REAL)
        text_append(writer->text, " data-v=\"%s\"", format_exact(exact, sizeof exact, value.real));
    put(writer, ">");
    if (value.type == VALUE_TEXT)
        put_words(writer, value.text);
    else
        put_words(writer, value_brief(column, value, (int)sizeof written, written, sizeof written));
    put_mark(writer, cell->mark);
    put(writer, "</td>");
}

static void put_row(struct writer *writer, const struct table *table, const struct table_row *row)
{
    put(writer, "<tr><th scope=\"row\">");
    put_words(writer, row->name);
    put_mark(writer, row->mark);
    put(writer, "</th>");
    for (int c = 0; c < table->column_count + table->further_count; c++)
        put_cell(writer, table->columns[c], &row->cells[c], c >= table->column_count);
    put(writer, "</tr>\n");
}

/* Rows are written as long as there is room. A table takes at most half of the room, which leaves some for
 * later tables. The number of omitted rows stands below the table. */
static void put_table(struct writer *writer, const struct table *table)
{
    int all = table->column_count + table->further_count, rows = 0;
    size_t end = writer->text->length + (writer->end - writer->text->length) / 2;
    char count[32];
    put(writer, "<div class=\"list\">\n");
    if (table->further_count > 0)
        text_append(writer->text, "<label><input type=\"checkbox\" class=\"all\"> all %d columns</label>\n",
                    all);
    text_append(writer->text, "<div class=\"scroll%s\" tabindex=\"0\" role=\"region\" aria-label=\"",
                table->row_count > ROWS_TALL ? " tall" : "");
    put_words(writer, writer->section ? writer->section : table->names);
    put(writer, "\">\n<table class=\"sort\">\n<thead><tr><th scope=\"col\">");
    put_words(writer, table->names);
    put(writer, "</th>");
    for (int c = 0; c < all; c++)
        put_heading(writer, table->columns[c], c >= table->column_count);
    put(writer, "</tr></thead>\n<tbody>\n");
    for (; rows < table->row_count; rows++) {
        size_t before = writer->text->length;
        put_row(writer, table, &table->rows[rows]);
        if (writer->text->length <= end || writer->text->failed) continue;
        text_cut(writer->text, before);
        break;
    }
    put(writer, "</tbody></table>\n</div>\n");
    if (rows < table->row_count)
        text_append(
            writer->text,
            "<p class=\"bad\">%s more rows do not fit here; a report with --format=json has them.</p>\n",
            format_count(count, sizeof count, table->row_count - rows));
    put(writer, "</div>\n");
}

/* Words of at most WORDS_MAX bytes. */
static void put_limited(struct writer *writer, const char *words)
{
    html_words_most(writer->text, words, WORDS_MAX);
}

static void put_note(struct writer *writer, const struct note *note)
{
    if (note->mark == MARK_NONE)
        put(writer, "<li>");
    else
        put(writer, note->mark == MARK_BAD ? "<li class=\"marked bad\">" : "<li class=\"marked\">");
    put_mark(writer, note->mark);
    if (note->mark != MARK_NONE) put(writer, " ");
    put_limited(writer, note->words);
    put(writer, "</li>\n");
}

/* Append lines; `lines` is split in place. */
static void put_lines(struct writer *writer, char *lines)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        bool ended = lines[length] == '\n';
        lines[length] = 0;
        put_words(writer, lines);
        put(writer, "\n");
        lines += length + ended;
    }
}

/* Arrays look as in plain text, with as many lines as there is room for. */
static void put_arrays(struct writer *writer, const struct storage *storage)
{
    struct text arrays = {0};
    text_arrays(&arrays, storage, ARRAYS_MAX);
    size_t most = arrays.length < ARRAYS_MAX ? arrays.length : ARRAYS_MAX;
    if (!has_room(writer, most)) most = 0;
    while (most > 0 && most < arrays.length && arrays.data[most - 1] != '\n')
        most--;
    bool whole = most == arrays.length;
    text_cut(&arrays, most);
    put(writer, "<pre tabindex=\"0\">\n");
    if (most > 0) put_lines(writer, arrays.data);
    put(writer, "</pre>\n");
    if (!whole)
        put(writer,
            "<p class=\"bad\">The rest of these arrays does not fit here; a report as text has it.</p>\n");
    if (arrays.failed) writer->text->failed = true;
    text_free(&arrays);
}

static void end_list(struct writer *writer)
{
    if (writer->list) put(writer, "</ul>\n");
    writer->list = false;
}

static void end_section(struct writer *writer)
{
    end_list(writer);
    if (writer->section) put(writer, "</section>\n");
    writer->section = NULL;
}

/* True if the blocks up to the next section need the whole width. */
static bool is_broad(const struct document *document, int k)
{
    for (k++; k < document->count && document->blocks[k].kind != BLOCK_SECTION; k++)
        if (document->blocks[k].kind == BLOCK_TABLE || document->blocks[k].kind == BLOCK_ARRAYS) return true;
    return false;
}

static void set_flow(struct writer *writer, bool flow)
{
    if (flow == writer->flow) return;
    if (!flow && writer->beside)
        text_append_bytes(writer->text, writer->beside->data, writer->beside->length);
    writer->beside = NULL;
    put(writer, flow ? "<div class=\"flow\">\n" : "</div>\n");
    writer->flow = flow;
}

static void begin_section(struct writer *writer, const struct document *document, int k)
{
    const char *title = document->blocks[k].words;
    end_section(writer);
    set_flow(writer, !is_broad(document, k));
    put(writer, "<section><h3>");
    put_words(writer, title);
    put(writer, "</h3>\n");
    writer->section = title;
}

/* Maximum bytes of a block without rows or lines to omit. */
static size_t bytes_of(const struct block *block)
{
    const size_t escaped = 6; /* bytes that one becomes */
    switch (block->kind) {
    case BLOCK_SECTION:
        return 200 + escaped * strlen(block->words);
    case BLOCK_NUMBERS:
        return 500 + (size_t)block->numbers.count * 1000;
    case BLOCK_CHART:
        return 500 + (size_t)block->chart.count * 300;
    case BLOCK_TABLE:
        return 500 + (size_t)(block->table.column_count + block->table.further_count) * 600;
    case BLOCK_NOTE:
    case BLOCK_PARAGRAPH:
    case BLOCK_ARRAYS:
        return escaped * WORDS_MAX;
    }
    return 0;
}

static void put_block(struct writer *writer, const struct document *document, int k)
{
    const struct block *block = &document->blocks[k];
    if (!has_room(writer, bytes_of(block))) {
        writer->left_out++;
        return;
    }
    if (block->kind != BLOCK_NOTE) end_list(writer);
    switch (block->kind) {
    case BLOCK_SECTION:
        begin_section(writer, document, k);
        break;
    case BLOCK_NUMBERS:
        put_numbers(writer, &block->numbers);
        break;
    case BLOCK_CHART:
        put_chart(writer, &block->chart);
        break;
    case BLOCK_TABLE:
        put_table(writer, &block->table);
        break;
    case BLOCK_NOTE:
        if (!writer->list) put(writer, "<ul>\n");
        writer->list = true;
        put_note(writer, &block->note);
        break;
    case BLOCK_PARAGRAPH:
        put(writer, "<p>");
        put_limited(writer, block->words);
        put(writer, "</p>\n");
        break;
    case BLOCK_ARRAYS:
        put_arrays(writer, block->storage);
        break;
    }
}

void html_blocks(const struct document *document, const struct text *beside, struct text *text)
{
    struct writer writer = {.text = text,
                            .end = text->length + beside->length + HTML_BLOCKS_MAX,
                            .flow = true,
                            .beside = beside->length ? beside : NULL};
    for (int k = 0; k < document->count && !text->failed; k++)
        put_block(&writer, document, k);
    end_section(&writer);
    set_flow(&writer, false);
    if (writer.left_out > 0)
        text_append(
            text,
            "<p class=\"bad\">%d more parts of the report do not fit here; a report as text has them.</p>\n",
            writer.left_out);
}

/* The definitions of a part's columns, under its title. */
static void define_part(struct text *text, const struct column *table, const struct column_part *part)
{
    text_append(text, "<h4>");
    html_words(text, part->title);
    text_append(text, "</h4>\n<dl>\n");
    for (const struct column *column = column_first(table, part); column; column = column_next(column)) {
        text_append(text, "<dt>");
        html_words(text, column->title);
        if (column_unit(column)[0]) text_append(text, " <small>");
        html_words(text, column_unit(column));
        text_append(text, column_unit(column)[0] ? "</small></dt><dd>" : "</dt><dd>");
        html_words(text, column->help);
        text_append(text, "</dd>\n");
    }
    text_append(text, "</dl>\n");
}

void html_definitions(struct text *text)
{
    static const struct column_part *const of_matrix[] = {
        &part_matrix, &part_structure,      &part_dense_blocks, &part_blocks,      &part_cholesky,
        &part_qr,     &part_lower_triangle, &part_colours,      &part_row_lengths, &part_values};
    text_append(text, "<details><summary>Definitions of the numbers</summary>\n");
    for (size_t k = 0; k < sizeof of_matrix / sizeof *of_matrix; k++)
        define_part(text, columns, of_matrix[k]);
    define_part(text, rounding_columns, &part_rounding);
    define_part(text, spgemm_columns, &part_spgemm);
    define_part(text, solve_columns, &part_solve);
    define_part(text, solve_columns, &part_solve_time);
    define_part(text, solve_columns, &part_solve_best);
    define_part(text, solve_kernel_columns, &part_solve_kernels);
    define_part(text, trisolve_columns, &part_trisolve);
    define_part(text, format_columns, &part_format);
    define_part(text, format_columns, &part_criteria);
    for (const struct column_part *const *part = kernel_parts; *part; part++)
        define_part(text, kernel_columns, *part);
    text_append(text, "</details>\n");
}
