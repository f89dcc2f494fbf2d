/* Break-even: the time of n products including preparation, for the kernels that are best for some n, and for
 * CSR. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/figures/even.h"
#include "report/figures/figure.h"

#define LABEL_WIDE 9
#define MARGIN 1.4 /* the factor between the outermost times and the edges of the chart */

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

struct even even_find(const struct advice *advice, bool each, int cursor)
{
    struct even even = {.advice = advice, .each = each, .cursor = cursor};
    const int others[] = {advice->csr, cursor};
    even.best = advice_envelope(advice, even.items, even.from);
    if (cursor >= 0 && even.best > EVEN_CURVES - 2) even.best = EVEN_CURVES - 2;
    even.count = even.best;
    for (int k = 0; k < 2; k++) {
        bool listed = others[k] < 0;
        for (int j = 0; j < even.count; j++)
            listed = listed || even.items[j] == others[k];
        if (!listed) even.items[even.count++] = others[k];
    }
    return even;
}

static const struct advice_candidate *candidate_of(const struct even *even, int k)
{
    return &even->advice->candidates[even->items[k]];
}

double even_height(const struct even *even, int k, double products)
{
    return advice_total(candidate_of(even, k), products) / (even->each ? products : 1);
}

enum colour even_colour(int k)
{
    return colours[k % COLOURS];
}

char figure_letter(int k)
{
    return (char)(k < 26 ? 'a' + k : k < 52 ? 'A' + k - 26 : '+');
}

/* A curve. */
struct curve {
    const struct even *even;
    int k;
};

static double height_of(const void *argument, double products)
{
    const struct curve *curve = argument;
    return even_height(curve->even, curve->k, products);
}

/* Write a tick, which is 1, 2 or 5 times a power of ten, as "20 ms". Minutes and hours would not give round
 * numbers. */
static void write_time(double seconds, char *out, size_t size)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    char count[32];
    int unit = 0;
    double value = seconds * 1e9;
    for (; unit < 3 && value >= 999.5; unit++)
        value /= 1000;
    if (seconds < 999.5)
        snprintf(out, size, "%.3g %s", value, units[unit]);
    else if (seconds < 99999.5)
        snprintf(out, size, "%s s", format_count(count, sizeof count, llround(seconds)));
    else
        snprintf(out, size, "%.0e s", seconds);
}

static void write_count(double count, char *out, size_t size)
{
    format_tick(out, size, count);
}

/* Extend the range of times by both ends of a curve. */
static void include(struct chart *chart, const struct advice_candidate *candidate, bool each)
{
    for (int end = 0; end < 2; end++) {
        const double products = end ? EVEN_MOST : 1,
                     y = advice_total(candidate, products) / (each ? products : 1);
        chart->up.from = fmin(chart->up.from, y / MARGIN);
        chart->up.to = fmax(chart->up.to, y * MARGIN);
    }
}

void even_draw(const struct even *even, struct chart *chart, double top, double bottom)
{
    struct canvas *canvas = chart->canvas;
    chart->across.logarithmic = chart->up.logarithmic = true;
    chart->across.from = 1;
    chart->across.to = EVEN_MOST;
    chart->across.label = write_count;
    chart->up.label = write_time;
    chart->up.from = INFINITY;
    for (int k = 0; k < even->count; k++)
        include(chart, candidate_of(even, k), even->each);
    for (int k = 0; even->cursor >= 0 && k < even->advice->count; k++) /* the cursor moves no axis */
        include(chart, &even->advice->candidates[k], even->each);
    chart_place(chart, top, bottom, LABEL_WIDE);
    chart_axes(chart);
    for (int k = even->count - 1; k >= 0; k--) {
        const struct curve curve = {even, k};
        canvas->mark = figure_letter(k);
        chart_curve(chart, height_of, &curve, even_colour(k),
                    canvas->turns && !candidate_of(even, k)->measured);
    }
    canvas->mark = 0;
}

void even_mark(const struct even *even, const struct chart *chart)
{
    struct canvas *canvas = chart->canvas;
    for (int k = 0; k < even->count; k++) {
        double x = chart->left + chart->wide - (2 * k + 0.5) * canvas->column;
        double products = pow(EVEN_MOST, (x - chart->left) / chart->wide);
        if (k > 0 && k < even->best)
            canvas_text(canvas, chart_x(chart, even->from[k]),
                        chart_y(chart, even_height(even, k, even->from[k])), ANCHOR_MIDDLE, COLOUR_ACCENT,
                        WRITING_BOLD, "%s", canvas->tall > 1 ? "*" : "\u25cf");
        canvas_text(canvas, x, chart_y(chart, even_height(even, k, products)), ANCHOR_MIDDLE, even_colour(k),
                    even->items[k] == even->cursor ? WRITING_CHOSEN : WRITING_BOLD, "%c", figure_letter(k));
    }
}

/* Name a curve. */
static void name_curve(const struct even *even, const struct chart *chart, int k)
{
    struct canvas *canvas = chart->canvas;
    const struct advice_candidate *candidate = candidate_of(even, k);
    char setup[32], each[32], words[CHOICE_NAME + 96];
    format_seconds(setup, sizeof setup, candidate->setup);
    format_seconds(each, sizeof each, candidate->seconds);
    double x = chart->left + chart->wide - canvas->column, y = chart->top + (k + 0.5) * canvas->line;
    snprintf(words, sizeof words, "%s: %s%s + %s a product", candidate->result->name,
             candidate->measured ? "" : "forecast ", setup, each);
    if (canvas_text_wide(canvas, words) > chart->wide - canvas->column)
        snprintf(words, sizeof words, "%s: %s + %s", candidate->result->name, setup, each);
    canvas_text(canvas, x, y, ANCHOR_END, even_colour(k), 0, "%s", words);
}

static void draw_advice(const struct figure_subject *subject, struct canvas *canvas,
                        const struct advice *advice)
{
    const struct even even = even_find(advice, true, -1);
    char shows[256];
    struct chart chart = {.canvas = canvas,
                          .across = {.title = "products n"},
                          .up = {.title = "time of a product, with setup / n"}};
    snprintf(shows, sizeof shows, "%s: best kernel by number of products", advice->machine);
    double top = figure_heading(subject, canvas, shows) + 0.5 * canvas->line;
    even_draw(&even, &chart, top, canvas->high - 0.25 * canvas->line);
    for (int k = 0; k < even.count; k++)
        name_curve(&even, &chart, k);
    /* Curves approach each other at their ends, and so do these labels: a label that would overlap another
     * moves down. */
    double used = -1, at = 0;
    for (int k = 1; k < even.best; k++) {
        double x = chart_x(&chart, even.from[k]), y = even_height(&even, k, even.from[k]);
        char n[32], words[40];
        snprintf(words, sizeof words, "n = %s", format_fitting(n, sizeof n, (int64_t)ceil(even.from[k]), 9));
        double half = canvas_text_wide(canvas, words) / 2, below = chart_y(&chart, y) + canvas->line;
        if (x - half < used + canvas->column && fabs(below - at) < canvas->line) below = at + canvas->line;
        used = x + half;
        at = below;
        chart_point(&chart, even.from[k], y, COLOUR_ACCENT);
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
