#include "report/figures/figure.h"

#include <stdio.h>
#include <string.h>

#include "drawing/picture.h"

#define FIGURE(name) extern const struct figure figure_##name;
#include "report/figures/figures.def"
#undef FIGURE

const struct figure *const figures[] = {
#define FIGURE(name) &figure_##name,
#include "report/figures/figures.def"
#undef FIGURE
    NULL,
};

const struct figure *figure_find(const char *name)
{
    for (int k = 0; figures[k]; k++)
        if (strcmp(figures[k]->name, name) == 0) return figures[k];
    return NULL;
}

void figure_size(const struct figure *figure, int *wide, int *high)
{
    *wide = figure->square ? 720 : PICTURE_WIDE;
    *high = figure->square ? 780 : PICTURE_HIGH;
}

/* The drawn data, for the canvas. */
struct drawn {
    const struct figure *figure;
    const struct figure_subject *subject;
};

static enum status draw(const void *argument, struct canvas *canvas, struct error *error)
{
    const struct drawn *drawn = argument;
    return drawn->figure->draw(drawn->subject, canvas, error);
}

enum status figure_write(const struct figure *figure, const struct figure_subject *subject,
                         const struct picture_form *form, int wide, int high, bool light, struct text *out,
                         struct error *error)
{
    const struct drawn drawn = {figure, subject};
    char title[256];
    snprintf(title, sizeof title, "%s%s%s", figure->name, subject->of ? " of " : "",
             subject->of && subject->of->matrix.name ? subject->of->matrix.name : "");
    const struct picture picture = {wide, high, light, text_visible(title), draw, &drawn};
    enum status status = figure->check ? figure->check(subject, error) : STATUS_OK;
    return status == STATUS_OK ? form->write(&picture, out, error) : status;
}

enum status figure_svg(const struct figure *figure, const struct figure_subject *subject, int wide, int high,
                       bool light, struct text *out, struct error *error)
{
    static const struct picture_form svg = {"svg", "", picture_svg};
    return figure_write(figure, subject, &svg, wide, high, light, out, error);
}

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
