/* The graph of a matrix as input of a partitioning library. Only for the files of this folder. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_INPUT_H
#define SPARSIGHT_ANALYSIS_PARTS_INPUT_H

#include "analysis/parts/partition.h"
#include "matrix/orders/graph.h"

/* The graph of A + A^T, and what its vertices weigh. */
struct graph_input {
    struct graph graph;
    int32_t *weights; /* NULL: all weigh the same */
};

/* Make it, with as many entries as a row has for the weight of its vertex if `by_entries`, all divided alike
 * so that their sum is within 32 bits. On failure it is empty. STATUS_MEMORY, STATUS_LIMIT, STATUS_CANCELLED.
 * The caller frees it with graph_input_free, which takes {0} too. */
enum status graph_input_make(const struct partitioning *partitioning, bool by_entries,
                             struct graph_input *input, struct error *error);
void graph_input_free(struct graph_input *input);

/* Return the bytes of the graph, and of what a library adds that takes so many for each edge, counted in both
 * directions, and for each vertex; the largest size_t if they are more than that. */
size_t graph_input_bytes(const struct partitioning *partitioning, size_t edge, size_t vertex);

#endif
