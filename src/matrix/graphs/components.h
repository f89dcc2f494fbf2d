/* Connected and strongly connected components of the graph of a matrix. */
#ifndef SPARSIGHT_MATRIX_GRAPHS_COMPONENTS_H
#define SPARSIGHT_MATRIX_GRAPHS_COMPONENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/slab.h"

/* For a square matrix, the vertices are its n lines, and an entry (i, j) is an edge from i to j; its
 * connected components are those of the graph of A + A^T. For other matrices, the connected components are
 * those of the bipartite graph, whose vertices are the rows and the columns, and strongly connected
 * components are not defined. A line without an entry is a component of its own. */
struct components {
    int64_t connected, largest; /* number of connected components, and number of vertices of the largest */
    int64_t strong, largest_strong; /* the same for strongly connected components; 0 if the matrix is not
                                       square, -1 if not known */
};

/* Return the peak bytes of components_find: proportional to the vertices, or to the entries if few vertices
 * have one (touched.h). */
size_t components_bytes(const struct csr *a, bool symmetric);

/* Return the peak bytes of finding the component of each vertex, connected or strong. */
size_t components_each_bytes(const struct csr *a);

/* Find the connected components by union-find over the entries (parallel, O(nnz) apart from short paths), and
 * the strongly connected ones by a depth-first search (strong_components, one thread), which is not needed
 * for a pattern known to be `symmetric`. STATUS_MEMORY, STATUS_CANCELLED. */
enum status components_find(const struct csr *a, bool symmetric, struct progress *progress,
                            struct components *components, struct error *error);

/* The connected components of a matrix that is divided into slabs. Of its components_vertices, at most
 * INT32_MAX (components_check: STATUS_LIMIT), each slab has its own parents, which components_start
 * initializes. components_unite unites the ends of the slab's entries. components_join unites vertices first
 * .. first + count-1 as another slab did, whose parents of these are other[]. When all slabs are joined,
 * components_count counts `connected` and `largest`; it shortens paths to roots, and temporarily takes 4
 * bytes a vertex. */
int64_t components_vertices(int64_t rows, int64_t cols);
enum status components_check(int64_t vertices, struct error *error);
void components_start(int32_t *parent, int64_t vertices);
void components_unite(const struct slab *slab, int32_t *parent, struct progress *progress);
void components_join(int32_t *parent, int64_t first, const int32_t *other, int64_t count);
enum status components_count(int32_t *parent, int64_t vertices, struct components *components,
                             struct error *error);

/* Find only the connected components: component[v] becomes the number of the component of vertex v. They are
 * numbered in the order of their first vertices. The vertices of a matrix that is not square are its rows,
 * and then its columns. Fails as components_find does. */
enum status connected_components(const struct csr *a, struct progress *progress, int32_t *component,
                                 int64_t *count, struct error *error);

/* Find the strongly connected components of the graph with an edge from row i to vertex[j] for each entry (i,
 * j), and the number of vertices of the largest. vertex[j] is -1 if entries of column j are not edges; NULL
 * stands for vertex[j] = j. Rows whose `within` is false are not vertices, and no vertex[j] may be one of
 * them; NULL: all rows are vertices. component[i] becomes the number of the component of row i, -1 for rows
 * that are not vertices; no edge leads to a component with a smaller number. If `component` is NULL,
 * components are only counted. One thread; O(nnz + rows), and 24 bytes a row. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status strong_components(const struct csr *a, const int32_t *vertex, const bool *within,
                              struct progress *progress, int32_t *component, int64_t *count, int64_t *largest,
                              struct error *error);

/* Return the temporary bytes of strong_components. */
size_t strong_components_bytes(int64_t rows);

#endif
