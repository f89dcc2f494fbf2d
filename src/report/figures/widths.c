#include "report/figures/widths.h"

#include <math.h>

#include "base/memory.h"
#include "base/range.h"

enum status widths_of(const int32_t *of, int64_t items, int64_t classes, struct spans *widths,
                      struct error *error)
{
    int64_t *offsets = memory_zeroed((size_t)classes + 1, sizeof *offsets, error);
    *widths = (struct spans){0};
    if (!offsets) return STATUS_MEMORY;
    for (int64_t k = 0; k < items; k++)
        offsets[of[k] + 1]++;
    for (int64_t c = 0; c < classes; c++)
        offsets[c + 1] += offsets[c];
    return spans_own(offsets, classes, widths, error);
}

int64_t widths_each(const struct chart *chart, int64_t lines, double least)
{
    return max(1, (int64_t)ceil((double)lines * least / fmax(1, chart->wide)));
}

void widths_draw(const struct chart *chart, const struct widths_bars *bars)
{
    const double base = chart->top + chart->high;
    const int64_t lines = bars->spans->lines, each = bars->each;
    const double place = chart->wide * (double)each / (chart->across.to - chart->across.from);
    for (int64_t from = 0; from < lines; from += each) {
        const struct stretch stretch = spans_stretch(bars->spans, from, from + each);
        const double left = chart->left + place * ((double)(from / each) + bars->first);
        const double x = floor(left),
                     end = fmin(floor(left + place * bars->share), chart->left + chart->wide);
        const double wide = fmax(1, end - x - (end - x >= 4));
        const double highest = chart_height(chart, (double)stretch.max),
                     mean = chart_height(chart, stretch.mean);
        if (bars->whole && highest - mean >= 0.5)
            canvas_bar(chart->canvas, x, base - highest, wide, highest, COLOUR_DIM, true);
        if (stretch.mean > 0) canvas_bar(chart->canvas, x, base - mean, wide, mean, bars->colour, true);
    }
}
