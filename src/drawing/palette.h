/* The look of enum colour on terminals with no colours, 8, 256, or all. Nothing here knows
 * ncurses. */
#ifndef SPARSIGHT_DRAWING_PALETTE_H
#define SPARSIGHT_DRAWING_PALETTE_H

#include "drawing/surface.h"

enum palette {
    PALETTE_NONE,   /* attributes alone: NO_COLOR is set, or the terminal has no colours */
    PALETTE_8,      /* the ANSI colours */
    PALETTE_256,    /* the colour cube of xterm */
    PALETTE_DIRECT, /* any 24-bit RGB colour */
};

/* The look of a cell. Colours are numbers of the terminal's colours, for PALETTE_DIRECT RGB values, and -1
 * for the terminal's default. */
struct look {
    int foreground, background;
    unsigned attributes; /* an OR of enum look_attribute */
};

enum look_attribute { LOOK_BOLD = 1, LOOK_REVERSE = 2, LOOK_UNDERLINE = 4, LOOK_DIM = 8 };

/* The look of a cell with this foreground and background and these attributes (an OR of enum attribute). On a
 * `light` terminal high densities are dark, and on others light, so that they stand out on both. */
struct look palette_look(enum palette palette, bool light, enum colour foreground, enum colour background,
                         unsigned attributes);

/* A light shade (U+2591) in the colour of secondary text looks like a grey background. If the palette has
 * that grey, return true, and in *look the look of a blank that replaces it: a terminal gets one byte instead
 * of three. */
bool palette_shade(enum palette palette, bool light, const struct cell *cell, struct look *look);

/* Return the colour as 0xRRGGBB, for pictures of pixels: the colour of the cells of this palette. If it has
 * too few colours or none, it is that of PALETTE_DIRECT. */
int palette_rgb(enum palette palette, bool light, enum colour colour);

#endif
