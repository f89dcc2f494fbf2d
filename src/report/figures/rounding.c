/* Precisions: the worst error of a row of y = A x, by the bytes of an entry in each type of numbers. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "drawing/chart.h"
#include "drawing/number.h"
#include "report/figures/figure.h"

#define LABEL_WIDE 8
#define LEAST 1e-20 /* errors below, 0 among them, are drawn at the bottom */

static const struct sums {
    const char *words;
    enum colour colour;
    int shape;
} sums[SUMS] = {{"sums in f64", (enum colour)(COLOUR_PART + 1), 0},
                {"sums in f32", (enum colour)(COLOUR_PART + 2), 1}};

static double error_of(const struct precisions *precisions, int type, int k)
{
    return precisions->type[type].product[k].max_error;
}

static enum status check_rounding(const struct figure_subject *subject, struct error *error)
{
    if (subject->of->precisions.values > 0) return STATUS_OK;
    return error_at(error, STATUS_UNAVAILABLE, subject->of->matrix.path, 0, 0,
                    "nothing to draw: the matrix has no finite values");
}

static void write_error(double value, char *out, size_t size)
{
    number_text(out, size, value, LABEL_WIDE - 1);
}

/* The axes hold all errors that are numbers; those that overflow are at the top. */
static void set_axes(const struct figure_subject *subject, struct chart *chart)
{
    const struct precisions *precisions = &subject->of->precisions;
    double least = 1, most = LEAST, bytes = 0;
    for (int type = 0; type < NUMBER_TYPES; type++) {
        bytes = fmax(bytes, number_csr_bytes(&number_types[type], case_is_complex(subject->of)));
        for (int k = 0; k < SUMS; k++) {
            const double error = error_of(precisions, type, k);
            if (!isfinite(error)) continue;
            least = fmin(least, fmax(error, LEAST));
            most = fmax(most, error);
        }
    }
    if (least > most) { /* all overflow */
        least = LEAST;
        most = 1;
    }
    chart->across = (struct chart_axis){
        .from = 0, .to = 1.25 * bytes, .whole = true, .title = "bytes of an entry with its column"};
    chart->up = (struct chart_axis){.from = least / 10,
                                    .to = most * 10,
                                    .logarithmic = true,
                                    .label = write_error,
                                    .title = "worst |y - r| / sum |a x|"};
}

static double height_of(const struct chart *chart, double error)
{
    return chart_y(chart, fmin(fmax(error, chart->up.from), chart->up.to));
}

/* Draw the error of a type, and its name to the right of the mark. The name of f64 is to the left, because
 * the mark of two f32 is at about the same position. Nearly equal errors of both sums have one name. */
static void draw_type(const struct figure_subject *subject, const struct chart *chart, int type, int k)
{
    const struct precisions *precisions = &subject->of->precisions;
    const double error = error_of(precisions, type, k), y = height_of(chart, error);
    const double x = chart_x(chart, number_csr_bytes(&number_types[type], case_is_complex(subject->of)));
    const double aside = (type == 0 ? -1 : 1) * chart->canvas->column;
    if (isnan(error)) return;
    chart_mark(chart->canvas, x, y, sums[k].colour, sums[k].shape);
    if (k > 0 && fabs(y - height_of(chart, error_of(precisions, type, 0))) < chart->canvas->line) return;
    canvas_text(chart->canvas, x + aside, y, type == 0 ? ANCHOR_END : ANCHOR_START, sums[k].colour, 0, "%s%s",
                number_types[type].name,
                isinf(error) ? ", overflows"
                : error == 0 ? ", exact"
                             : "");
}

static enum status draw_rounding(const struct figure_subject *subject, struct canvas *canvas,
                                 struct error *error)
{
    struct chart chart = {.canvas = canvas};
    double top = figure_heading(subject, canvas, "Error of a product by the type of the values");
    for (int k = 0; k < SUMS; k++) {
        chart_mark(canvas, 1.5 * canvas->column, top + 0.5 * canvas->line, sums[k].colour, sums[k].shape);
        canvas_text(canvas, 3 * canvas->column, top + 0.5 * canvas->line, ANCHOR_START, sums[k].colour, 0,
                    "%s", sums[k].words);
        top += canvas->line;
    }
    set_axes(subject, &chart);
    chart_place(&chart, top + 0.5 * canvas->line, canvas->high - 0.25 * canvas->line, LABEL_WIDE);
    chart_axes(&chart);
    for (int k = 0; k < SUMS; k++)
        for (int type = 0; type < NUMBER_TYPES; type++)
            draw_type(subject, &chart, type, k);
    return STATUS_OK;
}

const struct figure figure_rounding = {
    .name = "rounding",
    .summary = "errors of y = A x with values in fewer bits, by their bytes",
    .needs = SESSION_MATRIX | SESSION_PRECISIONS,
    .check = check_rounding,
    .draw = draw_rounding,
};
