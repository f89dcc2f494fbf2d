/* The break-even curves: the time of all products with what comes before them, over their number, for the
 * kernels that are best for some number, CSR, and the one under the cursor. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "drawing/log_plot.h"
#include "ui/advice/screen.h"
#include "ui/widgets/legend.h"

#define LABEL_WIDE 9
#define MARGIN 1.4   /* the factor between the outermost times and the edges of the plot */
#define WORDS_HIGH 2 /* lines that name the crossings */
#define PLOT_HIGH 4

static const enum colour colours[EVEN_CURVES] = {COLOUR_ROWS, COLOUR_COLS, COLOUR_GOOD,
                                                 COLOUR_MARK, COLOUR_WARN, COLOUR_BAD};

/* A curve of the plot. */
struct curve {
    const struct advice_candidate *candidate;
    bool each; /* the time is divided by the number of products */
};

static double height_of(const void *argument, double products)
{
    const struct curve *curve = argument;
    return advice_total(curve->candidate, products) / (curve->each ? products : 1);
}

static bool is_listed(const int *items, int count, int item)
{
    for (int k = 0; k < count; k++)
        if (items[k] == item) return true;
    return false;
}

/* Add a candidate to the curves; instead of the last one before, if there is no room. Returns how many. */
static int add(int *items, int count, int item)
{
    if (item < 0 || is_listed(items, count, item)) return count;
    if (count == EVEN_CURVES) count--;
    items[count] = item;
    return count + 1;
}

static void write_count(double products, char *out, size_t size)
{
    format_short(out, size, products);
}

static void write_time(double seconds, char *out, size_t size)
{
    advice_time(out, size, seconds);
}

static void fit(struct log_plot *plot, const struct advice *advice, const int *items, int count, bool each)
{
    plot->left = 1;
    plot->right = EVEN_MOST;
    plot->bottom = INFINITY;
    plot->top = 0;
    for (int k = 0; k < count; k++)
        for (int end = 0; end < 2; end++) {
            const struct curve curve = {&advice->candidates[items[k]], each};
            double y = height_of(&curve, end ? EVEN_MOST : 1);
            plot->bottom = fmin(plot->bottom, y);
            plot->top = fmax(plot->top, y);
        }
    plot->bottom /= MARGIN;
    plot->top *= MARGIN;
}

/* Mark where a curve takes over from the one before. */
static void draw_crossing(const struct log_plot *plot, const struct curve *curve, double products)
{
    surface_put(plot->surface, log_plot_row(plot, height_of(curve, products)),
                log_plot_column(plot, products), plot->ascii ? '*' : 0x25cf, COLOUR_ACCENT, COLOUR_TEXT,
                ATTRIBUTE_BOLD);
}

/* Write the letter of a curve where it ends at the right, or above or below if another letter is there. */
static void draw_letter(const struct log_plot *plot, const struct curve *curve, int k, bool chosen)
{
    int x = plot->rect.left + plot->rect.wide - 1 - 2 * k;
    double share = (double)(x - plot->rect.left) / (plot->rect.wide - 1);
    double products = plot->left * pow(plot->right / plot->left, share);
    surface_put(plot->surface, log_plot_row(plot, height_of(curve, products)), x, legend_letter(k),
                colours[k], COLOUR_TEXT, chosen ? ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE : ATTRIBUTE_BOLD);
}

static void draw_legend(const struct explorer *explorer, const struct advice *advice, const int *items,
                        int count, int chosen, struct surface *surface, struct rect rect)
{
    for (int k = 0; k < count && k < rect.high; k++) {
        const struct advice_candidate *candidate = &advice->candidates[items[k]];
        char said[ADVICE_LINE_MAX], setup[32], time[32];
        advice_time(setup, sizeof setup, candidate->setup);
        advice_time(time, sizeof time, candidate->seconds);
        snprintf(said, sizeof said, "%s%sn %s%s", candidate->setup > 0 ? setup : "",
                 candidate->setup > 0 ? " + " : "", rect.wide < 60 ? "" : "x ", time);
        const struct legend legend = {.mark = legend_letter(k),
                                      .colour = colours[k],
                                      .name = candidate->result->name,
                                      .said = said,
                                      .gap = 1,
                                      .chosen = items[k] == chosen};
        legend_draw(&legend, explorer->ascii, surface, (struct rect){rect.top + k, rect.left, 1, rect.wide});
    }
}

/* Say which is best for how many products. */
static void draw_words(const struct advice *advice, const int *items, const double *from, int best,
                       struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = rect};
    char count[32];
    if (best == 1) flow_item(&flow, COLOUR_ACCENT, "a is best from the first product");
    for (int k = 1; k < best; k++) {
        const struct advice_candidate *candidate = &advice->candidates[items[k]];
        format_fitting(count, sizeof count, (int64_t)ceil(from[k]), 9);
        if (!flow_item(&flow, COLOUR_ACCENT, "%c to %c (%s) at %s products", (char)legend_letter(k - 1),
                       (char)legend_letter(k), candidate->result->name, count))
            flow_item(&flow, COLOUR_ACCENT, "%c to %c at %s", (char)legend_letter(k - 1),
                      (char)legend_letter(k), count);
    }
}

void advice_draw_even(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                      struct rect rect)
{
    const struct advice *advice = advice_shown(screen);
    struct pane_place *place = &screen->panes[PANE_EVEN];
    int items[EVEN_CURVES + 2];
    double from[EVEN_CURVES];
    int best = advice_envelope(advice, items, from), count = best;
    if (best > EVEN_CURVES - 2) best = count = EVEN_CURVES - 2;
    count = add(items, count, advice->csr);
    count = add(items, count, screen->cursor);
    int below = count;
    while (below > 1 && rect.high - 3 - WORDS_HIGH - below < PLOT_HIGH)
        below--;
    struct log_plot plot = {.surface = surface,
                            .rect = {rect.top + 1, rect.left + LABEL_WIDE + 1,
                                     rect.high - 3 - WORDS_HIGH - below, rect.wide - LABEL_WIDE - 3},
                            .ascii = explorer->ascii};
    if (plot.rect.wide > LOG_PLOT_WIDE) plot.rect.wide = LOG_PLOT_WIDE;
    if (plot.rect.high < 2 || plot.rect.wide < 20) return;
    fit(&plot, advice, items, count, screen->each);
    surface_text(surface, rect.top, rect.left + 1, rect.wide - 2, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s",
                 screen->each ? "time of each of n products, with setup / n"
                              : "time of n products, with the setup");
    log_plot_axes(&plot, LABEL_WIDE, write_count, write_time);
    for (int k = count - 1; k >= 0; k--) {
        const struct curve curve = {&advice->candidates[items[k]], screen->each};
        log_plot_curve(&plot, height_of, &curve, colours[k], (char)legend_letter(k));
    }
    for (int k = 0; k < count; k++) {
        const struct curve curve = {&advice->candidates[items[k]], screen->each};
        if (k > 0 && k < best) draw_crossing(&plot, &curve, from[k]);
        draw_letter(&plot, &curve, k, items[k] == screen->cursor);
    }
    struct rect legend = {rect.top + rect.high - WORDS_HIGH - below, rect.left + 1, below, rect.wide - 2};
    draw_legend(explorer, advice, items, count, screen->cursor, surface, legend);
    for (int k = 0; k < below && legend.top + k - rect.top < ADVICE_LINES; k++)
        place->items[legend.top + k - rect.top] = items[k];
    draw_words(advice, items, from, best, surface,
               (struct rect){rect.top + rect.high - WORDS_HIGH, rect.left + 1, WORDS_HIGH, rect.wide - 2});
}
