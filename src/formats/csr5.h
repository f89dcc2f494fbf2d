/* CSR5 (Liu and Vinter, "CSR5: An efficient storage format for cross-platform sparse matrix-vector
 * multiplication", ICS 2015, section 3; arXiv:1503.05032). */
#ifndef SPARSIGHT_FORMATS_CSR5_H
#define SPARSIGHT_FORMATS_CSR5_H

#include "formats/format.h"

/* Tiles of omega columns and sigma rows each take omega * sigma entries, in the order of CSR. Column c of a
 * tile has entries c * sigma .. c * sigma + sigma-1 of the tile. A tile is stored row by row, so that omega
 * lanes load neighbouring slots, and each lane goes down a column. With omega = 2 and sigma = 3:
 *
 *     row 0   a b c d        tile   a d     bit_flag  1 .
 *     row 1                         b e               . 1
 *     row 2   e f                   c f               . .
 *
 * The entries after the last whole tile are part 1, in the order of CSR.
 *
 * row_ptr is that of CSR. tile_ptr[t] is the row of tile t's first entry, and tile_ptr[tiles] that of the
 * first entry in the tail, or the number of rows if there is no tail. A matrix without entries has no
 * tile_ptr. CSR5_GAPS is set in tile_ptr[t] if one of rows tile_ptr[t] .. tile_ptr[t+1]-1 is empty.
 *
 * tile_desc has a word for each column of a tile, made of
 *
 *     bit_flag    bit r: the entry in row r of the tile begins a row of the matrix, or it is the tile's first
 *     seg_offset  the number of columns without a set bit that directly follow this column, if it has one;
 *                 0 for a column without a set bit
 *     y_offset    the number of set bits in all columns before this one
 *
 * If tile t has CSR5_GAPS, a word for each set bit follows (empty_offset): the row that begins there, less
 * tile_ptr[t]. The array desc_ptr exists only if there is such a tile: the descriptor of tile t begins with
 * word desc_ptr[t]. Otherwise it begins with word t * omega. */
enum {
    CSR5_ROW_PTR,
    CSR5_TILE_PTR,
    CSR5_TILE_DESC,
    CSR5_COL,
    CSR5_VAL,
    CSR5_TAIL_COL,
    CSR5_TAIL_VAL,
    CSR5_DESC_PTR
};

/* The numbers of the storage: the two parameters, the number of tiles, and the entries of a tile. */
enum { CSR5_OMEGA, CSR5_SIGMA, CSR5_TILES, CSR5_SIZE };

#define CSR5_OMEGA_MAX 32
#define CSR5_SIGMA_MAX 16

/* The fields of a word of tile_desc, lowest bits first: bit_flag, seg_offset, y_offset. */
#define CSR5_FLAG_BITS 16
#define CSR5_SEG_BITS 6

/* The bit of an element of tile_ptr whose tile has empty rows. */
#define CSR5_GAPS ((uint32_t)1 << 31)

extern const struct format format_csr5;

#endif
