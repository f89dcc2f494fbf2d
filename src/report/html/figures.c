/* The figures of a matrix in an HTML report, as drawings within the page. */
#include "report/figures/figure.h"
#include "report/html/html.h"

/* Size of drawings in pixels, and maximum bytes; a larger drawing is omitted. */
#define FIGURE_WIDE 640
#define FIGURE_HIGH 440
#define FIGURE_BYTES 150000
#define OWNERS_WIDE 480
#define OWNERS_HIGH 540

/* Append a figure under these words, unless there is nothing to draw. STATUS_MEMORY. */
static enum status append_figure(const struct figure *figure, const struct figure_subject *subject, int wide,
                                 int high, const char *words, struct text *text)
{
    struct text drawing = {0};
    struct error error = {0};
    enum status status = figure_svg(figure, subject, wide, high, true, &drawing, &error);
    if (status == STATUS_OK && drawing.length <= FIGURE_BYTES) {
        text_append(text, "<figure>\n");
        text_append_bytes(text, drawing.data, drawing.length);
        text_append(text, "<figcaption>");
        html_words(text, words);
        text_append(text, "</figcaption>\n</figure>\n");
    }
    text_free(&drawing);
    return status == STATUS_MEMORY ? STATUS_MEMORY : STATUS_OK;
}

enum status html_figures(const struct session *session, const struct matrix_case *matrix_case,
                         const char *processor, bool runs, struct text *text)
{
    enum status status = STATUS_OK;
    /* The cast is safe: figures do not change the case, unlike other users of a subject. */
    const struct figure_subject subject = {.session = session,
                                           .of = (struct matrix_case *)matrix_case,
                                           .row = -1,
                                           .col = -1,
                                           .processor = processor};
    for (int k = 0; figures[k] && status == STATUS_OK; k++) {
        const struct figure *figure = figures[k];
        if (figure->square || figure->several || figure->layout ||
            (figure->runs != FIGURE_RUNS_NONE || figure->solves) != runs)
            continue;
        if (case_has(matrix_case, figure->needs))
            status = append_figure(figure, &subject, FIGURE_WIDE, FIGURE_HIGH, figure->summary, text);
    }
    return status;
}

enum status html_owners(const struct session *session, const struct matrix_case *matrix_case,
                        struct text *text)
{
    const struct distribution *distribution = &matrix_case->distribution;
    const struct figure *figure = figure_find("pattern");
    enum status status = STATUS_OK;
    int drawn = 0;
    if (!case_has(matrix_case, figure->needs)) return STATUS_OK;
    for (int k = 0; k < distribution->count && drawn < HTML_OWNERS_MAX && status == STATUS_OK; k++) {
        const struct distributed *division = &distribution->items[k];
        struct text words = {0};
        if (!division->partition.owner) continue;
        const struct figure_subject subject = {.session = session,
                                               .of = (struct matrix_case *)matrix_case,
                                               .by = FIGURE_OWNER,
                                               .partition = &division->partition,
                                               .partition_name = division->name,
                                               .row = -1,
                                               .col = -1};
        text_append(&words, "owners of the entries: %s, %lld part%s", division->name,
                    (long long)division->parts, division->parts == 1 ? "" : "s");
        status = words.failed ? STATUS_MEMORY
                              : append_figure(figure, &subject, OWNERS_WIDE, OWNERS_HIGH, words.data, text);
        text_free(&words);
        drawn++;
    }
    return status;
}
