/* The map of the newest tuning, or how to get one. */
#include <stdio.h>

#include "drawing/flow.h"
#include "ui/advice/screen.h"

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
