/* The colours of parts: components, strong components and blocks, and the fill of a Cholesky factor. */
#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "matrix/orders/order.h"
#include "ui/pattern/pattern.h"

int pattern_parting(enum colouring colouring)
{
    bool of_parts = colouring >= COLOURED_COMPONENT && colouring <= COLOURED_BLOCK;
    return of_parts ? (int)colouring - COLOURED_COMPONENT : -1;
}

enum status pattern_check_memory(const struct sizing *sizing, size_t bytes, const char *what,
                                 struct error *error)
{
    const struct csr *a = &sizing->of->matrix.csr;
    size_t held = csr_bytes(a->rows, csr_nnz(a), a->imaginary != NULL);
    return memory_check_beside(bytes, held, sizing->limit, what, error);
}

bool pattern_is_mirrored(const struct sizing *sizing)
{
    return sizing->of->matrix.symmetry != SYMMETRY_GENERAL;
}

enum status pattern_make_parts(struct sizing *sizing, const struct size_dots *dots, struct progress *progress,
                               struct error *error)
{
    const enum parting parting = (enum parting)((int)sizing->making - COLOURED_COMPONENT);
    const struct csr *a = &sizing->of->matrix.csr;
    struct grouping *grouping = &sizing->grouping[parting];
    enum status status = STATUS_OK;
    if (!sizing->found[parting]) {
        status = pattern_check_memory(sizing, grouping_bytes(a, parting), "the parts", error);
        if (status == STATUS_OK)
            status = grouping_make(a, parting, pattern_is_mirrored(sizing),
                                   permutation_rows(&sizing->of->reordering.permutation), progress, grouping,
                                   error);
        sizing->found[parting] = status == STATUS_OK;
    }
    if (status != STATUS_OK) return status;
    return grouping_dots(a, &grouping->parts, dots, progress, sizing->made_parts, error);
}

enum status pattern_make_fill(struct sizing *sizing, const struct size_dots *dots, struct progress *progress,
                              struct error *error)
{
    const struct csr *a = &sizing->of->matrix.csr;
    enum status status = STATUS_OK;
    if (!sizing->tree.parent) {
        status = pattern_check_memory(sizing, fill_tree_bytes(a, pattern_is_mirrored(sizing)),
                                      "the fill of a factor", error);
        if (status == STATUS_OK)
            status = fill_tree_make(a, pattern_is_mirrored(sizing), progress, &sizing->tree, error);
    }
    if (status != STATUS_OK) return status;
    return fill_of_dots(&sizing->tree, dots, progress, sizing->made, error);
}

void pattern_free_parts(struct sizing *sizing)
{
    for (int k = 0; k < PARTINGS; k++)
        grouping_free(&sizing->grouping[k]);
    fill_tree_free(&sizing->tree);
    pattern_free_classes(sizing);
}

static const struct grouping *grouping_shown(const struct pattern *pattern)
{
    return &pattern->sizing.grouping[(int)pattern->colouring - COLOURED_COMPONENT];
}

/* A part has its own colour if it is one of the largest, and larger than a single vertex or position. */
static int class_of(const struct part *part)
{
    bool single = part->rows <= 1 && part->cols <= 1;
    return part->rank < PARTS_APART && !single ? part->rank : PART_SMALLER;
}

int pattern_part_level(const struct pattern *pattern, int32_t part)
{
    if (pattern->colouring == COLOURED_OWNER) return pattern_owner_level(part);
    if (part == DOT_EMPTY) return -1;
    if (part == DOT_BETWEEN) return LEVEL_PART + PART_BETWEEN;
    if (part == DOT_MIXED) return LEVEL_PART + PART_SEVERAL;
    return LEVEL_PART + class_of(&grouping_shown(pattern)->part[part]);
}

uint32_t pattern_level_character(int level, bool ascii)
{
    static const char letters[] = "ABCDEo.+ABCDEFabcdef";
    if (level < SHADE_LEVELS) return shade_character(level, ascii);
    return (unsigned char)letters[level - LEVEL_PART];
}

int pattern_draw_sample(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen,
                        int x, int level)
{
    bool letters = pattern->picture == PICTURE_CHARACTERS || explorer->ascii || !explorer->colours;
    uint32_t character = letters ? pattern_level_character(level, explorer->ascii) : 0x2588;
    surface_put(pen->surface, pen->rect.top + pen->line, pen->rect.left + x, character,
                pattern_colour(pattern, level, false), COLOUR_TEXT, 0);
    return x + 1;
}

int pattern_write_sample(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen,
                         int x, int level, const char *text)
{
    if (x + 2 + surface_columns(text) > pen->rect.wide) { /* it needs a line of its own */
        pen->line++;
        x = 0;
    }
    if (pen_left(pen) < 1) return x;
    x = pattern_draw_sample(explorer, pattern, pen, x, level) + 1;
    return x + surface_text(pen->surface, pen->rect.top + pen->line, pen->rect.left + x, pen->rect.wide - x,
                            COLOUR_DIM, 0, "%s", text);
}

/* Return the number of parts with a colour of their own. */
static int apart(const struct grouping *grouping)
{
    int count = 0;
    while (count < PARTS_APART && count < grouping->parts.count &&
           class_of(&grouping->part[grouping->ranked[count]]) == count)
        count++;
    return count;
}

void pattern_write_part_legend(const struct explorer *explorer, const struct pattern *pattern,
                               struct pen *pen)
{
    if (pen_left(pen) < 1) return;
    if (pattern->colouring == COLOURED_OWNER) {
        pattern_write_owner_legend(explorer, pattern, pen);
        return;
    }
    const struct grouping *grouping = grouping_shown(pattern);
    int own = apart(grouping), x = 0;
    bool more = grouping->parts.count > own;
    for (int k = 0; k < own; k++)
        x = pattern_draw_sample(explorer, pattern, pen, x, LEVEL_PART + k);
    if (own)
        x += 1 +
             surface_text(pen->surface, pen->rect.top + pen->line, pen->rect.left + x + 1,
                          pen->rect.wide - x - 1, COLOUR_DIM, 0, "%s",
                          own == 1 ? "the largest" : "largest first") +
             1;
    if (more)
        x = pattern_write_sample(explorer, pattern, pen, x, LEVEL_PART + PART_SMALLER,
                                 grouping->parts.count - own == 1 ? "a smaller one" : "smaller ones") +
            1;
    if (grouping->parts.count > 1)
        x = pattern_write_sample(explorer, pattern, pen, x, LEVEL_PART + PART_SEVERAL, "mixed") + 1;
    if (grouping->parts.count > 1 && pattern->colouring != COLOURED_COMPONENT)
        pattern_write_sample(explorer, pattern, pen, x, LEVEL_PART + PART_BETWEEN, "between");
    pen->line++;
}

static void write_lines(const struct part *part, bool both, struct pen *pen)
{
    pen_count(pen, both ? "its rows" : "its lines", COLOUR_TEXT, part->rows, NULL);
    if (both) pen_count(pen, "its columns", COLOUR_TEXT, part->cols, NULL);
}

void pattern_write_parts(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen)
{
    bool braille = pattern->picture == PICTURE_BRAILLE;
    if (pattern->parts && !explorer->colours && braille)
        pen_text(pen, COLOUR_DIM, "not in braille without colours");
    if (pattern->filled) {
        pen_count(pen, "filled in here", COLOUR_MARK, pattern->filled_in, NULL);
        if (pattern->picture != PICTURE_NUMBERS)
            pen_text(pen, COLOUR_MARK, explorer->colours ? "marked: half or more" : "reversed: half or more");
        return;
    }
    if (pattern_classes(pattern)) pattern_write_classes(pattern, pen);
    if (!pattern->parts) return;
    if (pattern->colouring == COLOURED_OWNER) {
        pattern_write_owners(pattern, pen);
        return;
    }
    const struct grouping *grouping = grouping_shown(pattern);
    char size[48], rows[24], cols[24];
    pen_count(pen, pattern->colouring == COLOURED_BLOCK ? "blocks" : "components", COLOUR_ACCENT,
              grouping->parts.count, NULL);
    if (grouping->parts.count == 0) return;
    const struct part *largest = &grouping->part[grouping->ranked[0]];
    format_count(rows, sizeof rows, largest->rows);
    format_count(cols, sizeof cols, largest->cols);
    bool both = grouping->parts.col != NULL;
    snprintf(size, sizeof size, both ? "%s x %s" : "%s lines", rows, cols);
    pen_pair(pen, "largest", COLOUR_TEXT, "%s", size);
}

void pattern_write_part(const struct pattern *pattern, size_t dot, struct pen *pen)
{
    char number[32], all[32];
    if (pattern->filled) {
        pen_count(pen, "filled in", COLOUR_MARK, pattern->marked[dot], NULL);
        return;
    }
    if (pattern->colouring == COLOURED_OWNER) {
        pattern_write_owner(pattern, dot, pen);
        return;
    }
    const struct grouping *grouping = grouping_shown(pattern);
    const struct parts *parts = &grouping->parts;
    int32_t part = pattern->sizing.parts[dot];
    bool block = pattern->colouring == COLOURED_BLOCK;
    if (part == DOT_EMPTY) return;
    if (part < 0) {
        pen_text(pen, COLOUR_TEXT, "%s %s", part == DOT_BETWEEN ? "all between" : "not all within one",
                 part == DOT_BETWEEN ? (block ? "blocks" : "components")
                 : block             ? "block"
                                     : "component");
        return;
    }
    const struct part *of = &grouping->part[part];
    format_count(number, sizeof number, (int64_t)of->rank + 1);
    format_fitting(all, sizeof all, parts->count, pen_room(pen, "by size") - (int)sizeof " of " - 7);
    pen_pair(pen, block ? "block" : "component", COLOUR_ACCENT, "%s of %s", number, all);
    if (parts->under && part == 0) pen_text(pen, COLOUR_TEXT, "underdetermined (H)");
    if (parts->over && part == parts->count - 1) pen_text(pen, COLOUR_TEXT, "overdetermined (V)");
    write_lines(of, parts->col != NULL, pen);
}
