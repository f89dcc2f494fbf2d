/* BSR: block compressed sparse rows, CSR of small dense square blocks (as in cuSPARSE and SciPy). */
#ifndef SPARSIGHT_FORMATS_BSR_H
#define SPARSIGHT_FORMATS_BSR_H

#include "formats/format.h"

/* Block row r holds rows r * size .. r * size + size-1 in blocks row_ptr[r] .. row_ptr[r+1]-1. Block k has
 * columns col[k] * size .. col[k] * size + size-1, and its values, row by row, are val[k * size * size] and
 * the size * size - 1 after it. Every block with an entry is stored; what it has no entry for is padding, and
 * so is what the last blocks have beyond the matrix. */
enum { BSR_ROW_PTR, BSR_COL, BSR_VAL };

/* Numbers: rows of a block, rows of blocks, blocks, and the blocks of the longest block row. */
enum { BSR_SIZE, BSR_BLOCK_ROWS, BSR_BLOCKS, BSR_LONGEST };

#define BSR_SIZE_MIN 2
#define BSR_SIZE_MAX 8

extern const struct format format_bsr;

#endif
