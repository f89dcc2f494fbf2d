/* The table of partitions with their numbers. */
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "columns/columns.h"
#include "ui/parts/screen.h"

#define NAME_MIN 10
#define NAME_MAX 32
#define PARTS_COLUMN 7 /* the width of the column of parts */
#define NUMBER_WIDE 10
#define SHOWN_MAX 16

/* The columns by importance, the most important first. The table shows the first ones that fit. */
static const char *const by_weight[] = {"speedup",     "exchange_share", "efficiency",   "compute_us",
                                        "exchange_us", "volume",         "imbalance",    "messages",
                                        "fold",        "largest_send",   "predicted_us", "most_neighbours",
                                        "cut",         "largest_halo",   "overlap_us"};
#define WEIGHTS ((int)(sizeof by_weight / sizeof *by_weight))

struct layout {
    int name_wide, count;
    const struct column *columns[SHOWN_MAX];
};

static int weight_of(const struct column *column)
{
    for (int k = 0; k < WEIGHTS; k++)
        if (strcmp(by_weight[k], column->key) == 0) return k;
    return WEIGHTS;
}

static struct layout lay_out(const struct parts_screen *screen, int wide)
{
    struct layout layout = {.name_wide = NAME_MIN};
    for (int k = 0; k < screen->table.count; k++) {
        int name = surface_columns(screen->table.items[k].name);
        if (name > layout.name_wide) layout.name_wide = name < NAME_MAX ? name : NAME_MAX;
    }
    int room = (wide - 2 - layout.name_wide - PARTS_COLUMN) / NUMBER_WIDE;
    for (const struct column *column = part_columns; column->key && layout.count < SHOWN_MAX; column++)
        if (column->heading && weight_of(column) < room) layout.columns[layout.count++] = column;
    return layout;
}

static void draw_headings(const struct layout *layout, struct surface *surface, int y, int x)
{
    surface_text(surface, y, x, layout->name_wide, COLOUR_TITLE, 0, "partition");
    surface_text_right(surface, y, x + layout->name_wide, PARTS_COLUMN, COLOUR_TITLE, 0, "parts");
    x += layout->name_wide + PARTS_COLUMN;
    for (int k = 0; k < layout->count; k++, x += NUMBER_WIDE)
        surface_text_right(surface, y, x, NUMBER_WIDE, COLOUR_TITLE, 0, "%s", layout->columns[k]->heading);
}

static void draw_row(const struct explorer *explorer, const struct parts_screen *screen, int index,
                     const struct layout *layout, struct surface *surface, int y, struct rect rect)
{
    const struct distributed *row = &screen->table.items[index];
    const struct subject subject = {.matrix_case = explorer->session->shown, .division = row};
    const bool fastest = distribution_best(&screen->table, index) == index;
    char text[160], why[sizeof row->refusal + 64];
    int x = rect.left + 1, room = rect.wide - 2 - layout->name_wide - PARTS_COLUMN;
    surface_text_short(surface, y, x, layout->name_wide, explorer->ascii, COLOUR_TEXT, 0, row->name);
    if (row->status == STATUS_OK || !row->partitioner->fixed) /* else the file must be read first */
        surface_text_right(surface, y, x + layout->name_wide, PARTS_COLUMN, COLOUR_ACCENT, 0, "%lld",
                           (long long)row->parts);
    if (fastest) surface_put(surface, y, rect.left, '>', COLOUR_GOOD, COLOUR_TEXT, 0);
    x += layout->name_wide + PARTS_COLUMN;
    if (row->status != STATUS_OK) {
        bool refused = screen->items[index].done;
        surface_text_short(surface, y, x + 2, room - 2, explorer->ascii, refused ? COLOUR_BAD : COLOUR_DIM, 0,
                           refused           ? error_text(&row->refusal, why, sizeof why)
                           : explorer->ascii ? "..."
                                             : "\u2026");
    }
    for (int k = 0; k < layout->count && row->status == STATUS_OK; k++, x += NUMBER_WIDE) {
        const struct column *column = layout->columns[k];
        struct value value = column_get(column, &subject);
        value_brief(column, value, NUMBER_WIDE - 1, text, sizeof text);
        surface_text_right(surface, y, x, NUMBER_WIDE,
                           value.type == VALUE_NULL ? COLOUR_DIM
                           : fastest                ? COLOUR_GOOD
                                                    : COLOUR_TEXT,
                           0, "%s", text);
    }
}

void parts_draw_table(struct explorer *explorer, void *state, struct surface *surface, struct rect rect)
{
    struct parts_screen *screen = state;
    struct layout layout = lay_out(screen, rect.wide);
    int high = rect.high - 2; /* one line has the headings, and one the meaning of the mark */
    if (high < 1) return;
    draw_headings(&layout, surface, rect.top, rect.left + 1);
    screen->page = high;
    screen->top = scroll_to(screen->top, screen->selected, screen->table.count, high);
    screen->line_top = rect.top + 1;
    for (int k = 0; k < high && screen->top + k < screen->table.count; k++) {
        int index = screen->top + k, y = rect.top + 1 + k;
        draw_row(explorer, screen, index, &layout, surface, y, rect);
        if (k < PARTS_LINES) screen->lines[k] = index;
        if (index == screen->selected) surface_cursor(surface, (struct rect){y, rect.left, 1, rect.wide});
    }
    const struct distribution *table = &screen->table;
    int y = rect.top + rect.high - 1;
    if (table->kernel[0] && screen->told && distribution_fastest(table) < 0)
        surface_text_short(surface, y, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_DIM, 0,
                           "Not predicted for this network: the report has no messages of each part. Make "
                           "it with --carry.");
    else if (table->kernel[0])
        surface_text_short(surface, y, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_DIM, 0,
                           "> fastest product, predicted");
    else
        surface_text_short(surface, y, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_DIM, 0,
                           screen->told ? "Not predicted: the report has no kernel time."
                                        : "Not predicted yet: no kernel is timed or forecast.");
}
