/* The roofline as a pane: its points with a legend, and the distance of the one under the cursor from its
 * roof. */
#ifndef SPARSIGHT_UI_WIDGETS_ROOFLINE_H
#define SPARSIGHT_UI_WIDGETS_ROOFLINE_H

#include "report/figures/speeds.h"

struct explorer;

/* Draw the roofline of speeds, at least one. Returns the lines of the legend. */
int roofline_pane(const struct explorer *explorer, const struct speeds *speeds, int cursor,
                  struct surface *surface, struct rect rect);

#endif
