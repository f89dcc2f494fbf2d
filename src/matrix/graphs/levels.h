/* Level sets: which rows of a triangular solve are independent of each other. */
#ifndef SPARSIGHT_MATRIX_GRAPHS_LEVELS_H
#define SPARSIGHT_MATRIX_GRAPHS_LEVELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* The triangle of a square matrix that is solved: entries below the diagonal, from the first row on, or above
 * it, from the last row on. The diagonal does not matter. ILU(0) and IC(0) have the same patterns. */
enum triangle { TRIANGLE_LOWER, TRIANGLE_UPPER, TRIANGLES };

/* The level of row i is 0 if the triangle has no entry (i, j), else 1 + the largest level of these rows j.
 * A solve takes one step per level. The rows of a level are independent. Source: Anderson and Saad,
 * Int. J. High Speed Comput. 1, 1989. */
struct level_sets {
    int64_t entries; /* of the triangle, without the diagonal */
    int64_t count;   /* levels; 0 only of a matrix without rows */
    int64_t widest;  /* rows of the largest level */
    int64_t median;  /* half of the rows or more are in levels of at least this number of rows; no larger
                        number has this property */
};

/* Find the level of each row of a square matrix: level[i], rows of them. The rows are sorted by column. One
 * thread; O(nnz + rows). STATUS_UNAVAILABLE if the matrix is not square; STATUS_MEMORY, STATUS_CANCELLED. */
enum status levels_find(const struct csr *a, enum triangle triangle, struct progress *progress,
                        int32_t *level, struct level_sets *sets, struct error *error);

/* Return the bytes that levels_find takes for a while, without level[]. */
size_t levels_bytes(int64_t rows);

#endif
