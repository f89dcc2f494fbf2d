/* Colours of the vertices of a graph. Neighbours have different colours, so that rows of one colour can be
 * solved, or smoothed, at the same time. */
#ifndef SPARSIGHT_MATRIX_GRAPHS_COLOURS_H
#define SPARSIGHT_MATRIX_GRAPHS_COLOURS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/orders/graph.h"

/* The order in which vertices choose their colours. Each takes the first colour that none of its coloured
 * neighbours has. */
enum colour_method {
    COLOURS_NATURAL, /* by number */
    COLOURS_LARGEST, /* by descending degree, then by number: Welsh and Powell, Computer J. 10, 1967 */
    COLOURS_RANDOM,  /* in random order. The parallel method of Jones and Plassmann, SIAM J. Sci. Comput. 14,
                        1993, gives the same colours */
    COLOUR_METHODS
};
extern const char *const colour_method_words[];

struct colour_classes {
    int64_t count;             /* number of colours; 0 only for a graph without vertices */
    int64_t largest, smallest; /* numbers of vertices of the largest and the smallest colour */
    int64_t rounds; /* parallel steps in which the colours could be chosen: a vertex waits for its neighbours
                       that come before it in the order */
};

/* Colour the vertices: colour[v] is 0 .. count - 1. The number of colours is at most 1 + the largest degree.
 * `seed` is the seed of the random order. One thread; O(entries + vertices). STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status colours_find(const struct graph *graph, enum colour_method method, uint64_t seed,
                         struct progress *progress, int32_t *colour, struct colour_classes *colouring,
                         struct error *error);

/* Return the most bytes that colours_find allocates and frees again. */
size_t colours_bytes(int64_t vertices);

#endif
