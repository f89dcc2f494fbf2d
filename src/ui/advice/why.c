/* Why that is the advice, what would change it, and what to take for how many products. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "ui/advice/screen.h"

#define COUNT_WIDE 6  /* one number of products, or */
#define RANGE_WIDE 14 /* several */
#define TIME_WIDE 9
#define TIES_WIDE 10
#define NAME_MIN 18

/* Draw a heading, after a blank line where there is room. Returns the line behind it. */
static int draw_heading(struct surface *surface, struct rect rect, int line, bool roomy, const char *text)
{
    if (line > 0 && roomy) line++;
    if (line < rect.high)
        surface_text(surface, rect.top + line, rect.left, rect.wide, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s",
                     text);
    return line + 1;
}

/* Write in `lines` lines from `line` on. Returns the line behind the last one. */
static int draw_sentences(struct surface *surface, struct rect rect, int line, enum colour colour,
                          const char *text)
{
    struct flow flow = {.surface = surface,
                        .rect = {rect.top + line, rect.left, rect.high - line, rect.wide}};
    if (line >= rect.high || !text[0]) return line;
    flow_words(&flow, colour, text);
    return line + flow_lines(&flow);
}

/* Write the numbers of products number `first` to `last`: "100", "10 to 100", "1,000 and more". */
static void write_counts(const struct advice *advice, int first, int last, char *out, size_t size)
{
    char from[32], to[32];
    format_short(from, sizeof from, (double)advice->at[first].products);
    format_short(to, sizeof to, (double)advice->at[last].products);
    if (first == last)
        snprintf(out, size, "%s", from);
    else if (last == ADVICE_COUNTS - 1)
        snprintf(out, size, first ? "%s and more" : "any number", from);
    else
        snprintf(out, size, "%s to %s", from, to);
}

/* Draw a line for numbers of products for which the same is best. */
static void draw_counts(const struct explorer *explorer, const struct advice *advice, int first, int last,
                        struct surface *surface, struct rect rect, int y, int wide)
{
    const struct advice_at *at = &advice->at[first];
    char counts[ADVICE_LINE_MAX], time[32];
    int x = rect.left + wide + 2, end = rect.left + rect.wide;
    int ties = rect.wide >= wide + TIME_WIDE + TIES_WIDE + NAME_MIN ? TIES_WIDE : 0;
    int name = end - x - TIME_WIDE - ties;
    write_counts(advice, first, last, counts, sizeof counts);
    surface_text_right(surface, y, rect.left, wide, COLOUR_ACCENT, 0, "%s", counts);
    surface_text_short(surface, y, x, name, explorer->ascii, COLOUR_TEXT, 0,
                       advice->candidates[at->best].result->name);
    if (first == last) /* else the time is that of the first number alone */
        surface_text_right(surface, y, x + name, TIME_WIDE, COLOUR_TEXT, 0, "%s",
                           advice_time(time, sizeof time, at->seconds));
    if (ties && at->ties > 1)
        surface_text_right(surface, y, end - ties, ties, COLOUR_DIM, 0, "= %d tied", at->ties);
}

/* Draw the best choice for `each` number of products, or a line for all numbers in a row that have the same.
 * Returns the line behind the last one. */
static int draw_products(const struct explorer *explorer, const struct advice *advice,
                         struct surface *surface, struct rect rect, int line, bool each)
{
    for (int k = 0; k < ADVICE_COUNTS && line < rect.high;) {
        int last = k;
        while (!each && last + 1 < ADVICE_COUNTS && advice->at[last + 1].best == advice->at[k].best)
            last++;
        draw_counts(explorer, advice, k, last, surface, rect, rect.top + line++,
                    each ? COUNT_WIDE : RANGE_WIDE);
        k = last + 1;
    }
    return line;
}

/* How much memory the best choice takes, and CSR. */
static void write_memory(const struct advice *advice, char *out, size_t size)
{
    const struct advice_candidate *best = &advice->candidates[advice->best];
    char bytes[32], csr[32];
    int used = snprintf(out, size, "Memory: %s for %s, x and y",
                        format_bytes(bytes, sizeof bytes, best->memory), best->result->name);
    if (advice->csr >= 0 && advice->csr != advice->best && used > 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, "; %s in CSR.",
                 format_bytes(csr, sizeof csr, advice->candidates[advice->csr].memory));
    else if (used > 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, ".");
}

/* "natural", and else "the order rcm". */
static void name_order(const char *name, bool first, char *out, size_t size)
{
    if (strcmp(name, "natural") == 0)
        snprintf(out, size, "%s", first ? "Natural order" : "natural order");
    else
        snprintf(out, size, "%s order %s", first ? "The" : "the", name);
}

/* What brings x and y into an order, which the natural one does not need. */
static int write_reordering(const struct advice_order *order, char *out, size_t size)
{
    char setup[32], permute[32], count[32];
    if (strcmp(order->name, "natural") == 0) return 0;
    int used = snprintf(out, size, " Reordering takes %s", advice_time(setup, sizeof setup, order->setup));
    if (order->break_even >= 0)
        used += snprintf(out + used, size - (size_t)used, ", paid off after %s products",
                         format_count(count, sizeof count, order->break_even));
    return used + snprintf(out + used, size - (size_t)used, "; permuting x and y takes %s.",
                           advice_time(permute, sizeof permute, order->permute));
}

static void write_order(const struct advice *advice, const struct advice_order *order, char *out, size_t size)
{
    char name[96], here[96], time[32];
    int used;
    name_order(order->name, true, name, sizeof name);
    name_order(advice->order, false, here, sizeof here);
    if (isnan(order->saved))
        used = snprintf(out, size, "%s: %s with %s, %s; not comparable with %s.", name,
                        advice_time(time, sizeof time, order->seconds), order->kernel,
                        order->measured ? "measured" : "forecast", here);
    else
        used = snprintf(out, size, "%s: %s %s than %s with %s (%s).", name,
                        format_rough(time, sizeof time, fabs(order->saved)),
                        order->saved >= 0 ? "faster" : "slower", here, order->kernel,
                        order->measured ? "measured" : "forecast");
    if (!order->measured && order->timed > 0)
        used += snprintf(out + used, size - (size_t)used, " It was measured at %s.",
                         advice_time(time, sizeof time, order->timed));
    write_reordering(order, out + used, size - (size_t)used);
}

void advice_draw_why(struct explorer *explorer, void *state, struct surface *surface, struct rect rect)
{
    struct advice_screen *screen = state;
    const struct advice *advice = advice_shown(screen);
    char words[512];
    bool roomy = rect.high >= 20;
    rect.left++;
    rect.wide -= 2;
    int line = draw_sentences(surface, rect, 0, COLOUR_TEXT, advice->reason);
    if (advice->change[0]) {
        if (roomy) line = draw_heading(surface, rect, line, true, "What would change it");
        line = draw_sentences(surface, rect, line, COLOUR_TEXT, advice->change);
    }
    line = draw_sentences(surface, rect, line + (roomy && advice->call[0]), COLOUR_TEXT, advice->call);
    write_memory(advice, words, sizeof words);
    line = draw_sentences(surface, rect, line + roomy, COLOUR_DIM, words);
    int order_lines = advice->order_count > 0 ? 1 + advice->order_count : 0;
    bool each = rect.high - line - roomy - 1 >= ADVICE_COUNTS + order_lines; /* below the heading */
    line = draw_heading(surface, rect, line, roomy, "Best kernel by number of products");
    line = draw_products(explorer, advice, surface, rect, line, each);
    if (line + 1 < rect.high && order_lines > 0)
        line = draw_heading(surface, rect, line, roomy, "Other orders");
    for (int k = 0; k < advice->order_count; k++) {
        write_order(advice, &advice->orders[k], words, sizeof words);
        line = draw_sentences(surface, rect, line, COLOUR_TEXT, words);
    }
}
