#include "report/figures/parts.h"

#include <stdio.h>
#include <string.h>

double figure_heading(const struct figure_subject *subject, struct canvas *canvas, const char *shows)
{
    const struct matrix *matrix = &subject->of->matrix;
    char rows[32], cols[32], nnz[32], name[96];
    double x = canvas->column, y = 0.75 * canvas->line;
    bool natural = strcmp(subject->of->order, "natural") == 0;
    snprintf(name, sizeof name, "%.60s%s%.24s", matrix->name ? matrix->name : "", natural ? "" : ", ",
             natural ? "" : subject->of->order);
    canvas_text(canvas, x, y, ANCHOR_START, COLOUR_TITLE, WRITING_BOLD, "%s", name);
    /* Bold letters are a little wider. */
    canvas_text(canvas, x + 1.15 * canvas_text_wide(canvas, name) + 2 * canvas->column, y, ANCHOR_START,
                COLOUR_DIM, 0, "%s x %s, %s entries", format_count(rows, sizeof rows, matrix->csr.rows),
                format_count(cols, sizeof cols, matrix->csr.cols),
                format_count(nnz, sizeof nnz, case_nnz(subject->of)));
    if (!shows) return 1.25 * canvas->line;
    canvas_text(canvas, x, y + canvas->line, ANCHOR_START, COLOUR_TEXT, 0, "%s", shows);
    return 2.25 * canvas->line;
}

void canvas_frame(struct canvas *canvas, double x, double y, double wide, double high)
{
    const struct canvas_point points[] = {{x - 0.5, y - 0.5},
                                          {x + wide + 0.5, y - 0.5},
                                          {x + wide + 0.5, y + high + 0.5},
                                          {x - 0.5, y + high + 0.5},
                                          {x - 0.5, y - 0.5}};
    canvas_line(canvas, points, 5, COLOUR_DIM, 1, false);
}
