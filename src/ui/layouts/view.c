/* The Layouts screen: how panels share it, its keys and the mouse. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawing/flow.h"
#include "report/figures/figure.h"
#include "ui/definitions.h"
#include "ui/layouts/layouts.h"
#include "ui/lessons/lessons.h"
#include "ui/widgets/panes.h"

#define PANEL_WIDE 36 /* the minimum width of a panel */
#define PANEL_HIGH 10 /* its minimum height */
#define DIGITS_MAX 24 /* the maximum width of values that can be chosen */

static void close_layouts(void *state)
{
    struct layouts *layouts = state;
    list_free(&layouts->dialog);
    free(layouts);
}

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
    return layouts;
}

/* The arrangement of the panels. */
struct grid {
    int columns, lines; /* the numbers of visible panels beside each other and above each other */
    int first;          /* the first visible panel */
    int shown;          /* the number of visible panels */
    int wide, high;     /* the size of a panel without the dividers */
};

static struct grid make_grid(const struct layouts *layouts, struct rect area)
{
    struct grid grid = {.columns = 1, .lines = 1};
    int count = layouts->count, fit = (area.wide + 1) / (PANEL_WIDE + 2);
    if (!layouts->stacked) grid.columns = fit < 1 ? 1 : fit < count ? fit : count;
    grid.lines = (count + grid.columns - 1) / grid.columns;
    if (!layouts->stacked) grid.columns = (count + grid.lines - 1) / grid.lines; /* balances the lines */
    if (grid.lines > area.high / PANEL_HIGH) grid.lines = area.high / PANEL_HIGH;
    if (grid.lines < 1) grid.lines = 1;
    grid.wide = (area.wide - 2 * (grid.columns - 1)) / grid.columns;
    int line = layouts->focus.panel / grid.columns;
    if (line >= grid.lines) grid.first = (line - grid.lines + 1) * grid.columns;
    grid.shown = grid.columns * grid.lines;
    if (grid.shown > count - grid.first) grid.shown = count - grid.first;
    grid.high = (area.high - (grid.shown < count)) / grid.lines; /* one line names the hidden panels */
    return grid;
}

/* Write "2 of 4 formats out of sight:  { } go there  above ELLPACK  below CMRS". Names that do not fit are
 * omitted. */
static void draw_hidden(const struct layouts *layouts, const struct grid *grid, struct surface *surface,
                        struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = rect};
    char keys[PROSE_SIZE];
    int last = grid->first + grid->shown;
    flow_item(&flow, COLOUR_WARN, "%d of %d formats out of sight:", layouts->count - grid->shown,
              layouts->count);
    flow_item(&flow, COLOUR_DIM, "%s go there", keys_prose(view_layouts.actions, "{switch panel}", keys));
    for (int p = 0; p < layouts->count; p++)
        if (p < grid->first || p >= last)
            flow_item(&flow, COLOUR_ACCENT, "%s %s", p < last ? "above" : "below",
                      layouts_name(layouts->panels[p].conversion));
}

static void draw_layouts(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct layouts *layouts = state;
    if (area.high < PANEL_HIGH || area.wide < PANEL_WIDE) return;
    layouts_update(explorer, layouts);
    layouts_refocus(explorer, layouts);
    struct grid grid = make_grid(layouts, area);
    layouts->segment_count = 0;
    if (grid.shown < layouts->count) {
        area.high--;
        draw_hidden(layouts, &grid, surface,
                    (struct rect){area.top + area.high, area.left + 1, 1, area.wide - 2});
    }
    for (int k = 0; k < grid.shown; k++) {
        int column = k % grid.columns, line = k / grid.columns;
        int top = area.top + line * grid.high,
            bottom = line + 1 < grid.lines ? top + grid.high : area.top + area.high;
        struct rect rect = {top, area.left + column * (grid.wide + 2), bottom - top, grid.wide};
        if (column) pane_draw_rule(surface, (struct rect){top, rect.left - 2, rect.high, 1}, explorer->ascii);
        layouts_draw_panel(explorer, layouts, grid.first + k, surface, rect);
    }
    if (list_is_open(&layouts->dialog)) list_draw(explorer, &layouts->dialog, surface, area);
}

static void say_content(struct explorer *explorer, const struct layouts *layouts)
{
    static const char *const said[] = {"cells: as much as fits", "cells: values and indices", "cells: values",
                                       "cells: indices"};
    explorer_say(explorer, "%s", said[layouts->content]);
}

static void set_digits(struct explorer *explorer, struct layouts *layouts, int digits)
{
    layouts->digits = digits < LAYOUTS_DIGITS ? LAYOUTS_DIGITS : digits > DIGITS_MAX ? DIGITS_MAX : digits;
    for (int p = 0; p < layouts->count; p++) /* the widths measured before are invalid now */
        for (int q = 0; q < STORAGE_ARRAYS; q++)
            layouts->panels[p].wide[q] = 0;
    explorer_say(explorer, "values of up to %d characters", layouts->digits);
}

static void move_right(struct explorer *explorer, void *state, int cells)
{
    layouts_move(explorer, state, cells, 0);
}

static void move_down(struct explorer *explorer, void *state, int lines)
{
    layouts_move(explorer, state, 0, lines);
}

static void close_panel(struct explorer *explorer, void *state, int unused)
{
    const struct layouts *layouts = state;
    layouts_remove(explorer, state, layouts->focus.panel);
}

static void change_content(struct explorer *explorer, void *state, int unused)
{
    struct layouts *layouts = state;
    layouts->content = layouts->content == CONTENT_INDICES ? CONTENT_BOTH : layouts->content + 1;
    say_content(explorer, layouts);
}

static void change_sections(struct explorer *explorer, void *state, int unused)
{
    struct layouts *layouts = state;
    layouts->sections = (enum sections)((layouts->sections + 1) % 3);
}

static void change_stacking(struct explorer *explorer, void *state, int unused)
{
    struct layouts *layouts = state;
    layouts->stacked = !layouts->stacked;
}

static void change_digits(struct explorer *explorer, void *state, int step)
{
    struct layouts *layouts = state;
    set_digits(explorer, layouts, layouts->digits + step);
}

static void standard_digits(struct explorer *explorer, void *state, int unused)
{
    set_digits(explorer, state, LAYOUTS_DIGITS);
}

/* Adopt the formats from the same screen of another order. */
static void adopt_layouts(struct explorer *explorer, void *state, const void *before)
{
    struct layouts *layouts = state;
    const struct layouts *other = before;
    layouts->precision = other->precision;
    layouts->content = other->content;
    layouts->sections = other->sections;
    layouts->stacked = other->stacked;
    layouts->digits = other->digits;
    if (other->tentative && layouts->tentative) return;
    while (layouts->count > other->count)
        layouts_remove(explorer, layouts, layouts->count - 1);
    for (int k = 0; k < other->count; k++) {
        const struct format_choice *choice = &other->panels[k].conversion->choice;
        if (k < layouts->count)
            layouts_set(explorer, layouts, k, choice);
        else
            layouts_add(explorer, layouts, choice);
    }
}

static enum use use_of_parameters(const struct explorer *explorer, const void *state, int unused)
{
    const struct layouts *layouts = state;
    const struct panel *panel = &layouts->panels[layouts->focus.panel];
    return panel->conversion && panel->conversion->choice.format->parameters[0].name ? USE_SOME : USE_NONE;
}

static enum use use_of_several(const struct explorer *explorer, const void *state, int unused)
{
    const struct layouts *layouts = state;
    return layouts->count > 1 ? USE_SOME : USE_NONE;
}

static enum use use_of_stops(const struct explorer *explorer, const void *state, int unused)
{
    return layouts_has_stops(state) ? USE_SOME : USE_NONE;
}

static const struct action actions[] = {
    {.keys = {' '},
     .run = layouts_open_list,
     .name = "choose formats",
     .help = "choose formats, and see the size of each"},
    {.keys = {'p'},
     .run = layouts_ask,
     .name = "edit",
     .help = "change the format's parameters",
     .use = use_of_parameters},
    {.keys = {'<'},
     .run = layouts_step,
     .argument = -1,
     .name = "step",
     .help = "step a parameter",
     .use = use_of_parameters},
    {.keys = {'>'}, .run = layouts_step, .argument = 1},
    {.keys = {'o'}, .run = layouts_next_parameter, .help = "choose the parameter to step"},
    {.keys = {'['},
     .run = layouts_next_array,
     .argument = -1,
     .name = "browse",
     .help = "previous and next array",
     .use = use_of_stops},
    {.keys = {']'}, .run = layouts_next_array, .argument = 1},
    {.keys = {'{'},
     .run = layouts_next_panel,
     .argument = -1,
     .name = "switch panel",
     .help = "previous and next format",
     .use = use_of_several},
    {.keys = {'}', UIKEY_ENTER}, .run = layouts_next_panel, .argument = 1},
    {.keys = {'f'}, .run = layouts_change_precision, .name = "set f64/f32", .help = "values as f64 or f32"},
    {.keys = {'v'},
     .run = change_content,
     .name = "set cells",
     .help = "the picture's cells: value and index, values, indices"},
    {.keys = {'m'},
     .run = change_sections,
     .name = "hide parts",
     .help = "picture and arrays, picture, arrays"},
    {.keys = {'s'},
     .run = change_stacking,
     .name = "stack",
     .help = "panels side by side or stacked",
     .use = use_of_several},
    {.keys = {'+', '='},
     .run = change_digits,
     .argument = 2,
     .name = "set digits",
     .help = "more or fewer digits of values"},
    {.keys = {'-'}, .run = change_digits, .argument = -2},
    {.keys = {'0'}, .run = standard_digits, .help = "the default number of digits"},
    {.keys = {UIKEY_DELETE}, .run = close_panel, .help = "close the panel"},
    {.keys = {UIKEY_LEFT, 'h'},
     .run = move_right,
     .argument = -1,
     .help = "move along the array; the cursor follows"},
    {.keys = {UIKEY_RIGHT, 'l'}, .run = move_right, .argument = 1},
    {.keys = {UIKEY_UP, 'k'},
     .run = move_down,
     .argument = -1,
     .help = "the array above or below; in the picture, the line"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move_down, .argument = 1},
    {.keys = {UIKEY_PAGE_UP}, .run = layouts_page, .argument = -1, .help = "move by a page"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = layouts_page, .argument = 1},
    {.keys = {UIKEY_HOME}, .run = layouts_end, .argument = false, .help = "first and last element"},
    {.keys = {UIKEY_END}, .run = layouts_end, .argument = true},
    {.run = NULL},
};

static bool retry_layouts(struct explorer *explorer, void *state)
{
    struct layouts *layouts = state;
    struct conversion *conversion = layouts->panels[layouts->focus.panel].conversion;
    bool declined = conversion->declined;
    conversion->declined = false;
    layouts_update(explorer, layouts);
    return declined;
}

static bool update_layouts(struct explorer *explorer, void *state)
{
    layouts_update(explorer, state);
    return true;
}

static struct list *layouts_dialog(void *state)
{
    struct layouts *layouts = state;
    return &layouts->dialog;
}

static const struct figure *figure_layouts(struct explorer *explorer, void *state,
                                           struct figure_subject *subject)
{
    const struct layouts *layouts = state;
    const struct panel *panel = &layouts->panels[layouts->focus.panel];
    if (!panel->shown || conversion_state(panel->shown) != CONVERSION_BUILT) return NULL;
    subject->storage = panel->shown->storage;
    return subject->storage ? figure_find("layout") : NULL;
}

/* True if the panel with the focus shows the format, parameter, array, element or padding that a lesson
 * names. */
static bool layouts_hold(struct explorer *explorer, void *state, const char *word, const char *value)
{
    const struct layouts *layouts = state;
    const struct focus *focus = &layouts->focus;
    const struct conversion *shown = layouts->panels[focus->panel].shown;
    const struct storage *storage = shown ? shown->storage : NULL;
    if (!storage || !layouts->focused) return false;
    const struct array *array = focus->array == PICTURE ? NULL : &storage->array[focus->array];
    if (strcmp(word, "format") == 0) return strcmp(storage->format->name, value) == 0;
    if (strcmp(word, "parameter") == 0) return lesson_has_parameter(layouts_name(shown), value);
    if (strcmp(word, "array") == 0) return array && strcmp(array->name, value) == 0;
    if (strcmp(word, "element") == 0) return array && focus->element == strtoll(value, NULL, 10);
    return strcmp(word, "padding") == 0 && focus->element >= 0 && (!array || array->per_slot) &&
           storage_padding(storage, array ? array->part : 0, focus->element);
}

/* The sizes that panels show. */
static bool define(struct explorer *explorer, void *state, int k, struct definition *definition)
{
    static const struct definition table[] = {
        {.title = "value@column", .text = "a cell of the picture: the entry's value and its column, from 0"},
        {.title = "f64",
         .text = "values of 8 bytes; f32: of 4, and c64 and c32: complex ones of twice as many"},
        {.title = "of dense", .text = "bytes / bytes of the rows x columns array of values"},
        {.title = "padding factor", .text = "slots of the format / entries of the matrix; 1 is no padding"},
        {.title = "converted in", .text = "time of the conversion from CSR on this processor"},
    };
    static const char *const keys[] = {"slots", "bytes", "integers", NULL};
    const struct layouts *layouts = state;
    const struct conversion *shown = layouts->panels[layouts->focus.panel].shown;
    const bool picture = layouts->focus.array == PICTURE, there = layouts->focused && shown && shown->storage;
    const bool array_here = there && !picture;
    if (array_here && k == 0) {
        const struct array *array = &shown->storage->array[layouts->focus.array];
        *definition = (struct definition){.title = array->name, .text = array->help, .here = true};
        return true;
    }
    if (!definition_of_tables(table, (int)(sizeof table / sizeof *table), format_columns, keys,
                              k - array_here, definition))
        return false;
    definition->here = there && picture && k == 0; /* a cell */
    return true;
}

const struct view view_layouts = {
    .title = "Layouts",
    .question = "How do formats store it?",
    .help = "The arrays of storage formats side by side, in their order in memory. Above them is a picture "
            "with a line for each row, strip or other group. A cell is value@column, or value@row where "
            "lines are columns. The entry under the cursor is highlighted everywhere, and so are the array "
            "elements that a kernel needs to reach it. The rest of its row is coloured. Padding is shaded. "
            "Indices here count from 0, as in the arrays.",
    .actions = actions,
    .gesture = {"click, wheel", "put the cursor on an element, scroll"},
    .needs = SESSION_MATRIX | SESSION_ENTRIES,
    .lacks = "The arrays of formats are made from the entries.",
    .open = open_layouts,
    .draw = draw_layouts,
    .figure = figure_layouts,
    .define = define,
    .update = update_layouts,
    .mouse = layouts_point,
    .retry = retry_layouts,
    .dialog = layouts_dialog,
    .answer = layouts_answer,
    .adopt = adopt_layouts,
    .holds = layouts_hold,
    .close = close_layouts,
};
