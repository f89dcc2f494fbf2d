/* Drawing arrays as segments of cells. Arrays of the same slots stand one above the other under one line of
 * indices:
 *
 *              0  1  2  3
 *     val      1  7  5  3
 *     col_idx  0  1  0  2 */
#include <stdio.h>

#include "base/range.h"
#include "base/text.h"
#include "ui/layouts/layouts.h"

#define LABEL_MIN 10
#define COMFORTABLE 4 /* the width of elements if the whole array then still fits */

int layouts_groups(const struct storage *storage, struct array_group *groups)
{
    int count = 0;
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        int g = 0;
        while (array->per_slot && g < count) {
            const struct array *other = &storage->array[groups[g].arrays[0]];
            if (other->per_slot && other->part == array->part) break;
            g++;
        }
        if (!array->per_slot || g == count) groups[g = count++].count = 0;
        groups[g].arrays[groups[g].count++] = q;
    }
    return count;
}

int layouts_arrays_need(const struct storage *storage)
{
    struct array_group groups[STORAGE_ARRAYS];
    return storage->count + layouts_groups(storage, groups);
}

/* A drawn group: segments of equal length, one below the other. Each has a line of indices and a line for
 * each array. */
struct block {
    const struct array_group *group;
    const struct array *array; /* the first one of the group */
    int segments, per;         /* the number of segments, and of elements in each */
    int field;                 /* the width of an element with the rule before it */
};

static int block_lines(const struct block *block)
{
    return block->segments * (1 + block->group->count);
}

static bool is_whole(const struct block *block)
{
    return (int64_t)block->segments * block->per >= block->array->length;
}

/* Return the width of the names before the cells. */
static int label_wide(const struct storage *storage, struct rect rect)
{
    int wide = LABEL_MIN;
    for (int q = 0; q < storage->count; q++) {
        int name = surface_columns(storage->array[q].name) + 2;
        if (name > wide) wide = name;
    }
    return wide < rect.wide / 2 ? wide : rect.wide / 2;
}

/* A window shows elements first .. first + room-1 of an array, and moves by multiples of `step`. Return its
 * new `first`, so that it shows element `at`:
 *
 *     at in the window                    the window stays
 *     at up to a step outside of it       it moves no farther than necessary
 *     at farther away                     it is centred on `at`
 *
 * A window that moves by single elements keeps a margin of one, so that the neighbour of `at` is visible too.
 * `at` -1 means that no element must be visible. */
static int64_t follow(int64_t first, int64_t room, int64_t length, int64_t step, int64_t at)
{
    int64_t last = length - room > 0 ? (length - room + step - 1) / step * step : 0;
    if (at < 0) return clip(first, last);
    int64_t margin = room >= 5 && step == 1 ? 1 : 0;
    if (at < first + margin && at >= first - step)
        first = at / step * step - margin;
    else if (at >= first + room - margin && at < first + room + step)
        first = (at - room + margin + step) / step * step;
    else if (at < first || at >= first + room)
        first = (at - room / 2) / step * step;
    return clip(first, last);
}

/* Set the width of a group's elements, and the number of elements per line. The visible elements depend on
 * the width, and the width on them. So the width is measured for the elements that would be visible if each
 * had one character. */
static void measure(const struct scene *scene, struct block *block, int wide)
{
    int64_t first = scene->panel->first[block->group->arrays[0]];
    int max = 1;
    for (int k = 0; k < block->group->count; k++) {
        int here = scene_wide(scene, block->group->arrays[k], first, wide / 2);
        if (here > max) max = here;
    }
    while (max < COMFORTABLE && block->array->length * (max + 2) < wide)
        max++;
    block->field = max + 1;
    block->per = (wide - 1) / block->field > 1 ? (wide - 1) / block->field : 1;
}

/* Return the element that the block's window must show; -1 if there is none. */
static int64_t block_at(const struct scene *scene, const struct block *block)
{
    int64_t at = -1;
    for (int k = 0; k < block->group->count && at < 0; k++)
        at = scene_at(scene, block->group->arrays[k]);
    return at < block->array->length ? at : -1;
}

static void move_window(const struct scene *scene, struct block *block, int wide)
{
    struct panel *panel = scene->panel;
    int64_t at = block_at(scene, block);
    for (int round = 0; round < 2; round++) { /* elements that become visible may be wider */
        int64_t room = (int64_t)block->segments * block->per;
        int64_t first = follow(panel->first[block->group->arrays[0]], room, block->array->length,
                               block->segments > 1 ? block->per : 1, at);
        for (int k = 0; k < block->group->count; k++) {
            panel->first[block->group->arrays[k]] = first;
            panel->room[block->group->arrays[k]] = room;
        }
        measure(scene, block, wide);
    }
}

static void draw_cells(const struct scene *scene, const struct block *block, int q, int y, int x,
                       int64_t first, int count, bool more)
{
    const struct storage *storage = scene->storage;
    for (int k = 0; k < count; k++) {
        int64_t e = first + k;
        int left = x + k * block->field;
        enum rule rule = e > 0 ? storage->format->rule(storage, q, e) : RULE_NONE;
        scene_rule(scene, y, left, rule, k == 0 && more);
        scene_draw_element(scene, y, left + 1, block->field - 1, q, e);
    }
    scene_note_segment(scene, (struct segment){y, x, block->field, count, 0, q, first, 0});
}

/* Write the length of the array, and its element type or "slots", before the first line of indices. */
static void draw_length(const struct scene *scene, const struct block *block, int y, int x, int wide)
{
    const char *slots = block->array->length == 1 ? "slot" : "slots";
    const char *unit = block->array->per_slot ? slots : element_name(block->array->element);
    char out[32];
    format_count(out, sizeof out, block->array->length);
    if (surface_text_whole(scene->surface, y, x, wide - 1, COLOUR_DIM, 0, "%s %s", out, unit) ||
        surface_text_whole(scene->surface, y, x, wide - 1, COLOUR_DIM, 0, "%s", out))
        return;
    surface_text(scene->surface, y, x, wide - 1, COLOUR_DIM, 0, "%s",
                 format_short(out, sizeof out, (double)block->array->length));
}

static void draw_name(const struct scene *scene, int q, int y, int x, int wide)
{
    bool here = scene->focused && scene->layouts->focus.array == q;
    surface_put(scene->surface, y, x,
                !here                    ? ' '
                : scene->explorer->ascii ? '>'
                                         : 0x25b8,
                COLOUR_ACCENT, COLOUR_TEXT, 0);
    surface_text(scene->surface, y, x + 1, wide - 1, here ? COLOUR_ACCENT : COLOUR_TEXT,
                 here ? ATTRIBUTE_BOLD : 0, "%s", scene->storage->array[q].name);
}

/* Draw a block from line y on. Returns the line below it. */
static int draw_block(const struct scene *scene, const struct block *block, int y, int x, int label)
{
    int64_t first = scene->panel->first[block->group->arrays[0]], length = block->array->length;
    int64_t at = block_at(scene, block);
    draw_length(scene, block, y, x + 1, label - 1);
    for (int s = 0; s < block->segments; s++) {
        int64_t start = first + (int64_t)s * block->per;
        int count = (int)clip(length - start, block->per), end = x + label + count * block->field;
        if (count == 0 && s > 0) return y;
        scene_ruler(scene, y++, x + label, block->field, count, start, at);
        for (int k = 0; k < block->group->count; k++, y++) {
            draw_name(scene, block->group->arrays[k], y, x, label);
            draw_cells(scene, block, block->group->arrays[k], y, x + label, start, count,
                       s == 0 && start > 0);
            if (s == block->segments - 1 && start + count < length)
                surface_put(scene->surface, y, end, scene->explorer->ascii ? '>' : 0x203a, COLOUR_DIM,
                            COLOUR_TEXT, 0);
        }
    }
    return y;
}

/* Return the first block to draw if not all fit. The block with the focus must be visible. In a panel without
 * the focus, the block with the cursor's entry must be visible. */
static int first_block(const struct scene *scene, const struct block *blocks, int count, int high)
{
    int wanted = 0, first, lines = 0;
    for (int b = count - 1; b >= 0; b--)
        for (int k = 0; k < blocks[b].group->count; k++) {
            int q = blocks[b].group->arrays[k];
            const struct array *array = &scene->storage->array[q];
            bool focus = scene->focused && scene->layouts->focus.array == q;
            if (focus || (!scene->focused && array->per_slot && array->part == scene->near.part)) wanted = b;
        }
    for (first = wanted; first >= 0; first--) {
        lines += block_lines(&blocks[first]);
        if (lines > high) break;
    }
    return first < wanted ? first + 1 : wanted;
}

/* Give the remaining lines to blocks that do not show all elements, one segment at a time. Returns the number
 * of lines left. */
static int grow(struct block *blocks, int count, int left)
{
    for (bool grown = true; grown;) {
        grown = false;
        for (int b = 0; b < count; b++) {
            int lines = 1 + blocks[b].group->count;
            if (is_whole(&blocks[b]) || lines > left) continue;
            blocks[b].segments++;
            left -= lines;
            grown = true;
        }
    }
    return left;
}

int layouts_draw_arrays(const struct scene *scene, struct rect rect)
{
    struct array_group groups[STORAGE_ARRAYS];
    struct block blocks[STORAGE_ARRAYS] = {0};
    int count = layouts_groups(scene->storage, groups), label = label_wide(scene->storage, rect);
    int wide = rect.wide - label, lines = 0, y = rect.top, hidden = 0;
    for (int b = 0; b < count; b++) {
        blocks[b] = (struct block){
            .group = &groups[b], .array = &scene->storage->array[groups[b].arrays[0]], .segments = 1};
        measure(scene, &blocks[b], wide);
        lines += block_lines(&blocks[b]);
    }
    int first = lines <= rect.high ? 0 : first_block(scene, blocks, count, rect.high);
    int left = lines <= rect.high ? grow(blocks, count, rect.high - lines) : 0;
    bool apart = left >= count - 1 && lines <= rect.high;
    for (int b = 0; b < count; b++) {
        if (b < first || y + block_lines(&blocks[b]) > rect.top + rect.high) {
            hidden += blocks[b].group->count;
            continue;
        }
        move_window(scene, &blocks[b], wide);
        y = draw_block(scene, &blocks[b], y, rect.left, label) + apart;
    }
    return hidden;
}
