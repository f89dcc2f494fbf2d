/* The head of the page: the machines with advice, the titles of the sections, and the verdict. */
#include <stdio.h>

#include "base/text.h"

#include "drawing/flow.h"
#include "ui/advice/screen.h"
#include "ui/widgets/panes.h"

#define GAP 2

static const char *machine_name(const struct advice *advice)
{
    return advice->machine[0] ? advice->machine : advice_place_key(advice->place);
}

/* The number of texts about the inputs of the advice. Each is shorter than the one before, for narrower
 * lines. */
#define SHORTER 4

/* Write the precision, the numbers of measured and of forecast kernels, and the entries used for forecasts.
 */
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

void advice_draw_machines(const struct explorer *explorer, struct advice_screen *screen,
                          struct surface *surface, struct rect line)
{
    char said[ADVICE_LINE_MAX] = "";
    int x = line.left + 1, end = line.left + line.wide - 1;
    const struct advice *shown = advice_shown(screen);
    screen->machines_y = line.top;
    for (int p = 0; p < ADVICE_PLACES; p++) {
        const struct advice *advice = &screen->advices.items[p];
        bool here = shown == advice;
        screen->machines[p] = (struct piece){0, 0};
        if (!advice->there) continue;
        int tab =
            surface_text_whole(surface, line.top, x, end - x, here ? COLOUR_TITLE : COLOUR_DIM,
                               here ? ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE : 0, " %s ", machine_name(advice));
        screen->machines[p] = (struct piece){x, tab};
        x += tab ? tab + 1 : 0;
    }
    for (int shorter = 0; shorter < SHORTER; shorter++) {
        say(explorer, screen, shorter, said, sizeof said);
        if (surface_columns(said) + GAP <= end - x) break;
    }
    if (surface_columns(said) <= end - x)
        surface_text_right(surface, line.top, x, end - x, COLOUR_DIM, 0, "%s", said);
}

#define KEY_ALONE 3 /* columns of a section that has room for its key alone, with the gap behind it */

static bool is_listed(const struct explorer *explorer, const struct advice_screen *screen, int at)
{
    return advice_sections[at].key && advice_has_section(explorer, screen, (enum advice_section)at);
}

void advice_draw_contents(const struct explorer *explorer, struct advice_screen *screen,
                          struct surface *surface, struct rect line)
{
    const struct page *page = &screen->page;
    const int below = page->high - page->top - page->window.high;
    int x = line.left + 1, end = line.left + line.wide - 1, later = 0;
    pane_draw_rule(surface, line, explorer->ascii);
    screen->contents_y = line.top;
    for (int at = 0; at < SECTIONS; at++) {
        screen->contents[at] = (struct piece){0, 0};
        later += is_listed(explorer, screen, at) ? KEY_ALONE : 0;
    }
    for (int at = 0; at < SECTIONS; at++) {
        const struct section *section = &advice_sections[at];
        const bool here = at == (int)screen->focus;
        if (!is_listed(explorer, screen, at)) continue;
        later -= KEY_ALONE;
        int used = surface_text(surface, line.top, x, 1, here ? COLOUR_ACCENT : COLOUR_DIM,
                                here ? ATTRIBUTE_BOLD : 0, "%c", section->key);
        /* The keys of all sections have room. */
        if (x + surface_columns(section->title) + 3 + later <= end)
            used +=
                surface_text(surface, line.top, x + used, end - x - used, here ? COLOUR_TITLE : COLOUR_TEXT,
                             here ? ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE : 0, " %s ", section->title);
        screen->contents[at] = (struct piece){x, used};
        x += used + 1;
    }
    if (below > 0)
        surface_text_whole(surface, line.top, x + 1, end - x - 1, COLOUR_ACCENT, 0, " %d more line%s ", below,
                           below == 1 ? "" : "s");
}

/* Write the recommended kernel of another machine in one line. */
static void draw_other(const struct advice *advice, struct surface *surface, struct rect line)
{
    const struct advice_candidate *best = &advice->candidates[0];
    char seconds[32], prose[PROSE_SIZE];
    keys_prose(advice_actions, "{change machine} shows it.", prose);
    format_seconds(seconds, sizeof seconds, best->seconds);
    const char *the = advice_article(advice->place);
    const char *kind = best->measured ? "measured" : "forecast";
    if (!surface_text_whole(surface, line.top, line.left, line.wide, COLOUR_TEXT, 0,
                            "On %s%s, take %s: %s per product (%s). %s", the, advice->machine,
                            best->result->name, seconds, kind, prose) &&
        !surface_text_whole(surface, line.top, line.left, line.wide, COLOUR_TEXT, 0,
                            "On %s%s, take %s: %s (%s)", the, advice->machine, best->result->name, seconds,
                            kind))
        surface_text_whole(surface, line.top, line.left, line.wide, COLOUR_TEXT, 0, "On %s%s: %s, %s", the,
                           machine_name(advice), best->result->full_name, seconds);
}

int advice_draw_verdict(const struct explorer *explorer, const struct advice_screen *screen,
                        struct surface *surface, struct rect rect)
{
    const struct advice *advice = advice_shown(screen);
    char missing[PROSE_SIZE];
    struct flow flow = {.surface = surface, .rect = rect};
    if (advice) flow_words(&flow, COLOUR_ACCENT, advice->verdict);
    for (int p = 0; advice && p < ADVICE_PLACES; p++) {
        const struct advice *other = &screen->advices.items[p];
        if (!other->there || other == advice) continue;
        flow_break(&flow);
        draw_other(other, surface, (struct rect){rect.top + flow.line, rect.left, 1, rect.wide});
        flow.column = 1;
    }
    if (advice_missing(explorer, screen, missing)[0]) {
        if (advice) flow_break(&flow);
        flow_sentence(&flow, advice ? COLOUR_DIM : COLOUR_WARN, missing);
    }
    return flow_lines(&flow);
}
