/* Tables from several reports as a page, with the pictures of a survey and a list of its matrices. */
#include <limits.h>
#include <string.h>

#include "drawing/picture.h"
#include "drawing/svg.h"
#include "report/charts/charts.h"
#include "report/html/html.h"
#include "report/records/collection.h"
#include "report/records/sheets.h"

/* The size of pictures in pixels, and maximum bytes; a larger one is omitted. */
#define CHART_WIDE 640
#define CHART_HIGH 460
#define CHART_BYTES 2000000

/* Tables with more rows scroll within the page. */
#define ROWS_TALL 40

/* Columns of words are left-aligned; the first one heads its row. */
static void put_heading(struct text *text, const char *title, const char *help, bool words)
{
    text_append(text, "<th scope=\"col\"%s title=\"", words ? " class=\"words\"" : "");
    html_words(text, help);
    text_append(text, "\">");
    html_words(text, title);
    text_append(text, "</th>");
}

static void begin_table(struct text *text, const char *title, int rows)
{
    text_append(text, "<section><h3>");
    html_words(text, title);
    text_append(text, "</h3>\n<div class=\"scroll%s\" tabindex=\"0\" role=\"region\" aria-label=\"",
                rows > ROWS_TALL ? " tall" : "");
    html_words(text, title);
    text_append(text, "\">\n<table class=\"sort\">\n<thead><tr>");
}

static void end_table(struct text *text)
{
    text_append(text, "</tbody></table>\n</div>\n");
}

/* A number also has its exact value to sort by. */
static void put_cell(struct text *text, const struct column *column, const struct value *value, bool first)
{
    char written[192], exact[32];
    const bool words = column->type == VALUE_TEXT;
    text_append(text, "<%s", first ? "th scope=\"row\"" : words ? "td class=\"words\"" : "td");
    if (value->type == VALUE_INTEGER) text_append(text, " data-v=\"%lld\"", (long long)value->integer);
    if (value->type == VALUE_REAL)
        text_append(text, " data-v=\"%s\"", format_exact(exact, sizeof exact, value->real));
    text_append(text, ">");
    if (value->type == VALUE_TEXT)
        html_words(text, value->text);
    else
        html_words(text, value_brief(column, *value, INT_MAX, written, sizeof written));
    text_append(text, first ? "</th>" : "</td>");
}

static void put_notes(struct text *text, const struct sheet *sheet)
{
    if (!sheet->notes.length) return;
    text_append(text, "<ul>\n");
    for (const char *line = sheet->notes.data; *line;) {
        const size_t length = strcspn(line, "\n");
        text_append(text, "<li>");
        words_append_most(text, MEDIUM_XML, line, length);
        text_append(text, "</li>\n");
        line += length + (line[length] == '\n');
    }
    text_append(text, "</ul>\n");
}

static void put_table(struct text *text, const struct sheet *sheet)
{
    const int first = sheet->first_hidden;
    begin_table(text, sheet->title, sheet->count / sheet->wide);
    for (int c = first; c < sheet->wide; c++)
        put_heading(text, sheet->columns[c].heading, sheet->columns[c].help,
                    sheet->columns[c].type == VALUE_TEXT);
    text_append(text, "</tr></thead>\n<tbody>\n");
    for (int k = 0; k < sheet->count; k++) {
        const int c = k % sheet->wide;
        if (c == 0) text_append(text, "<tr>");
        if (c >= first) put_cell(text, &sheet->columns[c], &sheet->cells[k], c == first);
        if (c == sheet->wide - 1) text_append(text, "</tr>\n");
    }
    end_table(text);
    put_notes(text, sheet);
    text_append(text, "</section>\n");
}

/* Append a tall sheet: a line for each cell that is not missing. */
static void put_tall(struct text *text, const struct sheet *sheet)
{
    text_append(text, "<section><h3>");
    html_words(text, sheet->title);
    text_append(text, "</h3>\n<dl>\n");
    for (int k = 0; k < sheet->count; k++) {
        if (sheet->cells[k].type != VALUE_TEXT) continue;
        text_append(text, "<dt>");
        html_words(text, sheet->columns[k % sheet->wide].heading);
        text_append(text, "</dt><dd>");
        html_words(text, sheet->cells[k].text);
        text_append(text, "</dd>\n");
    }
    text_append(text, "</dl>\n</section>\n");
}

/* The pictures of a survey that have something to show. */
static void put_charts(struct text *text, const struct sheets *sheets)
{
    static const struct picture_form svg = {"svg", "", picture_svg};
    struct text charts = {0};
    for (int k = 0; sheet_charts[k]; k++) {
        struct text chart = {0};
        const enum status status = sheet_chart_write(sheet_charts[k], sheets->collection, sheets, &svg,
                                                     CHART_WIDE, CHART_HIGH, true, &chart, NULL);
        charts.failed = charts.failed || status == STATUS_MEMORY;
        if (status == STATUS_OK && chart.length <= CHART_BYTES) {
            text_append(&charts, "<figure>\n");
            text_append_bytes(&charts, chart.data, chart.length);
            text_append(&charts, "</figure>\n");
        }
        text_free(&chart);
    }
    if (charts.length) {
        text_append(text, "<section><h3>Pictures</h3>\n<div class=\"flow\">\n");
        text_append_bytes(text, charts.data, charts.length);
        text_append(text, "</div>\n</section>\n");
    }
    text->failed = text->failed || charts.failed;
    text_free(&charts);
}

static void put_words(struct text *text, const char *words)
{
    text_append(text, "<td class=\"words\">");
    html_words(text, words);
    text_append(text, "</td>");
}

static void put_count(struct text *text, int64_t count)
{
    char written[32];
    text_append(text, "<td data-v=\"%lld\">%s</td>", (long long)count,
                format_count(written, sizeof written, count));
}

static void put_real(struct text *text, double real)
{
    char exact[32];
    if (real != real)
        text_append(text, "<td>-</td>");
    else
        text_append(text, "<td data-v=\"%s\">%.4g</td>", format_exact(exact, sizeof exact, real), real);
}

/* The fastest kernel of a matrix, over all precisions. */
static const struct record_row *fastest_of(const struct record *record)
{
    static const char *const precisions[] = {"f64", "f32", "c64", "c32"};
    const struct record_row *fastest = NULL;
    for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++) {
        const struct record_row *row = record_fastest(record, precisions[p]);
        if (row && (!fastest || row->median < fastest->median)) fastest = row;
    }
    return fastest;
}

static void put_matrix(struct text *text, const struct record *record)
{
    const struct record_row *fastest = fastest_of(record);
    text_append(text, "<tr><th scope=\"row\">");
    html_words(text, record->name);
    text_append(text, "</th>");
    put_words(text, record->order);
    put_count(text, record->rows);
    put_count(text, record->cols);
    put_count(text, record->nnz);
    put_real(text, record->mean);
    put_real(text, record->deviation);
    put_words(text, fastest ? fastest->label : "-");
    put_words(text, fastest ? fastest->precision : "-");
    put_real(text, fastest ? fastest->median : NAN);
    put_real(text, fastest ? fastest->gflops : NAN);
    text_append(text, "</tr>\n");
}

static void put_matrices(struct text *text, const struct collection *collection)
{
    begin_table(text, "Matrices", collection->count);
    put_heading(text, "matrix", "the matrix", true);
    put_heading(text, "order", "the order of its rows and columns", true);
    put_heading(text, "rows", "rows", false);
    put_heading(text, "columns", "columns", false);
    put_heading(text, "entries", "entries", false);
    put_heading(text, "mean", "mean entries of a row", false);
    put_heading(text, "deviation", "percent average deviation of the row lengths", false);
    put_heading(text, "fastest kernel", "the timed kernel with the shortest median", true);
    put_heading(text, "prec", "its precision", true);
    put_heading(text, "us", "its median, us", false);
    put_heading(text, "GFLOP/s", "its speed, GFLOP/s", false);
    text_append(text, "</tr></thead>\n<tbody>\n");
    for (int k = 0; k < collection->count; k++)
        put_matrix(text, &collection->records[k]);
    end_table(text);
    text_append(text, "</section>\n");
}

void html_sheets(const struct sheets *sheets, const char *schema, struct text *text)
{
    const char *title = sheets->title ? sheets->title : schema;
    text->failed = text->failed || sheets->failed;
    if (text->failed) return;
    html_begin(title, "Tables of sparse matrices", text);
    text_append(text, "<article>\n<h2>");
    html_words(text, title);
    text_append(text, "</h2>\n");
    if (sheets->collection) put_charts(text, sheets);
    for (int k = 0; k < sheets->count; k++) {
        const struct sheet *sheet = &sheets->items[k];
        if (sheet->count == 0 && sheet->notes.length == 0) continue;
        if (sheet->tall)
            put_tall(text, sheet);
        else
            put_table(text, sheet);
    }
    if (sheets->collection && sheets->collection->count) put_matrices(text, sheets->collection);
    text_append(text, "</article>\n</main>\n");
    html_end_page(text);
}
