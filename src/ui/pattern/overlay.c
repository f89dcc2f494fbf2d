/* The actions of the overlays' keys, and the blocks and rules of overlays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "ui/pattern/pattern.h"

#define HEIGHT_MAX 16 /* the maximum number of rows in a strip of CMRS */
#define CHUNK_MAX 1024

/* Groups of equal rows are followed this far. Their rules need a picture in which a row of dots has at most
 * GROUP_RULED rows, so that drawing stays fast. */
#define GROUP_MOST 65536
#define GROUP_RULED 512

void pattern_choose_overlay(struct explorer *explorer, void *state, int step)
{
    struct pattern *pattern = state;
    static const char *const said[] = {
        "no overlay",
        "strips of CMRS: {change} {strip height, K or s} change their height",
        "entries beyond K are marked: {change} {strip height, K or s} change K",
        "rows in the order of JDS: by length",
        "rows in the order of SELL: {change} change C, {strip height, K or s} sigma",
        "rows of dense blocks: of one size, or groups of equal rows"};
    struct overlays *overlays = &pattern->overlays;
    if (!pattern_has_entries(explorer, pattern, "overlays")) return;
    overlays->shown = (enum overlay)(((int)overlays->shown + step + OVERLAY_COUNT) % OVERLAY_COUNT);
    explorer_say_keys(explorer, view_pattern.actions, said[overlays->shown]);
    pattern_settle(explorer, pattern);
}

/* Return value * 2^step, rounded down, within 1 .. max; step is 1 or -1. */
static int64_t doubled(int64_t value, int step, int64_t max)
{
    value = step > 0 ? 2 * value : value / 2;
    return value < 1 ? 1 : min(value, max);
}

/* Return the smallest power of two that is at least n. */
static int64_t power_above(int64_t n)
{
    int64_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

static void change_cut(struct explorer *explorer, const struct pattern *pattern, int step, bool far)
{
    bool known = case_has(pattern->of, SESSION_ROW_LENGTHS);
    int64_t max = known ? pattern->of->row_lengths.max : pattern->of->matrix.csr.cols;
    int64_t by = far ? (max / 10 > 1 ? max / 10 : 1) : 1;
    explorer_set_cut(explorer, clip(explorer_cut(explorer) + step * by, max));
}

static void change(struct explorer *explorer, struct pattern *pattern, int step, bool far)
{
    struct overlays *overlays = &pattern->overlays;
    switch (overlays->shown) {
    case OVERLAY_STRIPS:
        overlays->height = far ? doubled(overlays->height, step, HEIGHT_MAX)
                               : clip(overlays->height - 1 + step, HEIGHT_MAX - 1) + 1;
        break;
    case OVERLAY_HYB:
        change_cut(explorer, pattern, step, far);
        break;
    case OVERLAY_SELL:
        if (far)
            overlays->window = doubled(overlays->window, step, power_above(pattern->of->matrix.csr.rows));
        else
            overlays->chunk = doubled(overlays->chunk, step, CHUNK_MAX);
        break;
    default:
        explorer_say_keys(explorer, view_pattern.actions,
                          overlays->shown == OVERLAY_NONE ? "no overlay: {overlay 1} chooses one"
                                                          : "this overlay has no parameters");
        break;
    }
}

void pattern_change_overlay(struct explorer *explorer, void *state, int step)
{
    change(explorer, state, step, false);
    pattern_settle(explorer, state);
}

void pattern_change_overlay_far(struct explorer *explorer, void *state, int step)
{
    change(explorer, state, step, true);
    pattern_settle(explorer, state);
}

void pattern_ask(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    const struct overlays *overlays = &pattern->overlays;
    char text[64];
    if (overlays->shown == OVERLAY_STRIPS) {
        snprintf(text, sizeof text, "%lld", (long long)overlays->height);
        explorer_ask(explorer, "Height of strips, 1 to 16", text);
    } else if (overlays->shown == OVERLAY_HYB) {
        snprintf(text, sizeof text, "%lld", (long long)explorer_cut(explorer));
        explorer_ask(explorer, "K", text);
    } else if (overlays->shown == OVERLAY_SELL) {
        snprintf(text, sizeof text, "%lld,%lld", (long long)overlays->chunk, (long long)overlays->window);
        explorer_ask(explorer, "C,sigma", text);
    } else {
        change(explorer, pattern, 0, false); /* a message says that there is nothing to change */
    }
}

/* Read one number, or two with a comma between them. Returns their number; -1 for any other text. */
static int read_numbers(const char *text, long long numbers[2])
{
    for (int count = 0; count < 2; count++) {
        char *end;
        numbers[count] = strtoll(text, &end, 10);
        if (end == text) return -1;
        end += strspn(end, " ");
        if (!*end) return count + 1;
        if (*end != ',') return -1;
        text = end + 1;
    }
    return -1;
}

void pattern_answer(struct explorer *explorer, struct pattern *pattern, const char *text)
{
    struct overlays *overlays = &pattern->overlays;
    long long numbers[2];
    int wanted = overlays->shown == OVERLAY_SELL ? 2 : 1, read = read_numbers(text, numbers);
    int64_t max = overlays->shown == OVERLAY_STRIPS ? HEIGHT_MAX
                  : overlays->shown == OVERLAY_SELL ? CHUNK_MAX
                                                    : INT32_MAX;
    int64_t min_first = overlays->shown == OVERLAY_HYB ? 0 : 1;
    if (read != wanted || numbers[0] < min_first || numbers[0] > max ||
        (wanted == 2 && (numbers[1] < 1 || numbers[1] > INT32_MAX))) {
        explorer_say(explorer,
                     wanted == 2 ? "give two numbers, C of at most %lld and sigma, as 32,1024"
                                 : "give a number of at most %lld",
                     (long long)max);
        return;
    }
    if (overlays->shown == OVERLAY_STRIPS) overlays->height = numbers[0];
    if (overlays->shown == OVERLAY_HYB) explorer_set_cut(explorer, numbers[0]);
    if (wanted == 2) {
        overlays->chunk = numbers[0];
        overlays->window = numbers[1];
    }
    pattern_settle(explorer, pattern);
}

/* Return the first position whose row has at most `length` entries. Rows are sorted by descending length. */
static int64_t first_of_length(const struct csr *a, int64_t length)
{
    int64_t low = 0, high = a->rows;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (a->row_ptr[middle + 1] - a->row_ptr[middle] > length)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct dense_blocks *pattern_fixed_blocks(const struct pattern *pattern)
{
    const struct dense_blocks *blocks = &pattern->of->dense_blocks;
    return case_has(pattern->of, SESSION_DENSE_BLOCKS) && blocks->rows > 1 ? blocks : NULL;
}

/* Return the height of the overlay's blocks; 0 if there are none, or if their heights differ. */
static int64_t block_height(const struct pattern *pattern)
{
    const struct overlays *overlays = &pattern->overlays;
    if (overlays->shown == OVERLAY_STRIPS) return overlays->height;
    if (overlays->shown == OVERLAY_BLOCKS)
        return pattern_fixed_blocks(pattern) ? pattern_fixed_blocks(pattern)->rows : 0;
    return overlays->shown == OVERLAY_SELL ? overlays->chunk : 0;
}

static struct block block_of(const struct pattern *pattern, int64_t position, int64_t height)
{
    int64_t first = position / height * height;
    return (struct block){first, min(first + height, pattern->port.size[ROWS])};
}

/* The same as pattern_block; groups of equal rows are followed for at most `most` rows in each direction. */
static bool find_block(const struct pattern *pattern, int64_t position, int64_t most, struct block *block)
{
    int64_t height = block_height(pattern);
    if (position < 0 || position >= pattern->port.size[ROWS]) return false;
    if (height > 0) {
        *block = block_of(pattern, position, height);
        return true;
    }
    if (pattern->overlays.shown == OVERLAY_BLOCKS && case_has_entries(pattern->of)) {
        block->first = dense_blocks_group(&pattern->of->matrix.csr, position, most, &block->end);
        return true;
    }
    if (pattern->overlays.shown != OVERLAY_JDS || !pattern->ordered) return false;
    const struct csr *a = &pattern->overlays.derived.csr;
    int64_t length = a->row_ptr[position + 1] - a->row_ptr[position];
    *block = (struct block){first_of_length(a, length), first_of_length(a, length - 1)};
    return true;
}

bool pattern_block(const struct pattern *pattern, int64_t position, struct block *block)
{
    return find_block(pattern, position, GROUP_MOST, block);
}

/* The minimum distance of rules in pixels. Closer rules would merge into grey. */
#define RULE_PIXELS 6

/* A rule covers one row of dots, so blocks must be at least two rows of dots high. */
static bool is_ruled(const struct pattern *pattern, int64_t height)
{
    if (pattern->picture == PICTURE_PIXELS)
        return height * pattern->large[ROWS] >= RULE_PIXELS * pattern->port.dot[ROWS];
    return height >= 2 * pattern->port.dot[ROWS];
}

/* True if the block that holds the last position of the range begins within the range. */
static bool begins(struct block block, struct range range)
{
    return block.first > 0 && block.first >= range.r0;
}

enum rule pattern_rule(const struct pattern *pattern, int64_t y)
{
    const struct overlays *overlays = &pattern->overlays;
    if (overlays->shown == OVERLAY_NONE || overlays->shown == OVERLAY_HYB) return RULE_NONE;
    struct range range = pattern_dot(pattern, y, 0);
    struct block block;
    if (range.r1 <= range.r0) return RULE_NONE;
    if (overlays->shown == OVERLAY_SELL && overlays->window > 1 && is_ruled(pattern, overlays->window) &&
        begins(block_of(pattern, range.r1 - 1, overlays->window), range))
        return RULE_MAJOR;
    int64_t height = block_height(pattern);
    if (overlays->shown == OVERLAY_BLOCKS && height == 0 && range.r1 - range.r0 > GROUP_RULED)
        return RULE_NONE;
    if (!find_block(pattern, range.r1 - 1, 2 * GROUP_RULED, &block) || !begins(block, range))
        return RULE_NONE;
    return is_ruled(pattern, height > 0 ? height : block.end - block.first) ? RULE_MINOR : RULE_NONE;
}

bool pattern_unruled(const struct pattern *pattern)
{
    int64_t height = block_height(pattern);
    if (pattern->overlays.shown == OVERLAY_SELL && is_ruled(pattern, pattern->overlays.window)) return false;
    return height > 1 && !is_ruled(pattern, height);
}

void pattern_underline(struct surface *surface, int y, int x, int wide)
{
    for (int k = x; k < x + wide; k++) {
        if (y < 0 || k < 0 || y >= surface->high || k >= surface->wide) continue;
        struct cell *cell = &surface->cells[(size_t)y * (size_t)surface->wide + (size_t)k];
        if (cell->character == ' ') cell->foreground = COLOUR_DIM;
        cell->attributes |= ATTRIBUTE_UNDERLINE;
    }
}
