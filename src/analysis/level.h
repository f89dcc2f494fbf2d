/* The cells of a matrix that have entries, with their numbers of entries, at any resolution and in memory
 * proportional to these cells. The pyramid answers for any rectangle at once; this is a list to write or to
 * traverse. Doubling its steps makes the next level up. */
#ifndef SPARSIGHT_ANALYSIS_LEVEL_H
#define SPARSIGHT_ANALYSIS_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/pyramid.h"
#include "base/error.h"
#include "matrix/csr.h"

/* Cell (r, c) has rows r * row_step to (r + 1) * row_step - 1 of the matrix, and columns likewise. */
struct level {
    int64_t row_step, col_step; /* powers of two */
    int64_t rows, cols;         /* of the grid of cells */
    int64_t *start;             /* rows + 1: where the cells of each row begin; owned, as are those below */
    int32_t *col;               /* start[rows] columns of cells, ascending in each row */
    int64_t *count;             /* the number of entries of each cell, at least 1 */
};

/* The number of cells with entries. */
static inline int64_t level_number(const struct level *level)
{
    return level->start ? level->start[level->rows] : 0;
}

/* Return the bytes of this number of cells in this number of rows. */
size_t level_bytes(int64_t rows, int64_t number);

/* Make every entry a cell of one row and one column. STATUS_MEMORY. The caller frees with level_free. */
enum status level_of_matrix(const struct csr *a, struct level *level, struct error *error);

/* Take the cells of a pyramid. Cells are merged until the grid has at most `side` of them along each side:
 * the steps are doubled one by one. O(its grid). STATUS_MEMORY. The caller frees with level_free. */
enum status level_of_pyramid(const struct pyramid *pyramid, int64_t side, struct level *level,
                             struct error *error);

/* Make a pyramid with these cells as its cells. The cells are at most PYRAMID_SIDE along each side. O(grid).
 * STATUS_MEMORY. The caller frees it with pyramid_free. */
enum status level_pyramid(const struct level *level, struct pyramid *pyramid, struct error *error);

/* Double the step of the rows, of the columns, or of both, and add up the entries of merged cells. In place,
 * O(cells + rows of them), one thread. STATUS_MEMORY: nothing has changed. */
enum status level_double(struct level *level, bool rows, bool cols, struct error *error);

/* Double the step of the longer side of the grid; of both if they are equally long. */
enum status level_coarsen(struct level *level, struct error *error);

void level_free(struct level *level);

#endif
