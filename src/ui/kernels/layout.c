/* What the table shows, and where: the room is divided between the names, the columns in sight and bars. */
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "ui/kernels/table.h"

#define MARKS 4 /* the width of the marks before the name: selected, rank, cached, blank */
#define NAME_MIN 16
#define TEXT_MAX 24 /* the max width of a column with words */
#define HEAD_MAX 13 /* a wider heading is wrapped, if its words allow it */
#define BAR_MIN 10
#define BAR_MAX 48

void table_look(const struct explorer *explorer, const struct kernels_screen *screen, const struct line *line,
                struct sight *sight)
{
    const struct results *known = kernels_results(line);
    const struct estimate *estimate = line->result ? results_estimate_of(known, line->result) : NULL;
    sight->results = known;
    sight->so_far = kernels_outlook(explorer, screen, line, &sight->item);
    if (!sight->so_far) {
        sight->result = kernels_result(explorer, screen, line, &sight->item);
        return;
    }
    sight->alone = (struct results){.items = &sight->item, .count = 1, .options = screen->options};
    if (line->result) memcpy(sight->item.predicted, line->result->predicted, sizeof sight->item.predicted);
    if (estimate) {
        sight->estimate = *estimate;
        sight->alone.estimates = (struct estimates){.items = &sight->estimate, .count = 1};
    }
    sight->result = &sight->item;
    sight->results = &sight->alone;
}

void table_heading(int column, char *out, size_t size)
{
    const struct column *c = &kernel_columns[column];
    bool in_cells = column_unit_in_cells(c);
    if (c->heading)
        snprintf(out, size, "%s", c->heading);
    else
        snprintf(out, size, "%s%s%s", c->title, in_cells ? "" : ", ", in_cells ? "" : column_unit(c));
}

int table_wrap(struct surface *surface, int bottom, int x, int wide, enum colour colour, unsigned attributes,
               const char *text)
{
    char lines[8][64] = {{0}};
    int count = 1;
    for (const char *at = text; *at && count <= 8;) {
        int length = (int)strcspn(at, " ");
        char *line = lines[count - 1];
        int used = (int)strlen(line);
        if (used && used + 1 + length > wide) {
            if (count == 8) break;
            line = lines[count++];
            used = 0;
        }
        snprintf(line + used, sizeof lines[0] - (size_t)used, "%s%.*s", used ? " " : "", length, at);
        at += length + strspn(at + length, " ");
    }
    for (int k = 0; surface && k < count; k++)
        surface_text_right(surface, bottom - count + 1 + k, x, wide, colour, attributes, "%s", lines[k]);
    return count;
}

/* Return the width that a heading needs: that of all its words if it is short, else HEAD_MAX or the longest
 * word. */
static int heading_wide(int column)
{
    char text[160];
    int longest = 0;
    table_heading(column, text, sizeof text);
    int all = surface_columns(text);
    for (const char *at = text; *at;) {
        int length = (int)strcspn(at, " ");
        if (length > longest) longest = length;
        at += length + strspn(at + length, " ");
    }
    int wide = all <= HEAD_MAX ? all : longest > HEAD_MAX ? longest : HEAD_MAX;
    return wide + 1; /* with a place for the mark of sorting */
}

void table_cell(int column, struct value value, char *out, size_t size)
{
    value_brief(&kernel_columns[column], value, 14, out, size);
}

bool table_is_words(int column)
{
    enum value_type type = kernel_columns[column].type;
    return type == VALUE_TEXT || type == VALUE_PARAMETERS;
}

void table_measure(const struct explorer *explorer, struct kernels_screen *screen, int rows)
{
    char text[sizeof((struct error *)0)->message];
    for (int c = 0; c < kernels_columns(); c++)
        if (screen->visible[c] && screen->wide[c] < heading_wide(c)) screen->wide[c] = heading_wide(c);
    for (int k = screen->top; k < screen->top + rows && k < screen->line_count; k++) {
        struct sight sight;
        table_look(explorer, screen, &screen->lines[k], &sight);
        int wide = surface_columns(sight.result->name);
        if (wide > screen->name_wide) screen->name_wide = wide;
        for (int c = 0; c < kernels_columns(); c++) {
            if (!screen->visible[c]) continue;
            table_cell(c, kernel_value(&kernel_columns[c], sight.results, sight.result), text, sizeof text);
            wide = surface_columns(text) + !table_is_words(c);
            if (table_is_words(c) && wide > TEXT_MAX) wide = TEXT_MAX;
            if (wide > screen->wide[c]) screen->wide[c] = wide;
        }
    }
}

/* List the visible columns without that of names. Returns how many. */
static int list_visible(const struct kernels_screen *screen, int *shown)
{
    int count = 0;
    for (int c = 0; c < kernels_columns(); c++)
        if (screen->visible[c]) shown[count++] = c;
    return count;
}

/* Place as many visible columns as fit, from screen->first on, and bars in what is left. */
static void place_columns(const struct kernels_screen *screen, struct rect rect, struct table_layout *layout)
{
    int shown[KERNELS_COLUMNS], count = list_visible(screen, shown);
    int x = rect.left + layout->name_x + layout->name_wide, end = rect.left + rect.wide;
    layout->count = 0;
    for (int k = screen->first; k < count; k++) {
        int wide = screen->wide[shown[k]];
        if (x + TABLE_GAP + wide > end) break;
        layout->places[layout->count++] = (struct column_place){shown[k], x + TABLE_GAP, wide};
        x += TABLE_GAP + wide;
    }
    layout->more = count - screen->first - layout->count;
    layout->bar_x = x + TABLE_GAP + 1;
    layout->bar_wide = end - 1 - layout->bar_x;
    if (layout->bar_wide > BAR_MAX) layout->bar_wide = BAR_MAX;
    if (layout->bar_wide < BAR_MIN || layout->more > 0) layout->bar_wide = 0;
}

static bool in_sight(const struct table_layout *layout, int column)
{
    for (int k = 0; k < layout->count; k++)
        if (layout->places[k].column == column) return true;
    return column == NAME_COLUMN;
}

void table_lay_out(struct kernels_screen *screen, struct rect rect, struct table_layout *layout)
{
    int shown[KERNELS_COLUMNS], count = list_visible(screen, shown), all = 0, index = 0;
    for (int k = 0; k < count; k++) {
        all += TABLE_GAP + screen->wide[shown[k]];
        if (shown[k] == screen->column) index = k;
    }
    layout->name_x = MARKS;
    int share = rect.wide * 3 / 8, rest = rect.wide - MARKS - all;
    layout->name_wide = share > rest ? share : rest;
    if (layout->name_wide > screen->name_wide) layout->name_wide = screen->name_wide;
    if (layout->name_wide < NAME_MIN) layout->name_wide = NAME_MIN;
    if (screen->first >= count) screen->first = count > 0 ? count - 1 : 0;
    if (screen->column == NAME_COLUMN || index < screen->first)
        screen->first = screen->column == NAME_COLUMN ? 0 : index;
    place_columns(screen, rect, layout);
    while (!in_sight(layout, screen->column) && screen->first < index) {
        screen->first++;
        place_columns(screen, rect, layout);
    }
    layout->head_high = 1;
    for (int k = 0; k < layout->count; k++) {
        char text[160];
        table_heading(layout->places[k].column, text, sizeof text);
        int high = table_wrap(NULL, 0, 0, layout->places[k].wide - 1, COLOUR_TEXT, 0, text);
        if (high > layout->head_high) layout->head_high = high;
    }
}

void table_scroll(struct kernels_screen *screen, int rows)
{
    screen->rows = (int)max(rows, 1);
    screen->top = scroll_to(screen->top, screen->cursor, screen->line_count, rows);
}

void kernels_standard_columns(struct kernels_screen *screen)
{
    for (int c = 0; c < kernels_columns(); c++)
        screen->visible[c] = kernel_columns[c].leading;
    if (screen->column != NAME_COLUMN && !screen->visible[screen->column]) screen->column = screen->sort;
    if (screen->column != NAME_COLUMN && !screen->visible[screen->column]) screen->column = NAME_COLUMN;
}

void kernels_move_column(struct kernels_screen *screen, int step)
{
    int shown[KERNELS_COLUMNS], count = list_visible(screen, shown), at = -1;
    for (int k = 0; k < count; k++)
        if (shown[k] == screen->column) at = k;
    at += step;
    if (at >= count) at = count - 1;
    screen->column = at < 0 ? NAME_COLUMN : shown[at];
}
