/* The forecast time of each kernel beside the measured one, as bars on one scale, with the error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "drawing/bars.h"
#include "drawing/flow.h"
#include "ui/advice/screen.h"

#define TIME_WIDE 8
#define ERROR_WIDE 7
#define NAME_MIN 18
#define WORDS_WIDE 62 /* columns of the words beside the forecast in the heading */
#define BAR_MIN 8
#define ERRORS_MAX 256

/* The scale ends at this multiple of the fastest kernel's time. Longer bars end in an arrow. */
#define SCALE_MAX 4.0

/* Errors up to these have the colours of good and fair. Forecasts aim at a median error within the first, and
 * nearly all errors within the second. */
#define ERROR_GOOD 0.10
#define ERROR_FAIR 0.30

/* The known times of a candidate; NaN if a time is unknown. */
struct times {
    double forecast, low, high; /* the forecast and its 80% interval */
    double measured;
};

/* The layout of the pane. */
struct layout {
    int name_wide, bar_wide, error_wide;
    double scale; /* seconds of a bar of full width */
};

static struct times times_of(const struct advice_candidate *candidate)
{
    const struct prediction *forecast = candidate->prediction;
    return (struct times){.forecast = advice_forecast(candidate),
                          .low = forecast ? forecast->low : NAN,
                          .high = forecast ? forecast->high : NAN,
                          .measured = candidate->timed};
}

/* (forecast - measured) / measured */
static double error_of(struct times times)
{
    return times.forecast / times.measured - 1;
}

static int lines_of(struct times times)
{
    return isnan(times.forecast) || isnan(times.measured) ? 1 : 2;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Write the meaning of the bars, and the size of the errors. */
static void draw_heading(const struct explorer *explorer, const struct advice *advice,
                         struct surface *surface, struct rect rect)
{
    double errors[ERRORS_MAX];
    int count = 0, x = rect.left + 1;
    for (int k = 0; k < advice->count && count < ERRORS_MAX; k++) {
        double error = fabs(error_of(times_of(&advice->candidates[k])));
        if (!isnan(error)) errors[count++] = error;
    }
    qsort(errors, (size_t)count, sizeof *errors, compare);
    const char *plain = explorer->ascii ? "== forecast" : "\u2501\u2501 forecast",
               *ends = explorer->ascii ? "=|=| forecast, |-| its 80% interval"
                                       : "\u2501\u253f\u2501 forecast, \u253f\u2500\u2524 its 80% interval";
    const bool told = surface_columns(ends) + WORDS_WIDE <= rect.wide - 2;
    x += surface_text(surface, rect.top, x, rect.wide - 2, COLOUR_COLS, 0, "%s", told ? ends : plain) + 2;
    x += surface_text(surface, rect.top, x, rect.wide - 2, COLOUR_ROWS, 0, "%s measured",
                      explorer->ascii ? "##" : "\u2588\u2588") +
         2;
    int room = rect.left + rect.wide - 1 - x;
    char median[32], largest[32];
    format_rough(median, sizeof median, count > 0 ? errors[count / 2] : NAN);
    format_rough(largest, sizeof largest, count > 0 ? errors[count - 1] : NAN);
    if (count > 0 &&
        !surface_text_whole(surface, rect.top, x, room, COLOUR_TEXT, 0,
                            "error: median %s, largest %s, of %d kernels", median, largest, count) &&
        !surface_text_whole(surface, rect.top, x, room, COLOUR_TEXT, 0, "error: median %s, largest %s",
                            median, largest))
        surface_text_whole(surface, rect.top, x, room, COLOUR_TEXT, 0, "error: median %s", median);
    if (count == 0)
        surface_text_whole(surface, rect.top, x, room, COLOUR_DIM, 0,
                           advice->measured ? "no kernel has both" : "nothing was measured");
}

static struct layout lay_out(const struct advice *advice, int wide)
{
    struct layout layout = {.name_wide = NAME_MIN};
    double fastest = INFINITY, slowest = 0;
    for (int k = 0; k < advice->count; k++) {
        struct times times = times_of(&advice->candidates[k]);
        int name = surface_columns(advice->candidates[k].result->name);
        if (name > layout.name_wide) layout.name_wide = name;
        if (lines_of(times) == 2) layout.error_wide = ERROR_WIDE;
        fastest = fmin(fastest, fmin(times.forecast, times.measured));
        slowest = fmax(slowest, fmax(times.high, times.measured));
    }
    int fixed = 2 + 1 + TIME_WIDE + 1 + layout.error_wide + 1, most = (wide - fixed) * 3 / 5;
    if (layout.name_wide > most) layout.name_wide = most > NAME_MIN ? most : NAME_MIN;
    layout.bar_wide = wide - fixed - layout.name_wide;
    layout.scale = fmin(slowest, SCALE_MAX * fastest);
    return layout;
}

static enum colour error_colour(double error)
{
    return fabs(error) <= ERROR_GOOD ? COLOUR_GOOD : fabs(error) <= ERROR_FAIR ? COLOUR_WARN : COLOUR_BAD;
}

/* Draw one bar and its time: a line if it is forecast, a block if it was measured. A bar beyond the scale
 * ends in an arrow. */
static void draw_bar(const struct explorer *explorer, const struct layout *layout, double seconds,
                     bool measured, struct surface *surface, int y, int x)
{
    char time[32];
    bool beyond = seconds > layout->scale * 1.0001;
    const struct bar bar = {.kind = measured ? BAR_BLOCK : BAR_LINE,
                            .rect = {y, x, 1, layout->bar_wide - 1},
                            .length = beyond ? 1 : seconds / layout->scale,
                            .colour = measured ? COLOUR_ROWS : COLOUR_COLS,
                            .ascii = explorer->ascii};
    if (layout->bar_wide >= BAR_MIN) bar_draw(surface, &bar);
    if (layout->bar_wide >= BAR_MIN && beyond)
        surface_put(surface, y, x + layout->bar_wide - 1, explorer->ascii ? '>' : 0x25b8, bar.colour,
                    COLOUR_TEXT, 0);
    surface_text_right(surface, y, x + layout->bar_wide, TIME_WIDE + 1, bar.colour, 0, "%s%s",
                       measured ? "" : "~", advice_time(time, sizeof time, seconds));
}

/* Draw the ends of a forecast's interval over its bar, and a line from the end of the bar to the upper end.
 * Beyond the scale, the line ends in an arrow. */
static void draw_interval(const struct explorer *explorer, const struct layout *layout, struct times times,
                          struct surface *surface, int y, int x)
{
    const int wide = layout->bar_wide - 1;
    const double each = wide / layout->scale; /* columns per second */
    const int low = (int)(times.low * each), high = (int)fmin(times.high * each, wide);
    const int end = (int)floor(times.forecast * each + 0.5); /* the first column after the bar */
    if (layout->bar_wide < BAR_MIN || end > wide) return;
    for (int c = end; c < high; c++)
        surface_put(surface, y, x + c, explorer->ascii ? '-' : 0x2500, COLOUR_COLS, COLOUR_TEXT, 0);
    if (high == wide)
        surface_put(surface, y, x + high, explorer->ascii ? '>' : 0x25b8, COLOUR_COLS, COLOUR_TEXT, 0);
    else if (high >= end)
        surface_put(surface, y, x + high, explorer->ascii ? '|' : 0x2524, COLOUR_COLS, COLOUR_TEXT, 0);
    if (low < end)
        surface_put(surface, y, x + low, explorer->ascii ? '|' : 0x253f, COLOUR_COLS, COLOUR_TEXT, 0);
}

static void draw_candidate(const struct explorer *explorer, const struct advice *advice,
                           const struct layout *layout, int k, struct times times, bool chosen,
                           struct surface *surface, int y, struct rect rect)
{
    const struct advice_candidate *candidate = &advice->candidates[k];
    int x = rect.left, bars = x + 2 + layout->name_wide + 1;
    bool tied = candidate->compared && advice_tied_alone(&advice->candidates[advice->best], candidate);
    char mark = ' ';
    if (k == advice->best)
        mark = '>';
    else if (tied)
        mark = '=';
    surface_text(surface, y, x, 1, COLOUR_GOOD, ATTRIBUTE_BOLD, "%c", mark);
    surface_text_short(surface, y, x + 2, layout->name_wide, explorer->ascii,
                       k == advice->best ? COLOUR_GOOD : COLOUR_TEXT, chosen ? ATTRIBUTE_BOLD : 0,
                       candidate->result->name);
    int line = y;
    if (!isnan(times.forecast)) {
        draw_bar(explorer, layout, times.forecast, false, surface, line, bars);
        draw_interval(explorer, layout, times, surface, line++, bars);
    }
    if (!isnan(times.measured)) draw_bar(explorer, layout, times.measured, true, surface, line, bars);
    char out[32];
    double error = error_of(times);
    if (!isnan(error))
        surface_text_right(surface, line, bars + layout->bar_wide + TIME_WIDE + 1, ERROR_WIDE,
                           error_colour(error), 0, "%s%s", error >= 0 ? "+" : "",
                           error < 9.995 ? format_rough(out, sizeof out, error) : "1000%+");
    if (!chosen) return;
    surface_cursor(surface, (struct rect){y, x + 1, 1, layout->name_wide + 2});
}

/* Write the full name of a kernel, the interval of its forecast, its memory, its setup, and its bound. */
static int draw_foot(const struct advice_candidate *candidate, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = rect};
    char memory[32], setup[32], ends[80];
    const struct prediction *prediction = candidate->prediction;
    flow_item(&flow, COLOUR_ACCENT, "%s", candidate->result->name);
    if (prediction)
        flow_item(&flow, COLOUR_COLS, "%s interval %s", format_rough(setup, sizeof setup, PREDICTION_SHARE),
                  format_interval(ends, sizeof ends, prediction->low, prediction->high));
    flow_item(&flow, COLOUR_DIM, "%s", format_bytes(memory, sizeof memory, candidate->memory));
    if (candidate->setup > 0)
        flow_item(&flow, COLOUR_DIM, "setup %s", advice_time(setup, sizeof setup, candidate->setup));
    if (prediction) flow_item(&flow, COLOUR_DIM, "bound by %s", prediction_bound_words(prediction));
    if (prediction && prediction->like[0])
        flow_item(&flow, COLOUR_DIM, "forecast from %s%s", prediction->like,
                  kernel_borrows(candidate->result->choice.kernel) ? " (constants derived)" : "");
    return flow_lines(&flow);
}

int advice_draw_times(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                      struct rect rect)
{
    const struct advice *advice = advice_shown(screen);
    const struct layout layout = lay_out(advice, rect.wide);
    int line = 1;
    draw_heading(explorer, advice, surface, rect);
    for (int k = 0; k < advice->count && line < rect.high; k++) {
        const struct times times = times_of(&advice->candidates[k]);
        const struct rect lines = {rect.top + line, rect.left, lines_of(times), rect.wide};
        draw_candidate(explorer, advice, &layout, k, times,
                       k == screen->cursor && screen->focus == SECTION_TIMES, surface, lines.top, rect);
        advice_spot(screen, SECTION_TIMES, k, lines);
        line += lines.high;
    }
    struct rect foot = {rect.top + line, rect.left + 1, rect.high - line, rect.wide - 2};
    int lines = draw_foot(&advice->candidates[advice_cursor_of(screen, SECTION_TIMES)], surface, foot);
    for (int k = 0; k < advice->count; k++) { /* so that nothing below moves when another kernel is chosen */
        const int others = draw_foot(&advice->candidates[k], NULL, foot);
        if (others > lines) lines = others;
    }
    return line + lines;
}
