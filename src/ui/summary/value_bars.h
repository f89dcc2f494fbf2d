/* The bars of the Summary screen that tell how many values have which size. */
#ifndef SPARSIGHT_UI_SUMMARY_VALUE_BARS_H
#define SPARSIGHT_UI_SUMMARY_VALUE_BARS_H

#include "drawing/surface.h"
#include "ui/view.h"

/* Draw a title, a bar for each power of ten, or for several where there is no room for each, and under the
 * bars the exponents at which they begin. Their heights are logarithmic: log(1 + entries). Where the case
 * that is shown has no values, or they are not known yet, a line says so. */
void value_bars_draw(const struct explorer *explorer, struct surface *surface, struct rect rect);

#endif
