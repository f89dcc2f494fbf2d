/* The circumstances that would change the advice, the effect of each order, and the best kernel by number
 * of products. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "ui/advice/screen.h"
#include "ui/everywhere.h"

#define LABEL_WIDE 11
#define COUNT_WIDE 9 /* one number of products */
#define TIME_WIDE 9
#define TIES_WIDE 10
#define NAME_MIN 18

/* The memory of the best choice and of CSR, and choices that need less. */
static void write_memory(const struct advice *advice, char *out, size_t size)
{
    const struct advice_candidate *best = &advice->candidates[advice->best];
    char bytes[32], csr[32], aside[32], derived[64] = "";
    if (best->aside > 0)
        snprintf(derived, sizeof derived, ", of which the kernel derives %s",
                 format_bytes(aside, sizeof aside, best->aside));
    if (isnan(best->aside)) snprintf(derived, sizeof derived, ", without data that the kernel derives");
    int used = snprintf(out, size, "%s for %s, x and y%s", format_bytes(bytes, sizeof bytes, best->memory),
                        best->result->name, derived);
    if (advice->csr >= 0 && advice->csr != advice->best && used > 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, "; %s in CSR.",
                 format_bytes(csr, sizeof csr, advice->candidates[advice->csr].memory));
    else if (used > 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, ".");
    used = (int)strlen(out);
    if (advice->changes[CHANGE_MEMORY][0])
        snprintf(out + used, size - (size_t)used, " %s", advice->changes[CHANGE_MEMORY]);
}

/* Draw a label with sentences beside it. Returns the number of lines, which is 0 without sentences. */
static int draw_item(struct surface *surface, struct rect rect, const char *label, const char *words)
{
    struct flow flow = {.surface = surface,
                        .rect = {rect.top, rect.left + LABEL_WIDE, rect.high, rect.wide - LABEL_WIDE}};
    if (!words[0]) return 0;
    surface_text(surface, rect.top, rect.left, LABEL_WIDE, COLOUR_DIM, 0, "%s", label);
    flow_words(&flow, COLOUR_TEXT, words);
    return flow_lines(&flow);
}

/* If other orders or the other precision have no forecasts, name the key that makes them. */
static const char *order_words(const struct explorer *explorer, const struct advice *advice,
                               char out[ADVICE_CHANGE])
{
    char key[KEY_TEXT];
    if (advice->changes[CHANGE_ORDER][0]) return advice->changes[CHANGE_ORDER];
    out[0] = 0;
    if (explorer->session->case_count < 2 && case_has_entries(explorer->session->shown))
        snprintf(out, ADVICE_CHANGE, "Only the natural order was compared. %s makes others.",
                 everywhere_key(DEMAND_ORDERS, key));
    return out;
}

static const char *precision_words(const struct explorer *explorer, const struct advice_screen *screen,
                                   const struct advice *advice, char out[ADVICE_CHANGE])
{
    char prose[PROSE_SIZE];
    if (advice->changes[CHANGE_PRECISION][0]) return advice->changes[CHANGE_PRECISION];
    out[0] = 0;
    if (!case_foreseeable(explorer->session->shown)) return out;
    snprintf(out, ADVICE_CHANGE, "Only %s was compared. %s",
             case_value_name(explorer->session->shown, screen->precision),
             keys_prose(advice_actions, "{set precision} changes it.", prose));
    return out;
}

int advice_draw_change(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                       struct rect rect)
{
    const struct advice *advice = advice_shown(screen);
    char memory[2 * ADVICE_CHANGE], order[ADVICE_CHANGE], precision[ADVICE_CHANGE];
    write_memory(advice, memory, sizeof memory);
    const struct {
        const char *label, *words;
    } items[] = {{"Products", advice->changes[CHANGE_PRODUCTS]},
                 {"Order", order_words(explorer, advice, order)},
                 {"Precision", precision_words(explorer, screen, advice, precision)},
                 {"Caches", advice->changes[CHANGE_CACHES]},
                 {"Library", advice->call},
                 {"Memory", memory}};
    int line = 0;
    for (size_t k = 0; k < sizeof items / sizeof *items; k++)
        line +=
            draw_item(surface, (struct rect){rect.top + line, rect.left + 1, rect.high - line, rect.wide - 2},
                      items[k].label, items[k].words);
    return line;
}

int advice_draw_orders(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                       struct rect rect)
{
    return order_table_draw(explorer, &screen->orders, surface,
                            (struct rect){rect.top, rect.left + 1, rect.high, rect.wide - 2});
}

int advice_draw_range(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                      struct rect rect)
{
    const struct advice *advice = advice_shown(screen);
    const int x = rect.left + 1 + COUNT_WIDE + 2, end = rect.left + rect.wide - 1;
    const int ties = end - x >= TIME_WIDE + TIES_WIDE + NAME_MIN ? TIES_WIDE : 0;
    const int name = end - x - TIME_WIDE - ties;
    for (int k = 0; k < ADVICE_COUNTS; k++) {
        const struct advice_at *at = &advice->at[k];
        char count[32], time[32];
        const int y = rect.top + k;
        surface_text_right(surface, y, rect.left + 1, COUNT_WIDE, COLOUR_ACCENT, 0, "%s",
                           format_fitting(count, sizeof count, at->products, COUNT_WIDE));
        surface_text_short(surface, y, x, name, explorer->ascii, COLOUR_TEXT, 0,
                           advice->candidates[at->best].result->name);
        surface_text_right(surface, y, x + name, TIME_WIDE, COLOUR_TEXT, 0, "%s",
                           advice_time(time, sizeof time, at->seconds));
        if (ties && at->ties > 1)
            surface_text_right(surface, y, end - ties, ties, COLOUR_DIM, 0, "= %d tied", at->ties);
    }
    return ADVICE_COUNTS;
}
