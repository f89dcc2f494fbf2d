/* Kernels: what is on the screen, keys and the mouse. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/kernels/kernels.h"

#define TOP_HIGH 2 /* options, and what is going on */
#define PANEL_MIN 44

static const struct view_key keys[] = {
    {"r R", "run the kernels selected, or the one under the cursor; run all"},
    {"Space", "select a kernel; * or A selects all or none"},
    {"p", "other parameters: adds a row; height=* one for each value"},
    {"Del", "remove a row that was added; beside each other, drop the run"},
    {"f", "f64 or f32: the table shows rows of that precision"},
    {"T", "numbers of threads, as 1,2,4 or 1-8"},
    {"w", "warm, or cold: caches are flushed before each sample"},
    {"y", "y = A x, or y += A x"},
    {"m", "how samples are summed up: median, Cranfield, CMRS"},
    {"t", "run with 1, 2, 3 ... threads, and show the curves"},
    {"v", "table or curves"},
    {"b", "table, or runs beside each other; < > chooses their base"},
    {"[ ]", "older and newer runs"},
    {"left right, < >, h l", "to another column"},
    {"s", "sort by it; again: the other way round"},
    {"c", "choose the columns"},
    {"Enter", "all numbers of the row, its error and its parameters"},
    {"up down, k j", "to another row; PgUp PgDn Home End"},
    {"click, wheel", "choose a row, sort by a heading, scroll"},
    {NULL, NULL},
};

static int find_column(const char *key)
{
    for (int c = 0; c < board_columns(); c++)
        if (strcmp(kernel_columns[c].key, key) == 0) return c;
    return NAME_COLUMN;
}

static void close_kernels(void *state)
{
    struct board *board = state;
    board_free(board);
    free(board);
}

static void *open_kernels(struct explorer *explorer, struct error *error)
{
    struct board *board = memory_zeroed(1, sizeof *board, error);
    if (!board) return NULL;
    board->threads.count = 1; /* 0: one per processor */
    board->options.device = explorer->device;
    board->sort = board->column = find_column("time_us");
    board_standard_columns(board);
    if (board_start(explorer, board, error) != STATUS_OK) {
        close_kernels(board);
        return NULL;
    }
    explorer_say(explorer,
                 "R runs all, Space selects, s sorts, c columns, t threads, b runs, p changes one, ? helps");
    return board;
}

/* What the cursor is on, and the run that it is of: NULL if it was not run. */
static const struct result *chosen(const struct explorer *explorer, const struct board *board,
                                   struct result *unrun, const struct run **run)
{
    const struct runs *runs = &explorer->session->shown->runs;
    *run = NULL;
    if (board->mode == MODE_CURVES) return board_curve_result(explorer, board, run);
    if (board->mode == MODE_TABLE) {
        if (board->cursor >= board->line_count) return NULL;
        *run = board->lines[board->cursor].run;
        return board_result(explorer, board, &board->lines[board->cursor], unrun);
    }
    if (board->entry >= board->entry_count || board->base >= runs->count) return NULL;
    *run = runs->items[board->base];
    return board->entries[board->entry].results[board->base];
}

static void draw_panel(struct explorer *explorer, struct board *board, struct surface *surface,
                       struct rect rect, bool beside)
{
    struct result unrun;
    const struct run *run;
    const struct result *result = chosen(explorer, board, &unrun, &run);
    uint32_t rule = beside ? (explorer->ascii ? '|' : 0x2502) : (explorer->ascii ? '-' : 0x2500);
    for (int k = 0; k < (beside ? rect.high : rect.wide); k++)
        surface_put(surface, rect.top + (beside ? k : 0), rect.left + (beside ? 0 : k), rule, COLOUR_DIM,
                    COLOUR_TEXT, 0);
    if (!beside)
        surface_text(surface, rect.top, rect.left + 2, rect.wide - 4, COLOUR_DIM, 0, " Enter %s ",
                     board->panel == PANEL_ALL ? "closes" : "shows more");
    struct rect inner = beside ? (struct rect){rect.top, rect.left + 2, rect.high, rect.wide - 3}
                               : (struct rect){rect.top + 1, rect.left + 1, rect.high - 1, rect.wide - 1};
    board_draw_panel(explorer, surface, inner, result, run);
}

/* Share the area with the panel; returns what is left. */
static struct rect make_room(struct explorer *explorer, struct board *board, struct surface *surface,
                             struct rect area)
{
    if (area.wide >= BOARD_WIDE) {
        if (board->no_panel) return area;
        int wide = area.wide / 3 > PANEL_MIN ? area.wide / 3 : PANEL_MIN;
        if (wide > 2 * PANEL_MIN) wide = 2 * PANEL_MIN;
        area.wide -= wide;
        draw_panel(explorer, board, surface, (struct rect){area.top, area.left + area.wide, area.high, wide},
                   true);
    } else if (board->panel != PANEL_NONE) {
        int high = board->panel == PANEL_ALL ? area.high : area.high / 2;
        area.high -= high;
        draw_panel(explorer, board, surface, (struct rect){area.top + area.high, area.left, high, area.wide},
                   false);
    }
    return area;
}

static void draw_kernels(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct board *board = state;
    if (area.high < 12 || area.wide < 60) return;
    board_take(explorer, board);
    board_refresh(explorer, board);
    board_draw_state(explorer, board, surface, area.top + 1, area.wide);
    struct rect rest = {area.top + TOP_HIGH, area.left, area.high - TOP_HIGH, area.wide};
    board->body = (struct rect){0};
    rest = make_room(explorer, board, surface, rest);
    if (rest.high > 6 && board->mode == MODE_TABLE)
        board_draw_table(explorer, board, surface, rest);
    else if (rest.high > 6 && board->mode == MODE_CURVES)
        board_draw_curves(explorer, board, surface, rest);
    else if (rest.high > 6)
        board_draw_beside(explorer, board, surface, rest);
    board_draw_options(board, surface, area.top, area.wide);
    if (board->picker.open) picker_draw(explorer, board, surface, area);
}

/* Moving */

/* A place of `count`, near to this one. */
static int within(int place, int count)
{
    if (place >= count) place = count - 1;
    return place < 0 ? 0 : place;
}

static void move_to(struct board *board, int place)
{
    if (board->mode == MODE_TABLE) board->cursor = within(place, board->line_count);
    if (board->mode == MODE_BESIDE) board->entry = within(place, board->entry_count);
    if (board->mode == MODE_CURVES) board->curve = within(place, BOARD_CURVES);
}

static void move_by(struct board *board, int step)
{
    int from = board->mode == MODE_TABLE    ? board->cursor
               : board->mode == MODE_BESIDE ? board->entry
                                            : board->curve;
    move_to(board, from + step);
}

static void move_column(const struct explorer *explorer, struct board *board, int step)
{
    if (board->mode == MODE_TABLE) board_move_column(board, step);
    if (board->mode == MODE_BESIDE)
        board->base = within(board->base + step, explorer->session->shown->runs.count);
}

static bool handle_move(const struct explorer *explorer, struct board *board, int key)
{
    int page = board->rows > 1 ? board->rows : 1;
    switch (key) {
    case UIKEY_UP:
    case 'k':
        move_by(board, -1);
        return true;
    case UIKEY_DOWN:
    case 'j':
        move_by(board, 1);
        return true;
    case UIKEY_PAGE_UP:
        move_by(board, -page);
        return true;
    case UIKEY_PAGE_DOWN:
        move_by(board, page);
        return true;
    case UIKEY_HOME:
        move_by(board, -KERNEL_LIST_MAX * THREAD_COUNTS_MAX);
        return true;
    case UIKEY_END:
        move_by(board, KERNEL_LIST_MAX * THREAD_COUNTS_MAX);
        return true;
    case UIKEY_LEFT:
    case 'h':
    case '<':
        move_column(explorer, board, -1);
        return true;
    case UIKEY_RIGHT:
    case 'l':
    case '>':
        move_column(explorer, board, 1);
        return true;
    default:
        return false;
    }
}

/* Choosing */

static void select_line(struct explorer *explorer, struct board *board)
{
    if (board->mode != MODE_TABLE || board->cursor >= board->line_count) return;
    int choice = board->lines[board->cursor].choice;
    if (choice < 0) {
        explorer_say(explorer, "this kernel is not in the table of the newest results: ] goes there");
        return;
    }
    board->selected[choice] = !board->selected[choice];
    move_by(board, 1);
}

static void select_all(struct board *board)
{
    bool all = board_selected(board) < board->list.count;
    for (int k = 0; k < board->list.count; k++)
        board->selected[k] = all;
}

static void remove_chosen(struct explorer *explorer, struct board *board)
{
    struct runs *runs = &explorer->session->shown->runs;
    if (board->mode == MODE_BESIDE) {
        if (board->base >= runs->count) return;
        explorer_say(explorer, "run #%d is dropped", runs->items[board->base]->number);
        if (board->shown == runs->items[board->base]) board->shown = NULL;
        runs_drop(runs, runs->items[board->base]);
    } else if (board->mode == MODE_TABLE && board->cursor < board->line_count) {
        if (!board_remove(board, board->lines[board->cursor].choice))
            explorer_say(explorer, "only rows that were added with p can be removed");
    }
}

static void sort_by(struct board *board, int column)
{
    board->descending = board->sort == column ? !board->descending : false;
    board->sort = board->column = column;
    board->stale = true;
    board->cursor = board->top = 0;
}

static void change_mode(struct board *board, enum board_mode mode)
{
    board->mode = board->mode == mode ? MODE_TABLE : mode;
}

static void change_panel(const struct board *board, struct board *to)
{
    to->no_panel = !board->no_panel;
    to->panel = board->panel == PANEL_ALL ? PANEL_NONE : (enum panel_size)(board->panel + 1);
}

static bool handle_choice(struct explorer *explorer, struct board *board, int key)
{
    switch (key) {
    case ' ':
        select_line(explorer, board);
        return true;
    case '*':
    case 'A':
        select_all(board);
        return true;
    case 'r':
    case 'R':
    case 't':
        board_run(explorer, board, key == 'R', key == 't');
        return true;
    case 'p':
        if (board->mode == MODE_TABLE)
            board_ask(explorer, board, key);
        else
            explorer_say(explorer, "kernels are added in the table");
        return true;
    case UIKEY_DELETE:
        remove_chosen(explorer, board);
        return true;
    case 's':
        if (board->mode == MODE_TABLE) sort_by(board, board->column);
        return true;
    case 'c':
        board->picker.open = true;
        return true;
    case 'v':
        change_mode(board, MODE_CURVES);
        return true;
    case 'b':
        change_mode(board, MODE_BESIDE);
        return true;
    case '[':
    case ']':
        board_step_run(explorer, board, key == ']' ? 1 : -1);
        return true;
    case UIKEY_ENTER:
        change_panel(board, board);
        return true;
    default:
        return board_option_key(explorer, board, key);
    }
}

static bool handle_kernels(struct explorer *explorer, void *state, int key)
{
    struct board *board = state;
    bool taken = true;
    if (key == 'x') return false; /* cancels the run */
    board_take(explorer, board);
    board_refresh(explorer, board);
    if (board->picker.open)
        picker_handle(board, key);
    else
        taken = handle_move(explorer, board, key) || handle_choice(explorer, board, key);
    board_refresh(explorer, board);
    return taken;
}

static void click(struct board *board, const struct mouse *mouse)
{
    int line = mouse->y - board->body.top;
    if (mouse->x >= board->body.left + board->body.wide) return;
    if (line >= 0 && line < board->body.high) {
        move_to(board, (board->mode == MODE_BESIDE ? board->entry_top : board->top) + line);
        return;
    }
    for (int k = 0; k < board->heading_count && line < 0 && line >= -4; k++) {
        const struct heading *heading = &board->headings[k];
        if (mouse->x < heading->x || mouse->x >= heading->x + heading->wide) continue;
        if (board->mode == MODE_TABLE) sort_by(board, heading->column);
        if (board->mode == MODE_BESIDE) board->base = heading->column;
    }
}

static bool mouse_kernels(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    struct board *board = state;
    board_take(explorer, board);
    board_refresh(explorer, board);
    if (board->picker.open)
        picker_mouse(board, mouse);
    else if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN)
        move_by(board, mouse->kind == MOUSE_WHEEL_UP ? -1 : 1);
    else if (mouse->kind == MOUSE_PRESS)
        click(board, mouse);
    board_refresh(explorer, board);
    return true;
}

static void answer_kernels(struct explorer *explorer, void *state, const char *text)
{
    struct board *board = state;
    board_refresh(explorer, board);
    board_answer(explorer, board, text);
    board_refresh(explorer, board);
}

const struct view view_kernels = {
    .key = '6',
    .title = "Kernels",
    .help =
        "Every kernel on this matrix: its time, checked and timed beside the others, and what that makes of "
        "the machine; of those of GPUs also what they ask of memory. > marks the fastest, = what is in a tie "
        "with it (the intervals of their medians overlap), ~ what could not run here and was counted on "
        "paper, * what fits in the cache, ! what has no numbers: it cannot run here or came out wrong. Each "
        "run is kept: the table shows the newest result of each kernel under the options above it, [ ] goes "
        "through the runs.",
    .keys = keys,
    .needs = SESSION_MATRIX,
    .open = open_kernels,
    .draw = draw_kernels,
    .handle = handle_kernels,
    .mouse = mouse_kernels,
    .answer = answer_kernels,
    .close = close_kernels,
};
