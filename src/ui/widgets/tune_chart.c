#include "ui/widgets/tune_chart.h"

#include <math.h>
#include <stdio.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/flow.h"
#include "drawing/shade.h"

#define CELL_WIDE 6
#define WORDS_HIGH 4 /* the lines below the map */

const struct run *tune_chart_newest(const struct runs *runs)
{
    const struct result *first;
    for (int k = runs->count - 1; k >= 0; k--)
        if (tune_map_firsts(&runs->items[k]->results, &first, 1) > 0) return runs->items[k];
    return NULL;
}

/* Set the axes of a pair: 0 and 1, 0 and 2, 1 and 2, ... */
static void set_pair(struct tune_chart *chart, int pair)
{
    int count = chart->map.axis_count, pairs = count * (count - 1) / 2;
    chart->across = 0;
    chart->down = count > 1 ? 1 : 0;
    for (int k = pairs > 0 ? pair % pairs : 0; k > 0; k--) {
        chart->across++;
        if (chart->across < chart->down) continue;
        chart->across = 0;
        chart->down++;
    }
}

bool tune_chart_make(struct tune_chart *chart, const struct run *run)
{
    const struct result *firsts[TUNE_CHART_KERNELS];
    int count = run ? tune_map_firsts(&run->results, firsts, TUNE_CHART_KERNELS) : 0;
    if (count == 0) return false;
    chart->kernels = count;
    chart->kernel = clip_index(chart->kernel, count);
    bool same = chart->run == run->number && chart->map.first == firsts[chart->kernel];
    chart->run = run->number;
    tune_map_make(&chart->map, &run->results, firsts[chart->kernel]);
    if (!same) chart->pair = 0;
    set_pair(chart, chart->pair);
    if (same || !chart->map.best || chart->map.axis_count == 0) return true;
    chart->x = tune_map_value(&chart->map, chart->across, chart->map.best);
    chart->y = chart->map.axis_count > 1 ? tune_map_value(&chart->map, chart->down, chart->map.best) : 0;
    return true;
}

static int across_count(const struct tune_chart *chart)
{
    return chart->map.axis_count > 0 ? chart->map.axes[chart->across].count : 0;
}

static int down_count(const struct tune_chart *chart)
{
    return chart->map.axis_count > 1 ? chart->map.axes[chart->down].count : chart->map.axis_count;
}

static const struct result *at(const struct tune_chart *chart, int x, int y)
{
    return tune_map_at(&chart->map, chart->across, x, chart->down, chart->map.axis_count > 1 ? y : -1);
}

const struct result *tune_chart_result(const struct tune_chart *chart)
{
    return chart->map.axis_count > 0 ? at(chart, chart->x, chart->y) : NULL;
}

void tune_chart_move(struct tune_chart *chart, int x, int y)
{
    chart->x = clip_index(chart->x + x, across_count(chart));
    chart->y = clip_index(chart->y + y, down_count(chart));
}

void tune_chart_turn(struct tune_chart *chart, const struct run *run, int step)
{
    chart->kernel = clip_index(chart->kernel + step, chart->kernels);
    tune_chart_make(chart, run);
}

bool tune_chart_has_pairs(const struct tune_chart *chart)
{
    return chart->map.axis_count > 2;
}

void tune_chart_pair(struct tune_chart *chart)
{
    if (chart->map.axis_count < 2) return;
    chart->pair = (chart->pair + 1) % (chart->map.axis_count * (chart->map.axis_count - 1) / 2);
    set_pair(chart, chart->pair);
    if (!chart->map.best) return;
    chart->x = tune_map_value(&chart->map, chart->across, chart->map.best);
    chart->y = tune_map_value(&chart->map, chart->down, chart->map.best);
}

/* Draw a value of an axis as a heading. */
static void draw_value(const struct tune_axis *axis, int k, struct surface *surface, int y, int x, int wide,
                       bool chosen)
{
    char value[64];
    parameter_value(axis->parameter, axis->values[k], value, sizeof value);
    surface_text_right(surface, y, x, wide, chosen ? COLOUR_ACCENT : COLOUR_DIM, chosen ? ATTRIBUTE_BOLD : 0,
                       "%.*s", wide, value);
}

/* Draw a cell: T / T(best) on a colour that is stronger for faster variants. With too few colours, the ink of
 * a character beside the number replaces the colour. */
static void draw_cell(const struct explorer *explorer, const struct tune_chart *chart,
                      const struct result *result, struct surface *surface, struct rect rect)
{
    char number[16];
    int level = tune_map_level(&chart->map, result, DENSITY_LEVELS);
    if (level < 0) {
        surface_text_right(surface, rect.top, rect.left, rect.wide, COLOUR_DIM, 0, "%s",
                           explorer->ascii ? "." : "\u00b7");
        return;
    }
    double ratio = tune_map_ratio(&chart->map, result);
    bool best = result == chart->map.best, strong = level >= DENSITY_LEVELS / 3;
    snprintf(number, sizeof number, ratio < 99.5 ? "%.*f" : "99+", ratio < 9.995 ? 2 : 1, ratio);
    unsigned bold = best ? ATTRIBUTE_BOLD : 0;
    if (explorer->shades) {
        enum colour colour = (enum colour)(COLOUR_DENSITY + level);
        for (int k = 0; k < rect.wide - 1; k++)
            surface_put(surface, rect.top, rect.left + 1 + k, ' ', strong ? colour : COLOUR_TEXT,
                        strong ? COLOUR_TEXT : colour, strong ? ATTRIBUTE_REVERSE : 0);
        surface_text_right(surface, rect.top, rect.left + 1, rect.wide - 1, strong ? colour : COLOUR_TEXT,
                           (strong ? ATTRIBUTE_REVERSE : 0) | bold, "%s%s", best ? ">" : "", number);
        return;
    }
    surface_text_right(surface, rect.top, rect.left, rect.wide - 1, best ? COLOUR_GOOD : COLOUR_TEXT, bold,
                       "%s%s", best ? ">" : "", number);
    surface_put(surface, rect.top, rect.left + rect.wide - 1, shade_character(level, explorer->ascii),
                best ? COLOUR_GOOD : COLOUR_DIM, COLOUR_TEXT, 0);
}

/* Return the first of `room` visible values out of `count`, with the cursor in the middle. */
static int first_seen(int cursor, int count, int room)
{
    int first = cursor - room / 2;
    if (first > count - room) first = count - room;
    return first < 0 ? 0 : first;
}

static void draw_map(const struct explorer *explorer, const struct tune_chart *chart, struct surface *surface,
                     struct rect rect)
{
    const struct tune_axis *across = &chart->map.axes[chart->across], *down = &chart->map.axes[chart->down];
    bool flat = chart->map.axis_count < 2;
    int left = flat ? 2 : surface_columns(down->parameter->name) + 2;
    if (!flat && left < 11) left = 11;
    int wide = (rect.wide - left) / CELL_WIDE, high = rect.high - 2;
    int count = across_count(chart), lines = down_count(chart);
    int x0 = first_seen(chart->x, count, wide), y0 = first_seen(chart->y, lines, high);
    surface_text(surface, rect.top, rect.left + left + 1, rect.wide - left - 1, COLOUR_TITLE, 0, "%s%s",
                 across->parameter->name, wide < count ? ", more at the sides" : "");
    if (!flat)
        surface_text(surface, rect.top + 1, rect.left, left, COLOUR_TITLE, 0, "%s", down->parameter->name);
    for (int x = x0; x < count && x < x0 + wide; x++)
        draw_value(across, x, surface, rect.top + 1, rect.left + left + (x - x0) * CELL_WIDE, CELL_WIDE,
                   x == chart->x);
    for (int y = y0; y < lines && y < y0 + high; y++) {
        int line = rect.top + 2 + y - y0;
        if (!flat) draw_value(down, y, surface, line, rect.left, left - 1, y == chart->y);
        for (int x = x0; x < count && x < x0 + wide; x++) {
            struct rect cell = {line, rect.left + left + (x - x0) * CELL_WIDE, 1, CELL_WIDE};
            draw_cell(explorer, chart, at(chart, x, y), surface, cell);
            if (x == chart->x && y == chart->y)
                surface_cursor(surface, (struct rect){line, cell.left + 1, 1, CELL_WIDE - 1});
        }
    }
}

/* Describe the variant under the cursor. */
static void draw_words(const struct tune_chart *chart, const char *hint, struct surface *surface,
                       struct rect rect)
{
    const struct result *result = at(chart, chart->x, chart->y);
    struct flow flow = {.surface = surface, .rect = rect};
    char time[32];
    if (!result) {
        flow_words(&flow, COLOUR_DIM, "No variant with these two values was run.");
        return;
    }
    flow_item(&flow, COLOUR_ACCENT, "%s", result->name);
    if (!result->tuned.forecast)
        flow_item(&flow, COLOUR_TEXT, "%s", format_seconds(time, sizeof time, result->samples.time));
    if (isfinite(result->tuned.speedup))
        flow_item(&flow, COLOUR_TEXT, "%s x as fast as untuned",
                  format_brief(time, sizeof time, result->tuned.speedup));
    if (chart->map.axis_count > 2) flow_item(&flow, COLOUR_DIM, "the best of the other parameters");
    flow_break(&flow);
    flow_words(&flow, COLOUR_DIM, hint);
}

void tune_chart_draw(const struct explorer *explorer, const struct tune_chart *chart, const char *hint,
                     struct surface *surface, struct rect rect)
{
    char said[160], time[32];
    const struct result *first = chart->map.first, *best = chart->map.best;
    int x = rect.left + 1;
    x += surface_text(surface, rect.top, x, rect.wide - 2, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s",
                      first->full_name);
    if (best && !best->tuned.forecast)
        snprintf(said, sizeof said, "  T / T(best), best %s; %d of %d variants run; kernel %d of %d",
                 format_seconds(time, sizeof time, best->samples.time), first->tuned.runs, first->tuned.space,
                 chart->kernel + 1, chart->kernels);
    else
        snprintf(said, sizeof said, "  T / T(best), forecast, not measured; %d variants; kernel %d of %d",
                 first->tuned.space, chart->kernel + 1, chart->kernels);
    surface_text_short(surface, rect.top, x, rect.left + rect.wide - 1 - x, explorer->ascii, COLOUR_DIM, 0,
                       said);
    struct rect below = {rect.top + rect.high - WORDS_HIGH + 1, rect.left + 1, WORDS_HIGH - 1, rect.wide - 2};
    if (!best || chart->map.axis_count == 0) {
        surface_text_short(surface, rect.top + 2, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_TEXT,
                           0, best ? "All variants that were run are alike." : "No variant could be run.");
        return;
    }
    draw_map(explorer, chart, surface,
             (struct rect){rect.top + 1, rect.left + 1, rect.high - WORDS_HIGH - 1, rect.wide - 2});
    draw_words(chart, hint, surface, below);
}
