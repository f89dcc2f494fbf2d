#include "ui/widgets/roofline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "drawing/log_plot.h"
#include "ui/widgets/legend.h"

#define LABEL_WIDE 8
#define LEGEND_MIN 44 /* the width of a legend beside the plot */
#define LEGEND_ROWS 6 /* the lines of a legend below it */
#define PLOT_HIGH 4   /* the min height of the plot */
#define MARGIN 1.5    /* the factor between the outermost points and the edges of the plot */

static const enum colour colours[ROOFLINE_ROOFS] = {COLOUR_ROWS, COLOUR_COLS, COLOUR_MARK};

void roofline_add(struct roofline *roofline, const struct roofline_point *point)
{
    struct roofline_point *points = roofline->points;
    int at = roofline->count;
    while (at > 0 && points[at - 1].speed < point->speed)
        at--;
    if (at == ROOFLINE_POINTS) return;
    if (roofline->count < ROOFLINE_POINTS) roofline->count++;
    memmove(&points[at + 1], &points[at], (size_t)(roofline->count - at - 1) * sizeof *points);
    points[at] = *point;
}

/* The edges leave room around all points, and for the part of each roof that is above its points. */
static void fit(struct log_plot *plot, const struct roofline *roofline)
{
    plot->left = plot->bottom = INFINITY;
    plot->right = plot->top = 0;
    for (int k = 0; k < roofline->count; k++) {
        const struct roofline_point *point = &roofline->points[k];
        double bound = point->roof < 0 ? 0 : point->intensity * roofline->roofs[point->roof].bandwidth;
        plot->left = fmin(plot->left, point->intensity);
        plot->right = fmax(plot->right, point->intensity);
        plot->bottom = fmin(plot->bottom, point->speed);
        plot->top = fmax(plot->top, fmax(point->speed, bound));
    }
    plot->left /= MARGIN;
    plot->right *= MARGIN;
    plot->bottom /= MARGIN;
    plot->top *= MARGIN;
}

/* speed = intensity x bandwidth */
static double roof_height(const void *roof, double intensity)
{
    return intensity * ((const struct roofline_roof *)roof)->bandwidth;
}

static void write_intensity(double intensity, char *out, size_t size)
{
    format_brief(out, size, intensity);
}

static void write_speed(double speed, char *out, size_t size)
{
    format_brief(out, size, speed * 1e-9);
}

static enum colour colour_of(const struct roofline_point *point)
{
    return point->roof < 0 ? COLOUR_TEXT : colours[point->roof];
}

static void draw_point(const struct log_plot *plot, const struct roofline_point *point, int k, bool here)
{
    surface_put(plot->surface, log_plot_row(plot, point->speed), log_plot_column(plot, point->intensity),
                legend_letter(k), colour_of(point), COLOUR_TEXT,
                here ? ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE : ATTRIBUTE_BOLD);
}

/* Write a line for each point, scrolled so that the one under the cursor is in sight. */
static void draw_legend(const struct roofline *roofline, bool ascii, struct surface *surface,
                        struct rect rect)
{
    int cursor = roofline->cursor, first = cursor < rect.high ? 0 : cursor - rect.high + 1;
    for (int k = first; k < roofline->count && k - first < rect.high; k++) {
        const struct roofline_point *point = &roofline->points[k];
        char speed[48], number[32];
        write_speed(point->speed, number, sizeof number);
        snprintf(speed, sizeof speed, "%s%s GFLOP/s", point->forecast ? "~" : "", number);
        const struct legend legend = {.mark = legend_letter(k),
                                      .colour = colour_of(point),
                                      .name = point->name,
                                      .said = speed,
                                      .gap = 1,
                                      .chosen = k == cursor};
        legend_draw(&legend, ascii, surface, (struct rect){rect.top + k - first, rect.left, 1, rect.wide});
    }
}

/* Say how far the point under the cursor is below its roof, and which bandwidth that is. */
static void draw_words(const struct roofline *roofline, bool ascii, struct surface *surface, struct rect rect)
{
    const struct roofline_point *point = &roofline->points[roofline->cursor];
    struct flow flow = {.surface = surface, .rect = rect};
    char read[32], intensity[32], speed[32], most[32];
    flow_item(&flow, COLOUR_ACCENT, "%c %s", (char)legend_letter(roofline->cursor), point->name);
    write_intensity(point->intensity, intensity, sizeof intensity);
    write_speed(point->speed, speed, sizeof speed);
    flow_item(&flow, COLOUR_TEXT, "%s FLOP/byte, %s GFLOP/s%s", intensity, speed,
              point->forecast ? ", forecast" : "");
    if (point->roof < 0) return;
    const struct roofline_roof *roof = &roofline->roofs[point->roof];
    double bound = point->intensity * roof->bandwidth;
    write_speed(bound, most, sizeof most);
    if (point->cached)
        flow_item(&flow, COLOUR_WARN, "in the cache: the memory's limit of %s GFLOP/s does not apply", most);
    else
        flow_item(&flow, COLOUR_TEXT, "%s of the memory's limit of %s GFLOP/s",
                  format_rough(speed, sizeof speed, point->speed / bound), most);
    flow_item(&flow, COLOUR_DIM, "%s %s %s %s", ascii ? "..." : "\u2571",
              roof->name[0] ? roof->name : "memory", roof->stated ? "bandwidth" : "read",
              format_bandwidth(read, sizeof read, roof->bandwidth));
}

void roofline_draw(struct roofline *roofline, bool ascii, struct surface *surface, struct rect rect)
{
    int count = roofline->count;
    bool beside = rect.wide >= 2 * LEGEND_MIN;
    int below = beside ? 0 : count < LEGEND_ROWS ? count : LEGEND_ROWS;
    while (below > 1 && rect.high - 5 - below < PLOT_HIGH)
        below--;
    struct log_plot plot = {.surface = surface,
                            .rect = {rect.top + 1, rect.left + LABEL_WIDE + 1, rect.high - 5 - below,
                                     rect.wide - LABEL_WIDE - 3 - (beside ? LEGEND_MIN + 1 : 0)},
                            .ascii = ascii};
    if (plot.rect.wide > LOG_PLOT_WIDE) plot.rect.wide = LOG_PLOT_WIDE;
    if (plot.rect.high < 2 || plot.rect.wide < 2) return;
    fit(&plot, roofline);
    int x = rect.left + 1;
    x += surface_text(surface, rect.top, x, rect.wide - 2, COLOUR_TITLE, ATTRIBUTE_BOLD,
                      "GFLOP/s over FLOP/byte") +
         2;
    int end = rect.left + rect.wide - 1;
    int used =
        surface_text_whole(surface, rect.top, x, end - x, COLOUR_DIM, 0, "2 nnz / bytes that must be moved");
    if (used)
        surface_text_whole(surface, rect.top, x + used, end - x - used, COLOUR_DIM, 0,
                           ", x once (beta-plus)");
    log_plot_axes(&plot, LABEL_WIDE, write_intensity, write_speed);
    for (int r = 0; r < roofline->roof_count; r++)
        log_plot_curve(&plot, roof_height, &roofline->roofs[r], colours[r], '.');
    for (int k = count - 1; k >= 0; k--)
        if (k != roofline->cursor) draw_point(&plot, &roofline->points[k], k, false);
    draw_point(&plot, &roofline->points[roofline->cursor], roofline->cursor, true);
    struct rect legend =
        beside
            ? (struct rect){rect.top + 1, rect.left + rect.wide - LEGEND_MIN - 1, rect.high - 3, LEGEND_MIN}
            : (struct rect){rect.top + rect.high - 2 - below, rect.left + 1, below, rect.wide - 2};
    roofline->rows = legend.high;
    draw_legend(roofline, ascii, surface, legend);
    draw_words(roofline, ascii, surface,
               (struct rect){rect.top + rect.high - 2, rect.left + 1, 2, rect.wide - 2});
}
