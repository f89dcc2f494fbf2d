#include "ui/widgets/panes.h"

#include <string.h>

#include "ui/view.h"

#define TITLE_MAX 20
#define HIGH_MIN 4 /* a pane with fewer lines is left blank */

static int count_of(const struct panes *panes)
{
    int count = 0;
    while (panes->table[count].title)
        count++;
    return count;
}

void pane_draw_rule(struct surface *surface, struct rect rect, bool ascii)
{
    uint32_t rule = rect.high > 1 ? (ascii ? '|' : 0x2502) : (ascii ? '-' : 0x2500);
    for (int y = 0; y < rect.high; y++)
        for (int x = 0; x < rect.wide; x++)
            surface_put(surface, rect.top + y, rect.left + x, rule, COLOUR_DIM, COLOUR_TEXT, 0);
}

struct canvas pane_canvas(const struct explorer *explorer, struct cells *cells, struct surface *surface,
                          struct rect rect)
{
    struct canvas canvas =
        cells_begin(cells, surface, rect, explorer->ascii ? CELLS_ASCII : CELLS_BRAILLE, false);
    cells->shades = explorer->shades;
    return canvas;
}

/* Draw the key and the title of a pane, and then a blank. Returns the number of columns without the blank. */
static int draw_title(const struct panes *panes, int k, struct surface *surface, int y, int x)
{
    const struct screen_pane *pane = &panes->table[k];
    bool focus = k == panes->focus;
    int used = surface_text(surface, y, x, 1, focus ? COLOUR_ACCENT : COLOUR_DIM, focus ? ATTRIBUTE_BOLD : 0,
                            "%c", pane->key);
    used += surface_text(surface, y, x + used, TITLE_MAX, focus ? COLOUR_TITLE : COLOUR_TEXT,
                         focus ? ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE : 0, " %s ", pane->title);
    surface_put(surface, y, x + used, ' ', COLOUR_TEXT, COLOUR_TEXT, 0);
    return used;
}

static void draw_pane(struct explorer *explorer, struct panes *panes, int k, struct surface *surface,
                      struct rect rect)
{
    const struct screen_pane *pane = &panes->table[k];
    panes->at[k] = rect;
    if (rect.high < HIGH_MIN) return;
    if (!panes->instead)
        pane->draw(explorer, panes, surface, rect);
    else
        surface_text_short(surface, rect.top, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_DIM, 0,
                           panes->instead);
}

void panes_start(struct panes *panes)
{
    memset(panes->at, 0, sizeof panes->at);
    memset(panes->tabs, 0, sizeof panes->tabs);
}

void panes_draw_grid(struct explorer *explorer, struct panes *panes, struct surface *surface,
                     struct rect rect)
{
    int count = count_of(panes), half = rect.high / 2, order[PANES_MAX] = {0};
    for (int k = 0; k < count; k++)
        order[panes->table[k].place] = k;
    for (int row = 0; row < 2; row++) {
        int first = row * (count / 2), end = row ? count : count / 2, all = 0, before = 0;
        for (int p = first; p < end; p++)
            all += panes->table[order[p]].share;
        for (int p = first; p < end; p++) {
            int left = rect.wide * before / all,
                right = rect.wide * (before += panes->table[order[p]].share) / all;
            struct rect cell = {rect.top + row * half, rect.left + left, row ? rect.high - half : half,
                                right - left - (before < all)};
            pane_draw_rule(surface, (struct rect){cell.top, cell.left, 1, cell.wide}, explorer->ascii);
            draw_title(panes, order[p], surface, cell.top, cell.left + 1);
            draw_pane(explorer, panes, order[p], surface,
                      (struct rect){cell.top + 1, cell.left, cell.high - 1, cell.wide});
        }
    }
}

void panes_draw_tabs(struct explorer *explorer, struct panes *panes, struct surface *surface,
                     struct rect rect, int left, int right, int wide)
{
    int x = rect.left + 1;
    struct rect body = {rect.top + 1, rect.left, rect.high - 1, rect.wide};
    pane_draw_rule(surface, (struct rect){rect.top, rect.left, 1, rect.wide}, explorer->ascii);
    for (int k = 0; k < count_of(panes); k++) {
        int used = draw_title(panes, k, surface, rect.top, x);
        panes->tabs[k] = (struct rect){rect.top, x, 1, used};
        x += used + 1;
    }
    if (right >= 0) {
        body.wide -= wide + 1;
        pane_draw_rule(surface, (struct rect){body.top, body.left + body.wide, body.high, 1},
                       explorer->ascii);
        draw_pane(explorer, panes, right, surface,
                  (struct rect){body.top, body.left + body.wide + 1, body.high, wide});
    }
    draw_pane(explorer, panes, left, surface, body);
}

int panes_click(struct panes *panes, int y, int x)
{
    for (int k = 0; k < count_of(panes); k++) {
        bool within = rect_holds(panes->at[k], y, x);
        if (!within && !rect_holds(panes->tabs[k], y, x)) continue;
        panes->focus = k;
        return within ? k : -1;
    }
    return -1;
}

void panes_show(struct explorer *explorer, void *state, int pane)
{
    struct panes *panes = state;
    panes->focus = pane;
}

void panes_step(struct explorer *explorer, void *state, int step)
{
    struct panes *panes = state;
    int count = count_of(panes);
    panes->focus = (panes->focus + step + count) % count;
}

void panes_change_one(struct explorer *explorer, void *state, int unused)
{
    struct panes *panes = state;
    panes->one = !panes->one;
}

void legend_draw(const struct legend *legend, bool ascii, struct surface *surface, struct rect rect)
{
    int room = rect.wide - 2 - surface_columns(legend->said) - legend->gap;
    surface_put(surface, rect.top, rect.left, legend->mark, legend->colour, COLOUR_TEXT, ATTRIBUTE_BOLD);
    surface_text_short(surface, rect.top, rect.left + 2, room, ascii,
                       legend->chosen ? COLOUR_ACCENT : COLOUR_TEXT, legend->chosen ? ATTRIBUTE_BOLD : 0,
                       legend->name);
    surface_text_right(surface, rect.top, rect.left, rect.wide, COLOUR_TEXT, 0, "%s", legend->said);
    if (!legend->chosen) return;
    const int name = surface_columns(legend->name) < room ? surface_columns(legend->name) : room;
    /* The cursor omits the numbers: otherwise each move would send them again. */
    surface_cursor(surface, (struct rect){rect.top, rect.left, 1, 2 + name});
}
