/* The lengths of rows and of columns: along the index, and as a histogram. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "drawing/bins.h"
#include "drawing/chart.h"
#include "drawing/spans.h"
#include "report/figures/figure.h"

#define BINS_MAX 40

/* The lines of one figure. */
struct side {
    const struct spans *spans;
    const struct lengths *lengths;
    const char *one, *many;
    enum colour colour;
};

/* Draw the mean of each stretch of lines as a bar, and from there up to their maximum a dim bar. */
static void draw_profile(const struct side *side, struct canvas *canvas, double top, double bottom)
{
    char title[128], up[64];
    struct chart chart = {.canvas = canvas,
                          .across = {.from = 0.5, .to = (double)side->lengths->lines + 0.5, .title = title},
                          .up = {.from = 0, .to = fmax(1, (double)side->lengths->max) * 1.05, .title = up}};
    snprintf(up, sizeof up, "entries a %s", side->one);
    chart_place(&chart, top, bottom, 9);
    int64_t lines = side->lengths->lines, units = max(1, (int64_t)chart.wide);
    int64_t each = lines / units + (lines % units != 0), step = max(1, side->spans->step);
    each = (each + step - 1) / step * step; /* data by stretches are drawn in whole stretches */
    double base = chart.top + chart.high;
    snprintf(title, sizeof title,
             each > 1 ? "%s (a bar is %lld %s: their mean, and in grey their longest)" : "%s", side->one,
             (long long)each, side->many);
    chart_axes(&chart);
    for (int64_t from = 0; from < lines; from += max(1, each)) {
        struct stretch stretch = spans_stretch(side->spans, from, from + max(1, each));
        double x = floor(chart_x(&chart, (double)from + 0.5));
        double highest = chart_height(&chart, (double)stretch.max), mean = chart_height(&chart, stretch.mean);
        double next = floor(chart_x(&chart, (double)min(lines, from + max(1, each)) + 0.5));
        double wide = fmax(1, next - x);
        if (highest - mean >= 0.5) canvas_bar(canvas, x, base - highest, wide, highest, COLOUR_DIM, true);
        if (stretch.mean > 0) canvas_bar(canvas, x, base - mean, wide, mean, side->colour, true);
    }
}

/* Return the number of bins from one label to the next that gives each label room. If all bins have equal
 * width, it is 1, 2 or 5 times a power of ten, so that labels are round numbers. */
static int label_step(const struct canvas *canvas, const struct bin *bins, int count, double each,
                      bool geometric)
{
    char out[32];
    double widest = 0;
    for (int k = 0; k < count; k++) {
        format_short(out, sizeof out, (double)bins[k].from);
        widest = fmax(widest, canvas_text_wide(canvas, out));
    }
    int least = (int)fmax(1, ceil((widest + canvas->column) / each)), step = 1;
    if (geometric) return least;
    for (int k = 0; step < least; k++)
        step = k % 3 == 1 ? step / 2 * 5 : 2 * step;
    return step;
}

/* Draw the histogram of lengths. The axis of counts is logarithmic, so that single long lines are visible. */
static void draw_histogram(const struct side *side, struct canvas *canvas, double top, double bottom)
{
    struct bin bins[BINS_MAX];
    bool geometric;
    char title[80], out[32];
    int count = bins_make(side->lengths, bins, BINS_MAX, &geometric);
    int64_t most = 1;
    for (int k = 0; k < count; k++)
        most = max(most, bins[k].lines);
    struct chart chart = {
        .canvas = canvas,
        .across = {.from = 0, .to = fmax(1, count), .title = title, .bare = true},
        .up = {.from = 0.8, .to = (double)most * 1.5, .logarithmic = true, .title = side->many}};
    snprintf(title, sizeof title, "entries a %s%s", side->one, geometric ? " (bins grow)" : "");
    double labels = 1.25 * canvas->line, below = canvas->turns ? 0.85 : 1.5;
    chart_place(&chart, top, bottom - labels, 9);
    double base = chart.top + chart.high, each = chart.wide / fmax(1, count);
    int step = label_step(canvas, bins, count, each, geometric);
    int64_t width = count > 1 ? bins[1].from - bins[0].from : 1;
    struct chart titled = chart;
    titled.across.title = NULL;
    chart_axes(&titled);
    for (int k = 0; k < count; k++) {
        double x = floor(chart.left + k * each), wide = floor(chart.left + (k + 1) * each) - x;
        double middle = x + wide / 2;
        if (wide >= 3) wide -= 1;
        if (bins[k].lines) {
            double high = chart_height(&chart, (double)bins[k].lines);
            canvas_bar(canvas, x, base - high, wide, high, side->colour, true);
        }
        if ((geometric ? k : bins[k].from / width) % step) continue;
        format_short(out, sizeof out, (double)bins[k].from);
        canvas_text(canvas, middle, base + below * canvas->line, ANCHOR_MIDDLE, COLOUR_DIM, 0, "%s", out);
    }
    canvas_text(canvas, chart.left + chart.wide / 2, base + (below + 1.1) * canvas->line, ANCHOR_MIDDLE,
                COLOUR_TEXT, 0, "%s", title);
}

static enum status draw_side(const struct figure_subject *subject, const struct side *side,
                             struct canvas *canvas)
{
    const struct lengths *lengths = side->lengths;
    char shows[160], shortest[32], longest[32];
    snprintf(shows, sizeof shows, "%s to %s entries a %s, mean %.4g, stddev %.4g, Gini %.3g",
             format_count(shortest, sizeof shortest, lengths->min),
             format_count(longest, sizeof longest, lengths->max), side->one, lengths->mean, lengths->stddev,
             lengths->gini);
    double top = figure_heading(subject, canvas, shows) + 0.75 * canvas->line;
    double middle = top + (canvas->high - top) * 0.52;
    draw_profile(side, canvas, top, middle);
    draw_histogram(side, canvas, middle + canvas->line, canvas->high - 0.25 * canvas->line);
    return STATUS_OK;
}

static enum status check_lines(const struct figure_subject *subject, struct error *error)
{
    const struct matrix *matrix = &subject->of->matrix;
    if (matrix->csr.rows > 0 && matrix->csr.cols > 0) return STATUS_OK;
    return error_at(error, STATUS_UNAVAILABLE, matrix->path, 0, 0,
                    "nothing to draw: the matrix has no rows or no columns");
}

static enum status draw_rows(const struct figure_subject *subject, struct canvas *canvas, struct error *error)
{
    const struct side side = {&subject->of->row_spans, &subject->of->row_lengths, "row", "rows", COLOUR_ROWS};
    return draw_side(subject, &side, canvas);
}

static enum status draw_columns(const struct figure_subject *subject, struct canvas *canvas,
                                struct error *error)
{
    const struct side side = {&subject->of->col_spans, &subject->of->col_lengths, "column", "columns",
                              COLOUR_COLS};
    return draw_side(subject, &side, canvas);
}

const struct figure figure_rows = {
    .name = "rows",
    .summary = "row lengths along the index, and their histogram",
    .needs = SESSION_MATRIX | SESSION_ROW_LENGTHS,
    .check = check_lines,
    .draw = draw_rows,
};

const struct figure figure_columns = {
    .name = "columns",
    .summary = "column lengths, likewise",
    .needs = SESSION_MATRIX | SESSION_COL_LENGTHS | SESSION_COL_PTR,
    .check = check_lines,
    .draw = draw_columns,
};
