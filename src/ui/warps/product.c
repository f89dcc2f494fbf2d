/* The requests of a kernel in the whole product, compared with those of the other kernel. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/everywhere.h"
#include "ui/warps/warps.h"
#include "ui/widgets/gauge.h"

#define GAUGE_WIDE 30 /* the minimum width of the progress of counting */
#define NAME_WIDE 32  /* a longer name of the other kernel is left out */

static bool is_counted(const struct pane *pane)
{
    return pane->replay && pane->replay->ready >= READY_COUNTED;
}

static int64_t sectors_of(const struct pane *pane)
{
    return coalescing_sum_of_all(&pane->replay->whole).sectors;
}

/* Compare the sectors of a kernel with those of the other kernel. Write the verdict into `out`, and return
 * its colour. Until both are counted, or if one has no sectors, the verdict is "". */
static enum colour compare(const struct warps *warps, const struct pane *pane, char *out, size_t size)
{
    const struct pane *other = &warps->panes[pane == warps->panes];
    char name[CHOICE_NAME], times[16];
    *out = 0;
    if (!is_counted(pane) || !is_counted(other)) return COLOUR_TEXT;
    const double mine = (double)sectors_of(pane), others = (double)sectors_of(other);
    if (!(mine > 0 && others > 0)) return COLOUR_TEXT;
    kernel_choice_short_name(&other->replay->choice, name, sizeof name);
    if (strlen(name) > NAME_WIDE) snprintf(name, sizeof name, "the other");
    if (fmax(mine, others) < 1.005 * fmin(mine, others)) {
        snprintf(out, size, "%s many as %s", mine == others ? "as" : "about as", name);
        return COLOUR_TEXT;
    }
    if (mine < others)
        snprintf(out, size, "%s times fewer than %s", format_short(times, sizeof times, others / mine), name);
    else
        snprintf(out, size, "%s times as many as %s", format_short(times, sizeof times, mine / others), name);
    return mine < others ? COLOUR_GOOD : COLOUR_BAD;
}

enum colour used_colour(double share)
{
    return share >= 0.75 ? COLOUR_GOOD : share >= 0.4 ? COLOUR_WARN : COLOUR_BAD;
}

/* Return the forecast of the pane's kernel for the caches that are set on Kernels; NULL if there is none. */
static const struct prediction *forecast_of(const struct explorer *explorer, const struct pane *pane)
{
    const struct kernel_choice *choice = &pane->replay->choice;
    const struct foresight *foresight =
        case_foresight(explorer->session->shown, choice->format.precision, (struct product){0});
    for (int g = 0; g < foresight_count(foresight); g++)
        for (int k = 0; k < foresight->groups[g].count; k++) {
            const struct result *result = &foresight->groups[g].items[k];
            if (kernel_choice_same(&result->choice, choice) && result->predicted[explorer->cold].there)
                return &result->predicted[explorer->cold];
        }
    return NULL;
}

/* Write the known figures of the whole product. */
static void flow_product(const struct explorer *explorer, const struct warps *warps, const struct pane *pane,
                         struct flow *flow)
{
    const struct prediction *forecast = forecast_of(explorer, pane);
    char seconds[32];
    if (forecast)
        flow_item(flow, COLOUR_ACCENT, "forecast %s, bound by %s",
                  format_seconds(seconds, sizeof seconds, forecast->seconds),
                  prediction_bound_words(forecast));
    const struct coalescing *whole = &pane->replay->whole;
    const double used = coalescing_efficiency_of_all(whole, warps->gpu.granule);
    const struct trace_counts loads = coalescing_sum(whole, ACCESS_LOAD);
    char verdict[CHOICE_NAME + 64], count[32];
    enum colour colour = compare(warps, pane, verdict, sizeof verdict);
    flow_item(flow, colour, "%s sectors", format_count(count, sizeof count, sectors_of(pane)));
    if (verdict[0]) flow_item(flow, colour, "%s", verdict);
    if (!isnan(used))
        flow_item(flow, used_colour(used), "%s used", format_percent(count, sizeof count, used));
    if (!loads.padding) return;
    format_percent(count, sizeof count, coalescing_padding(&loads));
    if (!flow_item(flow, COLOUR_WARN, "%s of loads padding", count) &&
        !flow_item(flow, COLOUR_WARN, "%s padding", count))
        flow_item(flow, COLOUR_WARN, "%s pad", count); /* as in the heading of the table below */
}

void warps_draw_product(const struct explorer *explorer, const struct warps *warps, const struct pane *pane,
                        struct surface *surface, struct rect rect)
{
    const struct replay *replay = pane->replay;
    struct flow flow = {.surface = surface, .rect = rect};
    char key[KEY_TEXT];
    flow_item(&flow, COLOUR_DIM, "product:");
    if (is_counted(pane))
        flow_product(explorer, warps, pane, &flow);
    else if (replay->declined)
        flow_item(&flow, COLOUR_WARN, "not counted: %s counts all warps", everywhere_key(DEMAND_CANCEL, key));
    else if (explorer->job && warps->working == replay && replay->chore == CHORE_COUNT &&
             rect.wide - flow.column > GAUGE_WIDE)
        gauge_brief(surface, rect.top, rect.left + flow.column + 2, rect.wide - flow.column - 2,
                    explorer->job);
    else
        flow_item(&flow, COLOUR_DIM, "not counted yet");
}

void warps_draw_brief(const struct explorer *explorer, const struct warps *warps, const struct pane *pane,
                      struct surface *surface, int y, int x, int wide)
{
    char name[CHOICE_NAME];
    struct flow flow = {.surface = surface, .rect = {y, x, 1, wide}};
    kernel_choice_short_name(&pane->replay->choice, name, sizeof name);
    if (strlen(name) > NAME_WIDE) snprintf(name, sizeof name, "%s", pane->replay->choice.kernel->name);
    flow_item(&flow, COLOUR_TITLE, "%s (b):", name);
    if (is_counted(pane))
        flow_product(explorer, warps, pane, &flow);
    else
        flow_item(&flow, COLOUR_DIM, "warps not counted yet");
}
