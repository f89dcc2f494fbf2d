/* Kernels: the list of columns. */
#include <stdio.h>

#include "drawing/flow.h"
#include "ui/kernels/kernels.h"

#define FOOT_HIGH 4

static void blank(struct surface *surface, struct rect rect)
{
    for (int y = rect.top; y < rect.top + rect.high; y++)
        for (int x = rect.left; x < rect.left + rect.wide; x++)
            surface_put(surface, y, x, ' ', COLOUR_TEXT, COLOUR_TEXT, 0);
}

/* The columns that can be chosen: all but the name, which is always there. */
static int picker_count(void)
{
    return board_columns() - 1;
}

static void draw_column(const struct board *board, int column, struct surface *surface, int y, int x,
                        int wide, bool ascii)
{
    const struct column *c = &kernel_columns[column];
    bool shown = board->visible[column];
    int unit = x + 4 + 30;
    surface_text(surface, y, x, 3, shown ? COLOUR_ACCENT : COLOUR_DIM, 0, "%s",
                 !shown  ? "[ ]"
                 : ascii ? "[x]"
                         : "[\u2022]");
    surface_text(surface, y, x + 4, unit - x - 4, shown ? COLOUR_ACCENT : COLOUR_TEXT,
                 shown ? ATTRIBUTE_BOLD : 0, "%s", c->title);
    surface_text(surface, y, unit, x + wide - unit, COLOUR_DIM, 0, "%s", c->unit);
}

void picker_draw(const struct explorer *explorer, struct board *board, struct surface *surface,
                 struct rect area)
{
    struct picker *picker = &board->picker;
    int count = picker_count(), wide = area.wide < 80 ? area.wide : 78;
    int high = count + FOOT_HIGH + 3 < area.high ? count + FOOT_HIGH + 3 : area.high;
    struct rect frame = {area.top + (area.high - high) / 2, area.left + (area.wide - wide) / 2, high, wide};
    struct rect list = {frame.top + 1, frame.left + 2, high - FOOT_HIGH - 3, wide - 4};
    if (picker->selected >= count) picker->selected = count - 1;
    if (picker->selected < picker->top) picker->top = picker->selected;
    if (picker->selected >= picker->top + list.high) picker->top = picker->selected - list.high + 1;
    if (picker->top > count - list.high) picker->top = count - list.high;
    if (picker->top < 0) picker->top = 0;
    picker->list = list;
    blank(surface, frame);
    surface_frame(surface, frame, explorer->ascii, "Columns");
    for (int k = 0; k < list.high && picker->top + k < count; k++) {
        int y = list.top + k;
        draw_column(board, picker->top + k + 1, surface, y, list.left, list.wide, explorer->ascii);
        if (picker->top + k == picker->selected)
            board_highlight(surface, (struct rect){y, list.left - 1, 1, list.wide + 2});
    }
    int below = count - picker->top - list.high;
    if (below > 0)
        surface_text_right(surface, list.top + list.high, list.left, list.wide, COLOUR_ACCENT, 0, "%d more",
                           below);
    struct flow flow = {.surface = surface,
                        .rect = {list.top + list.high + 1, list.left, FOOT_HIGH, list.wide}};
    const struct column *column = &kernel_columns[picker->selected + 1];
    flow_words(&flow, COLOUR_TEXT, column->help);
    flow_break(&flow);
    flow_item(&flow, COLOUR_DIM, "in reports: %s", column->key);
    surface_text(surface, frame.top + frame.high - 1, frame.left + 2, frame.wide - 4, COLOUR_DIM, 0,
                 " Space shows or hides  0 as at first  Enter closes ");
}

static void toggle(struct board *board)
{
    int column = board->picker.selected + 1;
    board->visible[column] = !board->visible[column];
    if (board->visible[column])
        board->column = column; /* brings it into sight */
    else if (board->column == column)
        board_move_column(board, -1);
}

static void picker_select(struct picker *picker, int selected)
{
    if (selected >= picker_count()) selected = picker_count() - 1;
    picker->selected = selected < 0 ? 0 : selected;
}

void picker_handle(struct board *board, int key)
{
    struct picker *picker = &board->picker;
    int page = picker->list.high > 1 ? picker->list.high : 1;
    switch (key) {
    case ' ':
        toggle(board);
        break;
    case '0':
        board_standard_columns(board);
        break;
    case UIKEY_ENTER:
    case UIKEY_ESCAPE:
    case UIKEY_BACKSPACE:
    case 'c':
        picker->open = false;
        break;
    case UIKEY_UP:
    case 'k':
        picker_select(picker, picker->selected - 1);
        break;
    case UIKEY_DOWN:
    case 'j':
        picker_select(picker, picker->selected + 1);
        break;
    case UIKEY_PAGE_UP:
        picker_select(picker, picker->selected - page);
        break;
    case UIKEY_PAGE_DOWN:
        picker_select(picker, picker->selected + page);
        break;
    case UIKEY_HOME:
        picker_select(picker, 0);
        break;
    case UIKEY_END:
        picker_select(picker, picker_count() - 1);
        break;
    default:
        break;
    }
}

void picker_mouse(struct board *board, const struct mouse *mouse)
{
    struct picker *picker = &board->picker;
    int line = mouse->y - picker->list.top;
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN) {
        picker_select(picker, picker->selected + (mouse->kind == MOUSE_WHEEL_UP ? -1 : 1));
    } else if (mouse->kind == MOUSE_PRESS && line >= 0 && line < picker->list.high) {
        picker_select(picker, picker->top + line);
        if (mouse->x < picker->list.left + 4) toggle(board);
    }
}
