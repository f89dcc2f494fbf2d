/* A small picture of the whole pattern, and the row lengths as small bars. */
#ifndef SPARSIGHT_UI_WIDGETS_THUMBNAIL_H
#define SPARSIGHT_UI_WIDGETS_THUMBNAIL_H

#include "analysis/entries.h"
#include "drawing/surface.h"
#include "ui/view.h"

/* The number of entries in each dot that was drawn last. Start with {0}. */
struct thumbnail {
    int64_t *counts; /* high x wide numbers, row-major; owned */
    int high, wide;
    bool drawn; /* the counts exist */
    bool plain; /* drawn without colours, dim where there are fewer entries */
};

/* Draw the pattern, shaded by density, in the largest frame that fits into rect. The frame is empty until the
 * session has a pyramid. Returns the number of rows of the surface drawn; 0 if it does not fit. */
int thumbnail_draw(struct thumbnail *thumbnail, const struct explorer *explorer, struct surface *surface,
                   struct rect rect);

/* The same for any matrix with its pyramid. Both must not change while thumbnail->drawn is true. */
int thumbnail_draw_of(struct thumbnail *thumbnail, const struct explorer *explorer, const struct csr *a,
                      const struct pyramid *pyramid, struct surface *surface, struct rect rect);

/* Mark the border of this part of the matrix in the picture that thumbnail_draw_of has drawn into rect. */
void thumbnail_mark(const struct explorer *explorer, const struct csr *a, const struct pyramid *pyramid,
                    struct surface *surface, struct rect rect, struct range places);

/* Return the position in the middle of cell (y, x) of the surface in that picture; false if the cell is
 * outside. */
bool thumbnail_at(const struct csr *a, const struct pyramid *pyramid, struct rect rect, int y, int x,
                  int64_t place[2]);

void thumbnail_free(struct thumbnail *thumbnail);

/* Draw a caption, and under it upright bars: each is the mean length of equally many rows. */
void sparkline_draw(const struct explorer *explorer, struct surface *surface, struct rect rect);

#endif
