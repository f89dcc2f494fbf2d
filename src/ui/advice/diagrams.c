/* The diagrams of Advice. Break-even curves show the time of n products with their setup over n. They show
 * CSR, the kernel under the cursor, and each kernel that is best for some n. The roofline shows all
 * candidates. The map shows the newest tuning, or names the key that tunes. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "report/figures/even.h"
#include "ui/advice/screen.h"
#include "ui/widgets/panes.h"
#include "ui/widgets/roofline.h"

#define WORDS_HIGH 2 /* lines that name the crossings */
#define PLOT_HIGH 4
#define PLOT_WIDE 20
#define MAP_HIGH 20 /* lines of the map of a tuning run */

static void draw_legend(const struct explorer *explorer, const struct even *even, bool focus,
                        struct surface *surface, struct rect rect)
{
    for (int k = 0; k < even->count && k < rect.high; k++) {
        const struct advice_candidate *candidate = &even->advice->candidates[even->items[k]];
        char said[ADVICE_LINE_MAX], setup[32], time[32];
        advice_time(setup, sizeof setup, candidate->setup);
        advice_time(time, sizeof time, candidate->seconds);
        snprintf(said, sizeof said, "%s%sn %s%s", candidate->setup > 0 ? setup : "",
                 candidate->setup > 0 ? " + " : "", rect.wide < 60 ? "" : "x ", time);
        const struct legend legend = {.mark = (unsigned char)figure_letter(k),
                                      .colour = even_colour(k),
                                      .name = candidate->result->name,
                                      .said = said,
                                      .gap = 1,
                                      .chosen = focus && even->items[k] == even->cursor};
        legend_draw(&legend, explorer->ascii, surface, (struct rect){rect.top + k, rect.left, 1, rect.wide});
    }
}

/* Name the best kernel for each range of the number of products. */
static void draw_words(const struct even *even, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = rect};
    char count[32];
    if (even->best == 1) flow_item(&flow, COLOUR_ACCENT, "a is best from the first product");
    for (int k = 1; k < even->best; k++) {
        const char letter = figure_letter(k);
        format_fitting(count, sizeof count, (int64_t)ceil(even->from[k]), 9);
        if (!flow_item(&flow, COLOUR_ACCENT, "From %s products on, %c (%s) is fastest.", count, letter,
                       even->advice->candidates[even->items[k]].result->name))
            flow_item(&flow, COLOUR_ACCENT, "From %s, %c is fastest.", count, letter);
    }
}

int advice_draw_even(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                     struct rect rect)
{
    const struct even even =
        even_find(advice_shown(screen), screen->each, advice_cursor_of(screen, SECTION_EVEN));
    int below = even_find(advice_shown(screen), screen->each, -1).count + 1; /* the kernel under the cursor
                                                                                may add one */
    while (below > 1 && rect.high - 3 - WORDS_HIGH - below < PLOT_HIGH)
        below--;
    int high = rect.high - WORDS_HIGH - below;
    if (high < 5 || rect.wide < PLOT_WIDE) return rect.high;
    surface_text(surface, rect.top, rect.left + 1, rect.wide - 2, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s",
                 screen->each ? "time of each of n products, with setup / n"
                              : "time of n products, with the setup");
    struct cells cells;
    struct canvas canvas = pane_canvas(explorer, &cells, surface, rect);
    struct chart chart = {.canvas = &canvas};
    even_draw(&even, &chart, canvas.line, high * canvas.line);
    even_mark(&even, &chart);
    struct rect legend = {rect.top + high, rect.left + 1, below, rect.wide - 2};
    draw_legend(explorer, &even, screen->focus == SECTION_EVEN, surface, legend);
    for (int k = 0; k < below && k < even.count; k++)
        advice_spot(screen, SECTION_EVEN, even.items[k],
                    (struct rect){legend.top + k, legend.left, 1, legend.wide});
    draw_words(&even, surface,
               (struct rect){rect.top + rect.high - WORDS_HIGH, rect.left + 1, WORDS_HIGH, rect.wide - 2});
    return rect.high;
}

int advice_draw_roofline(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                         struct rect rect)
{
    struct speeds speeds;
    int cursor = 0;
    speeds_of_advice(explorer->session, advice_shown(screen), explorer->product, screen->foretold, &speeds);
    for (int k = 0; k < speeds.count; k++)
        if (speeds.items[k].item == advice_cursor_of(screen, SECTION_ROOFLINE)) cursor = k;
    if (speeds.count > 0)
        roofline_pane(explorer, &speeds, cursor, surface, rect);
    else
        surface_text_short(surface, rect.top, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_DIM, 0,
                           "The matrix has no entries.");
    return speeds.count > 0 ? rect.high : 1;
}

/* The index of Kernels in the table of views determines its key. */
static int kernels_key(void)
{
    for (int k = 0; views[k]; k++)
        if (views[k] == &view_kernels) return view_key(k);
    return 0;
}

int advice_draw_map(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                    struct rect rect)
{
    const struct run *run = tune_chart_newest(&explorer->session->shown->runs);
    char prose[PROSE_SIZE], words[2 * PROSE_SIZE], key[KEY_TEXT];
    if (tune_chart_make(&screen->chart, run)) {
        rect.high = rect.high < MAP_HIGH || screen->one ? rect.high : MAP_HIGH;
        keys_prose(advice_actions, "{open} shows it on Kernels.", prose);
        tune_chart_draw(explorer, &screen->chart, prose, surface, rect);
        return rect.high;
    }
    struct flow flow = {.surface = surface, .rect = {rect.top, rect.left + 1, rect.high, rect.wide - 2}};
    keys_prose(view_kernels.actions,
               "{tune 1} tunes the selected kernels, or the one under the cursor. It searches for their "
               "fastest parameters; the map of their times is drawn here.",
               prose);
    snprintf(words, sizeof words, "No kernel was tuned. On Kernels (%s), %s", key_text(kernels_key(), key),
             prose);
    flow_words(&flow, COLOUR_TEXT, words);
    return flow_lines(&flow);
}
