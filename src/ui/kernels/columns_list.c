/* Kernels: the list of columns. */
#include "ui/kernels/kernels.h"

/* The rows of the list are all columns but that of the names, which is always there. */
static int column_of(int row)
{
    return row + 1;
}

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    const struct board *board = state;
    (void)explorer;
    for (int c = 1; c < board_columns(); c++) {
        struct list_row *row = list_add(list);
        list_write(row, 0, "%s", kernel_columns[c].title);
        list_write(row, 1, "%s", kernel_columns[c].unit);
        if (row) row->marked = board->visible[c];
    }
}

static void toggle(struct explorer *explorer, void *state, int row)
{
    struct board *board = state;
    int column = column_of(row);
    (void)explorer;
    board->visible[column] = !board->visible[column];
    if (board->visible[column])
        board->column = column; /* brings it into sight */
    else if (board->column == column)
        board_move_column(board, -1);
}

static void show_standard(struct explorer *explorer, void *state, int unused)
{
    (void)explorer;
    (void)unused;
    board_standard_columns(state);
}

static void leave(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    (void)explorer;
    (void)unused;
    list_close(&board->dialog);
}

static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    const struct column *column = &kernel_columns[column_of(list->selected)];
    (void)explorer;
    (void)state;
    flow_words(flow, COLOUR_TEXT, column->help);
    flow_break(flow);
    flow_item(flow, COLOUR_DIM, "in reports: %s", column->key);
}

static const struct action actions[] = {
    {.keys = {'0'},
     .run = show_standard,
     .name = "as at first",
     .help = "the columns that are shown at first"},
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

void board_open_columns(struct explorer *explorer, struct board *board)
{
    list_open(explorer, &board->dialog, &columns_list, board, board->dialog.selected);
}
