/* Speed-ups of a kernel over others against the mean row length of several matrices, with the CMRS model's
 * bound (Koza et al., section 6.3). */
#include <math.h>
#include <stdio.h>

#include "analysis/cmrs_model.h"
#include "drawing/chart.h"
#include "report/figures/figure.h"
#include "report/figures/points.h"

static const enum colour colours[] = {COLOUR_ROWS, COLOUR_COLS, COLOUR_GOOD, COLOUR_MARK};
#define COLOURS (int)(sizeof colours / sizeof *colours)

/* Bytes of a transaction and of a value, for the model's line. */
static const double lambdas[] = {32, 128};
#define VALUE_BYTES 8

struct model_line {
    double height, lambda;
};

static double height_of(const void *argument, double mean)
{
    const struct model_line *model = argument;
    return cmrs_model_a(model->height, mean, VALUE_BYTES, model->lambda);
}

/* Make the axes contain all points, and 1, with some room around them. */
static void fit(const struct figure_points *points, struct chart *chart)
{
    double least = INFINITY, most = 0;
    chart->up.from = chart->up.to = 1;
    for (int k = 0; k < points->count; k++) {
        const struct figure_point *point = &points->items[k];
        least = fmin(least, point->mean);
        most = fmax(most, point->mean);
        chart->up.from = fmin(chart->up.from, point->low);
        chart->up.to = fmax(chart->up.to, point->high);
    }
    chart->across.from = fmin(least / 1.5, 1);
    chart->across.to = most * 1.5;
    chart->up.from /= 1.3;
    chart->up.to *= 1.3;
}

static void draw_points(const struct figure_points *points, const struct chart *chart)
{
    for (int k = 0; k < points->count; k++) {
        const struct figure_point *point = &points->items[k];
        enum colour colour = colours[(point->base - 1) % COLOURS];
        double x = chart_x(chart, point->mean);
        if (chart->canvas->turns && point->high > point->low)
            canvas_stroke(chart->canvas, x, chart_y(chart, point->low), x, chart_y(chart, point->high),
                          colour, 1);
        chart_mark(chart->canvas, x, chart_y(chart, point->speedup), colour, point->base - 1);
    }
}

/* Write the legend: each kernel with its colour and the geometric mean of its speed-ups. A kernel without
 * times has no line. Returns the y coordinate below it. */
static double draw_legend(const struct figure_points *points, struct canvas *canvas, double top)
{
    char name[CHOICE_NAME];
    for (int base = 1; base < points->kernels->count; base++) {
        double logs = 0;
        int count = 0, forecast = 0, derived = 0;
        for (int k = 0; k < points->count; k++) {
            if (points->items[k].base != base) continue;
            logs += log(points->items[k].speedup);
            forecast += points->items[k].forecast;
            derived += points->items[k].derived;
            count++;
        }
        if (count == 0) continue;
        kernel_choice_name(&points->kernels->choices[base], name, sizeof name);
        double y = top + 0.5 * canvas->line;
        top += canvas->line;
        if (canvas->turns) chart_mark(canvas, 2 * canvas->column, y, colours[(base - 1) % COLOURS], base - 1);
        canvas_text(canvas, 3.5 * canvas->column, y, ANCHOR_START, colours[(base - 1) % COLOURS], 0,
                    "over %s: %d matri%s, geometric mean %.3g%s%s", name, count, count == 1 ? "x" : "ces",
                    exp(logs / count),
                    forecast == count ? ", forecast"
                    : forecast        ? ", some forecast"
                                      : "",
                    derived ? " (constants derived)" : "");
    }
    return top;
}

static enum status draw_speedup(const struct figure_subject *subject, struct canvas *canvas,
                                struct error *error)
{
    const struct figure_points *points = subject->points;
    char title[CHOICE_NAME + 64], name[CHOICE_NAME], words[128];
    struct chart chart = {.canvas = canvas,
                          .across = {.logarithmic = true, .title = "mean row length, entries"},
                          .up = {.logarithmic = true, .title = "speed-up (times as fast)"}};
    kernel_choice_name(&points->kernels->choices[0], name, sizeof name);
    snprintf(title, sizeof title, "%s against mean row length, %d matri%s", name, points->matrices,
             points->matrices == 1 ? "x" : "ces");
    canvas_text(canvas, canvas->column, 0.75 * canvas->line, ANCHOR_START, COLOUR_TITLE, WRITING_BOLD, "%s",
                title);
    fit(points, &chart);
    double top = draw_legend(points, canvas, 1.25 * canvas->line) + 0.5 * canvas->line;
    chart_place(&chart, top, canvas->high - 0.25 * canvas->line, 7);
    chart_axes(&chart);
    chart_line(&chart, chart.across.from, 1, chart.across.to, 1, COLOUR_DIM, false);
    for (size_t k = 0; points->height >= 1 && k < sizeof lambdas / sizeof *lambdas; k++) {
        const struct model_line model = {points->height, lambdas[k]};
        chart_curve(&chart, height_of, &model, COLOUR_ACCENT, k == 0);
        const char *kind = k == 0 ? "dashed" : "line";
        snprintf(words, sizeof words, "%s: a(h = %g, mean), %g-byte transactions: the most over a warp a row",
                 kind, points->height, lambdas[k]);
        if (canvas_text_wide(canvas, words) > chart.wide - 2 * canvas->column)
            snprintf(words, sizeof words, "%s: the model's bound at %g bytes", kind, lambdas[k]);
        canvas_text(canvas, chart.left + 2 * canvas->column,
                    chart.top + chart.high - ((double)k + 1) * canvas->line, ANCHOR_START, COLOUR_ACCENT, 0,
                    "%s", words);
    }
    draw_points(points, &chart);
    return STATUS_OK;
}

static enum status check_speedup(const struct figure_subject *subject, struct error *error)
{
    const struct figure_points *points = subject->points;
    if (points && points->count) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE,
                     "no matrix has times of two of the kernels: name them with --kernels='FIRST OTHER...', "
                     "or give saved reports with their times");
}

const struct figure figure_speed_up = {
    .name = "speed-up",
    .summary = "speed-up of a kernel over others by mean row length, for matrices and saved reports",
    .needs = SESSION_MATRIX | SESSION_ROW_LENGTHS,
    .several = true,
    .check = check_speedup,
    .draw = draw_speedup,
};
