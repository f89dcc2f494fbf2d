/* Kernels: what is on the screen, keys and the mouse. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/kernels/kernels.h"

#define TOP_HIGH 2 /* options, and what is going on */
#define PANEL_MIN 44

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
    if (list_is_open(&board->dialog)) list_draw(explorer, &board->dialog, surface, area);
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

static void move_column(struct explorer *explorer, void *state, int step)
{
    struct board *board = state;
    if (board->mode == MODE_TABLE) board_move_column(board, step);
    if (board->mode == MODE_BESIDE)
        board->base = within(board->base + step, explorer->session->shown->runs.count);
}

static void move(struct explorer *explorer, void *state, int step)
{
    (void)explorer;
    move_by(state, step);
}

static void turn_page(struct explorer *explorer, void *state, int direction)
{
    const struct board *board = state;
    (void)explorer;
    move_by(state, direction * (board->rows > 1 ? board->rows : 1));
}

static void go_to_end(struct explorer *explorer, void *state, int last)
{
    (void)explorer;
    move_to(state, last ? INT_MAX : 0);
}

/* Choosing */

static void select_line(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    (void)unused;
    if (board->mode != MODE_TABLE || board->cursor >= board->line_count) return;
    int choice = board->lines[board->cursor].choice;
    if (choice < 0) {
        explorer_say(explorer, "this kernel is not in the table of the newest results: ] goes there");
        return;
    }
    board->selected[choice] = !board->selected[choice];
    move_by(board, 1);
}

static void select_all(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    (void)explorer;
    (void)unused;
    bool all = board_selected(board) < board->list.count;
    for (int k = 0; k < board->list.count; k++)
        board->selected[k] = all;
}

static void remove_chosen(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    struct runs *runs = &explorer->session->shown->runs;
    (void)unused;
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

static void sort(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    (void)explorer;
    (void)unused;
    if (board->mode == MODE_TABLE) sort_by(board, board->column);
}

static void change_mode(struct explorer *explorer, void *state, int mode)
{
    struct board *board = state;
    (void)explorer;
    board->mode = board->mode == (enum board_mode)mode ? MODE_TABLE : (enum board_mode)mode;
}

static void change_panel(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    (void)explorer;
    (void)unused;
    board->no_panel = !board->no_panel;
    board->panel = board->panel == PANEL_ALL ? PANEL_NONE : (enum panel_size)(board->panel + 1);
}

static void choose_columns(struct explorer *explorer, void *state, int unused)
{
    (void)unused;
    board_open_columns(explorer, state);
}

static void step_run(struct explorer *explorer, void *state, int step)
{
    board_step_run(explorer, state, step);
}

const struct action board_actions[] = {
    {.keys = {'r'},
     .run = board_run_some,
     .argument = false,
     .name = "run",
     .help = "run the kernels selected, or the one under the cursor; run all"},
    {.keys = {'R'}, .run = board_run_some, .argument = true},
    {.keys = {' '}, .run = select_line, .name = "select", .help = "select a kernel"},
    {.keys = {'*', 'A'}, .run = select_all, .help = "select all, or none"},
    {.keys = {'s'}, .run = sort, .name = "sort", .help = "sort by the column; again: the other way round"},
    {.keys = {'c'}, .run = choose_columns, .name = "columns", .help = "choose the columns"},
    {.keys = {UIKEY_ENTER},
     .run = change_panel,
     .name = "details",
     .help = "all numbers of the row, its error and its parameters"},
    {.keys = {'p'},
     .run = board_ask_parameters,
     .name = "parameters",
     .help = "other parameters: adds a row; height=* one for each value"},
    {.keys = {UIKEY_DELETE},
     .run = remove_chosen,
     .help = "remove a row that was added; beside each other, drop the run"},
    {.keys = {'t'},
     .run = board_sweep_threads,
     .name = "threads",
     .help = "run with 1, 2, 3 ... threads, and show the curves"},
    {.keys = {'v'}, .run = change_mode, .argument = MODE_CURVES, .name = "curves", .help = "table or curves"},
    {.keys = {'b'},
     .run = change_mode,
     .argument = MODE_BESIDE,
     .name = "runs",
     .help = "table, or runs beside each other; < > chooses their base"},
    {.keys = {'['}, .run = step_run, .argument = -1, .help = "older and newer runs"},
    {.keys = {']'}, .run = step_run, .argument = 1},
    {.keys = {'f'},
     .run = board_change_precision,
     .help = "f64 or f32: the table shows rows of that precision"},
    {.keys = {'T'}, .run = board_ask_threads, .help = "numbers of threads, as 1,2,4 or 1-8"},
    {.keys = {'w'}, .run = board_change_cold, .help = "warm, or cold: caches are flushed before each sample"},
    {.keys = {'y'}, .run = board_change_accumulate, .help = "y = A x, or y += A x"},
    {.keys = {'m'},
     .run = board_change_protocol,
     .help = "how samples are summed up: median, Cranfield, CMRS"},
    {.keys = {UIKEY_LEFT, 'h', '<'}, .run = move_column, .argument = -1, .help = "to another column"},
    {.keys = {UIKEY_RIGHT, 'l', '>'}, .run = move_column, .argument = 1},
    {.keys = {UIKEY_UP, 'k'}, .run = move, .argument = -1, .help = "to another row"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move, .argument = 1},
    {.keys = {UIKEY_PAGE_UP}, .run = turn_page, .argument = -1, .help = "a page up, a page down"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = turn_page, .argument = 1},
    {.keys = {UIKEY_HOME}, .run = go_to_end, .argument = false, .help = "the first row, the last row"},
    {.keys = {UIKEY_END}, .run = go_to_end, .argument = true},
    {.run = NULL},
};

static bool update_kernels(struct explorer *explorer, void *state)
{
    board_take(explorer, state);
    board_refresh(explorer, state);
    return true;
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

static void mouse_kernels(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    (void)explorer;
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN)
        move_by(state, mouse->kind == MOUSE_WHEEL_UP ? -1 : 1);
    else if (mouse->kind == MOUSE_PRESS)
        click(state, mouse);
}

static struct list *kernels_dialog(void *state)
{
    struct board *board = state;
    return &board->dialog;
}

static void answer_kernels(struct explorer *explorer, void *state, const char *text)
{
    board_answer(explorer, state, text);
}

const struct view view_kernels = {
    .title = "Kernels",
    .help =
        "Every kernel on this matrix: its time, checked and timed beside the others, and what that makes of "
        "the machine; of those of GPUs also what they ask of memory. > marks the fastest, = what is in a tie "
        "with it (the intervals of their medians overlap), ~ what could not run here and was counted on "
        "paper, * what fits in the cache, ! what has no numbers: it cannot run here or came out wrong. Each "
        "run is kept: the table shows the newest result of each kernel under the options above it, [ ] goes "
        "through the runs.",
    .actions = board_actions,
    .gesture = {"click, wheel", "choose a row, sort by a heading, scroll"},
    .needs = SESSION_MATRIX,
    .open = open_kernels,
    .draw = draw_kernels,
    .update = update_kernels,
    .mouse = mouse_kernels,
    .dialog = kernels_dialog,
    .answer = answer_kernels,
    .close = close_kernels,
};
