#include "matrix/graphs/colours.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "matrix/generators/hash.h"

/* Vertices between two checks of the progress. */
#define STRETCH 4096

const char *const colour_method_words[] = {"natural", "largest", "random", NULL};

/* The arrays of a colouring; owned. */
struct painting {
    int32_t *order; /* the vertices in the order in which they choose; NULL: by number */
    int32_t *used;  /* of each colour: the last vertex found with a neighbour of that colour; in measure() the
                       number of its vertices */
    int32_t *round; /* of each vertex: the parallel step, from 0 on, in which it could choose */
};

static int64_t largest_degree(const struct graph *graph)
{
    int64_t largest = 0;
    for (int64_t v = 0; v < graph->count; v++)
        if (graph_degree(graph, v) > largest) largest = graph_degree(graph, v);
    return largest;
}

/* Sort the vertices by descending degree, stably. */
static enum status sort_by_degree(const struct graph *graph, int64_t largest, int32_t *order,
                                  struct error *error)
{
    int64_t *place = memory_zeroed((size_t)largest + 2, sizeof *place, error);
    if (!place) return STATUS_MEMORY;
    for (int64_t v = 0; v < graph->count; v++)
        place[largest - graph_degree(graph, v) + 1]++;
    for (int64_t d = 0; d < largest; d++)
        place[d + 1] += place[d];
    for (int64_t v = 0; v < graph->count; v++)
        order[place[largest - graph_degree(graph, v)]++] = (int32_t)v;
    free(place);
    return STATUS_OK;
}

static void shuffle(int64_t count, uint64_t seed, int32_t *order)
{
    const struct hash_permutation permutation = hash_permutation(seed, count);
    for (int64_t k = 0; k < count; k++)
        order[k] = (int32_t)hash_image(&permutation, k);
}

/* Give vertex v the first colour that none of its coloured neighbours has. A vertex without a colour has
 * -1. */
static void paint(const struct graph *graph, const struct painting *painting, int32_t v, int32_t *colour)
{
    int32_t *used = painting->used, round = 0, own = 0;
    for (int64_t k = graph->ptr[v]; k < graph->ptr[v + 1]; k++) {
        const int32_t u = graph->neighbour[k];
        if (colour[u] < 0) continue;
        used[colour[u]] = v;
        if (painting->round[u] >= round) round = painting->round[u] + 1;
    }
    while (used[own] == v)
        own++;
    colour[v] = own;
    painting->round[v] = round;
}

static enum status paint_all(const struct graph *graph, const struct painting *painting,
                             struct progress *progress, int32_t *colour, struct error *error)
{
    progress_phase(progress, "colouring rows", graph->count);
    for (int64_t k = 0; k < graph->count; k++) {
        if (k % STRETCH == 0) {
            if (progress_cancelled(progress)) break;
            progress_add(progress, graph->count - k < STRETCH ? graph->count - k : STRETCH);
        }
        paint(graph, painting, painting->order ? painting->order[k] : (int32_t)k, colour);
    }
    return progress_status(progress, error);
}

static void measure(const struct graph *graph, const struct painting *painting, const int32_t *colour,
                    struct colour_classes *colouring)
{
    int32_t *vertices = painting->used;
    for (int64_t v = 0; v < graph->count; v++) {
        if (colour[v] >= colouring->count) colouring->count = colour[v] + 1;
        if (painting->round[v] >= colouring->rounds) colouring->rounds = painting->round[v] + 1;
    }
    for (int64_t c = 0; c < colouring->count; c++)
        vertices[c] = 0;
    for (int64_t v = 0; v < graph->count; v++)
        vertices[colour[v]]++;
    colouring->smallest = graph->count;
    for (int64_t c = 0; c < colouring->count; c++) {
        if (vertices[c] > colouring->largest) colouring->largest = vertices[c];
        if (vertices[c] < colouring->smallest) colouring->smallest = vertices[c];
    }
}

enum status colours_find(const struct graph *graph, enum colour_method method, uint64_t seed,
                         struct progress *progress, int32_t *colour, struct colour_classes *colouring,
                         struct error *error)
{
    const size_t count = (size_t)graph->count;
    const int64_t largest = largest_degree(graph);
    const bool ordered = method != COLOURS_NATURAL;
    struct painting painting = {.order = ordered ? memory_array(count, sizeof(int32_t), error) : NULL,
                                .used = memory_array((size_t)largest + 1, sizeof(int32_t), error),
                                .round = memory_array(count, sizeof(int32_t), error)};
    enum status status =
        painting.used && painting.round && (painting.order || !ordered) ? STATUS_OK : STATUS_MEMORY;
    *colouring = (struct colour_classes){0};
    if (status == STATUS_OK && method == COLOURS_LARGEST)
        status = sort_by_degree(graph, largest, painting.order, error);
    if (status == STATUS_OK && method == COLOURS_RANDOM) shuffle(graph->count, seed, painting.order);
    if (status == STATUS_OK) {
        for (int64_t v = 0; v < graph->count; v++)
            colour[v] = -1;
        for (int64_t c = 0; c <= largest; c++)
            painting.used[c] = -1;
        status = paint_all(graph, &painting, progress, colour, error);
    }
    if (status == STATUS_OK) measure(graph, &painting, colour, colouring);
    free(painting.order);
    free(painting.used);
    free(painting.round);
    return status;
}

size_t colours_bytes(int64_t vertices)
{
    return ((size_t)vertices + 2) * (2 * sizeof(int32_t) + sizeof(int64_t) + sizeof(int32_t));
}
