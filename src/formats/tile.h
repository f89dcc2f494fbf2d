/* Rows stored side by side, so that their d-th entries lie together: what JDS and SELL-C-sigma have in common
 * when they fill. That is a transposition, and is done tile by tile: each row is read once along its length,
 * and cache lines are written whole. Only formats include this. */
#ifndef SPARSIGHT_FORMATS_TILE_H
#define SPARSIGHT_FORMATS_TILE_H

#include "formats/format.h"

#define TILE_LINES 64

/* Up to TILE_LINES lines of a format's picture that follow each other, all as wide as the widest. */
struct tile {
    int64_t first; /* line */
    int64_t lines, wide;
    int64_t slot, stride; /* entry d of line first + l goes to slot + d * stride + l */
};

struct tiling {
    struct storage *storage;
    const struct csr *a;
    const char *phase; /* what the progress says */
    struct array *col, *val;
    const int32_t *order; /* the row of each line; NULL: line r is row r */
    int64_t rows;         /* lines from there on have no row */
    /* Not NULL: lines are not padded but sorted by length, and entry d of line r goes to offset diagonal[d] +
     * r; slot and stride do not count. */
    const struct array *diagonal;
    int64_t tiles;
    const int64_t *first; /* of each tile, for whom it is of use */
    struct tile (*tile)(const struct tiling *tiling, int64_t t);
};

/* Write the slots of all tiles: entries, and padding of value 0 and the column of the line's last entry (0 if
 * it has none). Parallel, in blocks of equal work; beside them it takes tiling_bytes. */
enum status fill_tiles(const struct tiling *tiling, struct progress *progress, struct error *error);

/* Bytes that fill_tiles takes for so many tiles. */
size_t tiling_bytes(int64_t tiles);

#endif
