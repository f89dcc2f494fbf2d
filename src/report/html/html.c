#include "report/html/html.h"

#include <config.h>
#include <math.h>
#include <string.h>

#include "columns/columns.h"
#include "report/document/build.h"
#include "report/host.h"
#include "report/html/page.h"
#include "report/report.h"

/* Maximum bytes of the page around the matrices, including the definitions; and of a name, a message or a
 * path in page and index. */
#define PAGE_MAX 120000
#define LINE_MAX_BYTES 2000

/* Nothing may be loaded from anywhere, even if a matrix's name or notes contain markup. */
#define POLICY "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

static void put_line(struct text *text, const char *words)
{
    html_words_most(text, words, LINE_MAX_BYTES / 6);
}

static void append_lines(struct text *text, const char *const *lines)
{
    for (; *lines; lines++)
        text_append(text, "%s", *lines);
}

void html_begin(const char *title, const char *subtitle, struct text *text)
{
    text_append(text,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n<link rel=\"icon\" "
                "href=\"data:,\">\n<title>",
                POLICY);
    put_line(text, title);
    text_append(text, " - sparsight</title>\n<style>\n");
    append_lines(text, html_style);
    text_append(
        text, "</style>\n</head>\n<body>\n<header><h1>sparsight</h1><p>%s, version %s</p></header>\n<main>\n",
        subtitle, PACKAGE_VERSION);
}

void html_end_page(struct text *text)
{
    text_append(text, "<script>\n");
    append_lines(text, html_script);
    text_append(text, "</script>\n</body>\n</html>\n");
}

/* Begin the page, whose title is that of its first matrix. */
static void begin_page(const char *title, struct text *text)
{
    html_begin(title, "Report of sparse matrices", text);
}

/* The columns of a matrix in the index. */
static const char *const index_keys[] = {
    "rows", "cols", "nnz", "row_lengths.mean", "row_lengths.cv", "structure.pattern_symmetry"};
#define INDEX_KEYS (sizeof index_keys / sizeof *index_keys)

/* Begin the part of a matrix or of an unreadable one, and its row of the index. */
static void begin_part(struct report *report, const char *title, const char *summary, const char *still,
                       struct text *text)
{
    int id = ++report->parts;
    if (id == 1) begin_page(title, text);
    text_append(text, "<article id=\"m%d\" aria-labelledby=\"m%d-name\">\n<h2 id=\"m%d-name\"><bdi>", id, id,
                id);
    put_line(text, title);
    text_append(text, "</bdi></h2>\n");
    struct text *index = &report->index;
    text_append(index, "<tr><td>%s</td><th scope=\"row\"><a href=\"#m%d\"><bdi>", still, id);
    put_line(index, title);
    text_append(index, "</bdi></a><br><small>");
    put_line(index, summary);
    text_append(index, "</small></th>");
}

static void add_to_index(struct text *index, const struct matrix_case *matrix_case)
{
    char words[192], exact[32];
    for (size_t k = 0; k < INDEX_KEYS; k++) {
        const struct column *column = column_find(index_keys[k]);
        struct value value = column_value(column, matrix_case);
        text_append(index, "<td");
        if (value.type == VALUE_INTEGER) text_append(index, " data-v=\"%lld\"", (long long)value.integer);
        if (value.type == VALUE_REAL)
            text_append(index, " data-v=\"%s\"", format_exact(exact, sizeof exact, value.real));
        text_append(index, ">");
        html_words(index, value_brief(column, value, (int)sizeof words, words, sizeof words));
        text_append(index, "</td>");
    }
    const struct result *fastest = report_fastest(&matrix_case->results);
    text_append(index, "<td class=\"words\">");
    if (fastest) {
        html_words(index, fastest->name);
        text_append(index, ", %s, %s", case_value_name(matrix_case, fastest->choice.format.precision),
                    format_seconds(words, sizeof words, fastest->samples.time));
    } else {
        text_append(index, "-");
    }
    text_append(index, "</td></tr>\n");
}

/* Append drawings under a heading, and free them. */
static enum status append_drawings(const char *title, struct text *drawings, struct text *text)
{
    if (drawings->length > 0) {
        text_append(text, "<section><h3>%s</h3>\n<div class=\"flow\">\n", title);
        text_append_bytes(text, drawings->data, drawings->length);
        text_append(text, "</div>\n</section>\n");
    }
    bool failed = drawings->failed;
    text_free(drawings);
    return failed ? STATUS_MEMORY : STATUS_OK;
}

/* The drawings of kernels, and those of parts. */
static enum status append_pictures(const struct report *report, const struct session *session,
                                   const struct matrix_case *matrix_case, struct text *text)
{
    char name[256];
    const json_t *host = report->from ? json_object_get(report->from->origin, "host") : NULL;
    const char *processor =
        report->from ? json_string_value(json_object_get(host, "cpu")) : host_processor(name, sizeof name);
    struct text runs = {0}, owners = {0};
    enum status status = html_figures(session, matrix_case, processor, true, &runs);
    if (status == STATUS_OK) status = append_drawings("Pictures of kernels", &runs, text);
    if (status == STATUS_OK) status = html_owners(session, matrix_case, &owners);
    if (status == STATUS_OK) status = append_drawings("Pictures of parts", &owners, text);
    text_free(&runs);
    text_free(&owners);
    return status;
}

static enum status html_matrix(struct report *report, const struct session *session,
                               const struct matrix_case *matrix_case, struct text *text)
{
    struct document document = {0};
    struct text blocks = {0}, drawings = {0}, pattern = {0}, still = {0};
    report_document(report, session, matrix_case, &document);
    enum status status = html_figures(session, matrix_case, NULL, false, &drawings);
    html_blocks(&document, &drawings, &blocks);
    if (status == STATUS_OK) status = append_pictures(report, session, matrix_case, &blocks);
    size_t most = HTML_MATRIX_MAX - PAGE_MAX - blocks.length;
    if (status == STATUS_OK) status = html_pattern(session, matrix_case, most, &pattern, &still);
    if (document.failed || drawings.failed || blocks.failed || still.failed) status = STATUS_MEMORY;
    if (status == STATUS_OK) {
        begin_part(report, document.title, document.summary, still.data ? still.data : "", text);
        add_to_index(&report->index, matrix_case);
        text_append(text, "<p class=\"summary\">");
        put_line(text, document.summary);
        text_append(text, "</p>\n<p class=\"source\"><bdi>");
        put_line(text, document.source);
        text_append(text, "</bdi></p>\n<div class=\"flow\">\n");
        text_append_bytes(text, pattern.data, pattern.length);
        text_append_bytes(text, blocks.data, blocks.length);
        text_append(text, "</article>\n");
    }
    text_free(&still);
    text_free(&pattern);
    text_free(&blocks);
    text_free(&drawings);
    document_free(&document);
    return status;
}

/* A matrix that could not be read is replaced by its error. */
static enum status html_failure(struct report *report, const struct error *failure, struct text *text)
{
    char words[2048];
    begin_part(report, failure->path, "could not be read", "", text);
    for (size_t k = 0; k < INDEX_KEYS + 1; k++)
        text_append(&report->index, "<td>-</td>");
    text_append(&report->index, "</tr>\n");
    text_append(text, "<p class=\"bad\">");
    html_words(text, error_text(failure, words, sizeof words));
    text_append(text, "</p>\n</article>\n");
    return STATUS_OK;
}

/* Several matrices have an index, a table that can be sorted like all tables. */
static void append_index(const struct report *report, struct text *text)
{
    text_append(
        text,
        "<nav id=\"index\" aria-label=\"Matrices\" data-title=\"%d matrices - sparsight\">\n<div "
        "class=\"scroll\">\n<table class=\"sort\">\n<thead><tr><td></td><th scope=\"col\">matrix</th>",
        report->parts);
    for (size_t k = 0; k < INDEX_KEYS; k++) {
        const struct column *column = column_find(index_keys[k]);
        text_append(text, "<th scope=\"col\"%s title=\"", column->largest_first ? " data-largest=\"\"" : "");
        html_words(text, column->help);
        text_append(text, "\">");
        html_words(text, column->title);
        text_append(text, "</th>");
    }
    text_append(text, "<th scope=\"col\" class=\"words\">fastest kernel</th></tr></thead>\n<tbody>\n");
    text_append_bytes(text, report->index.data, report->index.length);
    text_append(text, "</tbody></table>\n</div>\n</nav>\n");
}

/* The origin of all matrices, as a part of its own. */
static void append_origin(struct report *report, struct text *text)
{
    const struct text nothing = {0};
    struct document document = {0};
    report_origin(report, &document);
    if (document.count > 0) {
        text_append(text, "<article id=\"origin\">\n<div class=\"flow\">\n");
        html_blocks(&document, &nothing, text);
        text_append(text, "</article>\n");
    }
    text->failed = text->failed || document.failed;
    document_free(&document);
}

static enum status html_end(struct report *report, struct text *text)
{
    if (report->parts == 0) begin_page("No matrix", text);
    append_origin(report, text);
    text_append(text, "</main>\n");
    if (report->parts > 1) append_index(report, text);
    text_append(text, "<footer>\n");
    html_definitions(text);
    text_append(text, "</footer>\n");
    html_end_page(text);
    return report->index.failed ? STATUS_MEMORY : STATUS_OK;
}

const struct report_format report_format_html = {
    .name = "html",
    .summary = "one page for a browser, with patterns to zoom and tables to sort",
    .wants = SESSION_PYRAMID | SESSION_COL_PTR,
    .owners = true,
    .matrix = html_matrix,
    .failure = html_failure,
    .end = html_end,
};

void html_words(struct text *text, const char *words)
{
    words_append(text, MEDIUM_XML, words);
}

void html_words_most(struct text *text, const char *words, size_t most)
{
    words_append_most(text, MEDIUM_XML, words, most);
    if (strlen(words) > most) text_append(text, " ...");
}
