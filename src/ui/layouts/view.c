/* Layouts: the panels on the screen, keys and the mouse. */
#include <stdlib.h>

#include "base/memory.h"
#include "ui/layouts/layouts.h"

#define PANEL_WIDE 36 /* a panel's least width, beside others */
#define PANEL_HIGH 10 /* and height */
#define DIGITS_MAX 24

static const struct view_key keys[] = {
    {"left right, h l", "move along the array; the cursor follows"},
    {"up down, k j", "the array above or below; in the picture, the line"},
    {"PgUp PgDn", "move by what is in sight"},
    {"Home End", "first and last element"},
    {"[ ]", "previous and next array"},
    {"{ }, Backspace Enter", "previous and next format"},
    {"Space", "choose formats, and see the size of each"},
    {"p", "change the format's parameters"},
    {"< >", "step one of them; o steps another"},
    {"f", "values as f64 or f32"},
    {"v", "the picture's cells: value and column, values, columns"},
    {"m", "picture and arrays, picture, arrays"},
    {"s", "panels side by side or stacked"},
    {"+ - 0", "more or fewer digits of values"},
    {"Del", "close the panel"},
    {"click, wheel", "put the cursor on an element, scroll"},
    {NULL, NULL},
};

static void *open_layouts(struct explorer *explorer, struct error *error)
{
    struct layouts *layouts = memory_zeroed(1, sizeof *layouts, error);
    if (!layouts) return NULL;
    layouts->digits = LAYOUTS_DIGITS;
    layouts->focus.array = PICTURE;
    if (!layouts_start(explorer, layouts, error)) {
        free(layouts);
        return NULL;
    }
    layouts_update(explorer, layouts);
    explorer_say(explorer, "Space chooses formats, p changes one, [ ] { } go to other arrays, ? helps");
    return layouts;
}

/* How the panels share the area. */
struct grid {
    int columns, lines; /* panels beside and above each other in sight */
    int first;          /* panel in sight */
    int wide, high;     /* of a panel, rules not counted */
};

static struct grid make_grid(const struct layouts *layouts, struct rect area)
{
    struct grid grid = {1, 1, 0, 0, 0};
    int count = layouts->count, fit = (area.wide + 1) / (PANEL_WIDE + 2);
    if (!layouts->stacked) grid.columns = fit < 1 ? 1 : fit < count ? fit : count;
    grid.lines = (count + grid.columns - 1) / grid.columns;
    if (!layouts->stacked) grid.columns = (count + grid.lines - 1) / grid.lines; /* evenly */
    if (grid.lines > area.high / PANEL_HIGH) grid.lines = area.high / PANEL_HIGH;
    if (grid.lines < 1) grid.lines = 1;
    grid.wide = (area.wide - 2 * (grid.columns - 1)) / grid.columns;
    grid.high = area.high / grid.lines;
    int line = layouts->focus.panel / grid.columns;
    if (line >= grid.lines) grid.first = (line - grid.lines + 1) * grid.columns;
    return grid;
}

static void draw_divider(const struct explorer *explorer, struct surface *surface, int x, struct rect rect)
{
    for (int y = rect.top; y < rect.top + rect.high; y++)
        surface_put(surface, y, x, explorer->ascii ? '|' : 0x2502, COLOUR_DIM, COLOUR_TEXT, 0);
}

static void draw_layouts(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct layouts *layouts = state;
    if (area.high < PANEL_HIGH || area.wide < PANEL_WIDE) return;
    layouts_update(explorer, layouts);
    layouts_refocus(explorer, layouts);
    struct grid grid = make_grid(layouts, area);
    layouts->strip_count = 0;
    for (int k = 0; k < grid.columns * grid.lines && grid.first + k < layouts->count; k++) {
        int column = k % grid.columns, line = k / grid.columns;
        int top = area.top + line * grid.high,
            bottom = line + 1 < grid.lines ? top + grid.high : area.top + area.high;
        struct rect rect = {top, area.left + column * (grid.wide + 2), bottom - top, grid.wide};
        if (column) draw_divider(explorer, surface, rect.left - 2, rect);
        layouts_draw_panel(explorer, layouts, grid.first + k, surface, rect);
    }
    if (layouts->chooser.open) chooser_draw(explorer, layouts, surface, area);
}

static void say_content(struct explorer *explorer, const struct layouts *layouts)
{
    static const char *const said[] = {"cells as there is room", "cells: values and columns", "cells: values",
                                       "cells: columns"};
    explorer_say(explorer, "%s", said[layouts->content]);
}

static void set_digits(struct explorer *explorer, struct layouts *layouts, int digits)
{
    layouts->digits = digits < LAYOUTS_DIGITS ? LAYOUTS_DIGITS : digits > DIGITS_MAX ? DIGITS_MAX : digits;
    for (int p = 0; p < layouts->count; p++) /* measured again */
        for (int q = 0; q < STORAGE_ARRAYS; q++)
            layouts->panels[p].wide[q] = 0;
    explorer_say(explorer, "values of up to %d characters", layouts->digits);
}

static bool handle_move(struct explorer *explorer, struct layouts *layouts, int key)
{
    switch (key) {
    case UIKEY_LEFT:
    case 'h':
        layouts_move(explorer, layouts, -1, 0);
        return true;
    case UIKEY_RIGHT:
    case 'l':
        layouts_move(explorer, layouts, 1, 0);
        return true;
    case UIKEY_UP:
    case 'k':
        layouts_move(explorer, layouts, 0, -1);
        return true;
    case UIKEY_DOWN:
    case 'j':
        layouts_move(explorer, layouts, 0, 1);
        return true;
    case UIKEY_PAGE_UP:
        layouts_page(explorer, layouts, -1);
        return true;
    case UIKEY_PAGE_DOWN:
        layouts_page(explorer, layouts, 1);
        return true;
    case UIKEY_HOME:
    case UIKEY_END:
        layouts_end(explorer, layouts, key == UIKEY_END);
        return true;
    case '[':
    case ']':
        layouts_next_array(explorer, layouts, key == ']' ? 1 : -1);
        return true;
    case '{':
    case UIKEY_BACKSPACE:
        layouts_next_panel(explorer, layouts, -1);
        return true;
    case '}':
    case UIKEY_ENTER:
        layouts_next_panel(explorer, layouts, 1);
        return true;
    default:
        return false;
    }
}

static bool handle_choice(struct explorer *explorer, struct layouts *layouts, int key)
{
    switch (key) {
    case ' ':
        chooser_open(explorer, layouts);
        return true;
    case 'p':
        layouts_ask(explorer, layouts);
        return true;
    case '<':
    case '>':
        layouts_step(explorer, layouts, key == '>' ? 1 : -1);
        return true;
    case 'o':
        layouts_next_parameter(explorer, layouts);
        return true;
    case 'f':
        layouts_change_precision(explorer, layouts);
        return true;
    case UIKEY_DELETE:
        layouts_remove(explorer, layouts, layouts->focus.panel);
        return true;
    case 'v':
        layouts->content = layouts->content == CONTENT_COLUMNS ? CONTENT_BOTH : layouts->content + 1;
        say_content(explorer, layouts);
        return true;
    case 'm':
        layouts->sections = (enum sections)((layouts->sections + 1) % 3);
        return true;
    case 's':
        layouts->stacked = !layouts->stacked;
        return true;
    case '+':
    case '=':
        set_digits(explorer, layouts, layouts->digits + 2);
        return true;
    case '-':
        set_digits(explorer, layouts, layouts->digits - 2);
        return true;
    case '0':
        set_digits(explorer, layouts, LAYOUTS_DIGITS);
        return true;
    default:
        return false;
    }
}

/* Convert what was cancelled after all. */
static bool retry(struct layouts *layouts)
{
    struct conversion *conversion = layouts->panels[layouts->focus.panel].conversion;
    bool declined = conversion->declined;
    conversion->declined = false;
    return declined;
}

static bool handle_layouts(struct explorer *explorer, void *state, int key)
{
    struct layouts *layouts = state;
    layouts_update(explorer, layouts);
    bool taken = true;
    if (key == 'x')
        taken = retry(layouts);
    else if (layouts->chooser.open)
        chooser_handle(explorer, layouts, key);
    else
        taken = handle_move(explorer, layouts, key) || handle_choice(explorer, layouts, key);
    layouts_update(explorer, layouts);
    return taken;
}

static bool mouse_layouts(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    struct layouts *layouts = state;
    layouts_update(explorer, layouts);
    if (layouts->chooser.open)
        chooser_mouse(explorer, layouts, mouse);
    else
        layouts_point(explorer, layouts, mouse);
    layouts_update(explorer, layouts);
    return true;
}

static void answer_layouts(struct explorer *explorer, void *state, const char *text)
{
    struct layouts *layouts = state;
    layouts_update(explorer, layouts);
    layouts_answer(explorer, layouts, text);
    layouts_update(explorer, layouts);
}

const struct view view_layouts = {
    .key = '4',
    .title = "Layouts",
    .help = "The arrays of storage formats side by side, as they lie in memory: above them the picture, a "
            "line for each row, strip or the like, a cell value@column. The entry under the cursor is lit "
            "in all of them, what a kernel needs to get there too, and the rest of its row is coloured. "
            "Padding is shaded. Indices here count from 0, as in the arrays.",
    .keys = keys,
    .needs = SESSION_MATRIX,
    .open = open_layouts,
    .draw = draw_layouts,
    .handle = handle_layouts,
    .mouse = mouse_layouts,
    .answer = answer_layouts,
    .close = free,
};
