/* Charts of many numbers side by side: each bar is the mean of a stretch of them, and the part up to their
 * maximum is dim. */
#ifndef SPARSIGHT_REPORT_FIGURES_WIDTHS_H
#define SPARSIGHT_REPORT_FIGURES_WIDTHS_H

#include "drawing/chart.h"
#include "drawing/spans.h"

/* Count the items of each class: *widths becomes spans with a line for each class, whose length is the number
 * of items k < items with of[k] = class. STATUS_MEMORY. The caller frees it with spans_free. */
enum status widths_of(const int32_t *of, int64_t items, int64_t classes, struct spans *widths,
                      struct error *error);

/* Return the number of lines of a bar, so that each has at least `least` units; at least 1. */
int64_t widths_each(const struct chart *chart, int64_t lines, double least);

/* Draw one bar for each stretch of `each` lines, within the share first .. first + share of its place. If
 * `whole`, the part up to the maximum is drawn, too. */
struct widths_bars {
    const struct spans *spans;
    int64_t each;
    double first, share;
    enum colour colour;
    bool whole;
};
void widths_draw(const struct chart *chart, const struct widths_bars *bars);

#endif
