/* The Parts screen: its panes, its keys and the mouse. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/figures/figure.h"
#include "ui/parts/screen.h"

#define BIG_STEP 8

const struct parts_pane parts_panes[PARTS_PANES] = {
    [PARTS_TABLE] = {.key = 't', .title = "Table", .draw = parts_draw_table},
    [PARTS_OWNERS] = {.key = 'o', .title = "Owners", .draw = parts_draw_owners},
    [PARTS_VOLUMES] = {.key = 'v', .title = "Volumes", .draw = parts_draw_volumes},
    [PARTS_CURVES] = {.key = 'c', .title = "Curves", .draw = parts_draw_curves},
};

_Static_assert(PARTS_PANES <= PANES_MAX, "each pane has its title");

static void *open_parts(struct explorer *explorer, struct error *error)
{
    return memory_zeroed(1, sizeof(struct parts_screen), error);
}

static void close_parts(void *state)
{
    parts_let_go(state);
    free(state);
}

/* Drawing */

static void draw_pane(struct explorer *explorer, struct parts_screen *screen, enum parts_pane_kind kind,
                      struct surface *surface, struct rect rect)
{
    screen->panes[kind] = rect;
    if (rect.high >= 4 && parts_row(screen)) parts_panes[kind].draw(explorer, screen, surface, rect);
}

static struct pane_title title_of(const struct parts_screen *screen, enum parts_pane_kind kind)
{
    const struct parts_pane *pane = &parts_panes[kind];
    return (struct pane_title){pane->key, pane->title, kind == screen->pane};
}

/* Draw a pane with its title in a rule above. */
static void draw_titled(struct explorer *explorer, struct parts_screen *screen, enum parts_pane_kind kind,
                        struct surface *surface, struct rect rect)
{
    const struct pane_title title = title_of(screen, kind);
    draw_pane(explorer, screen, kind, surface, pane_draw_frame(surface, rect, &title, explorer->ascii));
}

/* Draw all panes: the table and the curves on the left, the owners and the volumes on the right. */
static void draw_all(struct explorer *explorer, struct parts_screen *screen, struct surface *surface,
                     struct rect rect)
{
    static const enum parts_pane_kind places[2][2] = {{PARTS_TABLE, PARTS_OWNERS},
                                                      {PARTS_CURVES, PARTS_VOLUMES}};
    int high = rect.high / 2, wide = rect.wide - rect.wide * 2 / 5;
    for (int down = 0; down < 2; down++)
        for (int right = 0; right < 2; right++)
            draw_titled(explorer, screen, places[down][right], surface,
                        (struct rect){rect.top + down * high, rect.left + right * wide,
                                      down ? rect.high - high : high, right ? rect.wide - wide : wide - 1});
}

/* Draw the titles of all panes in a line, and below it that with the focus, beside the table or the curves if
 * there is room. */
static void draw_some(struct explorer *explorer, struct parts_screen *screen, struct surface *surface,
                      struct rect rect)
{
    struct pane_title titles[PARTS_PANES];
    for (int k = 0; k < PARTS_PANES; k++)
        titles[k] = title_of(screen, (enum parts_pane_kind)k);
    struct rect body = pane_draw_tabs(surface, rect, titles, PARTS_PANES, explorer->ascii, &screen->tabs),
                beside = body;
    if (rect.wide < PARTS_HALF || screen->one) {
        draw_pane(explorer, screen, screen->pane, surface, body);
        return;
    }
    enum parts_pane_kind right = screen->pane == PARTS_TABLE ? PARTS_OWNERS : screen->pane;
    body.wide = rect.wide / 2;
    beside.left += body.wide + 1;
    beside.wide -= body.wide + 1;
    draw_pane(explorer, screen, PARTS_TABLE, surface, body);
    pane_draw_rule(surface, (struct rect){body.top, body.left + body.wide, body.high, 1}, explorer->ascii);
    draw_pane(explorer, screen, right, surface, beside);
}

static void draw_parts(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct parts_screen *screen = state;
    if (area.high < 10 || area.wide < 60) return;
    for (int k = 0; k < PARTS_PANES; k++)
        screen->panes[k] = (struct rect){0};
    screen->tabs.count = 0;
    for (int k = 0; k < PARTS_LINES; k++)
        screen->lines[k] = -1;
    parts_refresh(explorer, screen);
    if (screen->told && !screen->table.count) {
        parts_say_nothing(explorer, surface, area);
        return;
    }
    int head = parts_draw_head(explorer, screen, surface, area);
    struct rect rest = {area.top + head, area.left, area.high - head, area.wide};
    if (area.wide >= PARTS_WIDE && area.high >= PARTS_HIGH && !screen->one)
        draw_all(explorer, screen, surface, rest);
    else
        draw_some(explorer, screen, surface, rest);
    if (!screen->panes[PARTS_OWNERS].high) screen->picture.fit = (struct parts_fit){0};
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

/* Select the next row of the table, or so many on, as far as it goes. */
static void step_row(struct explorer *explorer, struct parts_screen *screen, int step)
{
    int64_t row = (int64_t)screen->selected + step, last = screen->table.count - 1;
    parts_select(explorer, screen, (int)(row < 0 ? 0 : row > last ? last : row));
}

static void move_down(struct explorer *explorer, void *state, int step)
{
    struct parts_screen *screen = state;
    if (screen->pane == PARTS_OWNERS)
        parts_move_owners(explorer, screen, step, 0);
    else if (screen->pane == PARTS_VOLUMES)
        parts_move_volumes(screen, step, 0);
    else
        step_row(explorer, screen, step);
}

/* Return the row of another partition with as many parts as the selected one, or about as many: that of the
 * next partition, or the one before. -1 if there is no other. */
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

/* Select the next row of a report if it is the same partition with other parts. */
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

/* Select twice as many parts, or half as many. */
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
    if (screen->pane == PARTS_OWNERS)
        parts_move_owners(explorer, screen, 0, step);
    else if (screen->pane == PARTS_VOLUMES)
        parts_move_volumes(screen, 0, step);
    else if (screen->pane == PARTS_CURVES)
        change_parts(explorer, screen, step);
    else
        next_partition(explorer, screen, step);
}

static void turn_page(struct explorer *explorer, void *state, int direction)
{
    struct parts_screen *screen = state;
    bool rows = screen->pane == PARTS_TABLE || screen->pane == PARTS_CURVES;
    move_down(explorer, screen, direction * (rows && screen->page > 1 ? screen->page : BIG_STEP));
}

static void go_to_end(struct explorer *explorer, void *state, int last)
{
    struct parts_screen *screen = state;
    if (screen->pane == PARTS_OWNERS)
        explorer_move(explorer, explorer->cursor.row, last ? INT64_MAX : 0);
    else if (screen->pane == PARTS_VOLUMES)
        parts_move_volumes(screen, 0, last ? PARTS_MAX : -PARTS_MAX);
    else
        step_row(explorer, screen, last ? INT_MAX / 2 : -(INT_MAX / 2));
}

static void show_pane(struct explorer *explorer, void *state, int pane)
{
    struct parts_screen *screen = state;
    screen->pane = (enum parts_pane_kind)pane;
}

static void step_pane(struct explorer *explorer, void *state, int step)
{
    struct parts_screen *screen = state;
    show_pane(explorer, screen, ((int)screen->pane + step + PARTS_PANES) % PARTS_PANES);
}

static void change_one(struct explorer *explorer, void *state, int unused)
{
    struct parts_screen *screen = state;
    screen->one = !screen->one;
}

static void change_curve(struct explorer *explorer, void *state, int unused)
{
    struct parts_screen *screen = state;
    if (screen->pane == PARTS_CURVES || screen->panes[PARTS_CURVES].high) {
        screen->curve = (enum parts_curve)(((int)parts_curve(screen) + 1) % PARTS_CURVE_COUNT);
        screen->curve_chosen = true;
    }
    if (!screen->panes[PARTS_CURVES].high) show_pane(explorer, screen, PARTS_CURVES);
}

static void type(struct explorer *explorer, void *state, int unused)
{
    struct parts_screen *screen = state;
    const struct distributed *row = parts_row(screen);
    char text[sizeof explorer->question.text];
    snprintf(text, sizeof text, "%.80s %lld", row ? row->name : "entries", row ? (long long)row->parts : 2LL);
    explorer_ask(explorer, "Partition and number of parts", text);
}

/* Show show the owners on Pattern, and zoom there. */
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

const struct action parts_actions[] = {
    {.keys = {' ', ']'},
     .run = step_pane,
     .argument = 1,
     .name = "switch pane",
     .help = "the next pane, the one before"},
    {.keys = {'['}, .run = step_pane, .argument = -1},
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
     .help = "the previous and the next partition, with the same number of parts"},
    {.keys = {'.'}, .run = next_partition, .argument = 1},
    {.keys = {'p'},
     .run = type,
     .name = "set parts",
     .help = "type a partition and a number of parts: metis:objective=cut 24, scotch, 4096"},
    {.keys = {UIKEY_ENTER},
     .run = go_in,
     .name = "open",
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
     .run = show_pane,
     .argument = PARTS_TABLE,
     .help = "table: partitions and their communication"},
    {.keys = {'o'},
     .run = show_pane,
     .argument = PARTS_OWNERS,
     .help = "owners: the pattern in the colours of the parts that own the rows"},
    {.keys = {'v'},
     .run = show_pane,
     .argument = PARTS_VOLUMES,
     .help = "volumes: elements by receiver and sender"},
    {.keys = {'c'},
     .run = show_pane,
     .argument = PARTS_CURVES,
     .help = "curves over the number of parts, for each partition"},
    {.keys = {'y'},
     .run = change_curve,
     .name = "change curve",
     .help = "curves of the speed-up, the volume, the imbalance"},
    {.keys = {'a'}, .run = change_one, .help = "one pane, or all that fit"},
    {.keys = {UIKEY_PAGE_UP}, .run = turn_page, .argument = -1, .help = "a page up, a page down"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = turn_page, .argument = 1},
    {.keys = {UIKEY_HOME}, .run = go_to_end, .argument = false, .help = "the first, the last"},
    {.keys = {UIKEY_END}, .run = go_to_end, .argument = true},
    {.run = NULL},
};

/* The mouse */

static void click(struct explorer *explorer, struct parts_screen *screen, const struct mouse *mouse)
{
    int tab = pane_tab_at(&screen->tabs, mouse->y, mouse->x), line = mouse->y - screen->line_top;
    if (tab >= 0) screen->pane = (enum parts_pane_kind)tab;
    for (int k = 0; k < PARTS_PANES; k++) {
        if (!rect_holds(screen->panes[k], mouse->y, mouse->x)) continue;
        screen->pane = (enum parts_pane_kind)k;
        if (k == PARTS_TABLE && line >= 0 && line < PARTS_LINES && screen->lines[line] >= 0)
            parts_select(explorer, screen, screen->lines[line]);
        if (k == PARTS_OWNERS) parts_click_owners(explorer, screen, mouse->y, mouse->x);
        if (k == PARTS_VOLUMES) parts_click_volumes(screen, explorer, mouse->y, mouse->x);
        return;
    }
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
    if (screen->pane != PARTS_OWNERS || !parts_owners(screen, &owners) ||
        !case_has(explorer->session->shown, SESSION_PYRAMID))
        return NULL;
    subject->by = FIGURE_OWNER;
    subject->partition = &owners->divided.partition;
    subject->partition_name = owners->name;
    return figure_find("pattern");
}

static void answer_parts(struct explorer *explorer, void *state, const char *text)
{
    parts_answer(explorer, state, text);
}

/* Show the same partition of the matrix in another order. */
static void adopt_parts(struct explorer *explorer, void *state, const void *before)
{
    struct parts_screen *screen = state;
    const struct parts_screen *other = before;
    char text[PARTITION_NAME + 24];
    screen->pane = other->pane;
    screen->one = other->one;
    screen->curve = other->curve;
    screen->curve_chosen = other->curve_chosen;
    parts_refresh(explorer, screen);
    if (!other->table.count || screen->told) return;
    const struct distributed *row = &other->table.items[other->selected];
    snprintf(text, sizeof text, "%s %lld", row->name, (long long)row->parts);
    parts_answer(explorer, screen, text);
}

const struct view view_parts = {
    .title = "Parts",
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
    .update = update_parts,
    .retry = retry,
    .mouse = mouse_parts,
    .answer = answer_parts,
    .adopt = adopt_parts,
    .close = close_parts,
};
