/* The map of a tuning: the times of a kernel's variants over two parameters. */
#include <stdio.h>

#include "drawing/flow.h"
#include "ui/kernels/kernels.h"

const struct run *kernels_tuned_run(const struct explorer *explorer, const struct kernels_screen *screen)
{
    const struct runs *runs = &explorer->session->shown->runs;
    const struct result *first;
    if (screen->shown && tune_map_firsts(&screen->shown->results, &first, 1) > 0) return screen->shown;
    for (int k = runs->count - 1; k >= 0; k--)
        if (tune_map_firsts(&runs->items[k]->results, &first, 1) > 0) return runs->items[k];
    return NULL;
}

/* Make the map again, if the run or the kernel is another one. */
static bool refresh(const struct explorer *explorer, struct kernels_screen *screen)
{
    return tune_chart_make(&screen->chart, kernels_tuned_run(explorer, screen));
}

const struct result *kernels_map_result(const struct explorer *explorer, struct kernels_screen *screen,
                                        const struct run **run)
{
    *run = NULL;
    if (!refresh(explorer, screen)) return NULL;
    const struct result *result = tune_chart_result(&screen->chart);
    if (result) *run = kernels_tuned_run(explorer, screen);
    return result;
}

void kernels_map_move(const struct explorer *explorer, struct kernels_screen *screen, int x, int y)
{
    if (refresh(explorer, screen)) tune_chart_move(&screen->chart, x, y);
}

void kernels_map_turn(const struct explorer *explorer, struct kernels_screen *screen, int step)
{
    tune_chart_turn(&screen->chart, kernels_tuned_run(explorer, screen), step);
}

void kernels_map_pair(const struct explorer *explorer, struct kernels_screen *screen)
{
    if (refresh(explorer, screen)) tune_chart_pair(&screen->chart);
}

void kernels_map_keep(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    const struct run *run;
    const struct result *result = kernels_map_result(explorer, screen, &run);
    char parameters[CHOICE_NAME], words[sizeof explorer->message];
    struct error error = {0};
    if (!result) {
        explorer_say(explorer, "no variant was run here");
        return;
    }
    int count = kernels_add(screen, result->choice.kernel,
                            kernel_choice_parameters(&result->choice, parameters, sizeof parameters), &error);
    if (error.status != STATUS_OK)
        explorer_say(explorer, "%s", error_text(&error, words, sizeof words));
    else if (count == 0)
        explorer_say(explorer, "this variant is already a row of the table");
    else
        explorer_say_keys(explorer, kernels_actions,
                          "added as a row of the table; {draw map} goes there, {remove} removes it again");
}

static const char nothing[] =
    "No kernel was tuned. {tune} tunes the selected kernels, or the one under the cursor: it runs the most "
    "promising variants of their parameters; {draw map} goes back to the table.";

void kernels_draw_map(const struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                      struct rect rect)
{
    char prose[PROSE_SIZE];
    if (!refresh(explorer, screen)) {
        kernels_draw_empty(surface, rect, nothing);
        return;
    }
    keys_prose(kernels_actions, "{expand} adds it as a row of the table, {draw map} goes there.", prose);
    tune_chart_draw(explorer, &screen->chart, prose, surface, rect);
}
