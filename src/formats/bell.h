/* Blocked ELL: ELL of dense square blocks (as in cuSPARSE). */
#ifndef SPARSIGHT_FORMATS_BELL_H
#define SPARSIGHT_FORMATS_BELL_H

#include "formats/format.h"

/* The arrays. Each block row, of `size` rows, has as many blocks as the longest one: `width`. Block c of
 * block row r has columns ellColInd[r * width + c] * size and following. Blocks of a block row ascend by
 * columns; padding follows them, with column -1.
 *
 * The values are those of a dense array with width * size columns, row by row, in which the blocks of a block
 * row lie side by side. That is the order of cuSPARSE, as its example dense2sparse_blockedell shows:
 *
 *     place (i, j) of block c is ellValue[(i * width + c) * size + j % size]
 *
 *     slots with size 2 and width 2:    0 1 | 2 3
 *                                       4 5 | 6 7
 *
 * The slots of block rows beyond the last row exist, too: cuSPARSE requires whole blocks. */
enum { BELL_COL, BELL_VAL };

/* The numbers: the rows and columns of a block; how many block rows, and how many blocks in each, there are;
 * the blocks with entries; and the positions outside of blocks in the block rows without padding, -1 if
 * unknown. */
enum { BELL_SIZE, BELL_BLOCK_ROWS, BELL_WIDTH, BELL_BLOCKS, BELL_OUTSIDE };

#define BELL_SIZE_MIN 2
#define BELL_SIZE_MAX 32

extern const struct format format_bell;

/* Return the number of blocks of a block row, without padding. O(log width). */
int64_t bell_blocks_of(const struct storage *storage, int64_t block_row);

#endif
