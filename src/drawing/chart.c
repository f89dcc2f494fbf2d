#include "drawing/chart.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "drawing/axis.h"

#define CURVE_POINTS 240

/* An axis with more decades has ticks at powers of ten alone. */
#define DECADES_MAX 3
#define LABEL_MAX 48

static double share_of_axis(const struct chart_axis *axis, double value)
{
    if (axis->logarithmic) return log(value / axis->from) / log(axis->to / axis->from);
    return (value - axis->from) / (axis->to - axis->from);
}

static double value_of_axis(const struct chart_axis *axis, double share)
{
    if (axis->logarithmic) return axis->from * pow(axis->to / axis->from, share);
    return axis->from + share * (axis->to - axis->from);
}

double chart_x(const struct chart *chart, double value)
{
    return chart->left + share_of_axis(&chart->across, value) * chart->wide;
}

double chart_y(const struct chart *chart, double value)
{
    return chart->top + (1 - share_of_axis(&chart->up, value)) * chart->high;
}

void chart_place(struct chart *chart, double top, double bottom, int label)
{
    const struct canvas *canvas = chart->canvas;
    bool beside = chart->up.title && canvas->turns;
    chart->left = floor((label + 2) * canvas->column + (beside ? canvas->line : 0));
    if (!canvas->turns) top = canvas->line * ceil(top / canvas->line + (chart->up.title ? 1 : 0));
    chart->top = floor(top);
    chart->wide = floor(canvas->wide - chart->left - 3 * canvas->column);
    chart->high = floor(bottom - (chart->across.bare ? 0 : 1.25 * canvas->line) -
                        (chart->across.title ? 1.25 * canvas->line : 0)) -
                  chart->top;
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

/* Return the first tick at or after the axis's begin, and the next after a tick; `gap` is the least distance
 * between two, as a share of the axis. */
static double first_tick(const struct chart_axis *axis, double gap, double *step)
{
    if (!axis->logarithmic) {
        *step = nice(gap * (axis->to - axis->from));
        if (axis->whole) *step = fmax(1, *step);
        return ceil(axis->from / *step - 1e-9) * *step + 0.; /* -0 becomes 0 */
    }
    *step = log10(axis->to / axis->from) > DECADES_MAX ? 0 : 1;
    double tick = pow(10, floor(log10(axis->from) + 1e-9));
    while (tick < axis->from * (1 - 1e-9)) {
        double power = pow(10, floor(log10(tick) + 1e-9));
        tick = *step == 0           ? 10 * tick
               : tick / power < 1.5 ? 2 * power
               : tick / power < 3   ? 5 * power
                                    : 10 * power;
    }
    return tick;
}

static double next_tick(const struct chart_axis *axis, double tick, double step)
{
    if (!axis->logarithmic) return tick + step;
    double power = pow(10, floor(log10(tick) + 1e-9)), first = tick / power;
    return step == 0 ? 10 * power : first < 1.5 ? 2 * power : first < 3 ? 5 * power : 10 * power;
}

static void draw_across(const struct chart *chart)
{
    struct canvas *canvas = chart->canvas;
    const struct chart_axis *axis = &chart->across;
    double step, y = chart->top + chart->high, mark = canvas->line / 4, free = -1e9;
    char label[LABEL_MAX];
    for (double tick = axis->bare ? INFINITY : first_tick(axis, 8 * canvas->column / chart->wide, &step);
         tick <= axis->to * (1 + 1e-9); tick = next_tick(axis, tick, step)) {
        double x = chart_x(chart, tick);
        write_label(axis, tick, label, sizeof label);
        double half = canvas_text_wide(canvas, label) / 2;
        if (mark >= 1) canvas_stroke(canvas, x, y + 0.5, x, y + mark + 0.5, COLOUR_DIM, 1);
        if (x - half < free) continue;
        canvas_text(canvas, x, y + mark + 0.6 * canvas->line, ANCHOR_MIDDLE, COLOUR_DIM, 0, "%s", label);
        free = x + half + canvas->column;
    }
    if (axis->title)
        canvas_text(canvas, chart->left + chart->wide / 2, y + mark + (axis->bare ? 0.6 : 1.7) * canvas->line,
                    ANCHOR_MIDDLE, COLOUR_TEXT, 0, "%s", axis->title);
}

static void draw_up(const struct chart *chart)
{
    struct canvas *canvas = chart->canvas;
    const struct chart_axis *axis = &chart->up;
    double step, x = chart->left, mark = canvas->line / 4, free = 1e9;
    char label[LABEL_MAX];
    for (double tick = axis->bare ? INFINITY : first_tick(axis, 2 * canvas->line / chart->high, &step);
         tick <= axis->to * (1 + 1e-9); tick = next_tick(axis, tick, step)) {
        double y = chart_y(chart, tick);
        if (y > free) continue;
        write_label(axis, tick, label, sizeof label);
        if (mark >= 1) canvas_stroke(canvas, x - mark - 0.5, y, x - 0.5, y, COLOUR_DIM, 1);
        /* Files have thin lines to compare heights by; in characters these would hide what is drawn. */
        if (canvas->turns && y < chart->top + chart->high - 1)
            canvas_line(canvas, (struct canvas_point[]){{x, y}, {x + chart->wide, y}}, 2, COLOUR_DIM, 0.25,
                        false);
        canvas_text(canvas, x - mark - canvas->column / 2, y, ANCHOR_END, COLOUR_DIM, 0, "%s", label);
        free = y - 1.25 * canvas->line;
    }
    if (!axis->title) return;
    /* A title that is longer than the axis goes on below it, since headings stand above. */
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
    double x = chart->left - 0.5, bottom = chart->top + chart->high + 0.5;
    draw_up(chart);
    draw_across(chart);
    canvas_stroke(chart->canvas, x, chart->top, x, bottom, COLOUR_DIM, 1);
    canvas_stroke(chart->canvas, x, bottom, chart->left + chart->wide, bottom, COLOUR_DIM, 1);
}

void chart_curve(const struct chart *chart, double (*height)(const void *curve, double x), const void *curve,
                 enum colour colour, bool dashed)
{
    struct canvas_point points[CURVE_POINTS];
    for (int k = 0; k < CURVE_POINTS; k++) {
        double value = value_of_axis(&chart->across, (double)k / (CURVE_POINTS - 1));
        double up = share_of_axis(&chart->up, height(curve, value));
        points[k].x = chart_x(chart, value);
        points[k].y = up >= 0 && up <= 1 ? chart->top + (1 - up) * chart->high : NAN;
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
