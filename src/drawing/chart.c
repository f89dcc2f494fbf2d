#include "drawing/chart.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"

#define CURVE_POINTS 240

/* An axis with more decades has ticks at powers of ten only. */
#define DECADES_MAX 3
#define LABEL_MAX 48

static double share_of_axis(const struct chart_axis *axis, double value)
{
    if (axis->counts) return value > 0 ? log1p(value) / log1p(axis->to) : 0;
    if (axis->logarithmic) return log(value / axis->from) / log(axis->to / axis->from);
    return (value - axis->from) / (axis->to - axis->from);
}

static double value_of_axis(const struct chart_axis *axis, double share)
{
    if (axis->logarithmic) return axis->from * pow(axis->to / axis->from, share);
    return axis->from + share * (axis->to - axis->from);
}

/* Return the position of a share of `units`; on a character canvas between the centres of the first and the
 * last dot. */
static double place_of(const struct chart *chart, double share, double units)
{
    return chart->canvas->turns ? share * units : 0.5 + share * (units - 1);
}

double chart_x(const struct chart *chart, double value)
{
    return chart->left + place_of(chart, share_of_axis(&chart->across, value), chart->wide);
}

double chart_y(const struct chart *chart, double value)
{
    return chart->top + place_of(chart, 1 - share_of_axis(&chart->up, value), chart->high);
}

double chart_height(const struct chart *chart, double value)
{
    return share_of_axis(&chart->up, value) * chart->high;
}

void chart_place(struct chart *chart, double top, double bottom, int label)
{
    const struct canvas *canvas = chart->canvas;
    bool beside = chart->up.title && canvas->turns;
    double below = (chart->across.bare ? 0 : 1.25) + (chart->across.title ? 1.25 : 0);
    chart->left = floor((label + 2) * canvas->column + (beside ? canvas->line : 0));
    chart->top = floor(top);
    chart->wide = floor(canvas->wide - chart->left - 3 * canvas->column);
    chart->high = floor(bottom - below * canvas->line) - chart->top;
    if (!canvas->turns) { /* the axis and its labels have a line each */
        chart->top = canvas->line * ceil(top / canvas->line + (chart->up.title ? 1 : 0));
        below = 1 + !chart->across.bare + (chart->across.title != NULL);
        chart->high = canvas->line * (floor(bottom / canvas->line + 1e-9) - below) - chart->top;
        chart->wide = canvas->wide - chart->left - canvas->column;
    }
    if (chart->wide < 1) chart->wide = 1;
    if (chart->high < 1) chart->high = 1;
}

static void write_label(const struct chart_axis *axis, double value, char *out, size_t size)
{
    if (axis->label)
        axis->label(value, out, size);
    else if (fabs(value) >= 1 && value == floor(value) && fabs(value) < 1e15)
        format_fitting(out, size, (int64_t)value, 9);
    else
        snprintf(out, size, "%.3g", value);
}

/* Return the smallest of 1, 2 and 5 times a power of ten that is not below x. */
static double nice(double x)
{
    double power = pow(10, floor(log10(x) + 1e-9)), first = x / power;
    return power * (first <= 1 + 1e-9 ? 1 : first <= 2 + 1e-9 ? 2 : first <= 5 + 1e-9 ? 5 : 10);
}

/* Add the ticks from one value to another by equal steps. */
static int add_steps(double from, double to, double step, double ticks[CANVAS_TICKS])
{
    int count = 0;
    for (double k = ceil(from / step - 1e-9); k * step <= to + 1e-9 * step && count < CANVAS_TICKS; k++)
        ticks[count++] = k * step + 0.; /* -0 becomes 0 */
    return count;
}

/* Add the powers of the base, and for base ten also 2 and 5 times these, unless there are many decades. */
static int add_powers(const struct chart_axis *axis, double ticks[CANVAS_TICKS])
{
    static const int times[] = {1, 2, 5};
    double from = axis->counts ? 1 : axis->from, base = axis->base ? axis->base : 10;
    bool alone = axis->base || axis->counts || log10(axis->to / from) > DECADES_MAX;
    int count = 0;
    for (double power = pow(base, floor(log(from) / log(base) + 1e-9)); power <= axis->to * (1 + 1e-9);
         power *= base)
        for (int k = 0; k < (alone ? 1 : 3) && count < CANVAS_TICKS; k++) {
            double tick = power * times[k];
            if (tick >= from * (1 - 1e-9) && tick <= axis->to * (1 + 1e-9)) ticks[count++] = tick;
        }
    return count;
}

/* Write the ticks of an axis, at least about `gap` apart, as a share of it. */
static int find_ticks(const struct chart_axis *axis, double gap, double ticks[CANVAS_TICKS])
{
    bool powers = axis->counts || (axis->logarithmic && (axis->base || axis->to >= 10 * axis->from));
    if (axis->bare || !(axis->to > axis->from) || !isfinite(axis->to - axis->from)) return 0;
    if (powers) return axis->counts || axis->from > 0 ? add_powers(axis, ticks) : 0;
    double step = nice(gap * (axis->logarithmic ? sqrt(axis->from * axis->to) * log(axis->to / axis->from)
                                                : axis->to - axis->from));
    int count = add_steps(axis->from, axis->to, axis->whole ? fmax(1, step) : step, ticks), kept = 0;
    /* Equal steps get closer along a logarithmic axis. */
    for (int k = 0; k < count; k++)
        if (kept == 0 || !axis->logarithmic ||
            share_of_axis(axis, ticks[k]) - share_of_axis(axis, ticks[kept - 1]) >= 0.6 * gap)
            ticks[kept++] = ticks[k];
    return kept;
}

/* Draw the labels below the chart that do not touch; *ticks becomes the positions of the ticks. */
static void label_across(const struct chart *chart, struct canvas_ticks *ticks)
{
    struct canvas *canvas = chart->canvas;
    const struct chart_axis *axis = &chart->across;
    double values[CANVAS_TICKS], y = chart->top + chart->high, free = -1e9;
    double below = canvas->turns ? canvas->line / 4 + 0.6 * canvas->line : 1.5 * canvas->line;
    char label[LABEL_MAX];
    int count = find_ticks(axis, 8 * canvas->column / chart->wide, values);
    ticks->count = 0;
    for (int k = 0; k < count; k++) {
        write_label(axis, values[k], label, sizeof label);
        double at = chart_x(chart, values[k]), half = canvas_text_wide(canvas, label) / 2;
        double x = canvas->turns ? at : fmin(at, chart->left + chart->wide - half);
        ticks->at[ticks->count] = at;
        if (canvas->turns) ticks->count++;
        if (x - half < free) continue;
        canvas_text(canvas, x, y + below, ANCHOR_MIDDLE, COLOUR_DIM, 0, "%s", label);
        if (!canvas->turns) ticks->count++;
        free = x + half + canvas->column;
    }
    if (axis->title)
        canvas_text(canvas, chart->left + chart->wide / 2,
                    y + (axis->bare ? below : below + 1.1 * canvas->line), ANCHOR_MIDDLE, COLOUR_TEXT, 0,
                    "%s", axis->title);
}

/* The line of a label of the upright axis. Without turned text, it is a whole line of characters. */
static double line_of(const struct chart *chart, double value)
{
    const struct canvas *canvas = chart->canvas;
    const double y = chart_y(chart, value);
    return canvas->turns ? y : canvas->line * floor(y / canvas->line);
}

/* If the labels of powers touch, keep each second or third of them and so on, so that one step of the axis is
 * one factor. Returns how many are kept. */
static int thin_powers(const struct chart *chart, double each, double *values, int count)
{
    bool powers = count > 2 && values[0] > 0 && chart->up.logarithmic && !chart->up.ends &&
                  fabs(values[2] * values[0] / (values[1] * values[1]) - 1) < 1e-9;
    int stride = 1, kept = 0;
    for (int k = stride; powers && k < count; k += stride)
        if (line_of(chart, values[k - stride]) - line_of(chart, values[k]) < each * (1 - 1e-9)) {
            stride++;
            k = 0;
        }
    for (int k = 0; k < count; k += stride)
        values[kept++] = values[k];
    return kept;
}

static void label_up(const struct chart *chart, struct canvas_ticks *ticks)
{
    struct canvas *canvas = chart->canvas;
    const struct chart_axis *axis = &chart->up;
    double values[CANVAS_TICKS + 2], mark = canvas->line / 4;
    double right = chart->left - (canvas->turns ? mark + canvas->column / 2 : 2 * canvas->column);
    double each = (canvas->turns ? 1.25 : 1) * canvas->line, free = 1e9;
    char label[LABEL_MAX];
    int count = 0;
    if (axis->ends && !axis->bare) values[count++] = axis->from;
    count += find_ticks(axis, 2 * canvas->line / chart->high, values + count);
    count = thin_powers(chart, each, values, count);
    if (axis->ends && !axis->bare) values[count++] = axis->to;
    ticks->count = 0;
    for (int k = 0; k < count; k++) {
        bool end = axis->ends && (k == 0 || k == count - 1);
        double y = chart_y(chart, values[k]), line = line_of(chart, values[k]);
        if (!end && (line > free || (axis->ends && line < chart->top + each))) continue;
        write_label(axis, values[k], label, sizeof label);
        if (!end) ticks->at[ticks->count++] = y;
        /* Files have thin grid lines; in characters these would hide the curves. */
        if (canvas->turns && y < chart->top + chart->high - 1)
            canvas_line(canvas, (struct canvas_point[]){{chart->left, y}, {chart->left + chart->wide, y}}, 2,
                        COLOUR_DIM, 0.25, false);
        canvas_text(canvas, right, y, ANCHOR_END, COLOUR_DIM, 0, "%s", label);
        free = line - each;
    }
    if (!axis->title) return;
    /* A title longer than the axis continues below it, since headings are above. */
    double half = canvas_text_wide(canvas, axis->title) / 2;
    if (canvas->turns)
        canvas_text(canvas, canvas->line * 0.75, chart->top + fmax(chart->high / 2, half), ANCHOR_MIDDLE,
                    COLOUR_TEXT, WRITING_UPWARDS, "%s", axis->title);
    else
        canvas_text(canvas, canvas->column, chart->top - 0.5 * canvas->line, ANCHOR_START, COLOUR_TEXT, 0,
                    "%s", axis->title);
}

void chart_axes(const struct chart *chart)
{
    struct canvas_ticks across, up;
    label_up(chart, &up);
    label_across(chart, &across);
    canvas_axes(chart->canvas, chart->left, chart->top, chart->wide, chart->high, &across, &up);
}

void chart_curve(const struct chart *chart, double (*height)(const void *curve, double x), const void *curve,
                 enum colour colour, bool dashed)
{
    struct canvas_point points[CURVE_POINTS];
    for (int k = 0; k < CURVE_POINTS; k++) {
        double value = value_of_axis(&chart->across, (double)k / (CURVE_POINTS - 1));
        double up = share_of_axis(&chart->up, height(curve, value));
        points[k].x = chart_x(chart, value);
        points[k].y = up >= 0 && up <= 1 ? chart->top + place_of(chart, 1 - up, chart->high) : NAN;
    }
    canvas_line(chart->canvas, points, CURVE_POINTS, colour, 2, dashed);
}

void chart_line(const struct chart *chart, double x0, double y0, double x1, double y1, enum colour colour,
                bool dashed)
{
    struct canvas_point points[CURVE_POINTS];
    double ax = chart_x(chart, x0), ay = chart_y(chart, y0), bx = chart_x(chart, x1), by = chart_y(chart, y1);
    for (int k = 0; k < CURVE_POINTS; k++) {
        double share = (double)k / (CURVE_POINTS - 1), x = ax + share * (bx - ax), y = ay + share * (by - ay);
        bool inside = x >= chart->left && x <= chart->left + chart->wide && y >= chart->top &&
                      y <= chart->top + chart->high;
        points[k] = (struct canvas_point){inside ? x : NAN, inside ? y : NAN};
    }
    canvas_line(chart->canvas, points, CURVE_POINTS, colour, 2, dashed);
}

void chart_mark(struct canvas *canvas, double x, double y, enum colour colour, int shape)
{
    double half = fmax(0.5, canvas->line / 5);
    if (!canvas->turns || shape % 4 == 0) {
        canvas_rectangle(canvas, x - half, y - half, 2 * half, 2 * half, colour);
    } else if (shape % 4 == 1) {
        canvas_stroke(canvas, x - half, y - half, x + half, y + half, colour, 2);
        canvas_stroke(canvas, x - half, y + half, x + half, y - half, colour, 2);
    } else if (shape % 4 == 2) {
        canvas_stroke(canvas, x - 1.3 * half, y, x + 1.3 * half, y, colour, 2);
        canvas_stroke(canvas, x, y - 1.3 * half, x, y + 1.3 * half, colour, 2);
    } else {
        const struct canvas_point points[] = {{x, y - 1.4 * half},
                                              {x + 1.4 * half, y},
                                              {x, y + 1.4 * half},
                                              {x - 1.4 * half, y},
                                              {x, y - 1.4 * half}};
        canvas_line(canvas, points, 5, colour, 2, false);
    }
}

void chart_point(const struct chart *chart, double x, double y, enum colour colour)
{
    chart_mark(chart->canvas, chart_x(chart, x), chart_y(chart, y), colour, 0);
}
