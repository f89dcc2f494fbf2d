/* Layouts: the list of formats. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "ui/layouts/layouts.h"

#define NUMBER_WIDE 11
#define FOOT_HIGH 6
#define ROWS_MAX 128

/* A row of the list. */
struct choice {
    const struct format *format;
    const char *parameters;
    struct conversion *conversion; /* NULL if nobody asked for it yet */
    int panel;                     /* that shows it, or -1 */
};

static struct conversion *find(const struct explorer *explorer, const struct layouts *layouts,
                               const struct format *format, const char *parameters)
{
    const struct conversions *all = &explorer->session->shown->conversions;
    for (int k = 0; k < atomic_load(&all->count); k++) {
        struct conversion *item = all->items[k];
        if (item->format == format && item->precision == layouts->precision &&
            strcmp(item->parameters, parameters) == 0)
            return item;
    }
    return NULL;
}

static int panel_of(const struct layouts *layouts, const struct conversion *conversion)
{
    for (int p = 0; p < layouts->count; p++)
        if (conversion && layouts->panels[p].conversion == conversion) return p;
    return -1;
}

/* All variants of each format, and behind them what else is shown of it. */
static int list_choices(const struct explorer *explorer, const struct layouts *layouts,
                        struct choice *choices)
{
    int count = 0;
    for (int k = 0; formats[k]; k++) {
        int first = count;
        for (int v = 0; formats[k]->variants[v] && count < ROWS_MAX; v++) {
            struct conversion *conversion = find(explorer, layouts, formats[k], formats[k]->variants[v]);
            choices[count++] = (struct choice){formats[k], formats[k]->variants[v], conversion,
                                               panel_of(layouts, conversion)};
        }
        for (int p = 0; p < layouts->count && count < ROWS_MAX; p++) {
            struct conversion *conversion = layouts->panels[p].conversion;
            bool there = conversion->format != formats[k];
            for (int c = first; c < count; c++)
                there = there || choices[c].conversion == conversion;
            if (!there) choices[count++] = (struct choice){formats[k], conversion->parameters, conversion, p};
        }
    }
    return count;
}

void chooser_open(struct explorer *explorer, struct layouts *layouts)
{
    struct error error = {0};
    char text[sizeof explorer->message];
    struct choice choices[ROWS_MAX];
    layouts->chooser.open = true;
    if (conversions_want_all(&explorer->session->shown->conversions, layouts->precision, &error) != STATUS_OK)
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
    int count = list_choices(explorer, layouts, choices);
    for (int k = 0; k < count; k++)
        if (choices[k].panel == layouts->focus.panel) layouts->chooser.selected = k;
}

static void write_name(const struct choice *choice, char *out, size_t size)
{
    bool sized = choice->conversion && atomic_load(&choice->conversion->sized);
    if (sized)
        snprintf(out, size, "%s", choice->conversion->name);
    else
        snprintf(out, size, "%s%s%s", choice->format->name, choice->parameters[0] ? ":" : "",
                 choice->parameters);
}

static void draw_size(const struct choice *choice, struct surface *surface, int y, int x, int wide)
{
    const struct format_size *size = &choice->conversion->size;
    char out[32];
    bool refused = conversion_state(choice->conversion) == CONVERSION_REFUSED;
    enum colour colour = refused ? COLOUR_DIM : COLOUR_TEXT;
    int right = x + wide;
    if (refused) surface_text_whole(surface, y, right - 8, 8, COLOUR_BAD, 0, " refused");
    if (!atomic_load(&choice->conversion->sized)) return;
    right -= 9;
    surface_text_right(surface, y, right - NUMBER_WIDE, NUMBER_WIDE, colour, 0, "%s",
                       format_fitting(out, sizeof out, size->integers, NUMBER_WIDE - 1));
    right -= NUMBER_WIDE;
    if (!isnan(size->padding_ratio))
        surface_text_right(surface, y, right - NUMBER_WIDE, NUMBER_WIDE,
                           refused || size->padding == 0 ? colour : COLOUR_WARN, 0,
                           size->padding_ratio < 1000 ? "%.3f" : "%.4g", size->padding_ratio);
    right -= NUMBER_WIDE;
    surface_text_right(surface, y, right - NUMBER_WIDE, NUMBER_WIDE, colour, 0, "%s",
                       format_bytes(out, sizeof out, (double)size->bytes));
}

static void draw_choice(const struct choice *choice, struct surface *surface, int y, int x, int wide,
                        bool ascii)
{
    char name[128];
    int room = wide - 5 - 9 - 3 * NUMBER_WIDE;
    write_name(choice, name, sizeof name);
    if (surface_columns(name) > room) snprintf(name, sizeof name, "%s", choice->format->name);
    bool shown = choice->panel >= 0;
    surface_text(surface, y, x, 3, shown ? COLOUR_ACCENT : COLOUR_DIM, 0, "%s",
                 ascii   ? (shown ? "[x]" : "[ ]")
                 : shown ? "[\u2022]"
                         : "[ ]");
    surface_text(surface, y, x + 4, room, shown ? COLOUR_ACCENT : COLOUR_TEXT, shown ? ATTRIBUTE_BOLD : 0,
                 "%s", name);
    if (choice->conversion) draw_size(choice, surface, y, x, wide);
}

/* Where a format is from, and its parameters. */
static void draw_about(const struct format *format, struct flow *flow)
{
    struct text names = {0};
    for (int k = 0; format->parameters[k].name; k++)
        text_append(&names, "%s%s", k ? ", " : "parameters, with p: ", format->parameters[k].name);
    flow_words(flow, COLOUR_DIM, format->source);
    flow_break(flow);
    if (names.length) flow_words(flow, COLOUR_DIM, names.data);
    text_free(&names);
}

/* What the selected format is, and why it is refused. */
static void draw_foot(const struct choice *choice, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = rect};
    flow_item(&flow, COLOUR_TITLE, "%s", choice->format->title);
    flow_words(&flow, COLOUR_DIM, choice->format->summary);
    flow_break(&flow);
    if (choice->conversion && conversion_state(choice->conversion) == CONVERSION_REFUSED)
        flow_words(&flow, COLOUR_BAD, choice->conversion->refusal.message);
    else
        draw_about(choice->format, &flow);
}

static void blank(struct surface *surface, struct rect rect)
{
    for (int y = rect.top; y < rect.top + rect.high; y++)
        for (int x = rect.left; x < rect.left + rect.wide; x++)
            surface_put(surface, y, x, ' ', COLOUR_TEXT, COLOUR_TEXT, 0);
}

static void draw_titles(struct surface *surface, int y, int x, int wide)
{
    static const char *const titles[] = {"bytes", "slots/nnz", "integers"};
    for (int k = 0; k < 3; k++)
        surface_text_right(surface, y, x + wide - 9 - (3 - k) * NUMBER_WIDE, NUMBER_WIDE, COLOUR_DIM, 0, "%s",
                           titles[k]);
}

void chooser_draw(struct explorer *explorer, struct layouts *layouts, struct surface *surface,
                  struct rect area)
{
    struct chooser *chooser = &layouts->chooser;
    struct choice choices[ROWS_MAX];
    int count = list_choices(explorer, layouts, choices), wide = area.wide < 100 ? area.wide : 96;
    int high = count + FOOT_HIGH + 4 < area.high ? count + FOOT_HIGH + 4 : area.high;
    struct rect frame = {area.top + (area.high - high) / 2, area.left + (area.wide - wide) / 2, high, wide};
    struct rect list = {frame.top + 2, frame.left + 2, high - FOOT_HIGH - 4, wide - 4};
    if (chooser->selected >= count) chooser->selected = count - 1;
    if (chooser->selected < chooser->top) chooser->top = chooser->selected;
    if (chooser->selected >= chooser->top + list.high) chooser->top = chooser->selected - list.high + 1;
    if (chooser->top > count - list.high) chooser->top = count - list.high;
    if (chooser->top < 0) chooser->top = 0;
    chooser->list = list;
    blank(surface, frame);
    surface_frame(surface, frame, explorer->ascii, "Formats");
    draw_titles(surface, list.top - 1, list.left, list.wide);
    for (int k = 0; k < list.high && chooser->top + k < count; k++) {
        int y = list.top + k;
        draw_choice(&choices[chooser->top + k], surface, y, list.left, list.wide, explorer->ascii);
        if (chooser->top + k == chooser->selected)
            surface_highlight(surface, (struct rect){y, list.left - 1, 1, list.wide + 2}, COLOUR_TEXT,
                              ATTRIBUTE_REVERSE);
    }
    int below = count - chooser->top - list.high;
    if (below > 0)
        surface_text_right(surface, list.top + list.high, list.left, list.wide, COLOUR_ACCENT, 0, "%d more",
                           below);
    draw_foot(&choices[chooser->selected], surface,
              (struct rect){list.top + list.high + 1, list.left, FOOT_HIGH, list.wide});
    surface_text(surface, frame.top + frame.high - 1, frame.left + 2, frame.wide - 4, COLOUR_DIM, 0,
                 " Space shows or hides  Enter closes ");
}

static void toggle(struct explorer *explorer, struct layouts *layouts)
{
    struct choice choices[ROWS_MAX];
    int count = list_choices(explorer, layouts, choices);
    if (layouts->chooser.selected >= count) return;
    const struct choice *choice = &choices[layouts->chooser.selected];
    if (choice->panel >= 0)
        layouts_remove(explorer, layouts, choice->panel);
    else
        layouts_add(explorer, layouts, choice->format, choice->parameters);
}

static void chooser_select(struct chooser *chooser, int selected)
{
    chooser->selected = selected < 0 ? 0 : selected; /* drawing knows the end */
}

void chooser_handle(struct explorer *explorer, struct layouts *layouts, int key)
{
    struct chooser *chooser = &layouts->chooser;
    int page = chooser->list.high > 1 ? chooser->list.high : 1;
    switch (key) {
    case ' ':
        toggle(explorer, layouts);
        break;
    case UIKEY_ENTER:
    case UIKEY_ESCAPE:
    case UIKEY_BACKSPACE:
        chooser->open = false;
        break;
    case UIKEY_UP:
    case 'k':
        chooser_select(chooser, chooser->selected - 1);
        break;
    case UIKEY_DOWN:
    case 'j':
        chooser_select(chooser, chooser->selected + 1);
        break;
    case UIKEY_PAGE_UP:
        chooser_select(chooser, chooser->selected - page);
        break;
    case UIKEY_PAGE_DOWN:
        chooser_select(chooser, chooser->selected + page);
        break;
    case UIKEY_HOME:
        chooser_select(chooser, 0);
        break;
    case UIKEY_END:
        chooser_select(chooser, ROWS_MAX);
        break;
    default:
        break;
    }
}

void chooser_mouse(struct explorer *explorer, struct layouts *layouts, const struct mouse *mouse)
{
    struct chooser *chooser = &layouts->chooser;
    int line = mouse->y - chooser->list.top;
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN) {
        chooser_select(chooser, chooser->selected + (mouse->kind == MOUSE_WHEEL_UP ? -1 : 1));
    } else if (mouse->kind == MOUSE_PRESS && line >= 0 && line < chooser->list.high) {
        chooser_select(chooser, chooser->top + line);
        if (mouse->x < chooser->list.left + 4) toggle(explorer, layouts);
    }
}
