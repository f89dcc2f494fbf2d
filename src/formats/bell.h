/* Blocked ELL: ELL of dense square blocks (as in cuSPARSE). */
#ifndef SPARSIGHT_FORMATS_BELL_H
#define SPARSIGHT_FORMATS_BELL_H

#include "formats/format.h"

/* The arrays. Each block row, of `size` rows, has as many blocks as the longest one: `width`. Block c of
 * block row r begins in column ellColInd[r * width + c] * size. Blocks of a block row ascend by columns;
 * padding follows them, with block column -1.
 *
 * The values are those of a dense array with width * size columns, row by row, in which the blocks of a block
 * row lie side by side. That is the order of cuSPARSE, as its example dense2sparse_blockedell shows:
 *
 *     position (i, j), in block c, has ellValue[(i * width + c) * size + j % size]
 *
 *     slots with size 2 and width 2:    0 1 | 2 3
 *                                       4 5 | 6 7
 *
 * The last block row has slots also for rows beyond the matrix: cuSPARSE requires whole blocks. */
enum { BELL_COL, BELL_VAL };

/* The numbers of the storage: the rows and columns of a block; the number of block rows; the blocks of a
 * block row, with padding; the blocks with entries; and the positions outside of blocks in block rows without
 * padding, -1 if unknown. */
enum { BELL_SIZE, BELL_BLOCK_ROWS, BELL_WIDTH, BELL_BLOCKS, BELL_OUTSIDE };

#define BELL_SIZE_MIN 2
#define BELL_SIZE_MAX 32

extern const struct format format_bell;

/* Return the number of blocks of a block row, without padding. O(log width). */
int64_t bell_blocks_of(const struct storage *storage, int64_t block_row);

#endif
