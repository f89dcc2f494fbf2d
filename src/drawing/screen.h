/* Pictures of surfaces: a screen of the terminal, on a canvas. */
#ifndef SPARSIGHT_DRAWING_SCREEN_H
#define SPARSIGHT_DRAWING_SCREEN_H

#include "drawing/canvas.h"
#include "drawing/surface.h"

/* Write the size in pixels that a surface takes on a canvas. */
void screen_size(const struct surface *surface, int *wide, int *high);

/* Draw a surface, with its picture of pixels if it has one that is `cell` pixels high and wide a character;
 * cell may be NULL. */
void screen_draw(const struct surface *surface, const int *cell, struct canvas *canvas);

#endif
