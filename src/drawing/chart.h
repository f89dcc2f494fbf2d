/* A chart on a canvas: a rectangle with two axes, linear or logarithmic, in which curves, bars and points are
 * drawn by their values. */
#ifndef SPARSIGHT_DRAWING_CHART_H
#define SPARSIGHT_DRAWING_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "drawing/canvas.h"

struct chart_axis {
    double from, to; /* the values at its ends, from < to; above 0 for a logarithmic axis */
    bool logarithmic;
    bool counts; /* heights are log(1 + value), from 0 on */
    int base; /* ticks of a logarithmic axis are powers of this; 0: 1, 2 and 5 times powers of ten, or these
                 alone beyond three decades, or round steps below one */
    const char *title; /* with the unit: "GFLOP/s"; NULL: there is none */
    /* Write the label of a tick; NULL: its digits, in groups of three. */
    void (*label)(double value, char *out, size_t size);
    bool bare;  /* it has no ticks and no labels */
    bool ends;  /* both ends have labels, for any numbers */
    bool whole; /* values are whole numbers: no ticks between them, unless it is logarithmic */
};

struct chart {
    struct canvas *canvas;
    double left, top, wide, high; /* the rectangle, without axes and titles */
    struct chart_axis across, up;
};

/* Place the chart within the canvas, from `top` on and down to `bottom`, so that labels of `label` columns
 * and the titles have room. On a canvas of characters the chart has whole characters. */
void chart_place(struct chart *chart, double top, double bottom, int label);

/* Draw the axes with their titles, and lines across the chart at the ticks of the upright one. */
void chart_axes(const struct chart *chart);

/* Return the position of a value on the canvas; on a canvas of characters, the middle of a dot. */
double chart_x(const struct chart *chart, double value);
double chart_y(const struct chart *chart, double value);

/* Return the height of a bar of this value, in units. */
double chart_height(const struct chart *chart, double value);

/* Draw a curve y = height(x), as far as it is inside the chart. */
void chart_curve(const struct chart *chart, double (*height)(const void *curve, double x), const void *curve,
                 enum colour colour, bool dashed);

/* Draw a straight line between two points given by their values, as far as it is inside the chart, on whose
 * scales it is straight. */
void chart_line(const struct chart *chart, double x0, double y0, double x1, double y1, enum colour colour,
                bool dashed);

/* Draw a point as a small square. */
void chart_point(const struct chart *chart, double x, double y, enum colour colour);

/* Draw a mark at a position of the canvas; there are four shapes, from 0 on, distinct even without colours.
 * In characters each is a dot. */
void chart_mark(struct canvas *canvas, double x, double y, enum colour colour, int shape);

#endif
