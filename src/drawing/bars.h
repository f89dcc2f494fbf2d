/* Bars made of eighths of a character. */
#ifndef SPARSIGHT_DRAWING_BARS_H
#define SPARSIGHT_DRAWING_BARS_H

#include <stdbool.h>
#include <stdint.h>

#include "drawing/surface.h"

/* The character for a cell of a bar that is filled by `filled` (1: wholly) from the left, or from below if
 * `upright`. Anything above 0 shows at least the thinnest piece; ' ' for 0. */
uint32_t bar_cell(double filled, bool upright, bool ascii);

/* A bar of `length` (0..1) of the `wide` cells from (y, x) rightwards. */
void bar_across(struct surface *surface, int y, int x, int wide, double length, enum colour colour,
                bool ascii);

/* The same as a heavy line, in halves of a character: for bars one under the other. */
void bar_line(struct surface *surface, int y, int x, int wide, double length, enum colour colour, bool ascii);

/* A bar of `length` (0..1) of the `high` cells ending at row `bottom`, upwards. */
void bar_upright(struct surface *surface, int bottom, int x, int high, double length, enum colour colour,
                 bool ascii);

#endif
