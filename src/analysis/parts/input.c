#include "analysis/parts/input.h"

#include <stdlib.h>

#include "base/memory.h"

/* Return a weight for each row: its number of entries, divided so that the sum of all weights fits in 32
 * bits. An empty row has weight 0. NULL: STATUS_MEMORY. */
static int32_t *row_weights(const struct csr *a, struct error *error)
{
    int64_t divisor = 1 + csr_nnz(a) / INT32_MAX;
    int32_t *weights = memory_array((size_t)a->rows, sizeof *weights, error);
    for (int64_t i = 0; weights && i < a->rows; i++)
        weights[i] = (int32_t)((a->row_ptr[i + 1] - a->row_ptr[i]) / divisor);
    return weights;
}

enum status graph_input_make(const struct partitioning *partitioning, bool by_entries,
                             struct graph_input *input, struct error *error)
{
    *input = (struct graph_input){.weights = NULL};
    enum status status =
        graph_make(partitioning->a, partitioning->symmetric, partitioning->progress, &input->graph, error);
    if (status != STATUS_OK || !by_entries) return status;
    input->weights = row_weights(partitioning->a, error);
    if (input->weights) return STATUS_OK;
    graph_input_free(input);
    return STATUS_MEMORY;
}

void graph_input_free(struct graph_input *input)
{
    free(input->weights);
    graph_free(&input->graph);
    input->weights = NULL;
}

size_t graph_input_bytes(const struct partitioning *partitioning, size_t edge, size_t vertex)
{
    const struct csr *a = partitioning->a;
    size_t all = graph_bytes(a, partitioning->symmetric), edges, vertices;
    size_multiply((size_t)csr_nnz(a) * (partitioning->symmetric ? 1 : 2), edge, &edges);
    size_multiply((size_t)a->rows, vertex, &vertices);
    size_add(all, edges, &all);
    size_add(all, vertices, &all);
    return all;
}
