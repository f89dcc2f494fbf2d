/* The graph of a matrix as input of a partitioning library. Only for the files of this folder. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_INPUT_H
#define SPARSIGHT_ANALYSIS_PARTS_INPUT_H

#include "analysis/parts/partition.h"
#include "matrix/orders/graph.h"

/* The graph of A + A^T, and the weights of its vertices. */
struct graph_input {
    struct graph graph;
    int32_t *weights; /* NULL: all weights are equal */
};

/* Make it. With `by_entries` the weight of a vertex is the number of entries of its row. All weights are
 * divided by one number, so that their sum fits in 32 bits. On failure it is empty. STATUS_MEMORY,
 * STATUS_LIMIT, STATUS_CANCELLED. The caller frees it with graph_input_free, which takes {0} too. */
enum status graph_input_make(const struct partitioning *partitioning, bool by_entries,
                             struct graph_input *input, struct error *error);
void graph_input_free(struct graph_input *input);

/* Return the bytes of the graph and of a library that takes this number for each edge, counted in both
 * directions, and for each vertex; the largest size_t on overflow. */
size_t graph_input_bytes(const struct partitioning *partitioning, size_t edge, size_t vertex);

/* Weights of the rows of a matrix, by which a library balances them. */

/* The words of the parameter that selects the weight to balance: entries or rows. */
enum { WEIGH_ENTRIES, WEIGH_ROWS };
#define WEIGHT_WORDS            \
    {                           \
        "entries", "rows", NULL \
    }

#endif
