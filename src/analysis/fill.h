/* Fill: the number of entries in the Cholesky factor of a matrix, from its pattern alone. */
#ifndef SPARSIGHT_ANALYSIS_FILL_H
#define SPARSIGHT_ANALYSIS_FILL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/orders/graph.h"

/* Numbers of L in P (A + A^T + I) P^T = L L^T, if no entry cancels. */
struct fill {
    int64_t entries; /* entries of L, with the diagonal */
    double flops;    /* sum over the columns of L of (its entries)^2, as CHOLMOD counts operations */
};

/* Compute both for the graph of A + A^T, whose vertex order[k] becomes line k; NULL stands for order[k] = k.
 * The elimination tree is found as in Liu, ACM TOMS 12, 1986, the entries of the columns as in Gilbert, Ng
 * and Peyton, SIAM J. Matrix Anal. Appl. 15, 1994. One thread; almost O(nnz), whatever the size of L.
 * STATUS_MEMORY, STATUS_CANCELLED. */
enum status fill_predict(const struct graph *graph, const int32_t *order, struct progress *progress,
                         struct fill *fill, struct error *error);

/* parent[j] becomes the parent of line j in the elimination tree of the graph in its given order: the first
 * row below the diagonal with an entry in column j of L, -1 if there is none. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status fill_parents(const struct graph *graph, struct progress *progress, int32_t *parent,
                         struct error *error);

/* Compute both for A^T A instead of A + A^T, without making its graph: the columns of a row are neighbours of
 * each other. parent[j] becomes the parent of column j in the column elimination tree, as in fill_parents.
 * The tree is found by chaining the columns of each row (Davis, Direct Methods for Sparse Linear Systems,
 * 2006, section 4.10). One thread; almost O(nnz). STATUS_MEMORY, STATUS_CANCELLED. */
enum status fill_predict_rows(const struct csr *a, struct progress *progress, int32_t *parent,
                              struct fill *fill, struct error *error);

/* Return the bytes that fill_predict and fill_predict_rows allocate temporarily. */
size_t fill_bytes(int64_t lines);
size_t fill_rows_bytes(const struct csr *a);

#endif
