/* Level sets of a triangular solve: the rows of a level are independent of each other. */
#ifndef SPARSIGHT_MATRIX_GRAPHS_LEVELS_H
#define SPARSIGHT_MATRIX_GRAPHS_LEVELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/csr.h"

struct progress;

/* The triangle that is solved: the entries below the diagonal, from the first row on, or those above it, from
 * the last row on. The diagonal is ignored. The factors of ILU(0) have these patterns, and those of IC(0) if
 * the pattern is symmetric. */
enum triangle { TRIANGLE_LOWER, TRIANGLE_UPPER, TRIANGLES };

/* The level of row i is 0 if row i has no entry in the triangle. Otherwise it is 1 + the largest level of the
 * rows j with an entry (i, j) in the triangle. A solve takes one step per level. Source: Anderson and Saad,
 * Int. J. High Speed Comput. 1, 1989. */
struct level_sets {
    int64_t entries; /* in the triangle, without the diagonal */
    int64_t count;   /* number of levels; 0 only for a matrix without rows */
    int64_t widest;  /* number of rows of the largest level */
    int64_t median;  /* the largest number such that half of the rows or more are in levels of at least this
                        number of rows */
};

/* Find the level of each row of a square matrix whose rows are sorted by column: level[0] .. level[rows-1].
 * One thread; O(nnz + rows). STATUS_UNAVAILABLE if the matrix is not square; STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status levels_find(const struct csr *a, enum triangle triangle, struct progress *progress,
                        int32_t *level, struct level_sets *sets, struct error *error);

/* Return the most bytes that levels_find allocates and frees again. */
size_t levels_bytes(int64_t rows);

#endif
