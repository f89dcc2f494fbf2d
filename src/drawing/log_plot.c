#include "drawing/log_plot.h"

#include <math.h>

#include "drawing/braille.h"
#include "drawing/plot.h"

#define LABEL_MAX 32

/* An axis with more decades has ticks at powers of ten alone. */
#define DECADES_MAX 3

double log_plot_across(const struct log_plot *plot, double x)
{
    return log(x / plot->left) / log(plot->right / plot->left);
}

double log_plot_up(const struct log_plot *plot, double y)
{
    return log(y / plot->bottom) / log(plot->top / plot->bottom);
}

int log_plot_column(const struct log_plot *plot, double x)
{
    return plot->rect.left +
           (int)lround(log_plot_across(plot, x) * (BRAILLE_WIDE * plot->rect.wide - 1)) / BRAILLE_WIDE;
}

int log_plot_row(const struct log_plot *plot, double y)
{
    int dots = plot->ascii ? 1 : BRAILLE_HIGH;
    return plot->rect.top + (int)lround((1 - log_plot_up(plot, y)) * (dots * plot->rect.high - 1)) / dots;
}

/* Return the next tick after this one. */
static double next_tick(double tick, bool decades)
{
    double power = pow(10, floor(log10(tick) + 1e-9)), first = tick / power;
    if (decades) return 10 * power;
    return first < 1.5 ? 2 * power : first < 3 ? 5 * power : 10 * power;
}

static double first_tick(double from, bool decades)
{
    double tick = pow(10, floor(log10(from) + 1e-9));
    while (tick < from * (1 - 1e-9))
        tick = next_tick(tick, decades);
    return tick;
}

static bool has_many_decades(double from, double to)
{
    return log10(to / from) > DECADES_MAX;
}

void log_plot_axes(const struct log_plot *plot, int label_wide, log_plot_label *across, log_plot_label *up)
{
    const struct rect *rect = &plot->rect;
    char label[LABEL_MAX];
    int free = rect->left, end = rect->left + rect->wide, above = rect->top + rect->high;
    bool decades = has_many_decades(plot->bottom, plot->top);
    plot_axes(plot->surface, *rect, plot->ascii, label_wide, "", "");
    for (double y = first_tick(plot->bottom, decades); y <= plot->top; y = next_tick(y, decades)) {
        int row = log_plot_row(plot, y);
        if (row >= above) continue; /* the label below takes this line */
        up(y, label, sizeof label);
        surface_text_right(plot->surface, row, rect->left - 1 - label_wide, label_wide - 1, COLOUR_DIM, 0,
                           "%s", label);
        above = row;
    }
    decades = has_many_decades(plot->left, plot->right);
    for (double x = first_tick(plot->left, decades); x <= plot->right * (1 + 1e-9);
         x = next_tick(x, decades)) {
        across(x, label, sizeof label);
        int length = surface_columns(label), at = log_plot_column(plot, x) - length / 2;
        if (at + length > end) at = end - length;
        if (at < free) continue;
        surface_text(plot->surface, rect->top + rect->high + 1, at, length, COLOUR_DIM, 0, "%s", label);
        free = at + length + 2;
    }
}

void log_plot_curve(const struct log_plot *plot, double (*height)(const void *curve, double x),
                    const void *curve, enum colour colour, char mark)
{
    double heights[2 * LOG_PLOT_WIDE];
    int wide = plot->rect.wide < LOG_PLOT_WIDE ? plot->rect.wide : LOG_PLOT_WIDE;
    int dots = 2 * wide, first = dots, last = -1;
    for (int k = 0; k < dots; k++) {
        double x = plot->left * pow(plot->right / plot->left, (double)k / (dots - 1));
        heights[k] = log_plot_up(plot, height(curve, x));
        if (!(heights[k] >= 0 && heights[k] <= 1)) continue;
        if (first == dots) first = k;
        last = k;
    }
    if (last < first) return;
    struct rect span = plot->rect;
    span.left += first / 2;
    span.wide = last / 2 - first / 2 + 1;
    plot_curve(plot->surface, span, heights + first / 2 * 2, colour, plot->ascii, mark);
}
