#include "ui/view_summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "columns.h"

/* Columns of a number's title, of its value, and of the least that one list needs. */
#define TITLE_WIDE 27
#define VALUE_WIDE 14
#define LIST_WIDE 46

struct summary {
    int selected; /* index into the table of columns */
    int top;      /* first line shown */
    struct rect list;
    int lists; /* lists side by side; the text flows from one to the next */
};

static void *summary_open(struct explorer *explorer, struct error *error)
{
    (void)explorer;
    return memory_zeroed(1, sizeof(struct summary), error);
}

static int column_count(void)
{
    int count = 0;
    while (columns[count].key)
        count++;
    return count;
}

static bool begins_group(int k)
{
    return k == 0 || strcmp(column_group(&columns[k]), column_group(&columns[k - 1])) != 0;
}

/* The line of number k: each group has a heading, and a blank line before it. */
static int line_of(int k)
{
    int line = 0;
    for (int at = 0; at <= k; at++)
        line += begins_group(at) ? (at == 0 ? 2 : 3) : 1;
    return line - 1;
}

/* The number whose line is nearest to `line`. */
static int number_at(int line)
{
    int count = column_count(), best = 0, distance = -1;
    for (int k = 0; k < count; k++) {
        int away = abs(line_of(k) - line);
        if (distance >= 0 && away >= distance) continue;
        best = k;
        distance = away;
    }
    return best;
}

static bool list_place(const struct summary *summary, int line, int *y, int *x)
{
    int at = line - summary->top, high = summary->list.high;
    if (at < 0 || at >= high * summary->lists) return false;
    *y = summary->list.top + at % high;
    *x = summary->list.left + at / high * (summary->list.wide / summary->lists);
    return true;
}

static void draw_number(const struct explorer *explorer, const struct summary *summary, int k,
                        struct surface *surface)
{
    const struct column *column = &columns[k];
    int y, x, wide = summary->list.wide / summary->lists - 2;
    char text[256];
    if (!list_place(summary, line_of(k), &y, &x)) return;
    bool there = session_has(explorer->session, column->needs);
    struct value value = column_value(column, explorer->session);
    surface_text(surface, y, x, TITLE_WIDE, COLOUR_TEXT, 0, "%s", column->title);
    if (!there)
        surface_text_right(surface, y, x + TITLE_WIDE, VALUE_WIDE, COLOUR_DIM, 0, "...");
    else if (value.type == VALUE_TEXT)
        surface_text_right(surface, y, x + 10, TITLE_WIDE + VALUE_WIDE - 10, COLOUR_ACCENT, 0, "%s",
                           value_text(value, text, sizeof text));
    else
        surface_text_right(surface, y, x + TITLE_WIDE, VALUE_WIDE, COLOUR_ACCENT, 0, "%s",
                           value_text(value, text, sizeof text));
    surface_text(surface, y, x + TITLE_WIDE + VALUE_WIDE + 1, wide - TITLE_WIDE - VALUE_WIDE - 1, COLOUR_DIM,
                 0, "%s", column->unit);
    if (k == summary->selected)
        surface_highlight(surface, (struct rect){y, x, 1, wide}, COLOUR_TEXT, ATTRIBUTE_REVERSE);
}

static void summary_draw(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct summary *summary = state;
    int count = column_count(), y, x;
    summary->list = (struct rect){area.top + 1, area.left + 1, area.high - 3, area.wide - 1};
    summary->lists = summary->list.wide / LIST_WIDE;
    for (int k = 0; k < count; k++) {
        if (begins_group(k) && list_place(summary, line_of(k) - 1, &y, &x))
            surface_text(surface, y, x, TITLE_WIDE, COLOUR_TITLE, 0, "%s", column_group(&columns[k]));
        draw_number(explorer, summary, k, surface);
    }
}

static bool summary_handle(struct explorer *explorer, void *state, int key)
{
    struct summary *summary = state;
    (void)explorer;
    int count = column_count(), line = line_of(summary->selected);
    switch (key) {
    case UIKEY_UP:
        if (summary->selected > 0) summary->selected--;
        return true;
    case UIKEY_DOWN:
        if (summary->selected + 1 < count) summary->selected++;
        return true;
    case UIKEY_PAGE_DOWN:
        summary->selected = number_at(line + summary->list.high);
        return true;
    default:
        return false;
    }
}

static const struct view_key summary_keys[] = {
    {"Up, Down", "select a number; its definition is at the bottom"},
    {NULL, NULL},
};

const struct view view_summary = {
    .key = '1',
    .title = "Summary",
    .help = "What the matrix is, and every number known of it.",
    .keys = summary_keys,
    .needs = SESSION_MATRIX,
    .open = summary_open,
    .draw = summary_draw,
    .handle = summary_handle,
    .close = free,
};
