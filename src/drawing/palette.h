/* What the semantic colours look like on terminals that can show 8 colours, 256, or any; no ncurses here. */
#ifndef SPARSIGHT_DRAWING_PALETTE_H
#define SPARSIGHT_DRAWING_PALETTE_H

#include "drawing/surface.h"

enum palette {
    PALETTE_NONE,   /* attributes only: NO_COLOR, or a terminal without colours */
    PALETTE_8,      /* the ANSI colours */
    PALETTE_256,    /* xterm's colour cube */
    PALETTE_DIRECT, /* 24-bit RGB */
};

/* How a cell is to look: terminal colour numbers (-1: the default; an RGB value for PALETTE_DIRECT) and an OR
 * of enum look_attribute. */
struct look {
    int foreground, background;
    unsigned attributes;
};

enum look_attribute { LOOK_BOLD = 1, LOOK_REVERSE = 2, LOOK_UNDERLINE = 4, LOOK_DIM = 8 };

/* The look of text of this foreground on this background, with the cell's attributes (enum attribute). */
struct look palette_look(enum palette palette, enum colour foreground, enum colour background,
                         unsigned attributes);

#endif
