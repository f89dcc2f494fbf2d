/* The positions of a Cholesky factor's fill: the entries that it adds to each dot of a picture. The factor is
 * not computed. */
#ifndef SPARSIGHT_ANALYSIS_FILL_DOTS_H
#define SPARSIGHT_ANALYSIS_FILL_DOTS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/sizes.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/orders/graph.h"

/* The graph of A + A^T and the elimination tree of L in A + A^T + I = L L^T: parent[j] is the first row below
 * the diagonal with an entry in column j of L, -1 if there is none. Owned; fill_tree_free takes {0}. */
struct fill_tree {
    struct graph graph;
    int32_t *parent;
};

/* Make both for a square matrix, whose pattern may be known to be `symmetric`. Almost O(nnz), one thread.
 * STATUS_MEMORY, STATUS_CANCELLED; on failure *tree is {0}. */
enum status fill_tree_make(const struct csr *a, bool symmetric, struct progress *progress,
                           struct fill_tree *tree, struct error *error);

/* Return the bytes that fill_tree_make takes at its peak, plus those of fill_of_dots. */
size_t fill_tree_bytes(const struct csr *a, bool symmetric);

void fill_tree_free(struct fill_tree *tree);

/* counts[y wide + x] becomes the number of entries of L in dot (y, x) that are not in A + A^T + I, if no
 * entry cancels. Row i of L has an entry in each column on the path up the tree from a neighbour j < i of i
 * to i (Liu, SIAM J. Matrix Anal. Appl. 11, 1990); a row is walked once, so that this takes O(entries of L in
 * the rows of the picture), and 4 bytes a row and thread. Parallel over rows of dots. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status fill_of_dots(const struct fill_tree *tree, const struct size_dots *dots,
                         struct progress *progress, double *counts, struct error *error);

#endif
