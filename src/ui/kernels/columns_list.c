/* The list in which columns of the table are shown and hidden. */
#include "ui/kernels/kernels.h"

/* The list omits the first column, that of names, because it is always shown. */
static int column_of(int row)
{
    return row + 1;
}

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    const struct kernels_screen *screen = state;
    for (int c = 1; c < kernels_columns(); c++) {
        struct list_row *row = list_add(list);
        list_write(row, 0, "%s", kernel_columns[c].title);
        list_write(row, 1, "%s", column_unit(&kernel_columns[c]));
        if (row) row->marked = screen->visible[c];
    }
}

static void toggle(struct explorer *explorer, void *state, int row)
{
    struct kernels_screen *screen = state;
    int column = column_of(row);
    screen->visible[column] = !screen->visible[column];
    if (screen->visible[column])
        screen->column = column; /* the table scrolls to this column */
    else if (screen->column == column)
        kernels_move_column(screen, -1);
}

static void show_standard(struct explorer *explorer, void *state, int unused)
{
    kernels_standard_columns(state);
}

static void leave(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    list_close(&screen->dialog);
}

static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    const struct column *column = &kernel_columns[column_of(list->selected)];
    flow_words(flow, COLOUR_TEXT, column->help);
    flow_break(flow);
    flow_item(flow, COLOUR_DIM, "in reports: %s", column->key);
}

static const struct action actions[] = {
    {.keys = {'0'}, .run = show_standard, .name = "reset", .help = "the default columns"},
    {.keys = {'c'}, .run = leave, .help = "close the list"},
    {.run = NULL},
};

static const struct list_kind columns_list = {
    .title = "Columns",
    .wide = 78,
    .foot_high = 4,
    .marks = true,
    .columns = {{.title = "column"}, {.title = "unit", .wide = 40}},
    .actions = actions,
    .fill = fill,
    .choose = toggle,
    .about = about,
};

void kernels_open_columns(struct explorer *explorer, struct kernels_screen *screen)
{
    list_open(explorer, &screen->dialog, &columns_list, screen, screen->dialog.selected);
}
