/* Curves of speed over the number of threads, for the fastest kernels of a run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "drawing/plot.h"
#include "ui/kernels/kernels.h"
#include "ui/widgets/legend.h"

#define LABEL_WIDE 7
#define DOTS_MAX 1024

/* The results of one kernel, by ascending numbers of threads. */
struct curve {
    const struct result *results[THREAD_COUNTS_MAX];
    int count;
    double best; /* the highest speed of them, in FLOP/s */
};

static const enum colour colours[KERNELS_CURVES] = {COLOUR_ROWS, COLOUR_COLS, COLOUR_GOOD,
                                                    COLOUR_MARK, COLOUR_WARN, COLOUR_BAD};

static bool same_kernel(const struct result *a, const struct result *b)
{
    return kernel_choice_alike(&a->resolved, &b->resolved);
}

static void insert(struct curve *curve, const struct result *result)
{
    int at = curve->count < THREAD_COUNTS_MAX ? curve->count++ : THREAD_COUNTS_MAX - 1;
    for (; at > 0 && curve->results[at - 1]->resolved.threads > result->resolved.threads; at--)
        curve->results[at] = curve->results[at - 1];
    curve->results[at] = result;
    curve->best = fmax(curve->best, result_speed(result));
}

/* True if an earlier result of the run is of the same kernel, which then has its curve already. */
static bool is_listed(const struct results *results, int k)
{
    for (int j = 0; j < k; j++)
        if (result_timed(&results->items[j]) && same_kernel(&results->items[j], &results->items[k]))
            return true;
    return false;
}

/* Write the curves of the fastest kernels of a run, the fastest first: at most KERNELS_CURVES of those that
 * were run with several numbers of threads. Returns how many. */
static int list_curves(const struct run *run, struct curve *curves)
{
    const struct results *results = &run->results;
    int count = 0;
    for (int k = 0; k < results->count; k++) {
        const struct result *item = &results->items[k];
        struct curve curve = {.count = 0};
        if (item->choice.kernel->sequential || !result_timed(item) || is_listed(results, k)) continue;
        for (int j = k; j < results->count; j++)
            if (result_timed(&results->items[j]) && same_kernel(&results->items[j], item))
                insert(&curve, &results->items[j]);
        if (curve.count < 2) continue;
        int at = count;
        while (at > 0 && curves[at - 1].best < curve.best)
            at--;
        if (at == KERNELS_CURVES) continue;
        if (count < KERNELS_CURVES) count++;
        memmove(&curves[at + 1], &curves[at], (size_t)(count - at - 1) * sizeof *curves);
        curves[at] = curve;
    }
    return count;
}

/* A run has the results of one kernel next to each other, one for each number of threads. So it is enough to
 * compare each result with the THREAD_COUNTS_MAX before it. */
static bool has_curves(const struct run *run)
{
    const struct results *results = &run->results;
    for (int k = 0; k < results->count; k++)
        for (int j = 0; j < k && j < THREAD_COUNTS_MAX; j++)
            if (result_timed(&results->items[k]) && result_timed(&results->items[k - 1 - j]) &&
                results->items[k].resolved.threads != results->items[k - 1 - j].resolved.threads &&
                same_kernel(&results->items[k], &results->items[k - 1 - j]))
                return true;
    return false;
}

const struct run *kernels_sweep(const struct explorer *explorer, const struct kernels_screen *screen)
{
    const struct runs *runs = &explorer->session->shown->runs;
    if (screen->shown) return has_curves(screen->shown) ? screen->shown : NULL;
    for (int k = runs->count - 1; k >= 0; k--)
        if (has_curves(runs->items[k])) return runs->items[k];
    return NULL;
}

static int cursor_of(const struct kernels_screen *screen, int count)
{
    return screen->curve < count ? screen->curve : count - 1;
}

const struct result *kernels_curve_result(const struct explorer *explorer,
                                          const struct kernels_screen *screen, const struct run **run)
{
    struct curve curves[KERNELS_CURVES];
    *run = kernels_sweep(explorer, screen);
    int count = *run ? list_curves(*run, curves) : 0;
    if (count == 0) return NULL;
    const struct curve *curve = &curves[cursor_of(screen, count)];
    return curve->results[curve->count - 1];
}

/* The plot */

/* Both axes begin at 0. */
struct plot {
    struct surface *surface;
    struct rect rect;
    int max;    /* threads at the right end */
    double top; /* FLOP/s at the upper end */
    bool ascii;
};

/* A character has 2 x 4 dots of Braille. x_of returns the character, counted from the left of the plot, that
 * holds the dot of a number of threads:
 *
 *     dot = round(threads / max (2 wide - 1)),    character = dot / 2,
 *
 * and threads_at is the inverse for a dot. y_of returns the line of the surface that holds the dot of a
 * height from 0 to 1; in ASCII a character is one dot. */
static int x_of(const struct plot *plot, double threads)
{
    return (int)lround(threads / plot->max * (2 * plot->rect.wide - 1)) / 2;
}

static int y_of(const struct plot *plot, double height)
{
    int dots = plot->ascii ? 1 : 4;
    return plot->rect.top + (int)lround((1 - height) * (dots * plot->rect.high - 1)) / dots;
}

static double threads_at(const struct plot *plot, int dot)
{
    return (double)dot / (2 * plot->rect.wide - 1) * plot->max;
}

/* Between the numbers of threads that were run, the speed is interpolated linearly. */
static double speed_at(const struct curve *curve, double threads)
{
    const struct result *left = curve->results[0], *right = left;
    for (int k = 1; k < curve->count && right->resolved.threads < threads; k++) {
        left = right;
        right = curve->results[k];
    }
    if (right->resolved.threads == left->resolved.threads || threads <= left->resolved.threads)
        return result_speed(left);
    double share = (threads - left->resolved.threads) / (right->resolved.threads - left->resolved.threads);
    return (1 - share) * result_speed(left) + share * result_speed(right);
}

static void draw_curve(const struct plot *plot, const struct curve *curve, int index, bool here)
{
    double heights[DOTS_MAX];
    int first = x_of(plot, curve->results[0]->resolved.threads),
        last = x_of(plot, curve->results[curve->count - 1]->resolved.threads);
    char mark = (char)('a' + index);
    for (int k = 0; k < 2 * plot->rect.wide && k < DOTS_MAX; k++)
        heights[k] = speed_at(curve, threads_at(plot, k)) / plot->top;
    struct rect span = {plot->rect.top, plot->rect.left + first, plot->rect.high, last - first + 1};
    if (!plot->ascii) plot_curve(plot->surface, span, heights + 2 * first, colours[index], false, mark);
    for (int k = 0; k < curve->count; k++) {
        double height = result_speed(curve->results[k]) / plot->top;
        surface_put(plot->surface, y_of(plot, height),
                    plot->rect.left + x_of(plot, curve->results[k]->resolved.threads), (unsigned char)mark,
                    colours[index], COLOUR_TEXT, here ? ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE : ATTRIBUTE_BOLD);
    }
}

/* Draw the line of ideal speedup, S(t) = t S(t0) / t0, where t0 is the smallest number of threads that the
 * kernel was run with. */
static void draw_ideal(const struct plot *plot, const struct curve *curve)
{
    const struct result *base = curve->results[0];
    for (int x = x_of(plot, base->resolved.threads); x < plot->rect.wide; x++) {
        double threads = (double)x / (plot->rect.wide - 1) * plot->max;
        double height = result_speed(base) / base->resolved.threads * threads / plot->top;
        if (height > 1 || x % 2) continue;
        surface_put(plot->surface, y_of(plot, height), plot->rect.left + x, plot->ascii ? '.' : 0xb7,
                    COLOUR_DIM, COLOUR_TEXT, 0);
    }
}

static void draw_ceiling(const struct plot *plot, double ceiling)
{
    if (!(ceiling > 0) || ceiling > plot->top) return;
    int y = y_of(plot, ceiling / plot->top);
    for (int x = 0; x < plot->rect.wide; x += 2)
        surface_put(plot->surface, y, plot->rect.left + x, plot->ascii ? '-' : 0x2574, COLOUR_DIM,
                    COLOUR_TEXT, 0);
}

/* Return the smallest number 1, 2 or 5 times a power of ten that is not below x, for ticks of an axis. */
static double nice(double x)
{
    double power = pow(10, floor(log10(x)));
    for (int k = 0; k < 3; k++) {
        static const int steps[] = {1, 2, 5};
        if (steps[k] * power >= x) return steps[k] * power;
    }
    return 10 * power;
}

static void draw_axes(const struct plot *plot)
{
    const struct rect *rect = &plot->rect;
    double step = nice(plot->top / (rect->high / 3 > 1 ? rect->high / 3 : 1));
    char label[32];
    int free = 0;
    plot_axes(plot->surface, *rect, plot->ascii, LABEL_WIDE, "", "");
    for (double speed = 0; speed <= plot->top * 1.0001; speed += step) {
        int y = y_of(plot, speed / plot->top);
        surface_text_right(plot->surface, y, rect->left - 1 - LABEL_WIDE, LABEL_WIDE - 1, COLOUR_DIM, 0, "%s",
                           format_brief(label, sizeof label, speed * 1e-9));
    }
    for (int t = 0; t <= plot->max; t++) {
        int x = x_of(plot, t), length = snprintf(label, sizeof label, "%d", t), at = x - length / 2;
        if (at < 0) at = 0;
        if (at + length > rect->wide) at = rect->wide - length;
        if (at < free) continue;
        surface_text(plot->surface, rect->top + rect->high + 1, rect->left + at, length, COLOUR_DIM, 0, "%s",
                     label);
        free = at + length + (plot->max > 32 ? 3 : 1);
    }
}

/* Write a line for each curve: its speed with the largest number of threads, and how much faster that is than
 * with the smallest. */
static void draw_legend(const struct explorer *explorer, struct surface *surface, struct rect rect,
                        const struct curve *curves, int count, int cursor)
{
    for (int k = 0; k < count && k < rect.high; k++) {
        const struct curve *curve = &curves[k];
        const struct result *first = curve->results[0], *last = curve->results[curve->count - 1];
        char said[96], speed[32], gain[32];
        int y = rect.top + k;
        snprintf(said, sizeof said, "%s GFLOP/s, %s x that of %d thread%s",
                 format_brief(speed, sizeof speed, result_speed(last) * 1e-9),
                 format_brief(gain, sizeof gain, result_speedup(last, first)), first->resolved.threads,
                 first->resolved.threads > 1 ? "s" : "");
        const struct legend legend = {.mark = (unsigned)('a' + k),
                                      .colour = colours[k],
                                      .name = last->name,
                                      .said = said,
                                      .gap = 2,
                                      .chosen = k == cursor};
        legend_draw(&legend, explorer->ascii, surface, (struct rect){y, rect.left, 1, rect.wide});
    }
}

static double top_of(const struct curve *curves, int count, double ceiling)
{
    double top = 0;
    for (int k = 0; k < count; k++)
        top = fmax(top, curves[k].best);
    if (ceiling > 0 && ceiling < 1.6 * top) top = fmax(top, ceiling);
    return 1.08 * top;
}

/* Say what the dotted and the dashed line are, which belong to the curve under the cursor. */
static void draw_words(const struct explorer *explorer, struct flow *flow, const struct curve *curve,
                       int mark, double ceiling, double top)
{
    char speed[32];
    flow_item(flow, COLOUR_DIM, "%s ideal for %c: n times the threads, n times the speed",
              explorer->ascii ? ". . ." : "\u00b7 \u00b7 \u00b7", mark);
    if (curve->results[curve->count - 1]->cached)
        flow_item(flow, COLOUR_DIM, "%c fits in the cache: memory does not limit it", mark);
    else if (ceiling > 0)
        flow_item(flow, COLOUR_DIM, "%s %s GFLOP/s: %c at the read bandwidth%s",
                  explorer->ascii ? "- - -" : "\u2574 \u2574 \u2574",
                  format_brief(speed, sizeof speed, ceiling * 1e-9), mark, ceiling > top ? ", above" : "");
}

static const char nothing[] =
    "No kernel was run with several numbers of threads. {sweep} runs the selected kernels, or the one under "
    "the cursor, with each number of threads; {plot curves} goes back to the table.";

void kernels_draw_curves(const struct explorer *explorer, struct kernels_screen *screen,
                         struct surface *surface, struct rect rect)
{
    struct curve curves[KERNELS_CURVES];
    const struct run *run = kernels_sweep(explorer, screen);
    int count = run ? list_curves(run, curves) : 0;
    if (count == 0) {
        kernels_draw_empty(surface, rect, nothing);
        return;
    }
    screen->curve = cursor_of(screen, count);
    const struct curve *curve = &curves[screen->curve];
    double ceiling = results_ceiling(&run->results, curve->results[curve->count - 1]);
    struct plot plot = {
        .surface = surface,
        .rect = {rect.top + 1, rect.left + LABEL_WIDE + 2, rect.high - count - 5, rect.wide - LABEL_WIDE - 4},
        .top = top_of(curves, count, ceiling),
        .max = 1,
        .ascii = explorer->ascii};
    if (2 * plot.rect.wide > DOTS_MAX) plot.rect.wide = DOTS_MAX / 2;
    for (int k = 0; k < count; k++)
        if (curves[k].results[curves[k].count - 1]->resolved.threads > plot.max)
            plot.max = curves[k].results[curves[k].count - 1]->resolved.threads;
    char said[96];
    int x = rect.left + 1;
    x += surface_text(surface, rect.top, x, rect.wide - 2, COLOUR_TITLE, ATTRIBUTE_BOLD,
                      "GFLOP/s over threads") +
         2;
    snprintf(said, sizeof said, "run #%d: %s", run->number, run->label);
    surface_text_short(surface, rect.top, x, rect.left + rect.wide - 1 - x, explorer->ascii, COLOUR_DIM, 0,
                       said);
    draw_axes(&plot);
    draw_ceiling(&plot, ceiling);
    draw_ideal(&plot, curve);
    for (int k = count - 1; k >= 0; k--)
        if (k != screen->curve) draw_curve(&plot, &curves[k], k, false);
    draw_curve(&plot, curve, screen->curve, true);
    int y = rect.top + rect.high - count - 2;
    draw_legend(explorer, surface, (struct rect){y, rect.left + 1, count, rect.wide - 2}, curves, count,
                screen->curve);
    struct flow flow = {.surface = surface, .rect = {y + count, rect.left + 1, 2, rect.wide - 2}};
    draw_words(explorer, &flow, curve, 'a' + screen->curve, ceiling, plot.top);
}
