/* A canvas for a terminal: texts are characters, and everything else is dots, shown as Braille, as plain
 * characters, or as pixels if the terminal has graphics. */
#ifndef SPARSIGHT_DRAWING_CELLS_H
#define SPARSIGHT_DRAWING_CELLS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "drawing/canvas.h"
#include "drawing/palette.h"
#include "drawing/pixmap.h"
#include "drawing/surface.h"

/* How dots are shown. */
enum cells_way {
    CELLS_BRAILLE, /* a character has 4 x 2 dots */
    CELLS_ASCII,   /* a character is a dot, with more ink for more entries */
    CELLS_PIXELS,  /* a character has as many as the terminal has pixels for it */
};

struct cells {
    struct surface surface; /* the characters; owned */
    struct pixmap pixmap;   /* the dots; owned */
    enum cells_way way;
    int per[2]; /* dots of a character, downwards and across */
};

/* Begin a drawing of this number of lines and columns of characters. `cell` is the height and the width of a
 * character in pixels for CELLS_PIXELS; else NULL. The caller frees *cells with cells_free, also after
 * failure. STATUS_MEMORY. */
enum status cells_begin(struct cells *cells, int high, int wide, enum cells_way way, const int *cell,
                        bool light, struct canvas *canvas, struct error *error);

/* Turn the dots into characters, unless they are pixels: those stay in `pixmap`, whose upper left one is in
 * that of the surface. */
void cells_end(struct cells *cells);

void cells_free(struct cells *cells);

/* Append a surface as lines of UTF-8 without blanks at their ends and, unless the palette is PALETTE_NONE,
 * with the sequences for its colours (ECMA-48, SGR). Empty lines at the end are left out. Returns the number
 * of lines. */
int cells_write(const struct surface *surface, enum palette palette, bool light, struct text *out);

#endif
