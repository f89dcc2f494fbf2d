/* A canvas that becomes a drawing in SVG 1.1 (W3C, second edition), in which texts are texts and images are
 * PNG files. */
#ifndef SPARSIGHT_DRAWING_SVG_H
#define SPARSIGHT_DRAWING_SVG_H

#include "base/error.h"
#include "base/text.h"
#include "drawing/canvas.h"

/* Begin a drawing of this number of pixels, which is appended to `out`; `title` is for screen readers and
 * shown under the pointer. */
struct canvas svg_begin(int wide, int high, bool light, const char *title, struct text *out);

/* End the drawing. STATUS_MEMORY if it could not be written completely. */
enum status svg_end(struct canvas *canvas, struct error *error);

#endif
