#include "ui/widgets/panes.h"

#define TITLE_MAX 20

void pane_draw_rule(struct surface *surface, struct rect rect, bool ascii)
{
    uint32_t rule = rect.high > 1 ? (ascii ? '|' : 0x2502) : (ascii ? '-' : 0x2500);
    for (int y = 0; y < rect.high; y++)
        for (int x = 0; x < rect.wide; x++)
            surface_put(surface, rect.top + y, rect.left + x, rule, COLOUR_DIM, COLOUR_TEXT, 0);
}

/* Draw the key and the title of a pane, and a blank behind them. Returns the columns of the former. */
static int draw_title(struct surface *surface, int y, int x, const struct pane_title *title)
{
    int used = surface_text(surface, y, x, 1, title->focus ? COLOUR_ACCENT : COLOUR_DIM,
                            title->focus ? ATTRIBUTE_BOLD : 0, "%c", title->key);
    used += surface_text(surface, y, x + used, TITLE_MAX, title->focus ? COLOUR_TITLE : COLOUR_TEXT,
                         title->focus ? ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE : 0, " %s ", title->title);
    surface_put(surface, y, x + used, ' ', COLOUR_TEXT, COLOUR_TEXT, 0);
    return used;
}

struct rect pane_draw_frame(struct surface *surface, struct rect rect, const struct pane_title *title,
                            bool ascii)
{
    pane_draw_rule(surface, (struct rect){rect.top, rect.left, 1, rect.wide}, ascii);
    draw_title(surface, rect.top, rect.left + 1, title);
    return (struct rect){rect.top + 1, rect.left, rect.high - 1, rect.wide};
}

struct rect pane_draw_tabs(struct surface *surface, struct rect rect, const struct pane_title *titles,
                           int count, bool ascii, struct pane_tabs *tabs)
{
    int x = rect.left + 1;
    pane_draw_rule(surface, (struct rect){rect.top, rect.left, 1, rect.wide}, ascii);
    tabs->count = count;
    for (int k = 0; k < count; k++) {
        int used = draw_title(surface, rect.top, x, &titles[k]);
        tabs->at[k] = (struct rect){rect.top, x, 1, used};
        x += used + 1;
    }
    return (struct rect){rect.top + 1, rect.left, rect.high - 1, rect.wide};
}

int pane_tab_at(const struct pane_tabs *tabs, int y, int x)
{
    for (int k = 0; k < tabs->count; k++)
        if (rect_holds(tabs->at[k], y, x)) return k;
    return -1;
}
