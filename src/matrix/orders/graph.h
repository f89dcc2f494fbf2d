/* The graph of a square matrix: vertices are its lines, and i and j are neighbours if a_ij or a_ji is an
 * entry, i /= j. It is the pattern of A + A^T without the diagonal. */
#ifndef SPARSIGHT_MATRIX_ORDERS_GRAPH_H
#define SPARSIGHT_MATRIX_ORDERS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* Vertex v has the neighbours neighbour[ptr[v]] .. neighbour[ptr[v+1]-1], ascending. Owned, unless the graph
 * is a view; graph_free takes {0}. */
struct graph {
    int64_t count;
    int64_t *ptr; /* count + 1 */
    int32_t *neighbour;
    bool view; /* the arrays are those of the matrix, so that a vertex with a diagonal entry is listed among
                  its own neighbours */
};

/* Return the number of neighbours of a vertex, without the vertex itself. O(1); O(log degree) in a view. */
int64_t graph_degree(const struct graph *graph, int64_t v);

/* Return the number of edges. O(1); O(vertices log degree) in a view. */
int64_t graph_edges(const struct graph *graph);

/* Make the graph of a square matrix. If the pattern is known to be `symmetric` no transposed one is made. All
 * threads merge; one thread transposes. O(nnz + rows). STATUS_MEMORY, STATUS_CANCELLED; on failure *graph is
 * {0}. */
enum status graph_make(const struct csr *a, bool symmetric, struct progress *progress, struct graph *graph,
                       struct error *error);
void graph_free(struct graph *graph);

/* The same graph for functions that skip a vertex among its own neighbours. If the pattern is known to be
 * `symmetric`, it is a view of the matrix, which must outlive it and takes no memory. Otherwise graph_make
 * makes it. */
enum status graph_view(const struct csr *a, bool symmetric, struct progress *progress, struct graph *graph,
                       struct error *error);

/* Return the most bytes that graph_make and graph_view take, with the graph. */
size_t graph_bytes(const struct csr *a, bool symmetric);
size_t graph_view_bytes(const struct csr *a, bool symmetric);

/* Transpose a pattern: column j of `a` has the rows (*rows)[(*ptr)[j]] .. (*rows)[(*ptr)[j+1]-1], ascending.
 * The caller frees both; after failure they are NULL. One thread; O(nnz + cols). STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status pattern_transpose(const struct csr *a, struct progress *progress, int64_t **ptr, int32_t **rows,
                              struct error *error);

/* Return the bytes of such a pattern. */
size_t pattern_bytes(int64_t lines, int64_t nnz);

#endif
