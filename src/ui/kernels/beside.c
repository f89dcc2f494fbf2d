/* The comparison of runs: a line for each kernel, a column for each run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "drawing/flow.h"
#include "drawing/number.h"
#include "ui/kernels/kernels.h"

#define CELL_WIDE 17 /* the min width of a run's column: a time, a ratio and a gap */
#define CELL_MAX 48  /* its max width, for long labels */
#define TIME_WIDE 8
#define RATIO_WIDE 8
#define HEAD_HIGH 3
#define FOOT_HIGH 3
#define KIND_WIDE 9 /* the width of precision and threads */

/* A result, the index of its run, and its own index among the results of all runs. */
struct placed {
    const struct result *result;
    bool known; /* its kernel is in the table `kernels`; else only a saved report names it */
    int run, order;
};

/* Compare the resolved choices of two results, so that a requested parameter equals the same value that the
 * kernel chose. Each saved report has its own kernels for names that are not in the table. These are compared
 * by name. */
static int compare_choices(const struct placed *a, const struct placed *b)
{
    const struct kernel_choice *left = &a->result->resolved, *right = &b->result->resolved;
    int order = (int)a->known - (int)b->known;
    if (order != 0) return order;
    if (a->known) return kernel_choice_compare(left, right);
    order = strcmp(a->result->full_name, b->result->full_name);
    if (order == 0) order = strcmp(a->result->name, b->result->name);
    if (order == 0)
        order = (left->format.precision > right->format.precision) -
                (left->format.precision < right->format.precision);
    return order ? order : (left->threads > right->threads) - (left->threads < right->threads);
}

static bool is_known(const struct kernel *kernel)
{
    for (int k = 0; kernels[k]; k++)
        if (kernels[k] == kernel) return true;
    return false;
}

static int compare_placed(const void *a, const void *b)
{
    const struct placed *left = a, *right = b;
    int order = compare_choices(left, right);
    return order ? order : left->order - right->order;
}

static int compare_orders(const void *a, const void *b)
{
    const struct comparison *left = a, *right = b;
    return left->order - right->order;
}

/* Return the results of all runs, sorted by choice and then by run. The caller frees them; NULL without
 * memory. */
static struct placed *list_placed(const struct runs *runs, int *count, struct error *error)
{
    size_t all = 0;
    for (int r = 0; r < runs->count; r++)
        all += (size_t)runs->items[r]->results.count;
    struct placed *placed = memory_array(all, sizeof *placed, error);
    *count = 0;
    if (!placed) return NULL;
    for (int r = 0; r < runs->count; r++)
        for (int k = 0; k < runs->items[r]->results.count; k++) {
            const struct result *result = &runs->items[r]->results.items[k];
            placed[*count] = (struct placed){result, is_known(result->choice.kernel), r, *count};
            (*count)++;
        }
    qsort(placed, (size_t)*count, sizeof *placed, compare_placed);
    return placed;
}

enum status kernels_compare_runs(const struct explorer *explorer, struct kernels_screen *screen,
                                 struct error *error)
{
    const struct runs *runs = &explorer->session->shown->runs;
    int count, comparisons = 0;
    screen->comparison_count = 0;
    struct placed *placed = list_placed(runs, &count, error);
    if (!placed) return STATUS_MEMORY;
    for (int k = 0; k < count; k++)
        comparisons += k == 0 || compare_choices(&placed[k - 1], &placed[k]) != 0;
    free(screen->comparisons);
    free(screen->cells);
    screen->comparisons = memory_zeroed((size_t)comparisons, sizeof *screen->comparisons, error);
    screen->cells = memory_zeroed((size_t)comparisons * (size_t)runs->count, sizeof *screen->cells, error);
    if (!screen->comparisons || !screen->cells) {
        free(placed);
        return STATUS_MEMORY;
    }
    struct comparison *comparison = NULL;
    for (int k = 0; k < count; k++) {
        if (k == 0 || compare_choices(&placed[k - 1], &placed[k]) != 0) {
            comparison = &screen->comparisons[screen->comparison_count];
            comparison->results = &screen->cells[(size_t)screen->comparison_count++ * (size_t)runs->count];
            comparison->first = placed[k].result;
            comparison->order = placed[k].order;
        }
        comparison->results[placed[k].run] = placed[k].result;
    }
    free(placed);
    qsort(screen->comparisons, (size_t)screen->comparison_count, sizeof *screen->comparisons, compare_orders);
    return STATUS_OK;
}

/* Write the time of a result as a share of the base's. */
static void draw_ratio(struct surface *surface, int y, int x, const struct result *result,
                       const struct result *base)
{
    double ratio = result_ratio(result, base);
    char out[32];
    if (!(ratio > 0)) return;
    bool tied = samples_tie(&result->samples, &base->samples);
    surface_text_right(surface, y, x, RATIO_WIDE,
                       result == base || tied ? COLOUR_DIM
                       : ratio < 1            ? COLOUR_GOOD
                                              : COLOUR_WARN,
                       0, "%s%s", tied && result != base ? "= " : "", number_text(out, sizeof out, ratio, 5));
}

static void draw_cell(const struct explorer *explorer, struct surface *surface, int y, int x, int wide,
                      const struct result *result, const struct result *base, bool is_base)
{
    char time[32];
    if (!result) {
        surface_text_right(surface, y, x, TIME_WIDE, COLOUR_DIM, 0, "-");
    } else if (result->status != STATUS_OK) {
        surface_text_short(surface, y, x + 1, wide - 2, explorer->ascii, COLOUR_BAD, 0,
                           result->error.message);
    } else if (!result_timed(result)) {
        surface_text_right(surface, y, x, TIME_WIDE, COLOUR_DIM, 0, "-");
    } else {
        format_seconds(time, sizeof time, result->samples.time);
        surface_text_right(surface, y, x, TIME_WIDE, is_base ? COLOUR_ACCENT : COLOUR_TEXT, 0, "%s", time);
        if (base && !is_base) draw_ratio(surface, y, x + TIME_WIDE, result, base);
    }
}

/* Times of different products have no meaningful ratio. */
static bool is_comparable(const struct runs *runs, int run, int base)
{
    return product_same(runs->items[run]->results.options.product,
                        runs->items[base]->results.options.product);
}

static void draw_heading(const struct explorer *explorer, const struct kernels_screen *screen,
                         struct surface *surface, int y, int x, int r)
{
    const struct runs *runs = &explorer->session->shown->runs;
    const struct run *run = runs->items[r];
    bool is_base = r == screen->base;
    enum colour colour = is_base ? COLOUR_ACCENT : COLOUR_TITLE;
    char number[32];
    snprintf(number, sizeof number, "#%d%s%s", run->number, run->saved ? " saved" : "",
             is_base ? " base" : "");
    surface_text(surface, y, x + 1, screen->cell_wide - 2, colour, ATTRIBUTE_BOLD, "%s", number);
    surface_text_short(surface, y + 1, x + 1, screen->cell_wide - 2, explorer->ascii,
                       is_base ? COLOUR_ACCENT : COLOUR_TEXT, 0, run->label);
    surface_text_right(surface, y + 2, x, TIME_WIDE, COLOUR_DIM, 0, "time");
    if (!is_base && is_comparable(runs, r, screen->base))
        surface_text_right(surface, y + 2, x + TIME_WIDE, RATIO_WIDE, COLOUR_DIM, 0, "of #%d",
                           runs->items[screen->base]->number);
}

/* Compare the newest run other than the base with it, by the geometric mean of their kernels' ratios. */
static void draw_mean(const struct explorer *explorer, const struct kernels_screen *screen,
                      struct surface *surface, struct rect line)
{
    const struct runs *runs = &explorer->session->shown->runs;
    const int other = runs->count - 1 - (screen->base == runs->count - 1);
    int count = 0, tied = 0;
    double sum = 0;
    char mean[32], ties[32] = "";
    if (other < 0 || !is_comparable(runs, other, screen->base)) return;
    for (int k = 0; k < screen->comparison_count; k++) {
        const struct result *result = screen->comparisons[k].results[other],
                            *base = screen->comparisons[k].results[screen->base];
        const double ratio = result && base ? result_ratio(result, base) : NAN;
        if (!(ratio > 0)) continue;
        count++;
        sum += log(ratio);
        tied += samples_tie(&result->samples, &base->samples);
    }
    if (count == 0) return;
    struct flow flow = {.surface = surface, .rect = line};
    if (tied > 0) snprintf(ties, sizeof ties, ", %d tied", tied);
    flow_item(&flow, COLOUR_ACCENT, "#%d takes %s times as long as #%d.", runs->items[other]->number,
              number_text(mean, sizeof mean, exp(sum / count), 5), runs->items[screen->base]->number);
    flow_item(&flow, COLOUR_DIM, "geometric mean of %d kernel%s%s", count, count > 1 ? "s" : "", ties);
}

static void draw_foot(const struct explorer *explorer, const struct kernels_screen *screen,
                      struct surface *surface, struct rect rect, int more)
{
    const struct runs *runs = &explorer->session->shown->runs;
    const struct run *base = runs->items[screen->base];
    struct flow flow = {.surface = surface, .rect = {rect.top + 1, rect.left + 1, 2, rect.wide - 2}};
    char words[128];
    draw_mean(explorer, screen, surface, (struct rect){rect.top, rect.left + 1, 1, rect.wide - 2});
    snprintf(words, sizeof words, "#%d", base->number);
    flow_item(&flow, COLOUR_ACCENT, "%s", words);
    flow_words(&flow, COLOUR_TEXT, base->label);
    flow_break(&flow);
    flow_item(&flow, COLOUR_DIM, "of #%d: time as a share of that in #%d; = a tie", base->number,
              base->number);
    if (more > 0)
        flow_item(&flow, COLOUR_ACCENT, "%d more run%s: >", more, more > 1 ? "s" : "");
    else
        flow_item(&flow, COLOUR_DIM, "< > another base");
}

static void scroll_both(struct kernels_screen *screen, int rows, int runs, int fit)
{
    screen->comparison = clip_index(screen->comparison, screen->comparison_count);
    screen->comparison_top =
        scroll_to(screen->comparison_top, screen->comparison, screen->comparison_count, rows);
    screen->base = clip_index(screen->base, runs);
    screen->first_run = scroll_to(screen->first_run, screen->base, runs, fit);
    screen->rows = rows;
}

static int longest_name(const struct kernels_screen *screen)
{
    int longest = 6;
    for (int k = 0; k < screen->comparison_count; k++) {
        int wide = surface_columns(screen->comparisons[k].first->name);
        if (wide > longest) longest = wide;
    }
    return longest;
}

static void draw_comparison(const struct explorer *explorer, const struct kernels_screen *screen,
                            struct surface *surface, int y, struct rect rect, int name, int fit, int index)
{
    const struct comparison *comparison = &screen->comparisons[index];
    const struct runs *runs = &explorer->session->shown->runs;
    int x = rect.left + 1;
    surface_text_short(surface, y, x, name, explorer->ascii, COLOUR_TEXT, 0, comparison->first->name);
    const char *precision =
        value_name(comparison->first->choice.format.precision, comparison->first->complex);
    if (comparison->first->resolved.threads > 0)
        surface_text_right(surface, y, x + name, KIND_WIDE, COLOUR_DIM, 0, "%s x%d", precision,
                           comparison->first->resolved.threads);
    else
        surface_text_right(surface, y, x + name, KIND_WIDE, COLOUR_DIM, 0, "%s", precision);
    x += name + KIND_WIDE;
    for (int r = screen->first_run; r < runs->count && r < screen->first_run + fit;
         r++, x += screen->cell_wide)
        draw_cell(explorer, surface, y, x, screen->cell_wide, comparison->results[r],
                  is_comparable(runs, r, screen->base) ? comparison->results[screen->base] : NULL,
                  r == screen->base);
    if (index == screen->comparison) surface_cursor(surface, (struct rect){y, rect.left, 1, name + 1});
}

void kernels_draw_beside(const struct explorer *explorer, struct kernels_screen *screen,
                         struct surface *surface, struct rect rect)
{
    const struct runs *runs = &explorer->session->shown->runs;
    if (runs->count == 0 || screen->comparison_count == 0) {
        struct flow flow = {.surface = surface, .rect = {rect.top + 1, rect.left + 1, 3, rect.wide - 2}};
        char prose[PROSE_SIZE];
        flow_words(&flow, COLOUR_TEXT,
                   keys_prose(kernels_actions,
                              "Nothing was run yet. {run 2} runs all kernels; each run adds a column here. "
                              "{compare runs} goes back.",
                              prose));
        return;
    }
    int rows = rect.high - HEAD_HIGH - FOOT_HIGH,
        max = rect.wide - 1 - KIND_WIDE - CELL_WIDE * (runs->count < 2 ? 1 : 2);
    int name = longest_name(screen);
    if (name > max) name = max;
    int room = rect.wide - 1 - name - KIND_WIDE, fit = room / CELL_WIDE;
    screen->cell_wide = room / (fit < runs->count ? fit : runs->count);
    if (screen->cell_wide > CELL_MAX) screen->cell_wide = CELL_MAX;
    scroll_both(screen, rows, runs->count, fit);
    int x = rect.left + 1 + name + KIND_WIDE;
    surface_text(surface, rect.top + 2, rect.left + 1, name, COLOUR_TITLE, 0, "kernel");
    surface_text_right(surface, rect.top + 2, rect.left + 1 + name, KIND_WIDE, COLOUR_TITLE, 0, "threads");
    screen->heading_count = 0;
    for (int r = screen->first_run; r < runs->count && r < screen->first_run + fit;
         r++, x += screen->cell_wide) {
        draw_heading(explorer, screen, surface, rect.top, x, r);
        if (screen->heading_count < KERNELS_COLUMNS)
            screen->headings[screen->heading_count++] = (struct heading){r, x, screen->cell_wide};
    }
    screen->body = (struct rect){rect.top + HEAD_HIGH, rect.left, rows, rect.wide};
    for (int k = 0; k < rows && screen->comparison_top + k < screen->comparison_count; k++)
        draw_comparison(explorer, screen, surface, screen->body.top + k, rect, name, fit,
                        screen->comparison_top + k);
    draw_foot(explorer, screen, surface,
              (struct rect){rect.top + rect.high - FOOT_HIGH, rect.left, FOOT_HIGH, rect.wide},
              runs->count - screen->first_run - fit);
}
