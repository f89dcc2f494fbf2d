/* The walk over the blocks of a block row, for counting and filling them. */
#ifndef SPARSIGHT_FORMATS_BSR_WALK_H
#define SPARSIGHT_FORMATS_BSR_WALK_H

#include "base/range.h"
#include "formats/bsr_count.h"
#include "matrix/nonempty.h"

/* Number of blocks, or entries, between two checks for cancellation, since a row may be very long. */
#define STRETCH 4096

/* A walk over the blocks of a block row, from left to right, by merging its rows. next[r] is the first entry
 * of row r after the previous blocks. The smallest column among these entries determines the next block,
 * which takes its entries from each row. Size 2, after the first block:
 *
 *     row 0     x  x | .  . | x  .        next[0] is in column 4
 *     row 1     x  . | .  . | .  x        next[1] is in column 5: the next block is 4 / 2 = 2
 */
struct walk {
    const struct csr *a;
    int64_t size;
    int rows; /* the rows of a block; fewer in the last block row if the matrix ends within it */
    int64_t next[BLOCK_MAX], end[BLOCK_MAX];
};

static inline struct walk walk_of(const struct csr *a, int64_t size, int64_t block_row)
{
    struct walk walk; /* most of its arrays is not used, and not initialised */
    int64_t first = block_row * size;
    walk.a = a;
    walk.size = size;
    walk.rows = (int)min(size, a->rows - first);
    for (int r = 0; r < walk.rows; r++) {
        walk.next[r] = a->row_ptr[first + r];
        walk.end[r] = a->row_ptr[first + r + 1];
    }
    return walk;
}

/* Return true if a block row has no entries. There may be very many of these, which are skipped. */
static inline bool no_entries(const struct csr *a, int64_t size, int64_t block_row)
{
    return a->row_ptr[block_row * size] == a->row_ptr[min((block_row + 1) * size, a->rows)];
}

/* Return the first block row >= `block_row` with entries. */
static inline int64_t next_block_row(const struct csr *a, int64_t size, int64_t block_row)
{
    int64_t row = nonempty_from(a->row_ptr, min(block_row * size, a->rows), a->rows);
    return row < a->rows ? row / size : INT64_MAX;
}

/* Return the block column of the next block, or -1 if there is none. */
static inline int64_t walk_column(const struct walk *walk)
{
    int64_t col = INT64_MAX;
    for (int r = 0; r < walk->rows; r++)
        if (walk->next[r] < walk->end[r]) col = min(col, walk->a->col[walk->next[r]]);
    return col == INT64_MAX ? -1 : col / walk->size;
}

/* If the next entry of row r lies in block column `column`, pass it and return it, else return -1. */
static inline int64_t walk_entry(struct walk *walk, int r, int64_t column)
{
    int64_t k = walk->next[r];
    if (k >= walk->end[r] || walk->a->col[k] >= (column + 1) * walk->size) return -1;
    walk->next[r]++;
    return k;
}

#endif
