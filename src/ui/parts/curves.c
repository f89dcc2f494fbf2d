/* Curves over the number of parts, one for each partition: speed-up, volume or imbalance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/braille.h"
#include "drawing/log_plot.h"
#include "drawing/plot.h"
#include "ui/parts/screen.h"
#include "ui/widgets/legend.h"

#define LABEL_WIDE 6
#define CURVES_MAX 8
#define POINTS_MAX 64

static const char *const titles[PARTS_CURVE_COUNT] = {
    [CURVE_SPEEDUP] = "speed-up over one process, predicted",
    [CURVE_VOLUME] = "volume: elements exchanged in all",
    [CURVE_IMBALANCE] = "imbalance: most / mean entries of a part",
};

/* A partition's points, by ascending numbers of parts. */
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

/* Find the curves of the table, of what is shown. Returns how many there are; one that has no point yet is
 * among them. */
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

static void find_bounds(const struct curve *curves, int count, struct log_plot *plot)
{
    plot->left = 2;
    plot->right = 4;
    plot->bottom = INFINITY;
    plot->top = 0;
    for (int c = 0; c < count; c++)
        for (int k = 0; k < curves[c].count; k++) {
            plot->left = fmin(plot->left, curves[c].x[k]);
            plot->right = fmax(plot->right, curves[c].x[k]);
            plot->bottom = fmin(plot->bottom, curves[c].y[k]);
            plot->top = fmax(plot->top, curves[c].y[k]);
        }
    plot->bottom = fmin(plot->bottom, plot->top / 1.2);
}

/* Return the height of a curve at x between its points, which are joined by straight lines of the logarithms;
 * NaN outside. */
static double height_at(const struct curve *curve, double x)
{
    for (int k = 1; k < curve->count; k++) {
        if (x < curve->x[k - 1] || x > curve->x[k]) continue;
        double share = log(x / curve->x[k - 1]) / log(curve->x[k] / curve->x[k - 1]);
        return exp(log(curve->y[k - 1]) + share * log(curve->y[k] / curve->y[k - 1]));
    }
    return NAN;
}

static void draw_curve(const struct log_plot *plot, const struct curve *curve, enum colour colour)
{
    double heights[2 * LOG_PLOT_WIDE];
    int dots = 2 * plot->rect.wide, first = dots, end = 0;
    for (int d = 0; d < dots; d++) {
        double x = plot->left * pow(plot->right / plot->left, (double)d / (dots - 1));
        double y = height_at(curve, x);
        heights[d] = isnan(y) ? 0 : log_plot_up(plot, y);
        if (isnan(y)) continue;
        if (d < first) first = d;
        end = d + 1;
    }
    first = (first + 1) / 2; /* characters whose dots are all on the curve */
    end /= 2;
    if (end <= first || plot->ascii) return;
    plot_curve(plot->surface,
               (struct rect){plot->rect.top, plot->rect.left + first, plot->rect.high, end - first},
               heights + 2 * first, colour, false, '.');
}

static void label_parts(double value, char *out, size_t size)
{
    snprintf(out, size, "%.0f", value);
}

/* Draw the axis of parts by their numbers: those of the points, as far as their labels do not touch. */
static void draw_parts_axis(const struct log_plot *plot)
{
    int y = plot->rect.top + plot->rect.high, free = plot->rect.left - 1;
    plot_axes(plot->surface, plot->rect, plot->ascii, LABEL_WIDE, "", "");
    for (double parts = 1; parts <= plot->right; parts *= 2) {
        char label[32];
        if (parts < plot->left) continue;
        label_parts(parts, label, sizeof label);
        int wide = (int)strlen(label), x = log_plot_column(plot, parts) - wide / 2;
        if (x < free || x + wide > plot->rect.left + plot->rect.wide + 1) continue;
        surface_text(plot->surface, y + 1, x, wide, COLOUR_DIM, 0, "%s", label);
        free = x + wide + 1;
    }
}

/* Draw labels at 1, 2 and 5 times powers of ten, and where there is less than a decade at more values, as far
 * as there is room. */
static void draw_value_axis(const struct log_plot *plot)
{
    static const double few[] = {1, 2, 5}, many[] = {1, 1.1, 1.2, 1.5, 2, 3, 4, 5, 6, 8};
    bool narrow = plot->top < 10 * plot->bottom;
    const double *steps = narrow ? many : few;
    size_t count = narrow ? sizeof many / sizeof *many : sizeof few / sizeof *few;
    int last = plot->rect.top + plot->rect.high + 1;
    char label[32];
    for (int power = -3; power < 15; power++)
        for (size_t s = 0; s < count; s++) {
            double value = steps[s] * pow(10, power);
            int y = log_plot_row(plot, value);
            if (value < plot->bottom || value > plot->top || last - y < 2) continue;
            value < 1000 ? format_brief(label, sizeof label, value)
                         : format_short(label, sizeof label, value);
            surface_text_right(plot->surface, y, plot->rect.left - 1 - LABEL_WIDE, LABEL_WIDE, COLOUR_DIM, 0,
                               "%s", label);
            last = y;
        }
}

static enum colour curve_colour(int c)
{
    return (enum colour)((int)COLOUR_OWNER + c % OWNER_COLOURS);
}

/* Draw the points over all curves, the selected one highlighted. */
static void draw_points(const struct log_plot *plot, const struct parts_screen *screen,
                        const struct explorer *explorer, const struct curve *curves, int count)
{
    for (int c = 0; c < count; c++)
        for (int k = 0; k < curves[c].count; k++) {
            int y = log_plot_row(plot, curves[c].y[k]), x = log_plot_column(plot, curves[c].x[k]);
            surface_put(plot->surface, y, x, legend_letter(c), curve_colour(c), COLOUR_TEXT, ATTRIBUTE_BOLD);
        }
    for (int c = 0; c < count; c++)
        for (int k = 0; k < curves[c].count; k++)
            if (curves[c].rows[k] == screen->selected) {
                int y = log_plot_row(plot, curves[c].y[k]), x = log_plot_column(plot, curves[c].x[k]);
                surface_put(plot->surface, y, x, legend_letter(c), COLOUR_TEXT, COLOUR_CURSOR,
                            explorer->colours ? 0 : ATTRIBUTE_REVERSE);
            }
}

/* True if all numbers of parts of a partition are known. */
static bool is_complete(const struct parts_screen *screen, const char *name)
{
    for (int k = 0; k < screen->table.count; k++)
        if (!screen->items[k].done && strcmp(screen->table.items[k].name, name) == 0) return false;
    return true;
}

/* Write a height: elements are whole. */
static const char *write_value(const struct parts_screen *screen, double value, char out[32])
{
    if (parts_curve(screen) == CURVE_VOLUME) return format_count(out, 32, (int64_t)value);
    return format_brief(out, 32, value);
}

/* Say which letter is which partition, and where it is best or stops. */
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
                     !is_complete(screen, row->name) ? "so far best"
                     : best < curves[c].rows[last]   ? "stops"
                                                     : "rises to the end,",
                     (long long)table->items[best].parts,
                     format_brief(number, sizeof number, table->items[best].scaling.speedup));
        else if (last >= 0)
            snprintf(said, sizeof said, "%s with %.0f parts", write_value(screen, curves[c].y[last], number),
                     curves[c].x[last]);
        const struct legend legend = {.mark = legend_letter(c),
                                      .colour = curve_colour(c),
                                      .name = row->name,
                                      .said = said,
                                      .gap = 2,
                                      .chosen = screen->table.count &&
                                                strcmp(row->name, table->items[screen->selected].name) == 0};
        legend_draw(&legend, explorer->ascii, surface, (struct rect){rect.top + c, rect.left, 1, rect.wide});
    }
}

void parts_draw_curves(struct explorer *explorer, struct parts_screen *screen, struct surface *surface,
                       struct rect rect)
{
    struct curve curves[CURVES_MAX];
    const enum parts_curve shown = parts_curve(screen);
    int count = find_curves(screen, shown, curves), points = 0;
    for (int c = 0; c < count; c++)
        points += curves[c].count;
    surface_text_short(surface, rect.top, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_TITLE, 0,
                       titles[shown]);
    int wide = rect.wide - LABEL_WIDE - 3, legend = count < rect.high / 3 ? count : rect.high / 3;
    struct log_plot plot = {.surface = surface,
                            .rect = {rect.top + 1, rect.left + LABEL_WIDE + 2, rect.high - 3 - legend,
                                     wide < LOG_PLOT_WIDE ? wide : LOG_PLOT_WIDE},
                            .ascii = explorer->ascii};
    if (plot.rect.high < 3 || plot.rect.wide < 10) return;
    if (points) {
        find_bounds(curves, count, &plot);
        draw_parts_axis(&plot);
        draw_value_axis(&plot);
        for (int c = 0; c < count; c++)
            draw_curve(&plot, &curves[c], curve_colour(c));
        draw_points(&plot, screen, explorer, curves, count);
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
