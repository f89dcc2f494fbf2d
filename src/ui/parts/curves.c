/* Curves over the number of parts, one for each partition: speed-up, volume or imbalance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/chart.h"
#include "report/figures/even.h"
#include "ui/parts/screen.h"
#include "ui/widgets/panes.h"

#define LABEL_WIDE 6
#define CURVES_MAX 8
#define POINTS_MAX 64

static const char *const titles[PARTS_CURVE_COUNT] = {
    [CURVE_SPEEDUP] = "speed-up over one process, predicted",
    [CURVE_VOLUME] = "volume: elements exchanged in all",
    [CURVE_IMBALANCE] = "imbalance: most / mean entries of a part",
};

/* The points of a partition, by ascending number of parts. */
struct curve {
    int first; /* its first row of the table */
    int count;
    double x[POINTS_MAX], y[POINTS_MAX];
    int rows[POINTS_MAX];
};

static double value_of(const struct distributed *row, enum parts_curve curve)
{
    if (row->status != STATUS_OK) return NAN;
    if (curve == CURVE_VOLUME) return (double)row->halo.volume;
    if (curve == CURVE_IMBALANCE) return row->halo.imbalance;
    return row->scaling.total_us > 0 ? row->scaling.speedup : NAN;
}

/* Find the curves of the table for the shown quantity. Returns the number of curves. A partition without
 * points yet has an empty curve. */
static int find_curves(const struct parts_screen *screen, enum parts_curve shown,
                       struct curve curves[CURVES_MAX])
{
    const struct distribution *table = &screen->table;
    int count = 0;
    for (int k = 0; k < table->count; k++) {
        const struct distributed *row = &table->items[k];
        if (k == 0 || strcmp(row->name, table->items[k - 1].name) != 0) {
            if (count == CURVES_MAX) break;
            curves[count++] = (struct curve){.first = k};
        }
        struct curve *curve = &curves[count - 1];
        double y = value_of(row, shown);
        if (isnan(y) || !(y > 0) || curve->count == POINTS_MAX) continue;
        curve->x[curve->count] = (double)row->parts;
        curve->y[curve->count] = y;
        curve->rows[curve->count++] = k;
    }
    return count;
}

static void write_parts(double value, char *out, size_t size)
{
    snprintf(out, size, "%.0f", value);
}

static void write_height(double value, char *out, size_t size)
{
    format_tick(out, size, value);
}

/* Make axes that contain all points. */
static void find_axes(const struct curve *curves, int count, struct chart *chart)
{
    chart->across =
        (struct chart_axis){.from = 2, .to = 4, .logarithmic = true, .base = 2, .label = write_parts};
    chart->up = (struct chart_axis){.from = INFINITY, .logarithmic = true, .label = write_height};
    for (int c = 0; c < count; c++)
        for (int k = 0; k < curves[c].count; k++) {
            chart->across.from = fmin(chart->across.from, curves[c].x[k]);
            chart->across.to = fmax(chart->across.to, curves[c].x[k]);
            chart->up.from = fmin(chart->up.from, curves[c].y[k]);
            chart->up.to = fmax(chart->up.to, curves[c].y[k]);
        }
    chart->up.from = fmin(chart->up.from, chart->up.to / 1.2);
}

static enum colour curve_colour(int c)
{
    return (enum colour)((int)COLOUR_OWNER + c % OWNER_COLOURS);
}

/* Join the points by lines, then draw the points over all curves. The selected point is highlighted. */
static void draw_points(const struct chart *chart, const struct parts_screen *screen,
                        const struct curve *curves, int count)
{
    struct canvas *canvas = chart->canvas;
    canvas->mark = '.';
    for (int c = 0; c < count; c++)
        for (int k = 1; k < curves[c].count; k++)
            chart_line(chart, curves[c].x[k - 1], curves[c].y[k - 1], curves[c].x[k], curves[c].y[k],
                       curve_colour(c), false);
    for (int chosen = 0; chosen < 2; chosen++)
        for (int c = 0; c < count; c++)
            for (int k = 0; k < curves[c].count; k++)
                if (!chosen || curves[c].rows[k] == screen->selected)
                    canvas_text(canvas, chart_x(chart, curves[c].x[k]), chart_y(chart, curves[c].y[k]),
                                ANCHOR_MIDDLE, chosen ? COLOUR_CURSOR : curve_colour(c),
                                chosen ? WRITING_CHOSEN : WRITING_BOLD, "%c", figure_letter(c));
}

/* True if all numbers of parts of a partition are known. */
static bool is_complete(const struct parts_screen *screen, const char *name)
{
    for (int k = 0; k < screen->table.count; k++)
        if (!screen->items[k].done && strcmp(screen->table.items[k].name, name) == 0) return false;
    return true;
}

/* Write a height; a number of elements is an integer. */
static const char *write_value(const struct parts_screen *screen, double value, char out[32])
{
    if (parts_curve(screen) == CURVE_VOLUME) return format_count(out, 32, (int64_t)value);
    return format_brief(out, 32, value);
}

/* Write the letter and the name of each partition. Curves of the speed-up add the best number of parts, other
 * curves the value with the most parts. */
static void draw_legend(struct explorer *explorer, const struct parts_screen *screen,
                        const struct curve *curves, int count, struct surface *surface, struct rect rect)
{
    const struct distribution *table = &screen->table;
    for (int c = 0; c < count && c < rect.high; c++) {
        const struct distributed *row = &table->items[curves[c].first];
        char said[96] = "", number[32];
        int best = distribution_best(table, curves[c].first), last = curves[c].count - 1;
        if (last < 0)
            snprintf(said, sizeof said, "%s", row->status == STATUS_OK ? "nothing to show" : "not known yet");
        else if (parts_curve(screen) == CURVE_SPEEDUP && best >= 0)
            snprintf(said, sizeof said, "%s with %lld parts: %s",
                     !is_complete(screen, row->name) ? "best so far"
                     : best < curves[c].rows[last]   ? "stops"
                                                     : "rises to the end,",
                     (long long)table->items[best].parts,
                     format_brief(number, sizeof number, table->items[best].scaling.speedup));
        else if (last >= 0)
            snprintf(said, sizeof said, "%s with %.0f parts", write_value(screen, curves[c].y[last], number),
                     curves[c].x[last]);
        const struct legend legend = {.mark = (unsigned char)figure_letter(c),
                                      .colour = curve_colour(c),
                                      .name = row->name,
                                      .said = said,
                                      .gap = 2,
                                      .chosen = screen->table.count &&
                                                strcmp(row->name, table->items[screen->selected].name) == 0};
        legend_draw(&legend, explorer->ascii, surface, (struct rect){rect.top + c, rect.left, 1, rect.wide});
    }
}

void parts_draw_curves(struct explorer *explorer, void *state, struct surface *surface, struct rect rect)
{
    struct parts_screen *screen = state;
    struct curve curves[CURVES_MAX];
    const enum parts_curve shown = parts_curve(screen);
    int count = find_curves(screen, shown, curves), points = 0;
    for (int c = 0; c < count; c++)
        points += curves[c].count;
    surface_text_short(surface, rect.top, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_TITLE, 0,
                       titles[shown]);
    int legend = count < rect.high / 3 ? count : rect.high / 3;
    if (rect.high - 3 - legend < 3 || rect.wide - LABEL_WIDE - 3 < 10) return;
    if (points) {
        struct cells cells;
        struct canvas canvas = pane_canvas(explorer, &cells, surface, rect);
        struct chart chart = {.canvas = &canvas};
        find_axes(curves, count, &chart);
        chart_place(&chart, canvas.line, (rect.high - legend) * canvas.line, LABEL_WIDE);
        chart_axes(&chart);
        draw_points(&chart, screen, curves, count);
    } else {
        surface_text_short(surface, rect.top + 2, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_DIM,
                           0,
                           shown == CURVE_SPEEDUP && !screen->table.kernel[0]
                               ? "Not predicted: no kernel is timed or forecast yet."
                               : "No partition is known yet, or none exchanges elements.");
    }
    draw_legend(explorer, screen, curves, count, surface,
                (struct rect){rect.top + rect.high - legend, rect.left + 1, legend, rect.wide - 2});
}
