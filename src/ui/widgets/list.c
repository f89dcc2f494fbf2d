#include "ui/widgets/list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"

/* The columns of a row that the cursor covers. A wider cursor would send two long rows. */
#define CURSOR_MAX 26

#define MARK_WIDE 4    /* "[x] " */
#define REASON_WIDE 15 /* a gap and "not available" */
#define BESIDE_MIN 6   /* with fewer columns beside it, left and right, a frame has full width */

static const char *const unavailable = "not available";

struct list_row *list_add(struct list *list)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 64;
        struct list_row *rows = memory_resize(list->rows, (size_t)capacity, sizeof *rows, NULL);
        if (!rows) return NULL;
        list->rows = rows;
        list->capacity = capacity;
    }
    struct list_row *row = &list->rows[list->count++];
    memset(row, 0, sizeof *row);
    return row;
}

static void drop_rows(struct list *list)
{
    free(list->rows);
    list->rows = NULL;
    list->count = list->capacity = 0;
}

void list_renew(struct list *list, int count)
{
    drop_rows(list);
    list->rows = memory_zeroed((size_t)count + 1, sizeof *list->rows, NULL);
    if (!list->rows) return;
    list->capacity = count + 1;
    list->count = count;
}

void list_write(struct list_row *row, int cell, const char *format, ...)
{
    if (!row) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->cells[cell], sizeof row->cells[cell], format, arguments);
    va_end(arguments);
}

static void refill(struct explorer *explorer, struct list *list)
{
    list->count = 0;
    list->kind->fill(explorer, list->state, list);
    list->selected = clip_index(list->selected, list->count);
}

void list_open(struct explorer *explorer, struct list *list, const struct list_kind *kind, void *state,
               int selected)
{
    list->kind = kind;
    list->state = state;
    list->selected = selected;
    list->top = 0;
    list->seeking = false;
    refill(explorer, list);
}

void list_close(struct list *list)
{
    list->kind = NULL;
}

bool list_is_open(const struct list *list)
{
    return list->kind != NULL;
}

void list_free(struct list *list)
{
    drop_rows(list);
    *list = (struct list){0};
}

static void select_row(struct list *list, int row)
{
    list->selected = clip_index(row, list->count);
}

static void move(struct explorer *explorer, void *state, int step)
{
    struct list *list = state;
    select_row(list, list->selected + moved_by(step, list->area.high));
}

static void choose(struct explorer *explorer, void *state, int unused)
{
    struct list *list = state;
    const struct list_kind *kind = list->kind;
    if (list->count == 0) return;
    if (!kind->marks && !kind->stays) list_close(list);
    kind->choose(explorer, list->state, list->selected);
}

static void leave(struct explorer *explorer, void *state, int unused)
{
    list_close(state);
}

/* Return a row with its texts. */
static const struct list_row *row_at(struct explorer *explorer, struct list *list, int row)
{
    struct list_row *at = &list->rows[row];
    if (list->kind->write && !at->written) list->kind->write(explorer, list->state, list, row);
    at->written = true;
    return at;
}

static bool matches(const struct list_row *row, const char *word)
{
    for (int c = 0; c < LIST_CELLS; c++)
        if (strcasestr(row->cells[c], word)) return true;
    return false;
}

/* Select the next row with the sought text, from this row on. After the last row the search continues at the
 * first. */
static void seek_from(struct explorer *explorer, struct list *list, int row)
{
    for (int k = 0; k < list->count && list->sought[0]; k++) {
        int at = (row + k) % list->count;
        if (!matches(row_at(explorer, list, at), list->sought)) continue;
        list->selected = at;
        return;
    }
}

static void seek(struct explorer *explorer, void *state, int unused)
{
    struct list *list = state;
    list->seeking = true;
    list->sought[0] = 0;
    list->begun = list->selected;
}

static void seek_next(struct explorer *explorer, void *state, int unused)
{
    struct list *list = state;
    const struct action *tables[LIST_TABLES];
    list_tables(list, tables);
    if (list->sought[0])
        seek_from(explorer, list, list->selected + 1);
    else
        explorer_say_keys(explorer, tables[LIST_TABLES - 1], "nothing to repeat: {find} finds a row");
}

/* Handle a key while the user types a search. Characters change the search, and so does Backspace unless it
 * is empty. Other keys end it. Returns false if the list must handle the key. */
static bool seeking_key(struct explorer *explorer, struct list *list, int key)
{
    size_t length = strlen(list->sought);
    if (key >= ' ' && key < 0x7f) {
        if (length + 1 < sizeof list->sought) {
            list->sought[length] = (char)key;
            list->sought[length + 1] = 0;
        }
    } else if (key == UIKEY_BACKSPACE && length > 0) {
        list->sought[length - 1] = 0;
    } else {
        list->seeking = false;
        if (key == UIKEY_ESCAPE) list->selected = list->begun;
        return key == UIKEY_ESCAPE || key == UIKEY_ENTER || key == UIKEY_BACKSPACE;
    }
    list->selected = list->begun;
    seek_from(explorer, list, list->begun);
    return true;
}

static const struct action marking[] = {
    {.keys = {' '}, .run = choose, .name = "show or hide", .help = "show or hide the description of the row"},
    {.keys = {UIKEY_ENTER, UIKEY_ESCAPE, UIKEY_BACKSPACE},
     .run = leave,
     .name = "close",
     .help = "close the list"},
    {.run = NULL},
};

static const struct action choosing[] = {
    {.keys = {UIKEY_ENTER, ' '}, .run = choose, .name = "show", .help = "describe the row"},
    {.keys = {UIKEY_ESCAPE, UIKEY_BACKSPACE}, .run = leave, .name = "close", .help = "close the list"},
    {.run = NULL},
};

static const struct action changing[] = {
    {.keys = {UIKEY_ENTER, ' '}, .run = choose, .name = "change", .help = "change the value of the row"},
    {.keys = {UIKEY_ESCAPE, UIKEY_BACKSPACE}, .run = leave, .name = "close", .help = "close the list"},
    {.run = NULL},
};

static const struct action moving[] = {
    {.keys = {'/'}, .run = seek, .name = "find", .help = "find a row by a part of its text"},
    {.keys = {'n'}, .run = seek_next, .help = "the next row with this text"},
    {.keys = {UIKEY_UP, 'k'}, .run = move, .argument = -1, .help = "the row above, the row below"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move, .argument = 1},
    {.keys = {UIKEY_PAGE_UP}, .run = move, .argument = -MOVE_PAGE, .help = "a page up, a page down"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = move, .argument = MOVE_PAGE},
    {.keys = {UIKEY_HOME}, .run = move, .argument = -MOVE_END, .help = "the first row, the last row"},
    {.keys = {UIKEY_END}, .run = move, .argument = MOVE_END},
    {.run = NULL},
};

void list_tables(const struct list *list, const struct action *tables[LIST_TABLES])
{
    tables[0] = list->kind->marks ? marking : list->kind->stays ? changing : choosing;
    tables[1] = list->kind->actions;
    tables[2] = moving;
}

bool list_key(struct explorer *explorer, struct list *list, int key)
{
    const struct action *tables[LIST_TABLES];
    refill(explorer, list);
    if (list->seeking && seeking_key(explorer, list, key)) return true;
    list_tables(list, tables);
    for (int t = 0; t < LIST_TABLES; t++) {
        const struct action *action = action_find(tables[t], key);
        if (!action) continue;
        action->run(explorer, tables[t] == list->kind->actions ? list->state : list, action->argument);
        return true;
    }
    return false;
}

void list_mouse(struct explorer *explorer, struct list *list, const struct mouse *mouse)
{
    int row = mouse->y - list->area.top, key = footer_key_at(&list->footer, mouse->y, mouse->x);
    refill(explorer, list);
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN) {
        select_row(list, list->selected + (mouse->kind == MOUSE_WHEEL_UP ? -1 : 1));
    } else if (mouse->kind == MOUSE_PRESS && key) {
        list_key(explorer, list, key);
    } else if (mouse->kind == MOUSE_PRESS && row >= 0 && row < list->area.high) {
        select_row(list, list->top + row);
        if (!list->kind->marks || mouse->x < list->area.left + MARK_WIDE) choose(explorer, list, 0);
    }
}

static bool any_unavailable(const struct list *list)
{
    for (int k = 0; k < list->count; k++)
        if (list->rows[k].reason[0]) return true;
    return false;
}

unsigned list_columns_fit(const struct list_column *columns, int wide)
{
    unsigned shown = 0;
    int most = 0, needed;
    for (int c = 0; c < LIST_CELLS && columns[c].title; c++) {
        shown |= 1U << c;
        if (columns[c].spare > most) most = columns[c].spare;
    }
    for (; most > 0; most--) {
        needed = 0;
        for (int c = 0; c < LIST_CELLS && columns[c].title; c++)
            if (shown & (1U << c)) needed += columns[c].wide;
        for (int c = 0; needed > wide && c < LIST_CELLS && columns[c].title; c++)
            if (columns[c].spare == most) shown &= ~(1U << c);
    }
    return shown;
}

static int list_room(const struct list *list, bool reasons)
{
    return list->area.wide - (reasons ? REASON_WIDE : 0) - (list->kind->marks ? MARK_WIDE : 0);
}

/* Return the rectangle of a column. Its width is 0 if the column is omitted. Columns are placed from the
 * right; the first one begins at the left. */
static struct rect column_place(const struct list *list, int column, bool reasons)
{
    const struct list_column *columns = list->kind->columns;
    const unsigned shown = list_columns_fit(columns, list_room(list, reasons));
    int right = list->area.left + list->area.wide - (reasons ? REASON_WIDE : 0);
    int left = list->area.left + (list->kind->marks ? MARK_WIDE : 0);
    int count = 0;
    while (count < LIST_CELLS && columns[count].title)
        count++;
    if (!(shown & (1U << column))) return (struct rect){list->area.top, left, list->area.high, 0};
    for (int c = count - 1; c > column; c--)
        if (shown & (1U << c)) right -= columns[c].wide;
    if (column > 0) left = right - columns[column].wide;
    return (struct rect){list->area.top, left, list->area.high, right - left};
}

static void draw_titles(const struct list *list, struct surface *surface, bool reasons)
{
    for (int c = 0; c < LIST_CELLS && list->kind->columns[c].title; c++) {
        struct rect place = column_place(list, c, reasons);
        const char *title = list->kind->columns[c].title;
        if (place.wide <= 0) continue;
        if (list->kind->columns[c].numbers)
            surface_text_right(surface, place.top - 1, place.left, place.wide, COLOUR_DIM, 0, "%s", title);
        else
            surface_text(surface, place.top - 1, place.left, place.wide, COLOUR_DIM, 0, "%s", title);
    }
}

static void draw_row(const struct explorer *explorer, const struct list *list, const struct list_row *row,
                     struct surface *surface, int y, bool reasons)
{
    bool available = !row->reason[0];
    if (list->kind->marks)
        surface_text(surface, y, list->area.left, MARK_WIDE, row->marked ? COLOUR_ACCENT : COLOUR_DIM, 0,
                     "%s",
                     !row->marked      ? "[ ]"
                     : explorer->ascii ? "[x]"
                                       : "[\u2022]");
    for (int c = 0; c < LIST_CELLS && list->kind->columns[c].title; c++) {
        struct rect place = column_place(list, c, reasons);
        if (place.wide <= 0) continue;
        enum colour colour = !available       ? COLOUR_DIM
                             : row->alerts[c] ? COLOUR_WARN
                             : c == 0         ? (row->marked ? COLOUR_ACCENT : COLOUR_TEXT)
                                              : COLOUR_TEXT;
        if (list->kind->columns[c].numbers)
            surface_text_right(surface, y, place.left, place.wide, colour, 0, "%s", row->cells[c]);
        else
            surface_text_short(surface, y, place.left, place.wide, explorer->ascii, colour,
                               c == 0 && row->marked ? ATTRIBUTE_BOLD : 0, row->cells[c]);
    }
    if (!available)
        surface_text_right(surface, y, list->area.left, list->area.wide, COLOUR_BAD, 0, "%s", unavailable);
}

/* Draw the list's keys, or the typed search, in the lower edge of the frame. */
static void draw_edge(struct list *list, struct surface *surface, struct rect frame)
{
    const struct action *tables[LIST_TABLES];
    int y = frame.top + frame.high - 1, x = frame.left + 2, wide = frame.wide - 4;
    list_tables(list, tables);
    list->footer.count = 0;
    if (!list->seeking) {
        footer_edge(&list->footer, surface, frame, tables, LIST_TABLES);
        return;
    }
    int used = surface_text(surface, y, x, wide, COLOUR_ACCENT, 0, " Find: ");
    used += surface_text(surface, y, x + used, wide - used, COLOUR_TEXT, 0, "%s", list->sought);
    surface_text(surface, y, x + used, wide - used, COLOUR_TEXT, ATTRIBUTE_REVERSE, " ");
}

void list_draw(struct explorer *explorer, struct list *list, struct surface *surface, struct rect area)
{
    const struct list_kind *kind = list->kind;
    refill(explorer, list);
    int titles = kind->columns[1].title != NULL, above = kind->head_high + titles;
    int around = above + kind->foot_high + 3;
    int wide = area.wide < kind->wide + BESIDE_MIN ? area.wide : kind->wide;
    int high = list->count + around < area.high ? list->count + around : area.high;
    struct rect frame = {area.top + (area.high - high) / 2, area.left + (area.wide - wide) / 2, high, wide};
    bool reasons = !kind->bare && any_unavailable(list);
    list->area = (struct rect){frame.top + 1 + above, frame.left + 2, high - around, wide - 4};
    list->top = scroll_to(list->top, list->selected, list->count, list->area.high);
    surface_blank(surface, frame);
    surface_frame(surface, frame, explorer->ascii, kind->title);
    if (kind->head)
        kind->head(explorer, list->state, list, surface,
                   (struct rect){frame.top + 1, list->area.left, kind->head_high, list->area.wide});
    if (titles) draw_titles(list, surface, reasons);
    for (int k = 0; k < list->area.high && list->top + k < list->count; k++) {
        int y = list->area.top + k;
        draw_row(explorer, list, row_at(explorer, list, list->top + k), surface, y, reasons);
        if (list->top + k == list->selected)
            surface_cursor(
                surface, (struct rect){y, list->area.left - 1, 1, (int)min(list->area.wide + 2, CURSOR_MAX)});
    }
    char more[32];
    int below = list->count - list->top - list->area.high, y = list->area.top + list->area.high;
    if (below > 0)
        surface_text_right(surface, y, list->area.left, list->area.wide, COLOUR_ACCENT, 0, "%s more",
                           format_count(more, sizeof more, below));
    struct flow flow = {.surface = surface,
                        .rect = {y + 1, list->area.left, kind->foot_high, list->area.wide}};
    if (list->count) kind->about(explorer, list->state, list, &flow);
    draw_edge(list, surface, frame);
}
