/* Pictures that the library cairo makes: PNG, and PDF with its texts as texts. Only builds with cairo have
 * these. */
#ifndef SPARSIGHT_DRAWING_CAIRO_CANVAS_H
#define SPARSIGHT_DRAWING_CAIRO_CANVAS_H

#include "drawing/picture.h"

enum status picture_png(const struct picture *picture, struct text *out, struct error *error);
enum status picture_pdf(const struct picture *picture, struct text *out, struct error *error);

#endif
