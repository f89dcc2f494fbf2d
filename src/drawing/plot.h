/* Curves in braille dots (or characters, in ASCII). */
#ifndef SPARSIGHT_DRAWING_PLOT_H
#define SPARSIGHT_DRAWING_PLOT_H

#include <stdbool.h>

#include "drawing/surface.h"

/* A curve through 2 x rect.wide heights in 0..1, one for each column of dots, over what is there: dots of
 * another curve in the same character stay. In ASCII `mark` is written at every second height. */
void plot_curve(struct surface *surface, struct rect rect, const double *heights, enum colour colour,
                bool ascii, char mark);

/* The left axis and the bottom one, outside of rect, with text at the top and the bottom of the left one. */
void plot_axes(struct surface *surface, struct rect rect, bool ascii, int label_wide, const char *top,
               const char *bottom);

#endif
