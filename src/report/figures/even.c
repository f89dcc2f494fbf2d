/* Break-even: the time of n products with what comes before the first, for the kernels that are best for some
 * n, and for CSR. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/chart.h"
#include "report/figures/parts.h"
#include "session/advice.h"
#include "session/envelope.h"

static const enum colour colours[] = {COLOUR_ROWS, COLOUR_COLS, COLOUR_GOOD,
                                      COLOUR_MARK, COLOUR_WARN, COLOUR_BAD};
#define COLOURS (int)(sizeof colours / sizeof *colours)

/* Return the advice that is drawn: of the GPU that kernels were run on or are forecast for if there is one
 * with measurements, else of the processor, else any. NULL if there is none. */
static const struct advice *choose(const struct advices *advices)
{
    const struct advice *chosen = NULL;
    for (int place = 0; place < ADVICE_PLACES; place++) {
        const struct advice *advice = &advices->items[place];
        if (!advice->there || advice->count == 0) continue;
        if (!chosen || advice->measured > chosen->measured) chosen = advice;
    }
    return chosen;
}

static enum status check_even(const struct figure_subject *subject, struct error *error)
{
    struct advices advices = {0};
    enum status status = session_advise(subject->session, subject->of,
                                        advice_question_of(subject->of, PRECISION_F64), &advices, error);
    if (status == STATUS_OK && !choose(&advices))
        status =
            error_at(error, STATUS_UNAVAILABLE, subject->of->matrix.path, 0, 0,
                     "no kernel was timed, and there are no forecasts of one: --kernels=LIST times some");
    advices_free(&advices);
    return status;
}

static double height_of(const void *argument, double products)
{
    const struct advice_candidate *candidate = argument;
    return advice_total(candidate, products) / products;
}

static void write_time(double seconds, char *out, size_t size)
{
    format_seconds(out, size, seconds);
}

static void write_count(double count, char *out, size_t size)
{
    format_short(out, size, count);
}

/* Draw the curve of a candidate and what it is called. */
static void draw_curve(const struct chart *chart, const struct advice_candidate *candidate, int k, double y)
{
    struct canvas *canvas = chart->canvas;
    char setup[32], each[32], words[CHOICE_NAME + 96];
    chart_curve(chart, height_of, candidate, colours[k % COLOURS], !candidate->measured);
    format_seconds(setup, sizeof setup, candidate->setup);
    format_seconds(each, sizeof each, candidate->seconds);
    double x = chart->left + chart->wide - canvas->column;
    snprintf(words, sizeof words, "%s: %s%s + %s a product", candidate->result->name,
             candidate->measured ? "" : "forecast ", setup, each);
    if (canvas_text_wide(canvas, words) > chart->wide - canvas->column)
        snprintf(words, sizeof words, "%s: %s + %s", candidate->result->name, setup, each);
    canvas_text(canvas, x, y, ANCHOR_END, colours[k % COLOURS], 0, "%s", words);
}

static void draw_advice(const struct figure_subject *subject, struct canvas *canvas,
                        const struct advice *advice)
{
    int items[EVEN_CURVES + 1];
    double from[EVEN_CURVES];
    char shows[256];
    int best = advice_envelope(advice, items, from), count = best;
    bool listed = advice->csr < 0;
    for (int k = 0; k < best; k++)
        listed = listed || items[k] == advice->csr;
    if (!listed) items[count++] = advice->csr;
    struct chart chart = {.canvas = canvas,
                          .across = {.from = 1,
                                     .to = EVEN_MOST,
                                     .logarithmic = true,
                                     .title = "products n",
                                     .label = write_count},
                          .up = {.from = INFINITY,
                                 .logarithmic = true,
                                 .title = "time of a product, with setup / n",
                                 .label = write_time}};
    for (int k = 0; k < count; k++) {
        chart.up.from = fmin(chart.up.from, height_of(&advice->candidates[items[k]], EVEN_MOST) / 1.4);
        chart.up.to = fmax(chart.up.to, height_of(&advice->candidates[items[k]], 1) * 1.4);
    }
    snprintf(shows, sizeof shows, "%s: best kernel by number of products", advice->machine);
    double top = figure_heading(subject, canvas, shows) + 0.5 * canvas->line;
    chart_place(&chart, top, canvas->high - 0.25 * canvas->line, 9);
    chart_axes(&chart);
    for (int k = count - 1; k >= 0; k--)
        draw_curve(&chart, &advice->candidates[items[k]], k, chart.top + (k + 0.5) * canvas->line);
    /* Curves come near each other in the end, and so do these words: what would stand in others goes below.
     */
    double used = -1, at = 0;
    for (int k = 1; k < best; k++) {
        const struct advice_candidate *candidate = &advice->candidates[items[k]];
        double x = chart_x(&chart, from[k]), y = height_of(candidate, from[k]);
        char n[32], words[40];
        snprintf(words, sizeof words, "n = %s", format_fitting(n, sizeof n, (int64_t)ceil(from[k]), 9));
        double half = canvas_text_wide(canvas, words) / 2, below = chart_y(&chart, y) + canvas->line;
        if (x - half < used + canvas->column && fabs(below - at) < canvas->line) below = at + canvas->line;
        used = x + half;
        at = below;
        chart_point(&chart, from[k], y, COLOUR_ACCENT);
        canvas_text(canvas, x, below, ANCHOR_MIDDLE, COLOUR_ACCENT, WRITING_BOLD, "%s", words);
    }
}

static enum status draw_even(const struct figure_subject *subject, struct canvas *canvas, struct error *error)
{
    struct advices advices = {0};
    enum status status = session_advise(subject->session, subject->of,
                                        advice_question_of(subject->of, PRECISION_F64), &advices, error);
    const struct advice *advice = status == STATUS_OK ? choose(&advices) : NULL;
    if (advice) draw_advice(subject, canvas, advice);
    advices_free(&advices);
    return status;
}

const struct figure figure_break_even = {
    .name = "break-even",
    .summary = "the best kernel by number of products, setup included",
    .needs = SESSION_MATRIX,
    .runs = FIGURE_RUNS_AND_FORECASTS,
    .check = check_even,
    .draw = draw_even,
};
