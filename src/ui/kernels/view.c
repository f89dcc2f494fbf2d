/* The Kernels screen: its areas, its keys and the mouse. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "report/figures/figure.h"
#include "ui/definitions.h"
#include "ui/kernels/kernels.h"
#include "ui/widgets/panes.h"
#include "ui/widgets/roofline.h"

#define TOP_HIGH 2 /* the lines of the options and of the state */
#define PANEL_MIN 44

static void close_kernels(void *state)
{
    struct kernels_screen *screen = state;
    kernels_free(screen);
    free(screen);
}

static void *open_kernels(struct explorer *explorer, struct error *error)
{
    struct kernels_screen *screen = memory_zeroed(1, sizeof *screen, error);
    if (!screen) return NULL;
    screen->threads.count = 1; /* the item 0 means one thread per processor */
    screen->options.device = explorer->device;
    screen->sort = screen->column = kernels_column("time_us");
    screen->no_panel = true;
    kernels_standard_columns(screen);
    if (kernels_start(explorer, screen, error) != STATUS_OK) {
        close_kernels(screen);
        return NULL;
    }
    kernels_show_saved(explorer, screen);
    return screen;
}

/* Return the result under the cursor, with its run in *run; both may be NULL. A kernel that was not run has
 * no run, and its result is *unrun. */
static const struct result *chosen(const struct explorer *explorer, struct kernels_screen *screen,
                                   struct result *unrun, const struct run **run)
{
    const struct runs *runs = &explorer->session->shown->runs;
    *run = NULL;
    if (screen->mode == MODE_CURVES) return kernels_curve_result(explorer, screen, run);
    if (screen->mode == MODE_ROOFLINE) return kernels_point_result(explorer, screen, run);
    if (screen->mode == MODE_MAP) return kernels_map_result(explorer, screen, run);
    if (screen->mode == MODE_TABLE) {
        if (screen->cursor >= screen->line_count) return NULL;
        *run = screen->lines[screen->cursor].run;
        return kernels_result(explorer, screen, &screen->lines[screen->cursor], unrun);
    }
    if (screen->comparison >= screen->comparison_count || screen->base >= runs->count) return NULL;
    *run = runs->items[screen->base];
    return screen->comparisons[screen->comparison].results[screen->base];
}

static void draw_panel(struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                       struct rect rect, bool beside)
{
    struct result unrun;
    const struct run *run;
    const struct result *result = chosen(explorer, screen, &unrun, &run);
    pane_draw_rule(surface,
                   (struct rect){rect.top, rect.left, beside ? rect.high : 1, beside ? 1 : rect.wide},
                   explorer->ascii);
    char edge[PROSE_SIZE];
    keys_prose(kernels_actions, screen->panel == PANEL_ALL ? " {expand} closes " : " {expand} shows more ",
               edge);
    if (!beside) surface_text(surface, rect.top, rect.left + 2, rect.wide - 4, COLOUR_DIM, 0, "%s", edge);
    struct rect inner = beside ? (struct rect){rect.top, rect.left + 2, rect.high, rect.wide - 3}
                               : (struct rect){rect.top + 1, rect.left + 1, rect.high - 1, rect.wide - 1};
    kernels_draw_panel(explorer, surface, inner, result, run);
}

/* Draw the panel, if it is open, beside or below the rest. Returns the remaining area. */
static struct rect make_room(struct explorer *explorer, struct kernels_screen *screen,
                             struct surface *surface, struct rect area)
{
    if (area.wide >= KERNELS_WIDE) {
        if (screen->no_panel) return area;
        int wide = area.wide / 3 > PANEL_MIN ? area.wide / 3 : PANEL_MIN;
        if (wide > 2 * PANEL_MIN) wide = 2 * PANEL_MIN;
        area.wide -= wide;
        draw_panel(explorer, screen, surface, (struct rect){area.top, area.left + area.wide, area.high, wide},
                   true);
    } else if (screen->panel != PANEL_NONE) {
        int high = screen->panel == PANEL_ALL ? area.high : area.high / 2;
        area.high -= high;
        draw_panel(explorer, screen, surface, (struct rect){area.top + area.high, area.left, high, area.wide},
                   false);
    }
    return area;
}

static void draw_kernels(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct kernels_screen *screen = state;
    if (area.high < 12 || area.wide < 60) return;
    kernels_take(explorer, screen);
    kernels_foresee(explorer, screen);
    kernels_refresh(explorer, screen);
    kernels_show_asked(explorer, screen);
    kernels_draw_state(explorer, screen, surface, area.top + 1, area.wide);
    int top = TOP_HIGH + kernels_draw_note(explorer, screen, surface, area.top + TOP_HIGH, area.wide);
    top += kernels_draw_orders(explorer, screen, surface, area.top + top, area.wide);
    struct rect rest = {area.top + top, area.left, area.high - top, area.wide};
    screen->body = (struct rect){0};
    rest = make_room(explorer, screen, surface, rest);
    if (rest.high > 6 && screen->mode == MODE_TABLE)
        kernels_draw_table(explorer, screen, surface, rest);
    else if (rest.high > 6 && screen->mode == MODE_CURVES)
        kernels_draw_curves(explorer, screen, surface, rest);
    else if (rest.high > 6 && screen->mode == MODE_ROOFLINE)
        kernels_draw_roofline(explorer, screen, surface, rest);
    else if (rest.high > 6 && screen->mode == MODE_MAP)
        kernels_draw_map(explorer, screen, surface, rest);
    else if (rest.high > 6)
        kernels_draw_beside(explorer, screen, surface, rest);
    kernels_draw_options(explorer, screen, surface, area.top, area.wide);
    if (list_is_open(&screen->dialog)) list_draw(explorer, &screen->dialog, surface, area);
}

/* Moving */

static void move_to(struct kernels_screen *screen, int place)
{
    if (screen->mode == MODE_TABLE) {
        screen->cursor = clip_index(place, screen->line_count);
        screen->placed = place > 0; /* a cursor at the first line stays there after sorting */
    }
    if (screen->mode == MODE_BESIDE) screen->comparison = clip_index(place, screen->comparison_count);
    if (screen->mode == MODE_CURVES) screen->curve = clip_index(place, KERNELS_CURVES);
    if (screen->mode == MODE_ROOFLINE) screen->point = clip_index(place, SPEEDS_MAX);
}

static void move_by(struct kernels_screen *screen, int step)
{
    int from = screen->mode == MODE_TABLE      ? screen->cursor
               : screen->mode == MODE_BESIDE   ? screen->comparison
               : screen->mode == MODE_ROOFLINE ? screen->point
                                               : screen->curve;
    move_to(screen, from + moved_by(step, screen->rows));
}

static void move_column(struct explorer *explorer, void *state, int step)
{
    struct kernels_screen *screen = state;
    if (screen->mode == MODE_TABLE) kernels_move_column(screen, step);
    if (screen->mode == MODE_MAP) kernels_map_move(explorer, screen, step, 0);
    if (screen->mode == MODE_BESIDE)
        screen->base = clip_index(screen->base + step, explorer->session->shown->runs.count);
}

static void move(struct explorer *explorer, void *state, int step)
{
    struct kernels_screen *screen = state;
    if (screen->mode != MODE_MAP)
        move_by(screen, step);
    else if (abs(step) == MOVE_PAGE)
        kernels_map_turn(explorer, screen, step / MOVE_PAGE);
    else if (abs(step) != MOVE_END)
        kernels_map_move(explorer, screen, 0, step);
}

/* Choosing */

static void select_line(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    if (screen->mode != MODE_TABLE || screen->cursor >= screen->line_count) return;
    int choice = screen->lines[screen->cursor].choice;
    if (choice < 0) {
        explorer_say_keys(
            explorer, kernels_actions,
            "this kernel is not in the table of the newest results: {older and newer runs 2} goes there");
        return;
    }
    screen->selected[choice] = !screen->selected[choice];
    move_by(screen, 1);
}

static void select_all(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    bool all = kernels_selected(screen) < screen->list.count;
    for (int k = 0; k < screen->list.count; k++)
        screen->selected[k] = all;
}

static void remove_chosen(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    struct runs *runs = &explorer->session->shown->runs;
    if (screen->mode == MODE_BESIDE) {
        if (screen->base >= runs->count) return;
        explorer_say(explorer, "run #%d is dropped", runs->items[screen->base]->number);
        if (screen->shown == runs->items[screen->base]) screen->shown = NULL;
        runs_drop(runs, runs->items[screen->base]);
    } else if (screen->mode == MODE_TABLE && screen->cursor < screen->line_count) {
        if (!kernels_remove(screen, screen->lines[screen->cursor].choice))
            explorer_say_keys(explorer, kernels_actions,
                              "only rows that were added with {edit} can be removed");
    }
}

static void sort_by(struct kernels_screen *screen, int column)
{
    bool largest_first = column != NAME_COLUMN && kernel_columns[column].largest_first;
    screen->descending = screen->sort == column ? !screen->descending : largest_first;
    screen->sort = screen->column = column;
    screen->stale = true;
    screen->cursor = screen->top = 0;
    screen->placed = false;
}

static void sort(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    if (screen->mode == MODE_TABLE) sort_by(screen, screen->column);
}

static void change_mode(struct explorer *explorer, void *state, int mode)
{
    struct kernels_screen *screen = state;
    screen->mode = screen->mode == (enum kernels_mode)mode ? MODE_TABLE : (enum kernels_mode)mode;
}

static void change_panel(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    if (screen->mode == MODE_MAP) {
        kernels_map_keep(explorer, state, unused);
        return;
    }
    screen->no_panel = !screen->no_panel;
    screen->panel = screen->panel == PANEL_ALL ? PANEL_NONE : (enum panel_size)(screen->panel + 1);
}

static void choose_columns(struct explorer *explorer, void *state, int unused)
{
    const struct kernels_screen *screen = state;
    if (screen->mode == MODE_MAP)
        kernels_map_pair(explorer, state);
    else
        kernels_open_columns(explorer, state);
}

static void save(struct explorer *explorer, void *state, int unused)
{
    explorer->demand = DEMAND_SAVE;
}

/* Adopt kernels, options and columns from the same screen of another order. */
static void adopt_kernels(struct explorer *explorer, void *state, const void *before)
{
    struct kernels_screen *screen = state;
    const struct kernels_screen *other = before;
    bool again = !product_same(screen->options.product, other->options.product);
    for (int k = other->standard; k < other->list.count; k++) {
        char name[CHOICE_NAME];
        kernel_list_add(&screen->list, kernel_choice_short_name(&other->list.choices[k], name, sizeof name),
                        NULL);
    }
    for (int k = 0; k < screen->list.count; k++) {
        int at = kernel_list_find(&other->list, &screen->list.choices[k]);
        screen->selected[k] = at >= 0 && other->selected[at];
    }
    screen->options = other->options;
    screen->precision = other->precision;
    screen->threads = other->threads;
    screen->mode = other->mode;
    memcpy(screen->visible, other->visible, sizeof screen->visible);
    screen->column = other->column;
    screen->first = other->first;
    screen->sort = other->sort;
    screen->descending = other->descending;
    screen->panel = other->panel;
    screen->no_panel = other->no_panel;
    screen->stale = true;
    if (again) kernels_forget(screen);
}

/* The column under the cursor, then the other visible ones. */
static bool define(struct explorer *explorer, void *state, int k, struct definition *definition)
{
    const struct kernels_screen *screen = state;
    const int first = screen->column == NAME_COLUMN ? 0 : screen->column;
    if (k == 0) {
        *definition = definition_of(&kernel_columns[first]);
        definition->here = true;
        return true;
    }
    for (int c = 0; c < kernels_columns(); c++) {
        if (c == first || !screen->visible[c] || --k > 0) continue;
        *definition = definition_of(&kernel_columns[c]);
        return true;
    }
    return false;
}

const struct action kernels_actions[] = {
    {.keys = {'r'},
     .run = kernels_run_some,
     .argument = false,
     .name = "run",
     .help = "run the selected kernels, or the one under the cursor; run all",
     .use = kernels_use_run},
    {.keys = {'R'}, .run = kernels_run_some, .argument = true},
    {.keys = {' '},
     .run = select_line,
     .name = "select",
     .help = "select a kernel",
     .use = kernels_use_choosing},
    {.keys = {'F'},
     .run = kernels_ask_filter,
     .name = "filter",
     .help = "show the kernels with these words in their name, format, backend or description; none: all",
     .use = kernels_use_filter},
    {.keys = {'*', 'A'}, .run = select_all, .help = "select all, or none"},
    {.keys = {'s'},
     .run = sort,
     .name = "sort",
     .help = "sort by the column, best first; again: reverse",
     .use = kernels_use_table},
    {.keys = {'c'},
     .run = choose_columns,
     .name = "pick columns",
     .help = "choose the columns; on the map, the two parameters",
     .use = kernels_use_columns},
    {.keys = {UIKEY_ENTER},
     .run = change_panel,
     .name = "expand",
     .help = "all numbers of the row, its error and its parameters; on the map, add the variant as a row"},
    {.keys = {'p'},
     .run = kernels_ask_parameters,
     .name = "edit",
     .help = "add a row with other parameters; height=* adds a row for each value",
     .use = kernels_use_choosing},
    {.keys = {UIKEY_DELETE},
     .run = remove_chosen,
     .help = "remove an added row; while runs are compared, drop the run"},
    {.keys = {'t'},
     .run = kernels_tune,
     .argument = TUNE_FORECAST,
     .name = "tune",
     .help =
         "find the fastest parameters of the selected kernels, and show the map; by running every variant",
     .use = kernels_use_run_more},
    {.keys = {'a'}, .run = kernels_tune, .argument = TUNE_ALL},
    {.keys = {'u'},
     .run = change_mode,
     .argument = MODE_MAP,
     .name = "draw map",
     .help = "table, or times of a kernel's variants by two parameters",
     .use = kernels_use_mode},
    {.keys = {'V'},
     .run = kernels_sweep_threads,
     .name = "sweep",
     .help = "run with 1, 2, 3 ... threads, and show the curves",
     .use = kernels_use_run_more},
    {.keys = {'v'},
     .run = change_mode,
     .argument = MODE_CURVES,
     .name = "plot curves",
     .help = "table or curves",
     .use = kernels_use_mode},
    {.keys = {'i'},
     .run = change_mode,
     .argument = MODE_ROOFLINE,
     .name = "plot roofline",
     .help = "table, or roofline: speed by arithmetic intensity",
     .use = kernels_use_mode},
    {.keys = {'b'},
     .run = change_mode,
     .argument = MODE_BESIDE,
     .name = "compare runs",
     .help = "table, or runs side by side; < > chooses their base",
     .use = kernels_use_mode},
    {.keys = {'S'},
     .run = save,
     .name = "save",
     .help = "save the runs of this session in a file, which --results=FILE opens",
     .use = kernels_use_saving},
    {.keys = {'d'},
     .run = kernels_ask_name,
     .name = "name run",
     .help = "give the shown run, or the newest, a name",
     .use = kernels_use_name},
    {.keys = {'['}, .run = kernels_step_run, .argument = -1, .help = "older and newer runs"},
    {.keys = {']'}, .run = kernels_step_run, .argument = 1},
    {.keys = {'f'},
     .run = kernels_change_precision,
     .help = "f64 or f32: the table shows rows of this precision"},
    {.keys = {'T'}, .run = kernels_ask_threads, .help = "numbers of threads, as 1,2,4 or 1-8"},
    {.keys = {'w'},
     .run = kernels_change_cold,
     .help = "warm, or cold: caches are flushed before each sample"},
    {.keys = {'o'}, .run = kernels_change_accumulate, .help = "y = A x, or y += A x; A, or A^T"},
    {.keys = {'O'}, .run = kernels_change_transposed},
    {.keys = {'N'}, .run = kernels_ask_columns, .help = "vectors at once, as 8; by columns, or by rows"},
    {.keys = {'L'}, .run = kernels_change_layout},
    {.keys = {'m'}, .run = kernels_change_protocol, .help = "protocol of samples: median, Cranfield, CMRS"},
    {.keys = {UIKEY_LEFT, 'h', '<'}, .run = move_column, .argument = -1, .help = "to another column"},
    {.keys = {UIKEY_RIGHT, 'l', '>'}, .run = move_column, .argument = 1},
    {.keys = {UIKEY_UP, 'k'}, .run = move, .argument = -1, .help = "to another row"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move, .argument = 1},
    {.keys = {UIKEY_PAGE_UP},
     .run = move,
     .argument = -MOVE_PAGE,
     .help = "a page up, a page down; on the map, another kernel"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = move, .argument = MOVE_PAGE},
    {.keys = {UIKEY_HOME}, .run = move, .argument = -MOVE_END, .help = "the first row, the last row"},
    {.keys = {UIKEY_END}, .run = move, .argument = MOVE_END},
    {.run = NULL},
};

static bool update_kernels(struct explorer *explorer, void *state)
{
    kernels_take(explorer, state);
    kernels_refresh(explorer, state);
    return true;
}

static void click(struct kernels_screen *screen, const struct mouse *mouse)
{
    int line = mouse->y - screen->body.top;
    if (screen->mode == MODE_MAP || mouse->x >= screen->body.left + screen->body.wide) return;
    if (line >= 0 && line < screen->body.high) {
        move_to(screen, (screen->mode == MODE_BESIDE ? screen->comparison_top : screen->top) + line);
        return;
    }
    for (int k = 0; k < screen->heading_count && line < 0 && line >= -4; k++) {
        const struct heading *heading = &screen->headings[k];
        if (mouse->x < heading->x || mouse->x >= heading->x + heading->wide) continue;
        if (screen->mode == MODE_TABLE) sort_by(screen, heading->column);
        if (screen->mode == MODE_BESIDE) screen->base = heading->column;
    }
}

static void mouse_kernels(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN)
        move(explorer, state, mouse->kind == MOUSE_WHEEL_UP ? -1 : 1);
    else if (mouse->kind == MOUSE_PRESS)
        click(state, mouse);
}

static struct list *kernels_dialog(void *state)
{
    struct kernels_screen *screen = state;
    return &screen->dialog;
}

/* Move the cursor to the next kernel with these words. */
static bool find_kernel(struct explorer *explorer, void *state, const char *text)
{
    struct kernels_screen *screen = state;
    if (screen->mode != MODE_TABLE) return false;
    for (int k = 1; k <= screen->line_count; k++) {
        const int at = (screen->cursor + k) % screen->line_count;
        if (!kernels_has_words(kernels_kernel(screen, &screen->lines[at]), text)) continue;
        screen->cursor = at;
        screen->placed = true;
        return true;
    }
    return false;
}

/* The figure shows the run that the table shows alone, else the newest. */
static const struct figure *figure_kernels(struct explorer *explorer, void *state,
                                           struct figure_subject *subject)
{
    const struct kernels_screen *screen = state;
    const struct runs *runs = &explorer->session->shown->runs;
    const struct run *run = screen->shown ? screen->shown : runs->count ? runs->items[runs->count - 1] : NULL;
    if (screen->mode != MODE_TABLE && screen->mode != MODE_ROOFLINE) return NULL;
    if (run) subject->results = &run->results;
    return figure_find(screen->mode == MODE_ROOFLINE ? "roofline" : "kernels");
}

const struct view view_kernels = {
    .title = "Kernels",
    .question = "How fast is each kernel?",
    .help =
        "Every kernel on this matrix, checked and timed: its time, its speed, and its share of the "
        "machine's bandwidth. GPU kernels also have their memory requests. > marks the fastest kernel, "
        "= a tie with it (the intervals of their medians overlap). ~ marks an estimate for a kernel "
        "that cannot run here, * data that fit in the cache, \" a forecast from another kernel. ! marks a "
        "kernel without numbers: it cannot run here, or its result was wrong. All runs are kept. The table "
        "shows the newest "
        "result of each kernel with the options above it; [ ] goes through the runs.",
    .actions = kernels_actions,
    .gesture = {"click, wheel", "choose a row, sort by a heading, scroll"},
    .needs = SESSION_MATRIX,
    .open = open_kernels,
    .define = define,
    .draw = draw_kernels,
    .figure = figure_kernels,
    .update = update_kernels,
    .mouse = mouse_kernels,
    .dialog = kernels_dialog,
    .answer = kernels_answer,
    .find = find_kernel,
    .adopt = adopt_kernels,
    .close = close_kernels,
};
