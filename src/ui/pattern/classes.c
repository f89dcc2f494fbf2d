/* The Pattern screen in the colours of classes of rows: levels of a triangular solve, or colours of a
 * smoother. */
#include <stdlib.h>

#include "base/memory.h"
#include "matrix/graphs/colours.h"
#include "matrix/graphs/levels.h"
#include "matrix/orders/graph.h"
#include "ui/pattern/pattern.h"

static struct row_classes *classes_in(struct sizing *sizing, enum colouring colouring)
{
    if (colouring == COLOURED_LEVEL) return &sizing->levels;
    return colouring == COLOURED_COLOUR ? &sizing->colours : NULL;
}

const struct row_classes *pattern_classes(const struct pattern *pattern)
{
    if (pattern->colouring == COLOURED_LEVEL) return &pattern->sizing.levels;
    return pattern->colouring == COLOURED_COLOUR ? &pattern->sizing.colours : NULL;
}

void pattern_know_classes(struct sizing *sizing)
{
    struct row_classes *classes = classes_in(sizing, sizing->making);
    if (classes) classes->known = true;
}

static enum status find_levels(const struct csr *a, struct progress *progress, struct row_classes *classes,
                               struct error *error)
{
    struct level_sets sets;
    enum status status = levels_find(a, TRIANGLE_LOWER, progress, classes->of_row, &sets, error);
    classes->count = sets.count;
    return status;
}

static enum status find_colours(const struct sizing *sizing, struct progress *progress,
                                struct row_classes *classes, struct error *error)
{
    struct graph graph;
    struct colour_classes found;
    enum status status =
        graph_make(&sizing->of->matrix.csr, pattern_is_mirrored(sizing), progress, &graph, error);
    if (status != STATUS_OK) return status;
    status = colours_find(&graph, COLOURS_NATURAL, 1, progress, classes->of_row, &found, error);
    graph_free(&graph);
    classes->count = found.count;
    return status;
}

/* Find the classes, unless they were found before. */
static enum status find(struct sizing *sizing, struct row_classes *kept, struct progress *progress,
                        struct error *error)
{
    const struct csr *a = &sizing->of->matrix.csr;
    const bool levels = kept == &sizing->levels;
    struct row_classes made = {0};
    size_t bytes = levels ? levels_bytes(a->rows) : colours_bytes(a->rows);
    if (kept->of_row) return STATUS_OK;
    if (!levels) size_add(bytes, graph_bytes(a, pattern_is_mirrored(sizing)), &bytes);
    size_add(bytes, (size_t)a->rows * sizeof *made.of_row, &bytes);
    enum status status =
        pattern_check_memory(sizing, bytes, levels ? "the levels" : "the colours of rows", error);
    if (status != STATUS_OK) return status;
    made.of_row = memory_array((size_t)a->rows, sizeof *made.of_row, error);
    if (!made.of_row) return STATUS_MEMORY;
    status = levels ? find_levels(a, progress, &made, error) : find_colours(sizing, progress, &made, error);
    if (status != STATUS_OK) {
        free(made.of_row);
        return status;
    }
    kept->of_row = made.of_row;
    kept->count = made.count;
    return STATUS_OK;
}

enum status pattern_make_classes(struct sizing *sizing, const struct size_dots *dots,
                                 struct progress *progress, struct error *error)
{
    struct row_classes *classes = classes_in(sizing, sizing->making);
    enum status status = find(sizing, classes, progress, error);
    if (status != STATUS_OK) return status;
    return classes_of_dots(&sizing->of->matrix.csr, dots, classes->of_row, progress, sizing->made, error);
}

void pattern_free_classes(struct sizing *sizing)
{
    free(sizing->levels.of_row);
    free(sizing->colours.of_row);
    sizing->levels = sizing->colours = (struct row_classes){0};
}

void pattern_write_classes(const struct pattern *pattern, struct pen *pen)
{
    const bool levels = pattern->colouring == COLOURED_LEVEL;
    pen_count(pen, levels ? "levels" : "colours", COLOUR_ACCENT, pattern_classes(pattern)->count, NULL);
    pen_text(pen, COLOUR_DIM, "%s", levels ? "of the lower triangle" : "of the graph of A + A^T");
}
