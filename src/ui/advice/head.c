/* What stands above the panes: the machines that there is advice for, and the verdict for the one that is
 * shown. */
#include <stdio.h>

#include "drawing/flow.h"
#include "ui/advice/screen.h"

#define GAP 2
#define VERDICT_MIN 2 /* lines for the verdict where there is little room */

static const char *machine_name(const struct advice *advice)
{
    return advice->machine[0] ? advice->machine : advice_place_key(advice->place);
}

/* Ways to say what is known, from the longest to the shortest, for lines of any width. */
#define SHORTER 4

/* Say the precision, how many kernels were measured and are forecast, and from how many entries. */
static void say(const struct explorer *explorer, const struct advice_screen *screen, int shorter, char *said,
                size_t size)
{
    const struct advice *shown = advice_shown(screen);
    const struct matrix_case *of = explorer->session->shown;
    const int measured = shown ? shown->measured : 0, forecast = shown ? shown->count - measured : 0;
    int used = snprintf(said, size, "%s", case_value_name(of, screen->precision));
    if (shorter == SHORTER - 1) return;
    if (measured > 0) used += snprintf(said + used, size - (size_t)used, ", %d measured", measured);
    if (forecast > 0) used += snprintf(said + used, size - (size_t)used, ", %d forecast", forecast);
    if (forecast == 0 || foresight_count(shown->foresight) == 0 || shown->foresight->excerpt_rows == 0)
        return;
    char part[32], all[32];
    if (shorter == 0)
        snprintf(said + used, size - (size_t)used, " from %s of %s entries",
                 format_short(part, sizeof part, (double)shown->foresight->excerpt_entries),
                 format_short(all, sizeof all, (double)case_nnz(of)));
    else if (shorter == 1)
        snprintf(said + used, size - (size_t)used, " from an excerpt");
}

/* Draw the machines beside each other, as tabs, and at the right how much is measured. */
static void draw_machines(const struct explorer *explorer, struct advice_screen *screen,
                          struct surface *surface, int y, int x, int wide)
{
    char said[ADVICE_LINE_MAX] = "";
    int end = x + wide;
    const struct advice *shown = advice_shown(screen);
    screen->machines_y = y;
    for (int p = 0; p < ADVICE_PLACES; p++) {
        const struct advice *advice = &screen->advices.items[p];
        bool here = shown == advice;
        screen->machines[p] = (struct piece){0, 0};
        if (!advice->there) continue;
        int tab =
            surface_text_whole(surface, y, x, end - x, here ? COLOUR_TITLE : COLOUR_DIM,
                               here ? ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE : 0, " %s ", machine_name(advice));
        screen->machines[p] = (struct piece){x, tab};
        x += tab ? tab + 1 : 0;
    }
    for (int shorter = 0; shorter < SHORTER; shorter++) {
        say(explorer, screen, shorter, said, sizeof said);
        if (surface_columns(said) + GAP <= end - x) break;
    }
    if (surface_columns(said) <= end - x)
        surface_text_right(surface, y, x, end - x, COLOUR_DIM, 0, "%s", said);
}

int advice_draw_head(const struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                     struct rect area)
{
    const struct advice *advice = advice_shown(screen);
    char missing[PROSE_SIZE];
    int most = area.high / 3 - 1 > VERDICT_MIN ? area.high / 3 - 1 : VERDICT_MIN;
    struct flow flow = {.surface = surface, .rect = {area.top + 1, area.left + 1, most, area.wide - 2}};
    draw_machines(explorer, screen, surface, area.top, area.left + 1, area.wide - 2);
    if (advice) flow_words(&flow, COLOUR_ACCENT, advice->verdict);
    if (advice_missing(explorer, screen, missing)[0]) {
        if (advice) flow_break(&flow);
        flow_sentence(&flow, advice ? COLOUR_DIM : COLOUR_WARN, missing);
    }
    return 1 + flow_lines(&flow);
}
