/* BSR: block compressed sparse rows, CSR of small dense square blocks (as in cuSPARSE and SciPy). */
#ifndef SPARSIGHT_FORMATS_BSR_H
#define SPARSIGHT_FORMATS_BSR_H

#include "formats/format.h"

/* The arrays. Block row r has rows r * size .. r * size + size-1, and blocks row_ptr[r] .. row_ptr[r+1]-1, in
 * ascending order of columns. Block k has columns col[k] * size .. col[k] * size + size-1, and its values are
 * stored row by row:
 *
 *     place (i, j) of block k is val[(k * size + i % size) * size + j % size]
 *
 *     slots with size 2:    0 1 | 4 5
 *                           2 3 | 6 7
 *
 * Every block with an entry is stored. Its slots without entries are padding, and so are those of the last
 * blocks that lie beyond the matrix. */
enum { BSR_ROW_PTR, BSR_COL, BSR_VAL };

/* The numbers of the storage: the rows and columns of a block; the numbers of block rows, of blocks, and of
 * blocks in the longest block row; and the positions outside of blocks in the longest block rows, for blocked
 * ELL (struct bsr_count). */
enum { BSR_SIZE, BSR_BLOCK_ROWS, BSR_BLOCKS, BSR_LONGEST, BSR_OUTSIDE };

#define BSR_SIZE_MIN 2
#define BSR_SIZE_MAX 8

extern const struct format format_bsr;

/* Return the number of blocks of a block row if blocks have `size` rows; fewer if cancelled. O(entries of the
 * block row). */
int64_t bsr_blocks_of(const struct csr *a, int64_t size, int64_t block_row, const struct progress *progress);

/* Return true if one of its blocks lies in the last block column. */
bool bsr_ends_with_last(const struct csr *a, int64_t size, int64_t block_row);

#endif
