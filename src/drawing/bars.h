/* Bars of eighths of a character. */
#ifndef SPARSIGHT_DRAWING_BARS_H
#define SPARSIGHT_DRAWING_BARS_H

#include <stdbool.h>
#include <stdint.h>

#include "drawing/surface.h"

enum bar_kind {
    BAR_BLOCK,   /* to the right, in eighths of a character */
    BAR_LINE,    /* to the right, as a heavy line in halves of a character, for bars close to each other */
    BAR_UPRIGHT, /* upwards, in eighths of a character, in all columns of the rectangle alike */
};

struct bar {
    enum bar_kind kind;
    struct rect
        rect;      /* the cells of its label and of a bar of length 1; one to the right takes the first row */
    double length; /* 0 to 1; above 0, at least the thinnest piece is drawn */
    double start;  /* the beginning of the bar, 0 to 1, rounded to whole cells */
    enum colour colour;
    bool ascii;
    char plain;        /* the character of its whole cells in ASCII; 0: '#' */
    bool track;        /* the remaining cells are shaded; else they do not change */
    const char *label; /* label before a bar to the right, in `label_wide` columns; NULL: none */
    int label_wide;
    enum colour label_colour;
    unsigned label_attributes;
};

/* Draw a bar with its label. */
void bar_draw(struct surface *surface, const struct bar *bar);

/* Return the character that is filled to the share `filled`, 0 to 1, from the left, or with `upright` from
 * below. ' ' for 0; for more, at least the thinnest piece. */
uint32_t bar_cell(double filled, bool upright, bool ascii);

#endif
