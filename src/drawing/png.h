/* Pictures as PNG files with a palette (ISO/IEC 15948). */
#ifndef SPARSIGHT_DRAWING_PNG_H
#define SPARSIGHT_DRAWING_PNG_H

#include "base/text.h"
#include "drawing/pixmap.h"

/* Append a picture, whose pixels are the numbers of their colours; omitted pixels are transparent. An empty
 * picture appends nothing. O(pixels), and temporarily as many bytes. */
void png_write(const struct pixmap *pixmap, const struct pixmap_colours *colours, struct text *out);

#endif
