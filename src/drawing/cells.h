/* A canvas on a part of a surface. Texts, bars and axes are characters. All else consists of dots: Braille,
 * plain characters, or pixels if the terminal has graphics. */
#ifndef SPARSIGHT_DRAWING_CELLS_H
#define SPARSIGHT_DRAWING_CELLS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "drawing/canvas.h"
#include "drawing/palette.h"
#include "drawing/pixmap.h"
#include "drawing/surface.h"

/* The form of dots. */
enum cells_way {
    CELLS_BRAILLE, /* a character has 4 x 2 dots */
    CELLS_HALVES,  /* a character has two dots, one above the other, each with its colour */
    CELLS_ASCII,   /* a character is a dot, with more ink for more entries */
    CELLS_PIXELS,  /* a character has as many dots as pixels of the terminal */
};

struct cells {
    struct surface *surface;
    struct rect rect; /* the part of the surface */
    enum cells_way way;
    bool shades;          /* a bar that ends on another bar may have that bar as its background */
    int per[2];           /* dots of a character, downwards and across */
    struct pixmap pixmap; /* the dots of CELLS_PIXELS; the upper left one is in the rectangle's upper left
                             cell; owned */
};

/* Make a canvas of a part of a surface. Dots do not overwrite existing texts. Only cells_pixels sets
 * CELLS_PIXELS. */
struct canvas cells_begin(struct cells *cells, struct surface *surface, struct rect rect, enum cells_way way,
                          bool light);

/* The same with CELLS_PIXELS; a character has this number of pixels vertically and horizontally. The caller
 * frees cells->pixmap, also after failure. STATUS_MEMORY. */
enum status cells_pixels(struct cells *cells, struct surface *surface, struct rect rect, const int cell[2],
                         bool light, struct canvas *canvas, struct error *error);

/* Append a surface as lines of UTF-8 without blanks at their ends and, unless the palette is PALETTE_NONE,
 * with the sequences for its colours (ECMA-48, SGR). Empty lines at the end are left out. Returns the number
 * of lines. */
int cells_write(const struct surface *surface, enum palette palette, bool light, struct text *out);

#endif
