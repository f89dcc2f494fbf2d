/* The list of formats for the panels. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/layouts/layouts.h"

#define INTEGERS_WIDE 11

struct row {
    struct format_choice choice;
    struct conversion *conversion; /* NULL if it was not requested yet */
    int panel;                     /* the panel that shows it; -1 if there is none */
};

static int panel_of(const struct layouts *layouts, const struct conversion *conversion)
{
    for (int p = 0; p < layouts->count; p++)
        if (conversion && layouts->panels[p].conversion == conversion) return p;
    return -1;
}

static struct row row_of(const struct format_choice *choice, struct conversion *conversion, int panel)
{
    return (struct row){.choice = *choice, .conversion = conversion, .panel = panel};
}

/* Write row number `wanted` of the list. The list contains all variants of each format, followed by the other
 * choices of the format that panels show. False if the list has fewer rows. */
static bool find_row(const struct explorer *explorer, const struct layouts *layouts, int wanted,
                     struct row *row)
{
    const struct conversions *all = &explorer->session->shown->conversions;
    int at = 0;
    for (int k = 0; formats[k]; k++) {
        for (int v = 0; formats[k]->variants[v]; v++) {
            struct format_choice choice;
            if (at++ != wanted) continue;
            format_choice_read(formats[k], formats[k]->variants[v], layouts->precision, &choice, NULL);
            struct conversion *conversion = conversions_find(all, &choice);
            *row = row_of(&choice, conversion, panel_of(layouts, conversion));
            return true;
        }
        for (int p = 0; p < layouts->count; p++) {
            struct conversion *conversion = layouts->panels[p].conversion;
            bool other = conversion->choice.format != formats[k] || format_choice_listed(&conversion->choice);
            if (other || at++ != wanted) continue;
            *row = row_of(&conversion->choice, conversion, p);
            return true;
        }
    }
    return false;
}

static void write_name(const struct row *row, struct list_row *out)
{
    bool sized = row->conversion && atomic_load(&row->conversion->sized);
    char name[CHOICE_NAME];
    list_write(out, 0, "%s",
               sized ? row->conversion->name : format_choice_name(&row->choice, name, sizeof name));
}

static void write_size(const struct conversion *conversion, struct list_row *out)
{
    const struct format_size *size = &conversion->size;
    char text[32];
    if (conversion_state(conversion) == CONVERSION_REFUSED)
        snprintf(out->reason, sizeof out->reason, "%s", conversion->refusal.message);
    if (!atomic_load(&conversion->sized)) return;
    list_write(out, 1, "%s", format_bytes(text, sizeof text, (double)size->bytes));
    if (!isnan(size->padding_ratio))
        list_write(out, 2, "%s", format_brief(text, sizeof text, size->padding_ratio));
    out->alerts[2] = size->padding > 0;
    list_write(out, 3, "%s", format_fitting(text, sizeof text, size->integers, INTEGERS_WIDE - 1));
}

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    struct row row;
    for (int k = 0; find_row(explorer, state, k, &row); k++) {
        struct list_row *out = list_add(list);
        if (!out) return;
        write_name(&row, out);
        out->marked = row.panel >= 0;
        if (row.conversion) write_size(row.conversion, out);
    }
}

/* Write the source of a format, and the names of its parameters. */
static void draw_about(const struct format *format, struct flow *flow)
{
    struct text names = {0};
    char first[PROSE_SIZE];
    keys_prose(view_layouts.actions, "parameters, with {edit}: ", first);
    for (int k = 0; format->parameters[k].name; k++)
        text_append(&names, "%s%s", k ? ", " : first, format->parameters[k].name);
    flow_words(flow, COLOUR_DIM, format->source);
    flow_break(flow);
    if (names.length) flow_words(flow, COLOUR_DIM, names.data);
    text_free(&names);
}

/* Describe the selected format, or explain why it is unavailable. */
static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    struct row row;
    if (!find_row(explorer, state, list->selected, &row)) return;
    const struct format *format = row.choice.format;
    flow_item(flow, COLOUR_TITLE, "%s", format->title);
    flow_words(flow, COLOUR_DIM, format->summary);
    flow_break(flow);
    if (list->rows[list->selected].reason[0])
        flow_words(flow, COLOUR_BAD, list->rows[list->selected].reason);
    else
        draw_about(format, flow);
}

static void toggle(struct explorer *explorer, void *state, int selected)
{
    struct row row;
    if (!find_row(explorer, state, selected, &row)) return;
    if (row.panel >= 0)
        layouts_remove(explorer, state, row.panel);
    else
        layouts_add(explorer, state, &row.choice);
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

void layouts_open_list(struct explorer *explorer, void *state, int unused)
{
    struct layouts *layouts = state;
    struct error error = {0};
    struct row row;
    int selected = layouts->dialog.selected;
    if (conversions_want_all(&explorer->session->shown->conversions, layouts->precision, &error) != STATUS_OK)
        explorer_say_error(explorer, &error);
    for (int k = 0; find_row(explorer, layouts, k, &row); k++)
        if (row.panel == layouts->focus.panel) selected = k;
    list_open(explorer, &layouts->dialog, &formats_list, layouts, selected);
}
