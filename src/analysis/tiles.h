/* The entries of the pyramid's cells by their position within the cell, for pictures whose dots are smaller
 * than a cell. Without them a picture would have to read the rows of the matrix, which may be a million.
 *
 * Each cell is divided into 16 x 16 parts, and has one tile. The tile of a cell with few entries lists them,
 * in one byte each: 16 times the row of its part plus the column. The tile of a cell with more entries is a
 * table of 256 counts. All tiles together take at most about one byte an entry. */
#ifndef SPARSIGHT_ANALYSIS_TILES_H
#define SPARSIGHT_ANALYSIS_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/pyramid.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* A picture of a matrix with fewer entries than this is counted fast enough without tiles. */
#define TILES_FROM ((int64_t)1 << 23)

struct tiles {
    int64_t part_rows, part_cols; /* rows and columns of a part */
    uint32_t *words;              /* the tiles, row by row of cells; owned; NULL if there are none */
    size_t *starts; /* the index in `words` of the tiles of every 64th cell of a row of cells; owned */
};

/* Make the tiles of a matrix whose pyramid has been built. Parallel; the columns are read once. STATUS_LIMIT,
 * before the tiles are allocated, if they would take more than memory_limit(limit). The caller frees them
 * with tiles_free. */
enum status tiles_make(const struct csr *a, const struct pyramid *pyramid, size_t limit,
                       struct progress *progress, struct tiles *tiles, struct error *error);

/* Call tiles_make if the matrix has TILES_FROM entries or more. Pictures without tiles are as exact, only
 * slower. Too little memory is therefore no error, and *tiles is then {0}. Fails only if it is cancelled. */
enum status tiles_make_if_many(const struct csr *a, const struct pyramid *pyramid, size_t limit,
                               struct progress *progress, struct tiles *tiles, struct error *error);

/* True if there are tiles, and dots of this size that begin at row0 and col0 are whole parts of cells; false
 * for numbers beyond 32 bits. */
bool tiles_suit(const struct tiles *tiles, int64_t row0, int64_t col0, int64_t dot_rows, int64_t dot_cols);

/* Count as pyramid_dots does, if tiles_suit. O(cells in the picture + entries in it, but at most 256 for each
 * cell). Parallel if there is enough to do. */
void tiles_dots(const struct tiles *tiles, const struct pyramid *pyramid, int64_t row0, int64_t col0,
                int64_t dot_rows, int64_t dot_cols, int high, int wide, int64_t *counts);

void tiles_free(struct tiles *tiles);

#endif
