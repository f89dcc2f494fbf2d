/* Colours of the vertices of a graph: neighbours have different ones, so that the rows of a colour can be
 * solved, or smoothed, at the same time. */
#ifndef SPARSIGHT_MATRIX_GRAPHS_COLOURS_H
#define SPARSIGHT_MATRIX_GRAPHS_COLOURS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/orders/graph.h"

/* The order in which vertices choose the first colour that none of their coloured neighbours has. */
enum colour_method {
    COLOURS_NATURAL, /* by number */
    COLOURS_LARGEST, /* by descending degree, vertices of one degree by number: Welsh and Powell,
                        Computer J. 10, 1967 */
    COLOURS_RANDOM,  /* in random order: the colours of Jones and Plassmann, SIAM J. Sci. Comput. 14, 1993 */
    COLOUR_METHODS
};
extern const char *const colour_method_words[];

struct colour_classes {
    int64_t count;             /* colours; 0 only of a graph without vertices */
    int64_t largest, smallest; /* vertices of the colour with most, and with fewest */
    int64_t rounds;            /* steps in which vertices could choose at the same time: each waits for those
                                  of its neighbours that come before it in the order */
};

/* Colour the vertices: colour[v] is 0 .. count - 1. At most 1 + the largest degree colours are used. `seed`
 * is that of the random order. One thread; O(entries + vertices). STATUS_MEMORY, STATUS_CANCELLED. */
enum status colours_find(const struct graph *graph, enum colour_method method, uint64_t seed,
                         struct progress *progress, int32_t *colour, struct colour_classes *colouring,
                         struct error *error);

/* Return the bytes that colours_find takes for a while, without colour[] and the graph. */
size_t colours_bytes(int64_t vertices);

#endif
