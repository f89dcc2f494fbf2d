/* Walking over the tiles of a matrix, choosing the storage of each, and counting them. */
#ifndef SPARSIGHT_FORMATS_TILE_COUNT_H
#define SPARSIGHT_FORMATS_TILE_COUNT_H

#include "formats/bsr_walk.h"
#include "formats/tile.h"
#include "matrix/skeleton.h"

/* The entries of a tile, in the order of rows. */
struct tile {
    int64_t col;        /* the tile's column */
    int64_t rows, cols; /* those that the matrix has */
    int64_t count, widest;
    int64_t start[TILE_SIZE + 1]; /* row i has entries start[i] .. start[i+1]-1 */
    int64_t entry[TILE_SLOTS];    /* in the matrix */
    uint8_t at[TILE_SLOTS];       /* row * 16 + column */
};

/* How a tile is stored. */
struct way {
    enum tile_kind kind;
    int64_t slots, bytes;
};

/* Find the next tile of a tile row. Returns false if there is none. */
bool tile_next(struct walk *walk, struct tile *tile);

/* Return the bytes of `index` for a tile with this number of rows and slots. */
int64_t tile_index_bytes(enum tile_kind kind, int64_t rows, int64_t slots);

/* Return the storage of a tile with the fewest bytes, for values of this size. Of equal ones the first of
 * dense, ELL, CSR and COO is chosen, which takes the fewest instructions. */
struct way tile_way(const struct tile *tile, int64_t value);

/* The tile columns of a matrix, for counting by one thread. Free with tile_columns_free. */
struct tile_columns {
    struct tile_column *of; /* owned; NULL: none */
    int32_t *list;          /* the columns of the current tile row; in the same memory */
    int64_t count;
};

/* Allocate the tile columns. There are none if the matrix has few entries for each: merging the rows of a
 * tile row is then faster. False without memory. */
bool tile_columns_make(const struct csr *a, struct tile_columns *columns);
void tile_columns_free(struct tile_columns *columns);

/* Count the tiles of tile rows first .. end-1, for values of this many bytes. With
 * tile columns each tile row may be counted only once; counting is then usually faster. NULL: without. */
struct skeleton_tiles tile_count(const struct csr *a, int64_t value, int64_t first, int64_t end,
                                 struct tile_columns *columns, const struct progress *progress);

#endif
