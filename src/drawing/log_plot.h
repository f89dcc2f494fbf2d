/* A plot with two logarithmic axes. */
#ifndef SPARSIGHT_DRAWING_LOG_PLOT_H
#define SPARSIGHT_DRAWING_LOG_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "drawing/surface.h"

/* A rectangle of the surface, without its axes, in which x and y are logarithms. */
struct log_plot {
    struct surface *surface;
    struct rect rect;   /* at most LOG_PLOT_WIDE columns */
    double left, right; /* the values at its edges, all of them above 0 */
    double bottom, top;
    bool ascii;
};

#define LOG_PLOT_WIDE 512

/* The place of a value, 0 to 1 from the left to the right edge, and from the bottom to the top. */
double log_plot_across(const struct log_plot *plot, double x);
double log_plot_up(const struct log_plot *plot, double y);

/* The column and the row of the surface that has a value: where a curve has its dot. */
int log_plot_column(const struct log_plot *plot, double x);
int log_plot_row(const struct log_plot *plot, double y);

/* Write the label of a tick. */
typedef void log_plot_label(double value, char *out, size_t size);

/* Draw both axes outside of the plot, the left one with labels `label_wide` wide. Ticks are at 1, 2 and 5
 * times powers of ten, or if there are more than three decades at these alone; labels that would touch are
 * left out. */
void log_plot_axes(const struct log_plot *plot, int label_wide, log_plot_label *across, log_plot_label *up);

/* Draw a curve that only rises or only falls, as far as it is inside the plot. `height` is given `curve`. */
void log_plot_curve(const struct log_plot *plot, double (*height)(const void *curve, double x),
                    const void *curve, enum colour colour, char mark);

#endif
