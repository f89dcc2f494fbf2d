/* Curves, drawn in braille dots, or in ASCII by characters. */
#ifndef SPARSIGHT_DRAWING_PLOT_H
#define SPARSIGHT_DRAWING_PLOT_H

#include <stdbool.h>

#include "drawing/surface.h"

/* Draw a curve through 2 rect.wide heights, 0 to 1, one for each column of dots. Dots of another curve that
 * are in the same characters stay. In ASCII `mark` is written at every second height. */
void plot_curve(struct surface *surface, struct rect rect, const double *heights, enum colour colour,
                bool ascii, char mark);

/* The same with every second character left out, so that the curve is apart from another one without colours.
 * In ASCII the mark alone tells them apart. */
void plot_dashed(struct surface *surface, struct rect rect, const double *heights, enum colour colour,
                 bool ascii, char mark);

/* Draw the left and the bottom axis outside of rect, with texts at the top and at the bottom of the left one.
 */
void plot_axes(struct surface *surface, struct rect rect, bool ascii, int label_wide, const char *top,
               const char *bottom);

#endif
