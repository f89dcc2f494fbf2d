#include "drawing/canvas.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "drawing/palette.h"

#define WORDS_MAX 512

void canvas_rectangle(struct canvas *canvas, double x, double y, double wide, double high, enum colour colour)
{
    if (wide > 0 && high > 0) canvas->kind->rectangle(canvas, x, y, wide, high, colour);
}

void canvas_line(struct canvas *canvas, const struct canvas_point *points, int count, enum colour colour,
                 double thick, bool dashed)
{
    for (int first = 0, end; first < count; first = end + 1) {
        for (end = first; end < count && isfinite(points[end].x) && isfinite(points[end].y); end++)
            ;
        if (end - first > 1) canvas->kind->line(canvas, points + first, end - first, colour, thick, dashed);
    }
}

void canvas_stroke(struct canvas *canvas, double x0, double y0, double x1, double y1, enum colour colour,
                   double thick)
{
    canvas_line(canvas, (struct canvas_point[]){{x0, y0}, {x1, y1}}, 2, colour, thick, false);
}

void canvas_text(struct canvas *canvas, double x, double y, enum canvas_anchor anchor, enum colour colour,
                 unsigned writing, const char *format, ...)
{
    char words[WORDS_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (words[0]) canvas->kind->text(canvas, x, y, anchor, colour, writing, text_visible(words));
}

void canvas_image(struct canvas *canvas, double x, double y, const struct pixmap *pixmap, double wide,
                  double high)
{
    if (pixmap->wide > 0 && pixmap->high > 0 && wide > 0 && high > 0)
        canvas->kind->image(canvas, x, y, pixmap, wide, high);
}

void canvas_bar(struct canvas *canvas, double x, double y, double wide, double high, enum colour colour,
                bool upright)
{
    if (!(wide > 0 && high > 0)) return;
    (canvas->kind->bar ? canvas->kind->bar(canvas, x, y, wide, high, colour, upright)
                       : canvas->kind->rectangle(canvas, x, y, wide, high, colour));
}

void canvas_axes(struct canvas *canvas, double x, double y, double wide, double high,
                 const struct canvas_ticks *across, const struct canvas_ticks *up)
{
    double left = x - 0.5, bottom = y + high + 0.5, mark = canvas->line / 4;
    if (canvas->kind->axes) {
        canvas->kind->axes(canvas, x, y, wide, high, across, up);
        return;
    }
    for (int k = 0; k < up->count; k++)
        canvas_stroke(canvas, left - mark, up->at[k], left, up->at[k], COLOUR_DIM, 1);
    for (int k = 0; k < across->count; k++)
        canvas_stroke(canvas, across->at[k], bottom, across->at[k], bottom + mark, COLOUR_DIM, 1);
    canvas_stroke(canvas, left, y, left, bottom, COLOUR_DIM, 1);
    canvas_stroke(canvas, left, bottom, x + wide, bottom, COLOUR_DIM, 1);
}

double canvas_text_wide(const struct canvas *canvas, const char *words)
{
    return canvas->column * surface_columns(words);
}

/* Colours that are the terminal's own are those of ink on paper. */
int canvas_rgb(bool light, enum colour colour)
{
    if (colour == COLOUR_TEXT || colour == COLOUR_TITLE) return light ? 0x1b1f24 : 0xe8eaed;
    if (!light && colour == COLOUR_DIM) return 0x9aa2ab;
    return palette_rgb(PALETTE_DIRECT, light, colour);
}

int canvas_ink(const struct canvas *canvas, enum colour colour)
{
    return canvas->ink ? canvas->ink : canvas_rgb(canvas->light, colour);
}

/* A channel of sRGB as an amount of light. */
static double linear(int channel)
{
    const double share = channel / 255.;
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

static double luminance(int rgb)
{
    return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
}

double canvas_contrast(int one, int other)
{
    const double a = luminance(one), b = luminance(other);
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

int canvas_background(bool light)
{
    return light ? 0xffffff : 0x14171b;
}
