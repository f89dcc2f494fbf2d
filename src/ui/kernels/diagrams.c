/* The diagrams of the Kernels screen. Curves show the speed of the fastest kernels of a run over the number
 * of threads. The roofline shows the table's lines. The map shows the times of a kernel's variants over two
 * parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/chart.h"
#include "drawing/flow.h"
#include "ui/kernels/kernels.h"
#include "ui/widgets/panes.h"
#include "ui/widgets/roofline.h"

#define LABEL_WIDE 6

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

/* True if an earlier result of the run has the same kernel, whose curve then exists already. */
static bool is_listed(const struct results *results, int k)
{
    for (int j = 0; j < k; j++)
        if (result_timed(&results->items[j]) && same_kernel(&results->items[j], &results->items[k]))
            return true;
    return false;
}

/* Write the curves of the fastest kernels of a run, the fastest first. At most KERNELS_CURVES kernels have
 * one, all of them run with several numbers of threads. Returns the number of curves. */
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

/* A run stores the results of one kernel for all numbers of threads consecutively. So a comparison of each
 * result with the THREAD_COUNTS_MAX before it suffices. */
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

static void write_speed(double speed, char *out, size_t size)
{
    format_brief(out, size, speed * 1e-9);
}

/* Join the points by lines. */
static void draw_curve(const struct chart *chart, const struct curve *curve, int index, bool here)
{
    struct canvas *canvas = chart->canvas;
    canvas->mark = '.';
    for (int k = 1; k < curve->count; k++)
        chart_line(chart, curve->results[k - 1]->resolved.threads, result_speed(curve->results[k - 1]),
                   curve->results[k]->resolved.threads, result_speed(curve->results[k]), colours[index],
                   false);
    for (int k = 0; k < curve->count; k++)
        canvas_text(canvas, chart_x(chart, curve->results[k]->resolved.threads),
                    chart_y(chart, result_speed(curve->results[k])), ANCHOR_MIDDLE, colours[index],
                    here ? WRITING_CHOSEN : WRITING_BOLD, "%c", 'a' + index);
}

/* Draw the line of ideal speedup, speed(t) = t speed(t0) / t0, where t0 is the smallest number of threads of
 * the curve. A dashed line shows the speed at the read bandwidth. */
static void draw_bounds(const struct chart *chart, const struct curve *curve, double ceiling)
{
    const struct result *base = curve->results[0];
    double each = result_speed(base) / base->resolved.threads;
    chart->canvas->mark = '-';
    if (ceiling > 0) chart_line(chart, 0, ceiling, chart->across.to, ceiling, COLOUR_DIM, true);
    chart->canvas->mark = ':';
    chart_line(chart, base->resolved.threads, each * base->resolved.threads, chart->across.to,
               each * chart->across.to, COLOUR_DIM, false);
}

/* Write a line for each curve: its speed with the largest number of threads, and the speedup over the
 * smallest. */
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

/* Explain the dim and the dashed line of the curve under the cursor. */
static void draw_words(const struct explorer *explorer, struct flow *flow, const struct curve *curve,
                       int mark, double ceiling, double top)
{
    char speed[32];
    flow_item(flow, COLOUR_DIM, "%s ideal for %c: n times the threads, n times the speed",
              explorer->ascii ? ":::" : "\u2824\u2824\u2824", mark);
    if (curve->results[curve->count - 1]->cached)
        flow_item(flow, COLOUR_DIM, "%c fits in the cache: memory does not limit it", mark);
    else if (ceiling > 0)
        flow_item(flow, COLOUR_DIM, "%s %s GFLOP/s: %c at the read bandwidth%s",
                  explorer->ascii ? "- - -" : "\u2824 \u2824 \u2824",
                  format_brief(speed, sizeof speed, ceiling * 1e-9), mark, ceiling > top ? ", above" : "");
}

static const char no_curves[] =
    "No kernel was run with several numbers of threads. {sweep} runs the selected kernels, or the one under "
    "the cursor, with each number of threads; {plot curves} goes back to the table.";

void kernels_draw_curves(const struct explorer *explorer, struct kernels_screen *screen,
                         struct surface *surface, struct rect rect)
{
    struct curve curves[KERNELS_CURVES];
    const struct run *run = kernels_sweep(explorer, screen);
    int count = run ? list_curves(run, curves) : 0;
    if (count == 0) {
        kernels_draw_empty(surface, rect, no_curves);
        return;
    }
    screen->curve = cursor_of(screen, count);
    const struct curve *curve = &curves[screen->curve];
    double ceiling = results_ceiling(&run->results, curve->results[curve->count - 1]);
    struct cells cells;
    struct canvas canvas = pane_canvas(explorer, &cells, surface, rect);
    struct chart chart = {
        .canvas = &canvas,
        .across = {.to = 1, .whole = true},
        .up = {.to = top_of(curves, count, ceiling), .label = write_speed},
    };
    for (int k = 0; k < count; k++)
        chart.across.to = fmax(chart.across.to, curves[k].results[curves[k].count - 1]->resolved.threads);
    char said[96];
    int x = rect.left + 1;
    x += surface_text(surface, rect.top, x, rect.wide - 2, COLOUR_TITLE, ATTRIBUTE_BOLD,
                      "GFLOP/s over threads") +
         2;
    snprintf(said, sizeof said, "run #%d: %s", run->number, run->label);
    surface_text_short(surface, rect.top, x, rect.left + rect.wide - 1 - x, explorer->ascii, COLOUR_DIM, 0,
                       said);
    chart_place(&chart, canvas.line, (rect.high - count - 2) * canvas.line, LABEL_WIDE);
    chart_axes(&chart);
    draw_bounds(&chart, curve, ceiling);
    for (int k = count - 1; k >= 0; k--)
        if (k != screen->curve) draw_curve(&chart, &curves[k], k, false);
    draw_curve(&chart, curve, screen->curve, true);
    int y = rect.top + rect.high - count - 2;
    draw_legend(explorer, surface, (struct rect){y, rect.left + 1, count, rect.wide - 2}, curves, count,
                screen->curve);
    struct flow flow = {.surface = surface, .rect = {y + count, rect.left + 1, 2, rect.wide - 2}};
    draw_words(explorer, &flow, curve, 'a' + screen->curve, ceiling, chart.up.to);
}

/* The roofline */

/* Add the cache ceilings of a line's machine, if the session knows them. It knows this processor and its own
 * GPU. A saved run may be of another processor, so it gets no ceilings of the processor. */
static void add_caches(const struct explorer *explorer, const struct line *line,
                       const struct machine *machine, int roof, struct speeds *speeds)
{
    const struct session *session = explorer->session;
    const char *gpu = session->gpu.title;
    if (!machine->type && line->run && !line->run->saved) speeds_caches(speeds, roof, session, ADVICE_CPU);
    if (machine->name[0] && session_has(session, SESSION_GPU) &&
        strncmp(gpu, machine->name, strlen(machine->name)) == 0)
        speeds_caches(speeds, roof, session, ADVICE_GPU);
}

/* Make a point for each timed line, and the roofs of the lines' machines. */
static void make_roofline(const struct explorer *explorer, const struct kernels_screen *screen,
                          struct speeds *speeds)
{
    *speeds = (struct speeds){.count = 0};
    for (int k = 0; k < screen->line_count; k++) {
        const struct result *result = screen->lines[k].result;
        if (!result || !(result_intensity(result) > 0 && result_speed(result) > 0)) continue;
        const struct machine *machine =
            kernels_newest_machine(screen, result->choice.kernel->backend->devices);
        struct speed speed = {.speed = result_speed(result),
                              .intensity = result_intensity(result),
                              .roof = machine ? speeds_roof(speeds, machine->name, machine->read) : -1,
                              .cached = result->cached,
                              .memory = result->bytes.plus,
                              .item = k};
        if (speed.roof >= 0) add_caches(explorer, &screen->lines[k], machine, speed.roof, speeds);
        snprintf(speed.name, sizeof speed.name, "%s", result->name);
        speeds_add(speeds, &speed);
    }
}

const struct result *kernels_point_result(const struct explorer *explorer,
                                          const struct kernels_screen *screen, const struct run **run)
{
    struct speeds speeds;
    make_roofline(explorer, screen, &speeds);
    *run = NULL;
    if (speeds.count == 0) return NULL;
    const struct line *line = &screen->lines[speeds.items[clip_index(screen->point, speeds.count)].item];
    *run = line->run;
    return line->result;
}

static const char no_points[] =
    "No kernel of the table was timed. {run 2} runs all kernels; each becomes a point here, by its "
    "operations per byte that must be moved. {plot roofline} goes back to the table.";

void kernels_draw_roofline(const struct explorer *explorer, struct kernels_screen *screen,
                           struct surface *surface, struct rect rect)
{
    struct speeds speeds;
    make_roofline(explorer, screen, &speeds);
    if (speeds.count == 0) {
        kernels_draw_empty(surface, rect, no_points);
        return;
    }
    screen->point = clip_index(screen->point, speeds.count);
    screen->rows = roofline_pane(explorer, &speeds, screen->point, surface, rect);
}

/* The map */

const struct run *kernels_tuned_run(const struct explorer *explorer, const struct kernels_screen *screen)
{
    const struct runs *runs = &explorer->session->shown->runs;
    const struct result *first;
    if (screen->shown && tune_map_firsts(&screen->shown->results, &first, 1) > 0) return screen->shown;
    for (int k = runs->count - 1; k >= 0; k--)
        if (tune_map_firsts(&runs->items[k]->results, &first, 1) > 0) return runs->items[k];
    return NULL;
}

/* Make the map again if the run or the kernel has changed. */
static bool refresh_map(const struct explorer *explorer, struct kernels_screen *screen)
{
    return tune_chart_make(&screen->chart, kernels_tuned_run(explorer, screen));
}

const struct result *kernels_map_result(const struct explorer *explorer, struct kernels_screen *screen,
                                        const struct run **run)
{
    *run = NULL;
    if (!refresh_map(explorer, screen)) return NULL;
    const struct result *result = tune_chart_result(&screen->chart);
    if (result) *run = kernels_tuned_run(explorer, screen);
    return result;
}

void kernels_map_move(const struct explorer *explorer, struct kernels_screen *screen, int x, int y)
{
    if (refresh_map(explorer, screen)) tune_chart_move(&screen->chart, x, y);
}

void kernels_map_turn(const struct explorer *explorer, struct kernels_screen *screen, int step)
{
    tune_chart_turn(&screen->chart, kernels_tuned_run(explorer, screen), step);
}

void kernels_map_pair(const struct explorer *explorer, struct kernels_screen *screen)
{
    if (refresh_map(explorer, screen)) tune_chart_pair(&screen->chart);
}

void kernels_map_keep(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    const struct run *run;
    const struct result *result = kernels_map_result(explorer, screen, &run);
    char parameters[CHOICE_NAME];
    struct error error = {0};
    if (!result) {
        explorer_say(explorer, "no variant was run here");
        return;
    }
    int count = kernels_add(screen, result->choice.kernel,
                            kernel_choice_parameters(&result->choice, parameters, sizeof parameters), &error);
    if (error.status != STATUS_OK)
        explorer_say_error(explorer, &error);
    else if (count == 0)
        explorer_say(explorer, "this variant is already a row of the table");
    else
        explorer_say_keys(explorer, kernels_actions,
                          "added as a row of the table; {draw map} goes there, {remove} removes it again");
}

static const char no_map[] =
    "No kernel was tuned. {tune} tunes the selected kernels, or the one under the cursor: it runs the most "
    "promising variants of their parameters; {draw map} goes back to the table.";

void kernels_draw_map(const struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                      struct rect rect)
{
    char prose[PROSE_SIZE];
    if (!refresh_map(explorer, screen)) {
        kernels_draw_empty(surface, rect, no_map);
        return;
    }
    keys_prose(kernels_actions, "{expand} adds it as a row of the table, {draw map} goes there.", prose);
    tune_chart_draw(explorer, &screen->chart, prose, surface, rect);
}
