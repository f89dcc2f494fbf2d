/* Layouts: the list of formats. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/layouts/layouts.h"

#define INTEGERS_WIDE 11
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

static void write_name(const struct choice *choice, char *out, size_t size)
{
    bool sized = choice->conversion && atomic_load(&choice->conversion->sized);
    if (sized)
        snprintf(out, size, "%s", choice->conversion->name);
    else
        snprintf(out, size, "%s%s%s", choice->format->name, choice->parameters[0] ? ":" : "",
                 choice->parameters);
}

static void write_size(const struct choice *choice, struct list_row *row)
{
    const struct format_size *size = &choice->conversion->size;
    char out[32];
    if (conversion_state(choice->conversion) == CONVERSION_REFUSED)
        snprintf(row->reason, sizeof row->reason, "%s", choice->conversion->refusal.message);
    if (!atomic_load(&choice->conversion->sized)) return;
    list_write(row, 1, "%s", format_bytes(out, sizeof out, (double)size->bytes));
    if (!isnan(size->padding_ratio))
        list_write(row, 2, size->padding_ratio < 1000 ? "%.3f" : "%.4g", size->padding_ratio);
    row->alerts[2] = size->padding > 0;
    list_write(row, 3, "%s", format_fitting(out, sizeof out, size->integers, INTEGERS_WIDE - 1));
}

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    struct choice choices[ROWS_MAX];
    int count = list_choices(explorer, state, choices);
    for (int k = 0; k < count; k++) {
        struct list_row *row = list_add(list);
        char name[LIST_TEXT];
        if (!row) return;
        write_name(&choices[k], name, sizeof name);
        list_write(row, 0, "%s", name);
        row->marked = choices[k].panel >= 0;
        if (choices[k].conversion) write_size(&choices[k], row);
    }
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

/* What the selected format is, and why it is not available. */
static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    struct choice choices[ROWS_MAX];
    int count = list_choices(explorer, state, choices);
    if (list->selected >= count) return;
    const struct format *format = choices[list->selected].format;
    flow_item(flow, COLOUR_TITLE, "%s", format->title);
    flow_words(flow, COLOUR_DIM, format->summary);
    flow_break(flow);
    if (list->rows[list->selected].reason[0])
        flow_words(flow, COLOUR_BAD, list->rows[list->selected].reason);
    else
        draw_about(format, flow);
}

static void toggle(struct explorer *explorer, void *state, int row)
{
    struct layouts *layouts = state;
    struct choice choices[ROWS_MAX];
    int count = list_choices(explorer, layouts, choices);
    if (row >= count) return;
    const struct choice *choice = &choices[row];
    if (choice->panel >= 0)
        layouts_remove(explorer, layouts, choice->panel);
    else
        layouts_add(explorer, layouts, choice->format, choice->parameters);
}

static const struct list_kind formats_list = {
    .title = "Formats",
    .wide = 96,
    .foot_high = 6,
    .marks = true,
    .columns = {{.title = "format"},
                {.title = "bytes", .wide = 11, .numbers = true},
                {.title = "padding factor", .wide = 15, .numbers = true},
                {.title = "integers", .wide = INTEGERS_WIDE, .numbers = true}},
    .fill = fill,
    .choose = toggle,
    .about = about,
};

void layouts_open_list(struct explorer *explorer, struct layouts *layouts)
{
    struct error error = {0};
    char text[sizeof explorer->message];
    struct choice choices[ROWS_MAX];
    int selected = layouts->dialog.selected;
    if (conversions_want_all(&explorer->session->shown->conversions, layouts->precision, &error) != STATUS_OK)
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
    int count = list_choices(explorer, layouts, choices);
    for (int k = 0; k < count; k++)
        if (choices[k].panel == layouts->focus.panel) selected = k;
    list_open(explorer, &layouts->dialog, &formats_list, layouts, selected);
}
