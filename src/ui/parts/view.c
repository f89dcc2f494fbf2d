/* The Parts screen: its panes, its keys and the mouse. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "report/figures/figure.h"
#include "ui/definitions.h"
#include "ui/parts/screen.h"

#define BIG_STEP 8

/* All panes: the table and the curves on the left, the owners and the volumes on the right. */
const struct screen_pane parts_panes[] = {
    [PARTS_TABLE] = {.key = 't', .title = "Table", .draw = parts_draw_table, .place = 0, .share = 3},
    [PARTS_OWNERS] = {.key = 'o', .title = "Owners", .draw = parts_draw_owners, .place = 1, .share = 2},
    [PARTS_VOLUMES] = {.key = 'v', .title = "Volumes", .draw = parts_draw_volumes, .place = 3, .share = 2},
    [PARTS_CURVES] = {.key = 'c', .title = "Curves", .draw = parts_draw_curves, .place = 2, .share = 3},
    {.title = NULL},
};

_Static_assert(PARTS_PANES <= PANES_MAX, "each pane has a position");

static void *open_parts(struct explorer *explorer, struct error *error)
{
    struct parts_screen *screen = memory_zeroed(1, sizeof *screen, error);
    if (screen) screen->panes.table = parts_panes;
    return screen;
}

static void close_parts(void *state)
{
    parts_let_go(state);
    free(state);
}

/* Drawing */

static void draw_parts(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct parts_screen *screen = state;
    if (area.high < 10 || area.wide < 60) return;
    panes_start(&screen->panes);
    for (int k = 0; k < PARTS_LINES; k++)
        screen->lines[k] = -1;
    parts_refresh(explorer, screen);
    if (screen->told && !screen->table.count) {
        parts_say_nothing(explorer, surface, area);
        return;
    }
    int head = parts_draw_head(explorer, screen, surface, area), focus = screen->panes.focus;
    struct rect rest = {area.top + head, area.left, area.high - head, area.wide};
    screen->panes.instead = parts_row(screen) ? NULL : "";
    if (area.wide >= PARTS_WIDE && area.high >= PARTS_HIGH && !screen->panes.one)
        panes_draw_grid(explorer, &screen->panes, surface, rest);
    else if (rest.wide < PARTS_HALF || screen->panes.one)
        panes_draw_tabs(explorer, &screen->panes, surface, rest, focus, -1, 0);
    else /* the table stands beside the pane with the focus */
        panes_draw_tabs(explorer, &screen->panes, surface, rest, PARTS_TABLE,
                        focus == PARTS_TABLE ? PARTS_OWNERS : focus, rest.wide - rest.wide / 2 - 1);
    if (!screen->panes.at[PARTS_OWNERS].high) screen->picture.fit = (struct parts_fit){0};
}

static bool update_parts(struct explorer *explorer, void *state)
{
    struct parts_screen *screen = state;
    parts_refresh(explorer, screen);
    return screen->table.count > 0;
}

static bool retry(struct explorer *explorer, void *state)
{
    if (!parts_retry(state)) return false;
    parts_refresh(explorer, state);
    return true;
}

/* Keys */

/* Move the selection by `step` rows, clamped to the table. */
static void step_row(struct explorer *explorer, struct parts_screen *screen, int step)
{
    parts_select(explorer, screen, clip_index(screen->selected + step, screen->table.count));
}

static void move_down(struct explorer *explorer, void *state, int step)
{
    struct parts_screen *screen = state;
    if (screen->panes.focus == PARTS_OWNERS)
        parts_move_owners(explorer, screen, step, 0);
    else if (screen->panes.focus == PARTS_VOLUMES)
        parts_move_volumes(screen, step, 0);
    else
        step_row(explorer, screen, step);
}

/* Return the row of the next or previous partition with the number of parts of the selected row, or the
 * nearest smaller number; -1 if there is no other partition. */
static int other_partition(const struct parts_screen *screen, int step)
{
    const struct distributed *rows = screen->table.items;
    int count = screen->table.count, k = screen->selected, found = -1;
    while (k >= 0 && k < count && strcmp(rows[k].name, rows[screen->selected].name) == 0)
        k += step;
    if (count == 0) return -1;
    if (k < 0 || k >= count) k = step > 0 ? 0 : count - 1;
    for (int r = 0; r < count; r++) {
        if (strcmp(rows[r].name, rows[k].name) != 0) continue;
        if (found < 0 || rows[r].parts <= rows[screen->selected].parts) found = r;
    }
    return found;
}

static void next_partition(struct explorer *explorer, void *state, int step)
{
    struct parts_screen *screen = state;
    int row = other_partition(screen, step);
    const struct distributed *now = parts_row(screen), *other = row >= 0 ? &screen->table.items[row] : NULL;
    if (!other || !now) return;
    char name[PARTITION_NAME];
    snprintf(name, sizeof name, "%s", other->name);
    int found = parts_row_of(screen, name, other->partitioner, now->parts);
    parts_select(explorer, screen, found < 0 && screen->told ? row : found);
}

/* Select the next row of a report if it has the same partition with another number of parts. */
static void change_told(struct explorer *explorer, struct parts_screen *screen, int step)
{
    const struct distribution *table = &screen->table;
    const int row = screen->selected + step;
    if (row < 0 || row >= table->count ||
        strcmp(table->items[row].name, table->items[screen->selected].name) != 0)
        parts_say_told(explorer);
    else
        parts_select(explorer, screen, row);
}

/* Double or halve the number of parts. */
static void change_parts(struct explorer *explorer, void *state, int step)
{
    struct parts_screen *screen = state;
    const struct distributed *now = parts_row(screen);
    char name[PARTITION_NAME];
    if (!now) return;
    if (now->partitioner->fixed) {
        explorer_say(explorer, "the file determines the number of parts");
        return;
    }
    if (screen->told) {
        change_told(explorer, screen, step);
        return;
    }
    int64_t parts = step > 0 ? 2 * now->parts : now->parts / 2;
    if (parts < 1 || parts > PARTS_MOST) {
        explorer_say_keys(explorer, parts_actions,
                          parts < 1 ? "one part is the minimum" : "{type 1} takes more than 4,096 parts");
        return;
    }
    snprintf(name, sizeof name, "%s", now->name);
    parts_select(explorer, screen, parts_row_of(screen, name, now->partitioner, parts));
}

static void move_right(struct explorer *explorer, void *state, int step)
{
    struct parts_screen *screen = state;
    if (screen->panes.focus == PARTS_OWNERS)
        parts_move_owners(explorer, screen, 0, step);
    else if (screen->panes.focus == PARTS_VOLUMES)
        parts_move_volumes(screen, 0, step);
    else if (screen->panes.focus == PARTS_CURVES)
        change_parts(explorer, screen, step);
    else
        next_partition(explorer, screen, step);
}

static void turn_page(struct explorer *explorer, void *state, int direction)
{
    struct parts_screen *screen = state;
    bool rows = screen->panes.focus == PARTS_TABLE || screen->panes.focus == PARTS_CURVES;
    move_down(explorer, screen, direction * (rows && screen->page > 1 ? screen->page : BIG_STEP));
}

static void go_to_end(struct explorer *explorer, void *state, int last)
{
    struct parts_screen *screen = state;
    if (screen->panes.focus == PARTS_OWNERS)
        explorer_move(explorer, explorer->cursor.row, last ? INT64_MAX : 0);
    else if (screen->panes.focus == PARTS_VOLUMES)
        parts_move_volumes(screen, 0, last ? PARTS_MAX : -PARTS_MAX);
    else
        step_row(explorer, screen, last ? INT_MAX / 2 : -(INT_MAX / 2));
}

static void change_curve(struct explorer *explorer, void *state, int unused)
{
    struct parts_screen *screen = state;
    if (screen->panes.focus == PARTS_CURVES || screen->panes.at[PARTS_CURVES].high) {
        screen->curve = (enum parts_curve)(((int)parts_curve(screen) + 1) % PARTS_CURVE_COUNT);
        screen->curve_chosen = true;
    }
    if (!screen->panes.at[PARTS_CURVES].high) panes_show(explorer, screen, PARTS_CURVES);
}

static void type(struct explorer *explorer, void *state, int unused)
{
    struct parts_screen *screen = state;
    const struct distributed *row = parts_row(screen);
    char text[sizeof explorer->question.text];
    screen->asks_network = false;
    snprintf(text, sizeof text, "%.80s %lld", row ? row->name : "entries", row ? (long long)row->parts : 2LL);
    explorer_ask(explorer, "Partition and number of parts", text);
}

/* Open a prompt for the assumptions of the predictions. */
static void type_network(struct explorer *explorer, void *state, int unused)
{
    struct parts_screen *screen = state;
    char text[sizeof explorer->question.text];
    const struct network *network = &screen->table.network;
    if (screen->told) {
        network_write(network, text, sizeof text);
        screen->asks_network = true;
        explorer_ask(explorer, "Network (us, GB/s)", text);
        return;
    }
    network_write(network, text, sizeof text);
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, " %.64s ",
             screen->base.kernel[0] ? screen->base.kernel : "advised");
    screen->asks_network = true;
    explorer_ask(explorer, "Network (us, GB/s), kernel, threads=N", text);
}

/* Show the owners on Pattern. */
static void go_in(struct explorer *explorer, void *state, int unused)
{
    struct owners *owners;
    if (!parts_owners(state, &owners)) {
        const struct parts_screen *screen = state;
        explorer_say(explorer, screen->told ? "Pattern needs the entries in memory to colour by owners"
                                            : "the partition is not computed yet");
        return;
    }
    explorer->owners = owners;
    explorer->owners_asked = true;
    explorer_show(explorer, &view_pattern);
}

static enum use use_of_partitions(const struct explorer *explorer, const void *state, int unused)
{
    const struct parts_screen *screen = state;
    return screen->table.count > 1 ? USE_SOME : USE_NONE;
}

static enum use use_of_curves(const struct explorer *explorer, const void *state, int unused)
{
    const struct parts_screen *screen = state;
    return screen->panes.at[PARTS_CURVES].high > 0 ? USE_SOME : USE_NONE;
}

static enum use use_of_owners(const struct explorer *explorer, const void *state, int unused)
{
    return case_has_entries(explorer->session->shown) ? USE_SOME : USE_NONE;
}

const struct action parts_actions[] = {
    {.keys = {' ', ']'},
     .run = panes_step,
     .argument = 1,
     .name = "switch pane",
     .help = "the next pane, the one before"},
    {.keys = {'['}, .run = panes_step, .argument = -1},
    {.keys = {'+', '='},
     .run = change_parts,
     .argument = 1,
     .name = "change parts",
     .help = "twice as many parts, half as many"},
    {.keys = {'-'}, .run = change_parts, .argument = -1},
    {.keys = {','},
     .run = next_partition,
     .argument = -1,
     .name = "pick partition",
     .use = use_of_partitions,
     .help = "the previous and the next partition, with the same number of parts"},
    {.keys = {'.'}, .run = next_partition, .argument = 1},
    {.keys = {'p'},
     .run = type,
     .name = "set parts",
     .help = "type a partition and a number of parts: metis:objective=cut 24, scotch, 4096"},
    {.keys = {'N'},
     .run = type_network,
     .name = "set network",
     .help = "type latency and bandwidth of the network, and the kernel and threads of one process: "
             "latency=1.5,bandwidth=25 cpu/csr-omp threads=4"},
    {.keys = {UIKEY_ENTER},
     .run = go_in,
     .name = "open",
     .use = use_of_owners,
     .help = "show the owners on Pattern, and zoom there"},
    {.keys = {UIKEY_UP, 'k'},
     .run = move_down,
     .argument = -1,
     .help = "through the table and the curves; the cursor of owners and volumes"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move_down, .argument = 1},
    {.keys = {UIKEY_LEFT, 'h'},
     .run = move_right,
     .argument = -1,
     .help =
         "another partition in the table, other part counts on the curves; the cursor of owners and volumes"},
    {.keys = {UIKEY_RIGHT, 'l'}, .run = move_right, .argument = 1},
    {.keys = {'t'},
     .run = panes_show,
     .argument = PARTS_TABLE,
     .help = "table: partitions and their communication"},
    {.keys = {'o'},
     .run = panes_show,
     .argument = PARTS_OWNERS,
     .help = "owners: the pattern in the colours of the parts that own the rows"},
    {.keys = {'v'},
     .run = panes_show,
     .argument = PARTS_VOLUMES,
     .help = "volumes: elements by receiver and sender"},
    {.keys = {'c'},
     .run = panes_show,
     .argument = PARTS_CURVES,
     .help = "curves over the number of parts, for each partition"},
    {.keys = {'m'},
     .run = change_curve,
     .name = "change curve",
     .use = use_of_curves,
     .help = "curves of the speed-up, the volume, the imbalance"},
    {.keys = {'a'}, .run = panes_change_one, .help = "one pane, or all that fit"},
    {.keys = {UIKEY_PAGE_UP}, .run = turn_page, .argument = -1, .help = "a page up, a page down"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = turn_page, .argument = 1},
    {.keys = {UIKEY_HOME}, .run = go_to_end, .argument = false, .help = "the first, the last"},
    {.keys = {UIKEY_END}, .run = go_to_end, .argument = true},
    {.run = NULL},
};

/* The mouse */

static void click(struct explorer *explorer, struct parts_screen *screen, const struct mouse *mouse)
{
    int pane = panes_click(&screen->panes, mouse->y, mouse->x), line = mouse->y - screen->line_top;
    if (pane == PARTS_TABLE && line >= 0 && line < PARTS_LINES && screen->lines[line] >= 0)
        parts_select(explorer, screen, screen->lines[line]);
    if (pane == PARTS_OWNERS) parts_click_owners(explorer, screen, mouse->y, mouse->x);
    if (pane == PARTS_VOLUMES) parts_click_volumes(screen, explorer, mouse->y, mouse->x);
}

static void mouse_parts(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    struct parts_screen *screen = state;
    if (mouse->kind == MOUSE_PRESS) click(explorer, screen, mouse);
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN)
        step_row(explorer, screen, mouse->kind == MOUSE_WHEEL_UP ? -1 : 1);
}

static const struct figure *figure_parts(struct explorer *explorer, void *state,
                                         struct figure_subject *subject)
{
    const struct parts_screen *screen = state;
    struct owners *owners;
    if (screen->panes.focus != PARTS_OWNERS || !parts_owners(screen, &owners) ||
        !case_has(explorer->session->shown, SESSION_PYRAMID))
        return NULL;
    subject->by = FIGURE_OWNER;
    subject->partition = &owners->divided.partition;
    subject->partition_name = owners->name;
    return figure_find("pattern");
}

/* The columns of the table, in its order. */
static bool define(struct explorer *explorer, void *state, int k, struct definition *definition)
{
    static const struct definition table[] = {
        {.title = "Fastest",
         .text = "the partition and the number of parts with the shortest predicted product"},
        {.title = "Communication passes computation",
         .text = "from this number of parts on, the exchange takes longer than the computation"},
        {.title = "network",
         .text = "latency of a message and bandwidth of a process, from which the exchange is predicted"},
        {.title = "one process",
         .text = "time of a product on this processor without communication: measured, or else forecast"},
        {.title = "cut", .text = "entries that multiply an element of x owned by another part"},
        {.title = "local, remote",
         .text =
             "a dot has the colour of the part that owns its rows, paler if half of its entries or more need "
             "elements of x of other parts"},
        {.title = "owns, receives, sends",
         .text = "rows and entries of the part under the cursor, and the elements of x that it exchanges"},
    };
    const int own = (int)(sizeof table / sizeof *table);
    if (k < own) {
        *definition = table[k];
        return true;
    }
    k -= own;
    for (const struct column *column = part_columns; column->key; column++) {
        if (!column->heading || k-- > 0) continue;
        *definition = definition_of(column);
        return true;
    }
    return false;
}

static void answer_parts(struct explorer *explorer, void *state, const char *text)
{
    struct parts_screen *screen = state;
    if (screen->asks_network)
        parts_answer_network(explorer, screen, text);
    else
        parts_answer(explorer, screen, text);
}

/* Adopt the partition from the same screen of another order. */
static void adopt_parts(struct explorer *explorer, void *state, const void *before)
{
    struct parts_screen *screen = state;
    const struct parts_screen *other = before;
    char text[PARTITION_NAME + 24];
    screen->panes.focus = other->panes.focus;
    screen->panes.one = other->panes.one;
    screen->curve = other->curve;
    screen->curve_chosen = other->curve_chosen;
    screen->base = other->base;
    parts_refresh(explorer, screen);
    if (!other->table.count || screen->told) return;
    screen->table.network = other->table.network;
    screen->table.networked = other->table.networked;
    screen->predicted = false;
    const struct distributed *row = &other->table.items[other->selected];
    snprintf(text, sizeof text, "%s %lld", row->name, (long long)row->parts);
    parts_answer(explorer, screen, text);
}

const struct view view_parts = {
    .title = "Parts",
    .question = "How many parts pay off?",
    .help = "Communication and scaling for row partitions. Each process owns the rows of its part and the "
            "elements of x that belong to them. Before a product it receives the other elements that its "
            "entries need. The table lists partitions and numbers of parts, computed one after the other, "
            "the selected one first. The picture has the colours of the parts that own the rows, paler where "
            "half of the entries or more need elements of other parts. Volumes show the elements by receiver "
            "and sender. The speed-up comes from a model: the entries of the slowest part, a latency per "
            "message, and bytes / bandwidth.",
    .actions = parts_actions,
    .gesture = {"click, wheel", "choose a pane, a row, a position; go through the table"},
    .needs = SESSION_MATRIX,
    .open = open_parts,
    .draw = draw_parts,
    .figure = figure_parts,
    .define = define,
    .update = update_parts,
    .retry = retry,
    .mouse = mouse_parts,
    .answer = answer_parts,
    .adopt = adopt_parts,
    .close = close_parts,
};
