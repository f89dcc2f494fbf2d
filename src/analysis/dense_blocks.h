/* Dense blocks among the entries: of a fixed size, as BSR stores them, and of variable sizes. */
#ifndef SPARSIGHT_ANALYSIS_DENSE_BLOCKS_H
#define SPARSIGHT_ANALYSIS_DENSE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

#define DENSE_BLOCK_MAX 8 /* rows and columns of a fixed block */

/* Rows are similar if the cosine of their patterns is at least this: common columns / sqrt(length x length),
 * as in Saad, Finding exact and approximate block structures for ILU preconditioning, SIAM J. Sci. Comput.
 * 24, 2003. */
#define DENSE_BLOCKS_COSINE 0.8

/* Fixed blocks have `rows` x `cols` positions and begin at multiples of these. Both are at most
 * DENSE_BLOCK_MAX. Their size is the one that takes the fewest bytes: 8 for each position, and 4 for the
 * column of each block. Of equal sizes, the one with fewer rows is chosen, then with fewer columns. 1 x 1
 * means that no larger size takes fewer bytes.
 *
 * If there are more than DENSE_BLOCKS_SAMPLE entries, the size is chosen from stretches of rows (after Im,
 * Yelick and Vuduc, Sparsity, Int. J. High Perform. Comput. Appl. 18, 2004). Its blocks are then counted
 * exactly.
 *
 * Variable blocks: consecutive rows with the same columns are a group, and so are consecutive columns with
 * the same rows. Empty rows and columns are in no group. Where a group of rows meets a group of columns, all
 * positions or none have an entry.
 *
 * Similar rows: each row joins the group of the row before it if it is similar to the first row of that
 * group. Empty rows are in no group. */
struct dense_blocks {
    int64_t rows, cols, count; /* rows and columns of a fixed block; the number of blocks with entries */
    double fill;               /* the share of their positions without an entry; NaN without blocks */
    int64_t row_groups, largest_row_group;
    int64_t col_groups, largest_col_group;
    double mean_row_group, mean_col_group; /* NaN without groups */
    int64_t variable;                      /* the number of variable blocks with entries */
    double mean_variable;                  /* the mean number of entries of these blocks */
    int64_t similar_groups, largest_similar_group;
    double mean_similar_group;
    double similar_fill; /* positions without an entry / all; those of a group are its rows times all columns
                            in which one of them has an entry */
};

/* The entries up to which all rows decide on the size of fixed blocks. */
#define DENSE_BLOCKS_SAMPLE 131072

/* Find all members. O(nnz + rows + cols). Similar rows are found by one thread. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status dense_blocks_find(const struct csr *a, struct progress *progress, struct dense_blocks *blocks,
                              struct error *error);

/* Return the largest number of bytes that dense_blocks_find allocates temporarily. */
size_t dense_blocks_bytes(const struct csr *a);

/* The numbers of blocks of every fixed size, and the sizes of groups of rows, of a matrix with entries. */
#define DENSE_GROUP_MAX 16
struct dense_block_sizes {
    int64_t entries; /* of the rows whose blocks are counted: all, or those of a sample beyond
                        DENSE_BLOCKS_SAMPLE entries */
    int64_t count[DENSE_BLOCK_MAX + 1][DENSE_BLOCK_MAX + 1]; /* [r][c]: blocks of r x c in these rows */
    /* [k]: rows in groups of k rows; [DENSE_GROUP_MAX]: in groups of at least as many */
    int64_t same[DENSE_GROUP_MAX + 1], similar[DENSE_GROUP_MAX + 1];
};

/* Return the bytes of blocks of r x c positions per byte of blocks of 1 x 1. */
double dense_block_bytes(const struct dense_block_sizes *sizes, int r, int c);

/* Count them. O(nnz + rows + cols), with the memory and the failures of dense_blocks_find. */
enum status dense_block_sizes_find(const struct csr *a, struct progress *progress,
                                   struct dense_block_sizes *sizes, struct error *error);

/* Return the group of consecutive rows with the same columns that row i belongs to: *end is the row after it.
 * At most `most` rows in each direction are compared. An empty row is a group of its own. */
int64_t dense_blocks_group(const struct csr *a, int64_t i, int64_t most, int64_t *end);

#endif
