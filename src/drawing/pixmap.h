/* A picture of pixels, which terminals with graphics show (protocols.h). A pixel is an enum colour;
 * COLOUR_TEXT is a transparent pixel, which shows the terminal's background. */
#ifndef SPARSIGHT_DRAWING_PIXMAP_H
#define SPARSIGHT_DRAWING_PIXMAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "drawing/surface.h"

struct pixmap {
    int high, wide;
    uint8_t *pixels; /* high x wide, row by row; owned */
    size_t capacity;
};

/* The RGB value of each colour, as 0xRRGGBB. That of COLOUR_TEXT is not used. */
struct pixmap_colours {
    int rgb[COLOUR_COUNT];
};

/* Give the picture this size; its pixels are then undefined. On failure it keeps its size. STATUS_MEMORY. */
enum status pixmap_resize(struct pixmap *pixmap, int high, int wide, struct error *error);
void pixmap_free(struct pixmap *pixmap);

/* Return the pixels of row y. */
static inline uint8_t *pixmap_row(const struct pixmap *pixmap, int y)
{
    return pixmap->pixels + (size_t)y * (size_t)pixmap->wide;
}

/* Return the part of the rectangle that lies in the picture. */
struct rect pixmap_part(const struct pixmap *pixmap, struct rect part);

/* Merge neighbouring levels of density until the picture has at most `most` colours, for terminals with few
 * colours. At least two levels remain. */
void pixmap_reduce(const struct pixmap *pixmap, int most, struct pixmap_colours *colours);

#endif
