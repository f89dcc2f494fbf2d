/* The focus of the keys, and the cursor that follows it. */
#include "base/range.h"
#include "ui/layouts/layouts.h"

#define WHEEL_LINES 3

/* The targets of the focus in a panel, the picture and arrays, in drawing order. */
struct stops {
    int arrays[STORAGE_ARRAYS + 1];
    int count;
};

static const struct storage *storage_of(const struct layouts *layouts, int panel)
{
    const struct conversion *shown = layouts->panels[panel].shown;
    return shown ? shown->storage : NULL;
}

static struct stops stops_of(const struct layouts *layouts, const struct storage *storage)
{
    struct array_group groups[STORAGE_ARRAYS];
    struct stops stops = {0};
    if (layouts->sections != SECTIONS_ARRAYS && layouts_has_picture(storage))
        stops.arrays[stops.count++] = PICTURE;
    if (layouts->sections == SECTIONS_PICTURE && stops.count) return stops;
    int count = layouts_groups(storage, groups);
    for (int g = 0; g < count; g++)
        for (int k = 0; k < groups[g].count; k++)
            stops.arrays[stops.count++] = groups[g].arrays[k];
    return stops;
}

static int position_in(const struct stops *stops, int array)
{
    for (int k = 0; k < stops->count; k++)
        if (stops->arrays[k] == array) return k;
    return -1;
}

void layouts_unfocus(struct layouts *layouts)
{
    layouts->focused = false;
}

/* Return the number of cells in a line of the picture. Cells begin at the start of the line, so bisection
 * finds the number. All cells before `low` exist, and none exists from `high` on. */
static int64_t line_cells(const struct storage *storage, int64_t line)
{
    int64_t low = 0, high = storage->format->shape(storage).wide;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (storage->format->cell(storage, line, middle) >= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Put the focus on a cell of the picture. If the line is shorter, put it on its last cell. */
static void focus_cell(struct focus *focus, const struct storage *storage, int64_t line, int64_t cell)
{
    struct shape shape = storage->format->shape(storage);
    focus->line = clip(line, shape.lines - 1);
    int64_t cells = line_cells(storage, focus->line);
    focus->cell = clip(cell, cells - 1);
    focus->element = cells ? storage->format->cell(storage, focus->line, focus->cell) : -1;
}

void layouts_refocus(struct explorer *explorer, struct layouts *layouts)
{
    struct focus *focus = &layouts->focus;
    const struct cursor *cursor = &explorer->cursor;
    const struct storage *storage = storage_of(layouts, focus->panel);
    if (!storage) return;
    struct stops stops = stops_of(layouts, storage);
    if (position_in(&stops, focus->array) < 0) {
        focus->array = stops.arrays[0];
        layouts->focused = false;
    }
    if (layouts->focused && layouts->seen.row == cursor->row && layouts->seen.col == cursor->col) return;
    struct scene scene = scene_make(explorer, layouts, focus->panel, NULL);
    scene.focused = false;
    if (focus->array == PICTURE) {
        int64_t line = -1, cell = -1;
        if (scene.placed) storage->format->find(storage, &scene.spot, &line, &cell);
        /* Without the entry in the picture the focus stays, within this storage: the last one may be larger.
         */
        if (line < 0) line = focus->line;
        focus_cell(focus, storage, line, cell >= 0 ? cell : focus->cell);
    } else {
        int64_t at = scene_at(&scene, focus->array), length = storage->array[focus->array].length;
        focus->element = at >= 0 ? at : layouts->panels[focus->panel].first[focus->array];
        if (focus->element >= length) focus->element = length - 1;
    }
    layouts->seen = *cursor;
    layouts->focused = true;
}

/* Move the cursor to the position of the focus. A position may be only a row. Then the cursor goes to the
 * row's first entry, but stays in its column if the row is empty or the focus is on padding. A position may
 * be only a column. Then the cursor stays in its row. */
static void lead(struct explorer *explorer, struct layouts *layouts)
{
    const struct focus *focus = &layouts->focus;
    const struct storage *storage = storage_of(layouts, focus->panel);
    const struct csr *a = &explorer->session->shown->matrix.csr;
    struct place place = {-1, -1};
    if (focus->array == PICTURE) {
        if (focus->element >= 0)
            place = storage->format->place(storage, 0, focus->element);
        else
            place = layouts_line_place(storage, focus->line);
    } else if (focus->element >= 0) {
        const struct array *array = &storage->array[focus->array];
        place = array->per_slot ? storage->format->place(storage, array->part, focus->element)
                                : storage->format->leads(storage, focus->array, focus->element);
    }
    if (place.row >= a->rows) place.row = -1;
    if (place.row >= 0 && place.col < 0) {
        bool empty = a->row_ptr[place.row] == a->row_ptr[place.row + 1];
        bool padding = focus->array == PICTURE || storage->array[focus->array].per_slot;
        place.col = empty || padding ? explorer->cursor.col : a->col[a->row_ptr[place.row]];
    }
    if (place.row < 0 && place.col >= 0 && place.col < a->cols) place.row = explorer->cursor.row;
    if (place.row >= 0) explorer_move(explorer, place.row, place.col);
    layouts->seen = explorer->cursor;
    layouts->focused = true;
}

static void set_element(struct explorer *explorer, struct layouts *layouts, int64_t element)
{
    struct focus *focus = &layouts->focus;
    const struct storage *storage = storage_of(layouts, focus->panel);
    int64_t length = storage->array[focus->array].length;
    focus->element = length ? clip(element, length - 1) : -1;
    lead(explorer, layouts);
}

static void set_cell(struct explorer *explorer, struct layouts *layouts, int64_t line, int64_t cell)
{
    struct focus *focus = &layouts->focus;
    focus_cell(focus, storage_of(layouts, focus->panel), line, cell);
    lead(explorer, layouts);
}

void layouts_move(struct explorer *explorer, struct layouts *layouts, int64_t right, int64_t down)
{
    struct focus *focus = &layouts->focus;
    const struct storage *storage = storage_of(layouts, focus->panel);
    if (!storage) {
        if (right) layouts_next_panel(explorer, layouts, right > 0 ? 1 : -1);
        return;
    }
    layouts_refocus(explorer, layouts);
    if (focus->array != PICTURE) {
        if (down) layouts_next_array(explorer, layouts, down > 0 ? 1 : -1);
        if (right) set_element(explorer, layouts, focus->element + right);
        return;
    }
    if (down > 0 && focus->line == storage->format->shape(storage).lines - 1)
        layouts_next_array(explorer, layouts, 1);
    else
        set_cell(explorer, layouts, focus->line + down, focus->cell + right);
}

void layouts_page(struct explorer *explorer, void *state, int direction)
{
    struct layouts *layouts = state;
    const struct focus *focus = &layouts->focus;
    const struct panel *panel = &layouts->panels[focus->panel];
    if (!panel->shown) return;
    layouts_refocus(explorer, layouts);
    if (focus->array == PICTURE)
        set_cell(explorer, layouts, focus->line + (int64_t)direction * panel->lines, focus->cell);
    else
        set_element(explorer, layouts, focus->element + direction * panel->room[focus->array]);
}

void layouts_end(struct explorer *explorer, void *state, int last)
{
    struct layouts *layouts = state;
    const struct focus *focus = &layouts->focus;
    const struct storage *storage = storage_of(layouts, focus->panel);
    if (!storage) return;
    layouts_refocus(explorer, layouts);
    if (focus->array == PICTURE) {
        int64_t lines = storage->format->shape(storage).lines, wide = storage->format->shape(storage).wide;
        bool there = focus->cell == (last ? line_cells(storage, focus->line) - 1 : 0);
        set_cell(explorer, layouts, !there ? focus->line : last ? lines - 1 : 0, last ? wide : 0);
    } else {
        set_element(explorer, layouts, last ? storage->array[focus->array].length - 1 : 0);
    }
}

void layouts_next_panel(struct explorer *explorer, void *state, int step)
{
    struct layouts *layouts = state;
    struct focus *focus = &layouts->focus;
    layouts->panels[focus->panel].array = focus->array;
    focus->panel = (focus->panel + step + layouts->count) % layouts->count;
    focus->array = layouts->panels[focus->panel].array;
    layouts_unfocus(layouts);
    layouts_refocus(explorer, layouts);
}

/* True if both arrays have elements for the same slots, so that the focus can keep its element. */
static bool same_slots(const struct storage *storage, int from, int to)
{
    if (from == PICTURE || to == PICTURE) return false;
    const struct array *one = &storage->array[from], *other = &storage->array[to];
    return one->per_slot && other->per_slot && one->part == other->part;
}

bool layouts_has_stops(const struct layouts *layouts)
{
    const struct storage *storage = storage_of(layouts, layouts->focus.panel);
    return storage && (layouts->count > 1 || stops_of(layouts, storage).count > 1);
}

void layouts_next_array(struct explorer *explorer, void *state, int step)
{
    struct layouts *layouts = state;
    struct focus *focus = &layouts->focus;
    const struct storage *storage = storage_of(layouts, focus->panel);
    struct stops stops = {0};
    if (storage) stops = stops_of(layouts, storage);
    int at = position_in(&stops, focus->array) + step;
    if (at >= 0 && at < stops.count) {
        if (!same_slots(storage, focus->array, stops.arrays[at])) layouts_unfocus(layouts);
        focus->array = stops.arrays[at];
        layouts_refocus(explorer, layouts);
        return;
    }
    layouts_next_panel(explorer, layouts, step);
    storage = storage_of(layouts, focus->panel);
    if (!storage) return;
    stops = stops_of(layouts, storage);
    focus->array = stops.arrays[step > 0 ? 0 : stops.count - 1];
    layouts_unfocus(layouts);
    layouts_refocus(explorer, layouts);
}

static const struct segment *segment_at(const struct layouts *layouts, const struct mouse *mouse)
{
    for (int k = 0; k < layouts->segment_count; k++) {
        const struct segment *segment = &layouts->segments[k];
        if (mouse->y == segment->y && mouse->x >= segment->x &&
            mouse->x < segment->x + segment->count * segment->field)
            return segment;
    }
    return NULL;
}

void layouts_point(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    struct layouts *layouts = state;
    const struct segment *found = segment_at(layouts, mouse);
    struct focus *focus = &layouts->focus;
    if (!found) return;
    const struct segment segment = *found;
    int64_t at = segment.first + (mouse->x - segment.x) / segment.field;
    int turn = mouse->kind == MOUSE_WHEEL_UP ? -1 : 1;
    if (mouse->kind == MOUSE_PRESS || mouse->kind == MOUSE_DRAG) {
        *focus = (struct focus){.panel = segment.panel, .array = segment.array};
        if (segment.array == PICTURE)
            set_cell(explorer, layouts, segment.line, at);
        else
            set_element(explorer, layouts, at);
        return;
    }
    if (focus->panel != segment.panel || focus->array != segment.array) {
        focus->panel = segment.panel;
        focus->array = segment.array;
        layouts_unfocus(layouts);
    }
    layouts_refocus(explorer, layouts);
    if (segment.array == PICTURE)
        set_cell(explorer, layouts, focus->line + turn * WHEEL_LINES, focus->cell);
    else
        set_element(explorer, layouts, focus->element + turn * (segment.count / 4 + 1));
}
