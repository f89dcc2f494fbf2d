/* Warps: the list of kernels. */
#include "drawing/flow.h"
#include "ui/warps/warps.h"

#define FOOT_HIGH 3

void roster_open(struct warps *warps)
{
    int choice = warps_choice(warps, &warps->panes[warps->focus]);
    warps->roster.open = true;
    warps->roster.selected = choice < 0 ? 0 : choice;
}

static void blank(struct surface *surface, struct rect rect)
{
    for (int y = rect.top; y < rect.top + rect.high; y++)
        for (int x = rect.left; x < rect.left + rect.wide; x++)
            surface_put(surface, y, x, ' ', COLOUR_TEXT, COLOUR_TEXT, 0);
}

static void draw_choice(const struct warps *warps, int k, struct surface *surface, int y, int x, int wide)
{
    const struct kernel_choice *choice = &warps->list.choices[k];
    const char *own = choice->parameters, *format = choice->format_parameters;
    bool shown = false;
    for (int p = 0; p < WARPS_PANES; p++)
        shown |= warps_choice(warps, &warps->panes[p]) == k;
    surface_text(surface, y, x, wide, shown ? COLOUR_ACCENT : COLOUR_TEXT, shown ? ATTRIBUTE_BOLD : 0,
                 "%s%s%s%s%s", choice->kernel->name, own[0] || format[0] ? ":" : "", own,
                 own[0] && format[0] ? "," : "", format);
}

/* One colour, reversed. */
static void highlight(struct surface *surface, struct rect rect)
{
    for (int x = rect.left; x < rect.left + rect.wide; x++)
        surface->cells[rect.top * surface->wide + x].foreground = COLOUR_TEXT;
    surface_highlight(surface, rect, COLOUR_TEXT, ATTRIBUTE_REVERSE);
}

void roster_draw(const struct explorer *explorer, struct warps *warps, struct surface *surface,
                 struct rect area)
{
    struct roster *roster = &warps->roster;
    int count = warps->list.count, wide = area.wide < 80 ? area.wide : 76;
    int high = count + FOOT_HIGH + 3 < area.high ? count + FOOT_HIGH + 3 : area.high;
    struct rect frame = {area.top + (area.high - high) / 2, area.left + (area.wide - wide) / 2, high, wide};
    struct rect list = {frame.top + 1, frame.left + 2, high - FOOT_HIGH - 3, wide - 4};
    if (roster->selected < roster->top) roster->top = roster->selected;
    if (roster->selected >= roster->top + list.high) roster->top = roster->selected - list.high + 1;
    if (roster->top > count - list.high) roster->top = count - list.high;
    if (roster->top < 0) roster->top = 0;
    roster->list = list;
    blank(surface, frame);
    surface_frame(surface, frame, explorer->ascii, "Kernels whose requests are known");
    for (int k = 0; k < list.high && roster->top + k < count; k++) {
        draw_choice(warps, roster->top + k, surface, list.top + k, list.left, list.wide);
        if (roster->top + k == roster->selected)
            highlight(surface, (struct rect){list.top + k, list.left - 1, 1, list.wide + 2});
    }
    int below = count - roster->top - list.high;
    if (below > 0)
        surface_text_right(surface, list.top + list.high, list.left, list.wide, COLOUR_ACCENT, 0, "%d more",
                           below);
    struct flow flow = {.surface = surface,
                        .rect = {list.top + list.high + 1, list.left, FOOT_HIGH, list.wide}};
    flow_sentence(&flow, COLOUR_TEXT, warps->list.choices[roster->selected].kernel->summary);
    flow_break(&flow);
    flow_sentence(&flow, COLOUR_DIM, "cuSPARSE's kernels are not known, those of the CPU have no warps");
    surface_text(surface, frame.top + frame.high - 1, frame.left + 2, frame.wide - 4, COLOUR_DIM, 0,
                 " Enter shows it  Esc closes ");
}

static void roster_select(struct warps *warps, int selected)
{
    int max = warps->list.count - 1;
    warps->roster.selected = selected < 0 ? 0 : selected > max ? max : selected;
}

static void accept(struct explorer *explorer, struct warps *warps)
{
    warps->roster.open = false;
    warps_choose(explorer, warps, warps->roster.selected);
}

void roster_handle(struct explorer *explorer, struct warps *warps, int key)
{
    struct roster *roster = &warps->roster;
    int page = roster->list.high > 1 ? roster->list.high : 1;
    switch (key) {
    case ' ':
    case UIKEY_ENTER:
        accept(explorer, warps);
        break;
    case UIKEY_ESCAPE:
    case UIKEY_BACKSPACE:
        roster->open = false;
        break;
    case UIKEY_UP:
    case 'k':
        roster_select(warps, roster->selected - 1);
        break;
    case UIKEY_DOWN:
    case 'j':
        roster_select(warps, roster->selected + 1);
        break;
    case UIKEY_PAGE_UP:
        roster_select(warps, roster->selected - page);
        break;
    case UIKEY_PAGE_DOWN:
        roster_select(warps, roster->selected + page);
        break;
    case UIKEY_HOME:
        roster_select(warps, 0);
        break;
    case UIKEY_END:
        roster_select(warps, warps->list.count - 1);
        break;
    default:
        break;
    }
}

void roster_mouse(struct explorer *explorer, struct warps *warps, const struct mouse *mouse)
{
    const struct roster *roster = &warps->roster;
    int line = mouse->y - roster->list.top;
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN) {
        roster_select(warps, roster->selected + (mouse->kind == MOUSE_WHEEL_UP ? -1 : 1));
    } else if (mouse->kind == MOUSE_PRESS && line >= 0 && line < roster->list.high) {
        roster_select(warps, roster->top + line);
        accept(explorer, warps);
    }
}
