/* The roofline: the speed of each kernel over its arithmetic intensity, below the speed that the memory of
 * its machine allows (Williams, Waterman and Patterson, Roofline, CACM 52(4), 2009). Both axes are
 * logarithmic. The flat part of a roof, the speed of the arithmetic, is far above any product with a sparse
 * matrix, and is not drawn. */
#ifndef SPARSIGHT_UI_WIDGETS_ROOFLINE_H
#define SPARSIGHT_UI_WIDGETS_ROOFLINE_H

#include <stdbool.h>

#include "drawing/surface.h"

#define ROOFLINE_POINTS 256
#define ROOFLINE_ROOFS 9

/* A kernel whose time is known. */
struct roofline_point {
    const char *name;
    double intensity; /* FLOP/byte */
    double speed;     /* FLOP/s */
    int roof;         /* the machine that it runs on, -1 if that was not measured */
    bool cached;      /* what it reads is in the cache: the memory does not limit it */
    bool forecast;    /* its speed is forecast, and not measured */
    int item;         /* the caller's number for it */
};

/* The memory of a machine. */
struct roofline_roof {
    const char *name; /* of the machine; "" for the processor */
    double bandwidth; /* bytes/s */
    bool stated;      /* the vendor states it, and nobody measured it */
};

struct roofline {
    struct roofline_point points[ROOFLINE_POINTS]; /* the fastest first */
    int count;
    struct roofline_roof roofs[ROOFLINE_ROOFS];
    int roof_count;
    int cursor; /* the point under the cursor */
    int rows;   /* the lines of the legend when it was drawn last */
};

/* Add a point in its place; the slowest is left out if there is no room. */
void roofline_add(struct roofline *roofline, const struct roofline_point *point);

/* Draw the points, of which there is at least one, the roofs, a legend, and how far the point under the
 * cursor is below its roof. */
void roofline_draw(struct roofline *roofline, bool ascii, struct surface *surface, struct rect rect);

#endif
