#include "ui/summary/value_bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/values.h"
#include "base/text.h"
#include "drawing/bars.h"

/* There are at most as many bins as a wide panel has columns. */
#define BINS_MAX 80

/* A bar is at most so many columns wide, with the gap behind it. */
#define THICK_MAX 6

/* Write the exponents of as many bins as have room for theirs. */
static void label(const struct value_bin *bins, int count, int thick, struct surface *surface,
                  struct rect rect)
{
    int y = rect.top + rect.high - 1, free = 0;
    for (int k = 0; k < count; k++) {
        char out[16];
        int length = snprintf(out, sizeof out, "%d", bins[k].first), x = k * thick;
        if (x < free || x + length > rect.wide) continue;
        surface_text(surface, y, rect.left + x, length, COLOUR_DIM, 0, "%s", out);
        free = x + length + 1;
    }
}

void value_bars_draw(const struct explorer *explorer, struct surface *surface, struct rect rect)
{
    const struct matrix_case *shown = explorer->session->shown;
    struct value_bin bins[BINS_MAX];
    char text[32];
    int width, limit = rect.wide < BINS_MAX ? rect.wide : BINS_MAX;
    if (rect.high < 3 || rect.wide < 6) return;
    bool known = case_has(shown, SESSION_VALUES) && shown->matrix.field != FIELD_PATTERN;
    int count = known ? values_bins(&shown->values, bins, limit, &width) : 0;
    int64_t most = 0;
    for (int k = 0; k < count; k++)
        if (bins[k].count > most) most = bins[k].count;
    int used = surface_text(surface, rect.top, rect.left, rect.wide, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s",
                            rect.wide < 24 ? "log10 |a|" : "Values by log10 |a|");
    if (count == 0) {
        surface_text(surface, rect.top + 1, rect.left, rect.wide, COLOUR_DIM, 0, "%s",
                     case_has(shown, SESSION_VALUES) ? "none"
                     : case_has_entries(shown)       ? "..."
                                                     : "-");
        return;
    }
    format_short(text, sizeof text, (double)most);
    int room = rect.wide - used - 1, wide = surface_columns(text);
    if (wide <= room)
        surface_text_right(surface, rect.top, rect.left + used + 1, room, COLOUR_DIM, 0, "%s%s",
                           wide + 7 <= room ? "log to " : "", text);
    int thick = rect.wide / count < THICK_MAX ? rect.wide / count : THICK_MAX;
    for (int k = 0; k < count; k++) {
        const struct bar bar = {
            .kind = BAR_UPRIGHT,
            .rect = {rect.top + 1, rect.left + k * thick, rect.high - 2, thick > 2 ? thick - 1 : thick},
            .length = log1p((double)bins[k].count) / log1p((double)most),
            .colour = COLOUR_ACCENT,
            .ascii = explorer->ascii};
        bar_draw(surface, &bar);
    }
    label(bins, count, thick, surface, rect);
}
