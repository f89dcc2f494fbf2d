/* A small picture of the whole pattern, and a line of the row lengths, for the Summary screen. */
#ifndef SPARSIGHT_UI_WIDGETS_THUMBNAIL_H
#define SPARSIGHT_UI_WIDGETS_THUMBNAIL_H

#include "drawing/surface.h"
#include "ui/view.h"

/* The counts of the dots last drawn. Start with {0}. */
struct thumbnail {
    int64_t *counts; /* high x wide dots; owned */
    int high, wide;
    bool drawn; /* counts are of this size and of the finished pyramid */
};

/* Draw the pattern in a frame as large as fits into rect, shaded by density; "..." until the pyramid is
 * there. Returns the rows used. */
int thumbnail_draw(struct thumbnail *thumbnail, const struct explorer *explorer, struct surface *surface,
                   struct rect rect);
void thumbnail_free(struct thumbnail *thumbnail);

/* Mean row length along the row index as upright bars under a caption: rect.high rows in all. */
void sparkline_draw(const struct explorer *explorer, struct surface *surface, struct rect rect);

#endif
