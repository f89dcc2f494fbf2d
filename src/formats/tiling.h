/* Filling of formats that store rows side by side, so that their d-th entries lie together: JDS and
 * SELL-C-sigma. This is a transposition, done tile by tile. Each row is read once along its length, and cache
 * lines are written whole. A line is one of the format's picture, which is a row in sorted order. A tile of
 * 3 lines in a chunk of 8 rows:
 *
 *     lines           slots
 *
 *     a0 a1 a2        a0 b0 c0 . . . . .  a1 b1 c1 . . . . .  a2 -- c2 . . . . .
 *     b0 b1           slot                slot + stride       slot + 2 stride
 *     c0 c1 c2
 */
#ifndef SPARSIGHT_FORMATS_TILING_H
#define SPARSIGHT_FORMATS_TILING_H

#include "formats/format.h"

#define TILE_LINES 64

/* Up to TILE_LINES consecutive lines. */
struct tile {
    int64_t first; /* the first line */
    int64_t lines;
    int64_t wide;         /* the length to which they are padded; without padding, that of the longest */
    int64_t slot, stride; /* entry d of line first + l goes to slot + d * stride + l */
};

struct tiling {
    struct storage *storage;
    const struct csr *a;
    const char *phase; /* the name of the progress's phase */
    struct array *col, *val;
    const int32_t *order; /* the row of each line; NULL if line r is row r */
    int64_t rows;         /* the number of lines that have a row; those after them are padding */
    /* The offsets of JDS's diagonals, or NULL. If they exist, lines are sorted by length and not padded, and
     * entry d of line r goes to slot diagonal[d] + r; the tiles' slot and stride are not used. */
    const struct array *diagonal;
    int64_t tiles;
    const int64_t *first; /* the first line of each tile, if `tile` reads it; else NULL */
    struct tile (*tile)(const struct tiling *tiling, int64_t t); /* returns tile t */
};

/* Write the slots of all tiles: entries, and padding with the value 0 and the column of the line's last entry
 * (0 if it has none). Parallel, in blocks of equal work. It takes tiling_bytes of temporary memory. Returns
 * STATUS_MEMORY or STATUS_CANCELLED. */
enum status fill_tiles(const struct tiling *tiling, struct progress *progress, struct error *error);

/* Return the bytes that fill_tiles needs for this number of tiles. */
size_t tiling_bytes(int64_t tiles);

#endif
