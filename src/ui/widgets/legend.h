/* This draws a line of a diagram's legend: which kernel a mark of the diagram is. */
#ifndef SPARSIGHT_UI_WIDGETS_LEGEND_H
#define SPARSIGHT_UI_WIDGETS_LEGEND_H

#include "drawing/surface.h"

/* A mark of the diagram, and its text at the right. */
struct legend {
    unsigned mark;
    enum colour colour;
    const char *name, *said;
    int gap;     /* minimum number of blanks between name and words */
    bool chosen; /* the cursor is on it */
};

/* Draw it into rect, which is one line. */
void legend_draw(const struct legend *legend, bool ascii, struct surface *surface, struct rect rect);

/* The letter of the k-th mark, counted from 0; '+' if there are more than letters. */
unsigned legend_letter(int k);

#endif
