/* Kernels beside each other: their speeds as bars with intervals, and under the roofs of their machines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawing/chart.h"
#include "report/figures/parts.h"
#include "report/figures/speeds.h"

#define NAME_WIDE 30 /* columns of a name; what is longer is cut */

static const enum colour colours[] = {COLOUR_ROWS, COLOUR_COLS, COLOUR_MARK};
#define COLOURS (int)(sizeof colours / sizeof *colours)

/* Kernels have the colour of their machine. */
static enum colour colour_of(const struct speed *speed)
{
    return speed->roof < 0 ? COLOUR_GOOD : colours[speed->roof % COLOURS];
}

/* *speeds is the caller's to free; NULL on failure. */
static enum status find(const struct figure_subject *subject, struct speeds **speeds, struct error *error)
{
    *speeds = memory_array(1, sizeof **speeds, error);
    if (!*speeds) return STATUS_MEMORY;
    enum status status = speeds_find(subject, *speeds, error);
    if (status == STATUS_OK) return STATUS_OK;
    free(*speeds);
    *speeds = NULL;
    return status;
}

/* Draw the bar of a kernel, with its interval as a line over the bar's end. A line that would go further than
 * there is room before the number has no end. */
static void draw_bar(const struct chart *chart, const struct speed *speed, double y, double each)
{
    struct canvas *canvas = chart->canvas;
    double end = chart_x(chart, speed->speed * 1e-9), low = chart_x(chart, speed->low * 1e-9);
    double bar = fmax(1, each * 0.7), middle = y + each / 2;
    char number[32];
    snprintf(number, sizeof number, "%.3g", speed->speed * 1e-9);
    double room = fmin(chart->left + chart->wide,
                       canvas->wide - canvas_text_wide(canvas, number) - 1.5 * canvas->column);
    double high = fmin(chart_x(chart, speed->high * 1e-9), room);
    canvas_rectangle(canvas, chart->left, middle - bar / 2, end - chart->left, bar, colour_of(speed));
    if (canvas->turns && high - low >= 1) {
        canvas_stroke(canvas, low, middle, high, middle, COLOUR_TEXT, 1.5);
        canvas_stroke(canvas, low, middle - bar / 3, low, middle + bar / 3, COLOUR_TEXT, 1.5);
        if (high < room)
            canvas_stroke(canvas, high, middle - bar / 3, high, middle + bar / 3, COLOUR_TEXT, 1.5);
    }
    canvas_text(canvas, chart->left - canvas->column, middle, ANCHOR_END, COLOUR_TEXT, 0, "%.*s", NAME_WIDE,
                speed->name);
    canvas_text(canvas, fmax(high, end) + canvas->column, middle, ANCHOR_START, COLOUR_DIM, 0, "%s", number);
}

static enum status draw_kernels(const struct figure_subject *subject, struct canvas *canvas,
                                struct error *error)
{
    struct speeds *speeds;
    enum status status = find(subject, &speeds, error);
    if (status != STATUS_OK) return status;
    char shows[200];
    const char *what =
        speeds->forecast ? "forecast, none of them was timed" : "medians; the lines are their 95% intervals";
    double top = figure_heading(subject, canvas, what) + 0.5 * canvas->line, most = 0;
    double least = fmax(1, 1.25 * canvas->line), room = canvas->high - top - 2.75 * canvas->line;
    if (!canvas->turns) least = canvas->line;
    int shown = speeds->count < (int)(room / least) ? speeds->count : (int)fmax(1, floor(room / least));
    for (int k = 0; k < shown; k++)
        most = fmax(most,
                    fmax(speeds->items[k].speed, fmin(speeds->items[k].high, 1.2 * speeds->items[k].speed)));
    struct chart chart = {.canvas = canvas,
                          .across = {.from = 0, .to = 1.12 * most * 1e-9, .title = "GFLOP/s, 2 nnz / time"},
                          .up = {.from = 0, .to = 1, .bare = true}};
    double each = fmin(2 * canvas->line, floor(room / shown));
    if (!canvas->turns) each = canvas->line;
    chart_place(&chart, top, top + each * shown + 2.5 * canvas->line, NAME_WIDE);
    chart.high = each * shown;
    chart_axes(&chart);
    for (int k = 0; k < shown; k++)
        draw_bar(&chart, &speeds->items[k], chart.top + k * each, each);
    if (shown < speeds->count + speeds->left_out) {
        snprintf(shows, sizeof shows, "and %d slower ones", speeds->count + speeds->left_out - shown);
        canvas_text(canvas, canvas->column, canvas->high - 0.5 * canvas->line, ANCHOR_START, COLOUR_DIM, 0,
                    "%s", shows);
    }
    free(speeds);
    return STATUS_OK;
}

/* The letter of the k-th point. */
static char letter_of(int k)
{
    return (char)(k < 26 ? 'a' + k : 'A' + k - 26);
}

#define LETTERS 52

/* Write the points' letters, names and speeds beside the chart. */
static void draw_names(const struct speeds *speeds, struct canvas *canvas, double x, double top, int shown)
{
    for (int k = 0; k < shown; k++)
        canvas_text(canvas, x, top + (k + 0.5) * canvas->line, ANCHOR_START, colour_of(&speeds->items[k]), 0,
                    "%c %.*s %.3g%s", letter_of(k), NAME_WIDE, speeds->items[k].name,
                    speeds->items[k].speed * 1e-9, speeds->items[k].cached ? " (cache)" : "");
}

static enum status draw_roofline(const struct figure_subject *subject, struct canvas *canvas,
                                 struct error *error)
{
    struct speeds *speeds;
    enum status status = find(subject, &speeds, error);
    if (status != STATUS_OK) return status;
    struct chart chart = {
        .canvas = canvas,
        .across = {.from = INFINITY, .logarithmic = true, .title = "FLOP a byte that must be moved"},
        .up = {.from = INFINITY, .logarithmic = true, .title = "GFLOP/s"}};
    double top = figure_heading(subject, canvas,
                                speeds->forecast ? "forecast speeds under what reading the memory allows"
                                                 : "measured speeds under what reading the memory allows") +
                 0.5 * canvas->line;
    int shown = (int)fmin(fmin(speeds->count, LETTERS), floor((canvas->high - top) / canvas->line) - 1);
    for (int k = 0; k < speeds->count; k++) {
        const struct speed *speed = &speeds->items[k];
        if (!(speed->intensity > 0)) continue;
        double bound = speed->roof < 0 ? 0 : speed->intensity * speeds->roofs[speed->roof].bandwidth * 1e-9;
        chart.across.from = fmin(chart.across.from, speed->intensity / 1.5);
        chart.across.to = fmax(chart.across.to, speed->intensity * 1.5);
        chart.up.from = fmin(chart.up.from, speed->speed * 1e-9 / 1.5);
        chart.up.to = fmax(chart.up.to, fmax(speed->speed * 1e-9, bound) * 1.5);
    }
    double names = (NAME_WIDE + 12) * canvas->column, wide = canvas->wide;
    bool beside = wide - names > 30 * canvas->column;
    if (beside) canvas->wide = wide - names;
    chart_place(&chart, top, canvas->high - 0.25 * canvas->line, 7);
    canvas->wide = wide;
    if (chart.across.to > 0) {
        chart_axes(&chart);
        for (int r = 0; r < speeds->roof_count; r++) {
            double bandwidth = speeds->roofs[r].bandwidth * 1e-9;
            char read[32];
            chart_line(&chart, chart.across.from, chart.across.from * bandwidth, chart.across.to,
                       chart.across.to * bandwidth, colours[r % COLOURS], false);
            canvas_text(canvas, chart.left + canvas->column, chart.top + (r + 0.5) * canvas->line,
                        ANCHOR_START, colours[r % COLOURS], 0, "%s: %s", speeds->roofs[r].name,
                        format_bandwidth(read, sizeof read, speeds->roofs[r].bandwidth));
        }
        for (int k = speeds->count - 1; k >= 0; k--) {
            const struct speed *speed = &speeds->items[k];
            if (!(speed->intensity > 0)) continue;
            double x = chart_x(&chart, speed->intensity), y = chart_y(&chart, speed->speed * 1e-9);
            if (canvas->turns) chart_point(&chart, speed->intensity, speed->speed * 1e-9, colour_of(speed));
            if (k < shown)
                canvas_text(canvas, canvas->turns ? x + canvas->column : x, y, ANCHOR_START, colour_of(speed),
                            WRITING_BOLD, "%c", letter_of(k));
        }
        if (beside) draw_names(speeds, canvas, wide - names + canvas->column, top, shown);
    }
    free(speeds);
    return STATUS_OK;
}

const struct figure figure_kernels = {
    .name = "kernels",
    .summary = "speeds of kernels with intervals: timed (--kernels, --results), else forecast",
    .needs = SESSION_MATRIX,
    .runs = FIGURE_RUNS_OR_FORECASTS,
    .check = speeds_check,
    .draw = draw_kernels,
};

const struct figure figure_roofline = {
    .name = "roofline",
    .summary = "these over their operations a byte, under what the memory allows",
    .needs = SESSION_MATRIX,
    .runs = FIGURE_RUNS_OR_FORECASTS,
    .check = speeds_check,
    .draw = draw_roofline,
};
