/* Pictures of surfaces: a screen of the terminal, on a canvas. */
#ifndef SPARSIGHT_DRAWING_SCREEN_H
#define SPARSIGHT_DRAWING_SCREEN_H

#include "drawing/canvas.h"
#include "drawing/surface.h"

/* Write the size in pixels that a surface takes on a canvas. */
void screen_size(const struct surface *surface, int *wide, int *high);

/* Draw a surface. If it has a picture of pixels, a character has cell[0] x cell[1] of them; `cell` may be
 * NULL. */
void screen_draw(const struct surface *surface, const int *cell, struct canvas *canvas);

#endif
