/* Connected and strongly connected components of the graph of a matrix. */
#ifndef SPARSIGHT_MATRIX_GRAPHS_COMPONENTS_H
#define SPARSIGHT_MATRIX_GRAPHS_COMPONENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/slab.h"

/* The vertices are the n lines of a square matrix, and an entry (i, j) leads from i to j; components that are
 * connected are those of the graph of A + A^T. Of a matrix that is not square they are those of the bipartite
 * graph, whose vertices are the rows and the columns, and no component is strongly connected. A line without
 * an entry is a component of its own. */
struct components {
    int64_t connected, largest; /* components, and the vertices of the largest */
    int64_t strong,
        largest_strong; /* strongly connected ones; 0 if the matrix is not square, -1 if not known */
};

/* Return the bytes that components_find takes for a while: by the vertex, or by the entry if few vertices
 * have one (touched.h). */
size_t components_bytes(const struct csr *a, bool symmetric);

/* Return the bytes that finding the component of each vertex takes for a while, connected or strong. */
size_t components_each_bytes(const struct csr *a);

/* Find the connected components by union-find over the entries (parallel, O(nnz) apart from short paths), and
 * the strongly connected ones by a search in depth (strong_components, one thread), which a pattern that is
 * known to be `symmetric` does without. STATUS_MEMORY, STATUS_CANCELLED. */
enum status components_find(const struct csr *a, bool symmetric, struct progress *progress,
                            struct components *components, struct error *error);

/* The connected components of a matrix that is divided into slabs. Of its components_vertices, at most
 * INT32_MAX (components_check: STATUS_LIMIT), each slab has parents of its own, which components_start begins
 * with; components_unite unites the ends of its entries, and components_join what another slab has united
 * among vertices first
 * .. first + count-1, whose parents there are other[]. When all are joined components_count counts
 * `connected` and `largest`; it shortens ways to roots, and takes 4 bytes a vertex for a while. */
int64_t components_vertices(int64_t rows, int64_t cols);
enum status components_check(int64_t vertices, struct error *error);
void components_start(int32_t *parent, int64_t vertices);
void components_unite(const struct slab *slab, int32_t *parent, struct progress *progress);
void components_join(int32_t *parent, int64_t first, const int32_t *other, int64_t count);
enum status components_count(int32_t *parent, int64_t vertices, struct components *components,
                             struct error *error);

/* Find the connected components alone: component[v] becomes the number of the one that vertex v is in. They
 * are numbered by their first vertices. The vertices of a matrix that is not square are its rows, and then
 * its columns. Fails as components_find does, which counts them. */
enum status connected_components(const struct csr *a, struct progress *progress, int32_t *component,
                                 int64_t *count, struct error *error);

/* Find the strongly connected components of the graph with an edge from row i to vertex[j] for each entry (i,
 * j), and how many vertices the largest has. vertex[j] is -1 where column j leads nowhere; NULL stands for
 * vertex[j] = j. Rows whose `within` is false are not vertices, and no vertex[j] may be one of them; NULL:
 * all rows are vertices. component[i] becomes the number of the component of row i, -1 for rows that are not
 * vertices; no edge leads to a component of a smaller number. If `component` is NULL, components are only
 * counted. One thread; O(nnz + rows), and 24 bytes a row. STATUS_MEMORY, STATUS_CANCELLED. */
enum status strong_components(const struct csr *a, const int32_t *vertex, const bool *within,
                              struct progress *progress, int32_t *component, int64_t *count, int64_t *largest,
                              struct error *error);

/* Return the bytes that strong_components takes for a while. */
size_t strong_components_bytes(int64_t rows);

#endif
