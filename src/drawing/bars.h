/* Bars, drawn in eighths of a character. */
#ifndef SPARSIGHT_DRAWING_BARS_H
#define SPARSIGHT_DRAWING_BARS_H

#include <stdbool.h>
#include <stdint.h>

#include "drawing/surface.h"

/* The character that is filled to a share `filled`, 0 to 1, from the left, or if `upright` from below. ' '
 * for 0; above that at least the thinnest piece shows. */
uint32_t bar_cell(double filled, bool upright, bool ascii);

/* Draw a bar from cell (y, x) to the right that takes a share `length`, 0 to 1, of `wide` cells. */
void bar_across(struct surface *surface, int y, int x, int wide, double length, enum colour colour,
                bool ascii);

/* The same as a heavy line, in halves of a character, for bars that stand close under each other. */
void bar_line(struct surface *surface, int y, int x, int wide, double length, enum colour colour, bool ascii);

/* Draw a bar from cell (bottom, x) upwards that takes a share `length`, 0 to 1, of `high` cells. */
void bar_upright(struct surface *surface, int bottom, int x, int high, double length, enum colour colour,
                 bool ascii);

#endif
