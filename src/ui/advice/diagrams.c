/* The diagrams of Advice: break-even curves, the time of all products with what comes before them, over their
 * number, for the kernels that are best for some number, CSR, and the one under the cursor; the roofline of
 * the candidates; and the map of the newest tuning, or how to get one. */
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

static void draw_legend(const struct explorer *explorer, const struct even *even, struct surface *surface,
                        struct rect rect)
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
                                      .chosen = even->items[k] == even->cursor};
        legend_draw(&legend, explorer->ascii, surface, (struct rect){rect.top + k, rect.left, 1, rect.wide});
    }
}

/* Say which is best for how many products. */
static void draw_words(const struct even *even, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = rect};
    char count[32];
    if (even->best == 1) flow_item(&flow, COLOUR_ACCENT, "a is best from the first product on");
    for (int k = 1; k < even->best; k++) {
        const char before = figure_letter(k - 1), letter = figure_letter(k);
        format_fitting(count, sizeof count, (int64_t)ceil(even->from[k]), 9);
        if (!flow_item(&flow, COLOUR_ACCENT, "%c to %c (%s) at %s products", before, letter,
                       even->advice->candidates[even->items[k]].result->name, count))
            flow_item(&flow, COLOUR_ACCENT, "%c to %c at %s", before, letter, count);
    }
}

void advice_draw_even(struct explorer *explorer, void *state, struct surface *surface, struct rect rect)
{
    struct advice_screen *screen = state;
    int *lines = screen->items[PANE_EVEN];
    const struct even even = even_find(advice_shown(screen), screen->each, screen->cursor);
    int below = even.count;
    while (below > 1 && rect.high - 3 - WORDS_HIGH - below < PLOT_HIGH)
        below--;
    int high = rect.high - WORDS_HIGH - below;
    if (high < 5 || rect.wide < PLOT_WIDE) return;
    surface_text(surface, rect.top, rect.left + 1, rect.wide - 2, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s",
                 screen->each ? "time of each of n products, with setup / n"
                              : "time of n products, with the setup");
    struct cells cells;
    struct canvas canvas = pane_canvas(explorer, &cells, surface, rect);
    struct chart chart = {.canvas = &canvas};
    even_draw(&even, &chart, canvas.line, high * canvas.line);
    even_mark(&even, &chart);
    struct rect legend = {rect.top + high, rect.left + 1, below, rect.wide - 2};
    draw_legend(explorer, &even, surface, legend);
    for (int k = 0; k < below && high + k < ADVICE_LINES; k++)
        lines[high + k] = even.items[k];
    draw_words(&even, surface,
               (struct rect){rect.top + rect.high - WORDS_HIGH, rect.left + 1, WORDS_HIGH, rect.wide - 2});
}

/* Return the roof of the machine that the advice is for: its read bandwidth where it was measured, else that
 * of the profile. -1 if neither is known. */
static int find_roof(const struct explorer *explorer, const struct advice_screen *screen,
                     const struct advice *advice, struct speeds *speeds)
{
    const struct processor *processor = &explorer->session->processor;
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        const struct machine *machine = results_machine(candidate->results, candidate->result);
        if (candidate->measured && machine->read > 0)
            return speeds_roof(speeds, machine->name, machine->read);
    }
    if (advice->place == ADVICE_CPU && screen->foretold && processor->there)
        return speeds_roof(speeds, "", processor->read[1][PROCESSOR_SIZES - 1]);
    return advice->place == ADVICE_GPU
               ? speeds_roof(speeds, advice->machine, explorer->session->gpu.pace.read)
               : -1;
}

void advice_draw_roofline(struct explorer *explorer, void *state, struct surface *surface, struct rect rect)
{
    struct advice_screen *screen = state;
    const struct advice *advice = advice_shown(screen);
    struct speeds speeds = {.count = 0};
    const struct matrix_case *shown = explorer->session->shown;
    double flops =
        product_flops((double)case_nnz(shown), case_is_complex(shown), product_columns(explorer->product));
    int roof = find_roof(explorer, screen, advice, &speeds), cursor = 0;
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        struct speed speed = {.intensity = speeds_intensity(candidate, flops),
                              .speed = flops / candidate->seconds,
                              .roof = roof,
                              .cached = candidate->measured && candidate->result->cached,
                              .forecast = !candidate->measured,
                              .item = k};
        snprintf(speed.name, sizeof speed.name, "%s", candidate->result->name);
        if (speed.intensity > 0) speeds_add(&speeds, &speed);
    }
    for (int k = 0; k < speeds.count; k++)
        if (speeds.items[k].item == screen->cursor) cursor = k;
    if (speeds.count > 0)
        roofline_pane(explorer, &speeds, cursor, surface, rect);
    else
        surface_text_short(surface, rect.top, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_DIM, 0,
                           "The matrix has no entries.");
}

/* The place of Kernels in the table of views is its key. */
static int kernels_key(void)
{
    for (int k = 0; views[k]; k++)
        if (views[k] == &view_kernels) return view_key(k);
    return 0;
}

void advice_draw_map(struct explorer *explorer, void *state, struct surface *surface, struct rect rect)
{
    struct advice_screen *screen = state;
    const struct run *run = tune_chart_newest(&explorer->session->shown->runs);
    char prose[PROSE_SIZE], words[2 * PROSE_SIZE], key[KEY_TEXT];
    if (tune_chart_make(&screen->chart, run)) {
        keys_prose(advice_actions, "{open} shows it on Kernels.", prose);
        tune_chart_draw(explorer, &screen->chart, prose, surface, rect);
        return;
    }
    struct flow flow = {.surface = surface,
                        .rect = {rect.top + 1, rect.left + 1, rect.high - 1, rect.wide - 2}};
    keys_prose(
        view_kernels.actions,
        "{tune 1} tunes the kernels selected there, or the one under the cursor: the fastest of the variants "
        "of their parameters is sought, and their times become a map here.",
        prose);
    snprintf(words, sizeof words, "No kernel was tuned. On Kernels (%s), %s", key_text(kernels_key(), key),
             prose);
    flow_words(&flow, COLOUR_TEXT, words);
}
