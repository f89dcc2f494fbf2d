/* Drawing and highlighting single elements. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "drawing/number.h"
#include "ui/layouts/layouts.h"

#define SAMPLE 32 /* the initial width of an array fits this number of evenly spread elements */

/* Return the entry at the cursor, or else the nearest in this order: the next in its row, the last of its
 * row, the next of the matrix, its last. Returns -1 if the matrix has no entries. */
static int64_t nearest_entry(const struct csr *a, const struct cursor *cursor)
{
    int64_t row = cursor->row, k = csr_lower_bound(a, row, cursor->col);
    if (cursor->entry >= 0) return cursor->entry;
    if (k == a->row_ptr[row + 1] && k > a->row_ptr[row]) k--;
    return min(k, csr_nnz(a) - 1);
}

struct scene scene_make(struct explorer *explorer, struct layouts *layouts, int panel,
                        struct surface *surface)
{
    const struct csr *a = &explorer->session->shown->matrix.csr;
    const struct cursor *cursor = &explorer->cursor;
    struct scene scene = {
        .explorer = explorer,
        .layouts = layouts,
        .panel = &layouts->panels[panel],
        .surface = surface,
        .storage = layouts->panels[panel].shown->storage,
        .index = panel,
        .focused = layouts->focus.panel == panel,
        .placed = a->rows > 0 && a->cols > 0,
        .spot = {.slot = -1},
        .near = {.slot = -1},
    };
    const struct storage *storage = scene.storage;
    if (!scene.placed) return scene;
    scene.spot = storage_spot(storage, a, (struct place){cursor->row, cursor->col}, cursor->entry);
    int64_t k = nearest_entry(a, cursor);
    if (k >= 0) scene.near = storage_spot(storage, a, (struct place){csr_row_of(a, k), a->col[k]}, k);
    for (int q = 0; q < storage->count; q++)
        if (!storage->array[q].per_slot) scene.touch[q] = storage->format->touch(storage, q, &scene.spot);
    return scene;
}

enum light scene_light(const struct scene *scene, int q, int64_t e)
{
    const struct storage *storage = scene->storage;
    const struct array *array = &storage->array[q];
    if (!scene->placed) return LIGHT_NONE;
    if (!array->per_slot) {
        if (e < scene->touch[q].first || e >= scene->touch[q].end) return LIGHT_NONE;
        return scene->spot.slot < 0 ? LIGHT_DIM : LIGHT_TOUCH;
    }
    if (array->part == scene->spot.part && e == scene->spot.slot) return LIGHT_ENTRY;
    int64_t row = storage->format->place(storage, array->part, e).row;
    return row == scene->spot.place.row ? LIGHT_ROW : LIGHT_NONE;
}

/* True if the focus is on a slot of this part, in any array or in the picture. */
static bool focus_on_slots(const struct scene *scene, int part)
{
    const struct focus *focus = &scene->layouts->focus;
    if (!scene->focused || focus->element < 0) return false;
    if (focus->array == PICTURE) return part == 0;
    return scene->storage->array[focus->array].per_slot && scene->storage->array[focus->array].part == part;
}

int64_t scene_at(const struct scene *scene, int q)
{
    const struct array *array = &scene->storage->array[q];
    const struct focus *focus = &scene->layouts->focus;
    if (scene->focused && focus->array == q) return focus->element;
    if (array->per_slot) {
        if (focus_on_slots(scene, array->part)) return focus->element;
        return scene->near.part == array->part ? scene->near.slot : -1;
    }
    return scene->touch[q].end > scene->touch[q].first ? scene->touch[q].first : -1;
}

bool scene_has_focus(const struct scene *scene, int q, int64_t e)
{
    const struct focus *focus = &scene->layouts->focus;
    return scene->focused && focus->array == q && focus->element == e;
}

int number_digits(int64_t number)
{
    int digits = number < 0 ? 2 : 1;
    for (number = number < 0 ? -number : number; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Write a complex value. Its real and imaginary part get half of the characters each. */
static void complex_text(const struct array *array, int64_t e, int wide, char *out, size_t size)
{
    char first[40], second[40];
    double imaginary, real = array_value(array, e, &imaginary);
    number_text(first, sizeof first, real, (wide - 1) / 2);
    number_text(second, sizeof second, fabs(imaginary), (wide - 2) / 2);
    snprintf(out, size, "%.*s%c%.*si", (wide - 1) / 2, first, signbit(imaginary) ? '-' : '+', (wide - 2) / 2,
             second);
}

char *element_text(const struct array *array, int64_t e, int wide, char *out, size_t size)
{
    double imaginary;
    array_text(array, e, out, size);
    if (array->role != ROLE_VALUES || (int)strlen(out) <= wide) return out;
    if (array->element == ELEMENT_C32 || array->element == ELEMENT_C64)
        complex_text(array, e, wide, out, size);
    else
        number_text(out, size, array_value(array, e, &imaginary), wide);
    return out;
}

static int text_wide(const struct scene *scene, int q, int64_t e)
{
    const struct array *array = &scene->storage->array[q];
    bool complex = array->element == ELEMENT_C32 || array->element == ELEMENT_C64;
    int max = array->role == ROLE_VALUES ? scene->layouts->digits * (complex ? 2 : 1) : 20;
    char out[64];
    int wide = (int)strlen(array_text(array, e, out, sizeof out));
    return wide < max ? wide : max;
}

int scene_wide(const struct scene *scene, int q, int64_t first, int64_t count)
{
    const struct storage *storage = scene->storage;
    const struct array *array = &storage->array[q];
    int *wide = &scene->panel->wide[q];
    int64_t last = array->length - 1;
    if (*wide == 0) {
        *wide = array->per_slot && array->part == 0 && storage->slots[0] > storage->nnz ? 2 : 1;
        for (int64_t k = 0; k < SAMPLE && last >= 0; k++) {
            /* The index is last k / (SAMPLE-1), computed without overflow. */
            int here = text_wide(scene, q, last / (SAMPLE - 1) * k + last % (SAMPLE - 1) * k / (SAMPLE - 1));
            if (here > *wide) *wide = here;
        }
    }
    for (int64_t e = first; e < first + count && e <= last; e++) {
        int here = text_wide(scene, q, e);
        if (here > *wide) *wide = here;
    }
    return *wide;
}

void scene_light_cell(const struct scene *scene, struct rect cell, enum light light, bool padding, bool focus)
{
    static const struct {
        enum colour foreground, background;
        unsigned attributes;
    } looks[] = {
        [LIGHT_NONE] = {COLOUR_TEXT, COLOUR_TEXT, 0},
        [LIGHT_ROW] = {COLOUR_ROWS, COLOUR_TEXT, 0},
        [LIGHT_DIM] = {COLOUR_MARK, COLOUR_TEXT, ATTRIBUTE_UNDERLINE},
        [LIGHT_TOUCH] = {COLOUR_TEXT, COLOUR_MARK, 0},
        [LIGHT_ENTRY] = {COLOUR_TEXT, COLOUR_CURSOR, ATTRIBUTE_BOLD},
    };
    struct surface *surface = scene->surface;
    unsigned marked = !focus ? 0 : light >= LIGHT_TOUCH ? ATTRIBUTE_UNDERLINE : ATTRIBUTE_REVERSE;
    for (int x = cell.left; x < cell.left + cell.wide && x < surface->wide; x++) {
        if (cell.top >= surface->high) continue;
        struct cell *at = &surface->cells[(size_t)cell.top * (size_t)surface->wide + (size_t)x];
        if (padding && at->character == ' ') at->character = scene->explorer->ascii ? '.' : 0x2591;
        if (padding)
            at->foreground = COLOUR_DIM;
        else if (at->foreground == COLOUR_TEXT)
            at->foreground = (uint8_t)looks[light].foreground;
        at->background = (uint8_t)looks[light].background;
        at->attributes |= (uint8_t)(looks[light].attributes | marked);
    }
}

void scene_draw_element(const struct scene *scene, int y, int x, int wide, int q, int64_t e)
{
    const struct array *array = &scene->storage->array[q];
    char out[64];
    surface_text_right(scene->surface, y, x, wide, COLOUR_TEXT, 0, "%s",
                       element_text(array, e, wide, out, sizeof out));
    scene_light_cell(scene, (struct rect){y, x, 1, wide}, scene_light(scene, q, e),
                     array->per_slot && storage_padding(scene->storage, array->part, e),
                     scene_has_focus(scene, q, e));
}

void scene_ruler(const struct scene *scene, int y, int x, int field, int count, int64_t first, int64_t lit)
{
    int digits = number_digits(first + count), free_from = x;
    int64_t step = 1;
    for (int k = 0; step * field <= digits; k++) /* 1, 2, 5, 10, ... until the numbers fit */
        step = k % 3 == 1 ? step / 2 * 5 : step * 2;
    bool shown = lit >= first && lit < first + count;
    int lit_end = x + (int)(shown ? lit - first + 1 : 0) * field, lit_left = lit_end - number_digits(lit);
    if (shown && lit_left < x) lit_left = x, lit_end = x + number_digits(lit);
    for (int64_t e = first; e < first + count; e++) {
        int end = x + (int)(e - first + 1) * field, left = end - number_digits(e);
        bool clear = !shown || end < lit_left || left > lit_end;
        if (e % step || left < free_from || !clear) continue;
        surface_text(scene->surface, y, left, end - left, COLOUR_DIM, 0, "%lld", (long long)e);
        free_from = end + 1;
    }
    if (shown)
        surface_text(scene->surface, y, lit_left, lit_end - lit_left, COLOUR_ACCENT, 0, "%lld",
                     (long long)lit);
}

void scene_rule(const struct scene *scene, int y, int x, enum rule rule, bool more)
{
    bool ascii = scene->explorer->ascii;
    if (rule == RULE_MAJOR)
        surface_put(scene->surface, y, x, ascii ? '|' : 0x2503, COLOUR_ACCENT, COLOUR_TEXT, 0);
    else if (rule == RULE_MINOR)
        surface_put(scene->surface, y, x, ascii ? ':' : 0x2502, COLOUR_DIM, COLOUR_TEXT, 0);
    else if (more)
        surface_put(scene->surface, y, x, ascii ? '<' : 0x2039, COLOUR_DIM, COLOUR_TEXT, 0);
}

void scene_note_segment(const struct scene *scene, struct segment segment)
{
    struct layouts *layouts = scene->layouts;
    segment.panel = scene->index;
    if (layouts->segment_count < LAYOUTS_SEGMENTS) layouts->segments[layouts->segment_count++] = segment;
}
