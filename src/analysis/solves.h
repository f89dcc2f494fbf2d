/* The parallelism of triangular solves and smoothers: numbers of dependent steps, by level sets and by
 * colours. */
#ifndef SPARSIGHT_ANALYSIS_SOLVES_H
#define SPARSIGHT_ANALYSIS_SOLVES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/graphs/colours.h"
#include "matrix/graphs/levels.h"

/* All numbers are 0 if the matrix is not square. */
struct solves {
    struct level_sets lower, upper; /* levels of the triangles of A, which are those of the factors of
                                       ILU(0) */
    struct colour_classes natural;  /* colours of the graph of A + A^T by COLOURS_NATURAL */
    struct colour_classes degree;   /* by COLOURS_LARGEST */
    struct colour_classes random;   /* by COLOURS_RANDOM with seed 1 */
};

/* Find the levels of both triangles, and colour the graph in three orders. `symmetric`: the pattern is known
 * to be symmetric. One thread, except for parts of graph_make; O(nnz + rows). STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status solves_of(const struct csr *a, bool symmetric, struct progress *progress, struct solves *solves,
                      struct error *error);

/* Return the largest number of bytes that solves_of allocates temporarily. */
size_t solves_bytes(const struct csr *a, bool symmetric);

#endif
