#include "report/figures/figure.h"

#include <stdio.h>
#include <string.h>

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

/* What is drawn, for the canvas. */
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
