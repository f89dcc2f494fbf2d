#include "analysis/solves.h"

#include <stdlib.h>

#include "base/memory.h"

/* The default seed of orders (SEED_OF). */
#define SEED 1

static enum status colour(const struct graph *graph, struct progress *progress, int32_t *of_row,
                          struct solves *solves, struct error *error)
{
    struct colour_classes *const found[COLOUR_METHODS] = {[COLOURS_NATURAL] = &solves->natural,
                                                          [COLOURS_LARGEST] = &solves->degree,
                                                          [COLOURS_RANDOM] = &solves->random};
    enum status status = STATUS_OK;
    for (int k = 0; k < COLOUR_METHODS && status == STATUS_OK; k++)
        status = colours_find(graph, (enum colour_method)k, SEED, progress, of_row, found[k], error);
    return status;
}

enum status solves_of(const struct csr *a, bool symmetric, struct progress *progress, struct solves *solves,
                      struct error *error)
{
    struct graph graph = {0};
    *solves = (struct solves){0};
    if (a->rows != a->cols) return STATUS_OK;
    int32_t *of_row = memory_array((size_t)a->rows, sizeof *of_row, error);
    if (!of_row) return STATUS_MEMORY;
    enum status status = levels_find(a, TRIANGLE_LOWER, progress, of_row, &solves->lower, error);
    if (status == STATUS_OK) status = levels_find(a, TRIANGLE_UPPER, progress, of_row, &solves->upper, error);
    if (status == STATUS_OK) status = graph_view(a, symmetric, progress, &graph, error);
    if (status == STATUS_OK) status = colour(&graph, progress, of_row, solves, error);
    graph_free(&graph);
    free(of_row);
    return status;
}

size_t solves_bytes(const struct csr *a, bool symmetric)
{
    size_t own = (size_t)a->rows * sizeof(int32_t), levels = levels_bytes(a->rows), colours;
    if (a->rows != a->cols) return 0;
    size_add(graph_view_bytes(a, symmetric), colours_bytes(a->rows), &colours);
    size_add(own, levels > colours ? levels : colours, &own);
    return own;
}
