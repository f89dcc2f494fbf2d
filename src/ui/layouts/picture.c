/* Drawing part 0 of a storage as a picture: lines of cells. Each cell is a slot. */
#include <stdio.h>

#include "base/range.h"
#include "base/text.h"
#include "ui/layouts/layouts.h"

#define LABEL_MIN 4
#define INDENT_MAX 2
#define CELLS_MIN 4 /* if fewer cells with values fit, cells show only indices */

/* The form of a cell: a value, an index, or "value@index". */
struct written {
    int value, index; /* the width of each; 0 if it is not shown */
    int wide;         /* the width of a cell with the rule before it */
    int indent;       /* blanks before the value, if there is room to spare */
};

bool layouts_has_picture(const struct storage *storage)
{
    if (!storage->format->shape) return false;
    struct shape shape = storage->format->shape(storage);
    return shape.lines > 0 && shape.wide > 0;
}

static int values_of(const struct storage *storage)
{
    int q = 0;
    while (q + 1 < storage->count && &storage->array[q] != storage_values(storage, 0))
        q++;
    return q;
}

static bool by_columns(const struct storage *storage)
{
    return storage->format->shape(storage).line == LINE_COLUMN;
}

/* True if the lines are rows or columns. Lines of padding lie beyond the matrix. */
static bool by_places(const struct storage *storage)
{
    return storage->format->shape(storage).line == LINE_ROW || by_columns(storage);
}

struct place layouts_line_place(const struct storage *storage, int64_t line)
{
    struct place place = {-1, -1};
    if (by_columns(storage))
        place.col = storage->format->label(storage, line);
    else if (by_places(storage))
        place.row = storage->format->label(storage, line);
    return place;
}

/* Return the index that the line determines: the row, or the column if lines are columns; -1 beyond the
 * matrix. */
static int64_t line_index(const struct storage *storage, struct place place)
{
    return by_columns(storage) ? place.col : place.row;
}

/* Return the other index of a position, which the cell determines. */
static int64_t cell_index(const struct storage *storage, struct place place)
{
    return by_columns(storage) ? place.row : place.col;
}

static struct written field_of(int value, int index, enum content content)
{
    if (content == CONTENT_VALUES) return (struct written){value, 0, value + 1, 0};
    if (content == CONTENT_INDICES) return (struct written){0, index, index + 1, 0};
    return (struct written){value, index, value + index + 2, 0};
}

static struct written choose_field(const struct scene *scene, const struct shape *shape, int room)
{
    const struct storage *storage = scene->storage;
    int q = values_of(storage);
    int value = scene_wide(scene, q, scene->panel->first[q], 0);
    int index = number_digits((by_columns(storage) ? storage->rows : storage->cols) - 1);
    if (index < scene->panel->index) index = scene->panel->index;
    enum content content = scene->layouts->content;
    if (content == CONTENT_AUTOMATIC) {
        int64_t cells = room / field_of(value, index, CONTENT_BOTH).wide;
        content = cells >= CELLS_MIN || cells >= shape->wide ? CONTENT_BOTH : CONTENT_INDICES;
    }
    if (content == CONTENT_INDICES && storage->slots[0] > storage->nnz && index < 2)
        index = 2; /* padding needs a blank to shade */
    struct written field = field_of(value, index, content);
    while (field.indent < INDENT_MAX && shape->wide * (field.wide + 1) <= room) {
        field.wide++;
        field.indent++;
    }
    return field;
}

/* Find the line and the cell that the window must show. They belong to the focus, or else to the cursor; -1
 * if there is none. */
static void find(const struct scene *scene, int64_t *line, int64_t *cell)
{
    const struct storage *storage = scene->storage;
    const struct focus *focus = &scene->layouts->focus;
    *line = *cell = -1;
    if (scene->focused && focus->array == PICTURE) {
        *line = focus->line;
        *cell = focus->cell;
    } else if (scene->placed) {
        storage->format->find(storage, &scene->spot, line, cell);
    }
}

/* A window shows `room` of `count` lines or cells. Return its new `first`, so that it shows `at`. If `at` is
 * just outside, the window moves no farther than necessary, and keeps a margin of one. If it is farther away,
 * the window is centred on it. */
static int64_t follow(int64_t first, int64_t room, int64_t count, int64_t at)
{
    int64_t margin = room >= 5 ? 1 : 0, last = count - room > 0 ? count - room : 0;
    if (at < 0) return clip(first, last);
    if (at < first - 1 || at > first + room)
        first = at - room / 2;
    else if (at < first + margin)
        first = at - margin;
    else if (at >= first + room - margin)
        first = at - room + 1 + margin;
    return clip(first, last);
}

static int64_t cell_slot(const struct storage *storage, int64_t line, int64_t c)
{
    return c < 0 || c >= storage->format->shape(storage).wide ? -1 : storage->format->cell(storage, line, c);
}

/* Widen values and indices for the visible cells. */
static void measure(const struct scene *scene, const struct shape *shape)
{
    const struct storage *storage = scene->storage;
    struct panel *panel = scene->panel;
    int q = values_of(storage);
    for (int64_t line = panel->line; line < panel->line + panel->lines && line < shape->lines; line++)
        for (int64_t c = panel->cell, e; c < panel->cell + panel->cells; c++) {
            if ((e = cell_slot(storage, line, c)) < 0) break;
            struct place place = storage->format->place(storage, 0, e);
            if (line_index(storage, place) < 0) continue;
            scene_wide(scene, q, e, 1);
            if (number_digits(cell_index(storage, place)) > panel->index)
                panel->index = number_digits(cell_index(storage, place));
        }
}

/* Return the rule before slot e. If the previous slot on the line is not also the previous slot in the
 * arrays, a rule would be meaningless. */
static enum rule rule_between(const struct storage *storage, int q, int64_t before, int64_t e)
{
    return before >= 0 && e == before + 1 ? storage->format->rule(storage, q, e) : RULE_NONE;
}

static bool focus_on_cell(const struct scene *scene, int64_t line, int64_t c)
{
    const struct focus *focus = &scene->layouts->focus;
    return scene->focused && focus->array == PICTURE && focus->line == line && focus->cell == c;
}

/* Draw cell c of a line, which is slot e. Padding outside the matrix has no index and is only shaded. */
static void draw_cell(const struct scene *scene, const struct written *field, int y, int x, int64_t line,
                      int64_t c, int64_t e)
{
    const struct storage *storage = scene->storage;
    int q = values_of(storage);
    char out[64];
    bool padding = storage_padding(storage, 0, e), both = field->value && field->index;
    struct place place = storage->format->place(storage, 0, e);
    int64_t index = cell_index(storage, place);
    enum colour colour = by_columns(storage) ? COLOUR_ROWS : COLOUR_COLS;
    struct surface *surface = scene->surface;
    struct rect cell = {y, x, 1, field->wide - 1};
    bool beyond = padding && line_index(storage, place) < 0, here = focus_on_cell(scene, line, c);
    x += field->indent;
    if (beyond) {
        scene_light_cell(scene, cell, LIGHT_NONE, true, here);
        return;
    }
    if (field->value)
        surface_text_right(surface, y, x, field->value, COLOUR_TEXT, 0, "%s",
                           element_text(&storage->array[q], e, field->value, out, sizeof out));
    if (both) surface_put(surface, y, x + field->value, '@', COLOUR_DIM, COLOUR_TEXT, 0);
    if (both)
        surface_text(surface, y, x + field->value + 1, field->index, colour, 0, "%lld", (long long)index);
    else if (field->index)
        surface_text_right(surface, y, x, field->index, colour, 0, "%lld", (long long)index);
    enum light light = scene_light(scene, q, e);
    if (light == LIGHT_ROW && storage->format->shape(storage).line == LINE_ROW)
        light = LIGHT_NONE; /* the label of the line says the same */
    scene_light_cell(scene, cell, light, padding, here);
}

static void draw_line(const struct scene *scene, const struct written *field, int y, int x, int count,
                      int64_t line)
{
    const struct storage *storage = scene->storage;
    struct panel *panel = scene->panel;
    int q = values_of(storage);
    int64_t first = panel->cell, before = cell_slot(storage, line, first - 1);
    for (int k = 0; k < count; k++) {
        int64_t e = cell_slot(storage, line, first + k);
        int left = x + k * field->wide;
        enum rule rule = e < 0 ? RULE_NONE : rule_between(storage, q, before, e);
        scene_rule(scene, y, left, rule, k == 0 && first > 0 && e >= 0);
        if (e < 0) break;
        draw_cell(scene, field, y, left + 1, line, first + k, e);
        before = e;
    }
    if (before >= 0 && cell_slot(storage, line, first + count) >= 0)
        surface_put(scene->surface, y, x + count * field->wide, scene->explorer->ascii ? '>' : 0x203a,
                    COLOUR_DIM, COLOUR_TEXT, 0);
    scene_note_segment(scene, (struct segment){y, x, field->wide, count, 0, PICTURE, first, line});
}

/* True if a section or a chunk begins with this line, which must be a row or a column. Other lines, such as
 * strips of CMRS, are themselves sections or chunks. */
static bool begins(const struct storage *storage, int64_t line)
{
    int64_t e = cell_slot(storage, line, 0), before = cell_slot(storage, line - 1, 0);
    return by_places(storage) && e > 0 && before >= 0 &&
           storage->format->rule(storage, values_of(storage), e) == RULE_MAJOR;
}

static void draw_label(const struct scene *scene, int y, int x, int wide, int64_t line, int64_t at)
{
    const struct storage *storage = scene->storage;
    bool ascii = scene->explorer->ascii, here = line == at;
    int64_t label = storage->format->label(storage, line);
    enum colour lit = by_columns(storage) ? COLOUR_COLS : COLOUR_ROWS;
    char out[32];
    snprintf(out, sizeof out, "%lld", (long long)label);
    surface_text_right(scene->surface, y, x, wide - 2, here ? lit : COLOUR_DIM, here ? ATTRIBUTE_BOLD : 0,
                       "%s", by_places(storage) && label < 0 ? "-" : out);
    surface_put(scene->surface, y, x + wide - 1, ascii ? '|' : 0x2502, COLOUR_DIM, COLOUR_TEXT, 0);
}

static void underline(struct surface *surface, int y, int x, int wide)
{
    for (int k = x; k < x + wide && k < surface->wide && y < surface->high; k++)
        surface->cells[(size_t)y * (size_t)surface->wide + (size_t)k].attributes |= ATTRIBUTE_UNDERLINE;
}

/* Return the width of the lines' labels, which fits the heading and the largest number. */
static int label_wide(const struct storage *storage, const struct shape *shape, int room)
{
    int64_t lines = max(by_columns(storage) ? storage->cols : storage->rows, shape->lines);
    int wide = surface_columns(line_name(shape)), digits = number_digits(lines);
    if (wide < digits) wide = digits;
    if (wide < LABEL_MIN) wide = LABEL_MIN;
    return wide + 3 < room / 2 ? wide + 3 : room / 2;
}

void layouts_draw_picture(const struct scene *scene, struct rect rect)
{
    const struct storage *storage = scene->storage;
    struct panel *panel = scene->panel;
    struct shape shape = storage->format->shape(storage);
    int label = label_wide(storage, &shape, rect.wide), room = rect.wide - label - 1;
    struct written field = {0};
    int64_t line, cell;
    bool focus = scene->focused && scene->layouts->focus.array == PICTURE;
    panel->lines = rect.high - 1;
    find(scene, &line, &cell);
    panel->line = follow(panel->line, panel->lines, shape.lines, line);
    for (int round = 0; round < 2; round++) { /* cells that become visible may be wider */
        field = choose_field(scene, &shape, room);
        panel->cells = (int)min(room / field.wide > 1 ? room / field.wide : 1, shape.wide);
        panel->cell = follow(panel->cell, panel->cells, shape.wide, cell);
        measure(scene, &shape);
    }
    surface_put(scene->surface, rect.top, rect.left,
                !focus                   ? ' '
                : scene->explorer->ascii ? '>'
                                         : 0x25b8,
                COLOUR_ACCENT, COLOUR_TEXT, 0);
    surface_text(scene->surface, rect.top, rect.left + 1, label - 2, focus ? COLOUR_ACCENT : COLOUR_TEXT,
                 focus ? ATTRIBUTE_BOLD : 0, "%s", line_name(&shape));
    scene_ruler(scene, rect.top, rect.left + label, field.wide, panel->cells, panel->cell, cell);
    for (int k = 0; k < panel->lines && panel->line + k < shape.lines; k++) {
        int64_t here = panel->line + k;
        int y = rect.top + 1 + k;
        draw_label(scene, y, rect.left, label, here, line);
        draw_line(scene, &field, y, rect.left + label, panel->cells, here);
        if (k + 1 < panel->lines && here + 1 < shape.lines && begins(storage, here + 1))
            underline(scene->surface, y, rect.left, rect.wide);
    }
}
