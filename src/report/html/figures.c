/* The figures of a matrix in an HTML report, as drawings within the page. */
#include "report/figures/figure.h"
#include "report/html/html.h"

/* Drawings have this size in pixels, and take so many bytes at most; a larger one is left out. */
#define FIGURE_WIDE 640
#define FIGURE_HIGH 440
#define FIGURE_BYTES 150000

/* Append a figure, unless there is nothing to draw. STATUS_MEMORY. */
static enum status append_figure(const struct figure *figure, const struct figure_subject *subject,
                                 struct text *text)
{
    struct text drawing = {0};
    struct error error = {0};
    enum status status = figure_svg(figure, subject, FIGURE_WIDE, FIGURE_HIGH, true, &drawing, &error);
    if (status == STATUS_OK && drawing.length <= FIGURE_BYTES) {
        text_append(text, "<figure>\n");
        text_append_bytes(text, drawing.data, drawing.length);
        text_append(text, "<figcaption>");
        html_words(text, figure->summary);
        text_append(text, "</figcaption>\n</figure>\n");
    }
    text_free(&drawing);
    return status == STATUS_MEMORY ? STATUS_MEMORY : STATUS_OK;
}

enum status html_figures(const struct session *session, const struct matrix_case *matrix_case, bool runs,
                         struct text *text)
{
    enum status status = STATUS_OK;
    /* A subject may be drawn into by what computes for it; of figures nothing does. */
    const struct figure_subject subject = {
        .session = session, .of = (struct matrix_case *)matrix_case, .row = -1, .col = -1};
    for (int k = 0; figures[k] && status == STATUS_OK; k++) {
        const struct figure *figure = figures[k];
        if (figure->square || figure->several || figure->layout || (figure->runs != FIGURE_RUNS_NONE) != runs)
            continue;
        if (case_has(matrix_case, figure->needs)) status = append_figure(figure, &subject, text);
    }
    return status;
}
