/* Tiles of 16 x 16 positions (Niu, Lu, Dong, Jin, Tan, Yuan, "TileSpMV: A tiled algorithm for sparse
 * matrix-vector multiplication on GPUs", IPDPS 2021, section III). */
#ifndef SPARSIGHT_FORMATS_TILE_H
#define SPARSIGHT_FORMATS_TILE_H

#include "formats/format.h"

/* Rows and columns of a tile, and its positions. At the right and lower edge a tile has only the rows and
 * columns of the matrix. */
#define TILE_SIZE 16
#define TILE_SLOTS (TILE_SIZE * TILE_SIZE)

/* The arrays. Tile row r has tiles tile_ptr[r] .. tile_ptr[r+1]-1, which ascend by their columns tile_col.
 * Only tiles with entries are stored. Tile t has slots slot_ptr[t] .. slot_ptr[t+1]-1 and the bytes
 * byte_ptr[t] .. byte_ptr[t+1]-1 of `index`. A matrix without entries has neither of these pointers. The
 * first byte is (width - 1) * 16 + storage; its upper half is 0 unless the storage is ELL. Two columns share
 * a byte, the first one in its lower half; a last half without a column is 0. The storages are
 *
 *     COO      slots in the order of rows; for each a byte, row * 16 + column
 *     CSR      slots in the order of rows; a byte for each row, its first slot; then the columns
 *     ELL      `width` slots for each row, column by column; the columns in the same order. Padding repeats
 *              the column before it in its row, or has column 0 if the row is empty
 *     dense    a slot for each position, column by column
 *
 * Each tile has the storage with the fewest bytes. The paper also has HYB, dense rows and dense columns, and
 * chooses by limits of the number of entries that it has measured on GPUs. */
enum { TILE_PTR, TILE_COL, TILE_SLOT_PTR, TILE_BYTE_PTR, TILE_INDEX, TILE_VAL };

enum tile_kind { TILE_COO, TILE_CSR, TILE_ELL, TILE_DENSE, TILE_KINDS };

/* The numbers: tile rows; tiles; slots of the largest tile; and what the warps of the paper's kernels go
 * through, lanes times steps. */
enum { TILE_ROWS, TILE_TILES, TILE_LARGEST, TILE_LANES };

/* Return the kind of a tile from its first byte, and the width of ELL. */
static inline enum tile_kind tile_kind(uint8_t head)
{
    return (enum tile_kind)(head & 15);
}

static inline int64_t tile_width(uint8_t head)
{
    return (head >> 4) + 1;
}

/* Return element e of bytes that hold two columns each. */
static inline int tile_half(const uint8_t *bytes, int64_t e)
{
    return bytes[e / 2] >> (e % 2 * 4) & 15;
}

extern const struct format format_tile;

#endif
