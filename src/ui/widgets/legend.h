/* This draws a line of a diagram's legend: which kernel a mark of the diagram is. */
#ifndef SPARSIGHT_UI_WIDGETS_LEGEND_H
#define SPARSIGHT_UI_WIDGETS_LEGEND_H

#include "drawing/surface.h"

/* What a mark of the diagram is, and what is said of it at the right. */
struct legend {
    unsigned mark;
    enum colour colour;
    const char *name, *said;
    int gap;     /* at least so many blanks stand between name and words */
    bool chosen; /* the cursor is on it */
};

/* Draw it into rect, which is one line. */
void legend_draw(const struct legend *legend, bool ascii, struct surface *surface, struct rect rect);

#endif
