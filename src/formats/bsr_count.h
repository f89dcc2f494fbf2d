/* Counting the blocks of BSR and of blocked ELL. */
#ifndef SPARSIGHT_FORMATS_BSR_COUNT_H
#define SPARSIGHT_FORMATS_BSR_COUNT_H

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* The largest size of blocks that are counted. */
#define BLOCK_MAX 32

/* The counts for one size of blocks. */
struct bsr_count {
    int64_t blocks;
    int64_t longest; /* the number of blocks of the longest block row */
    int64_t outside; /* the positions of the matrix in the longest block rows that lie in none of their
                        blocks; -1 if a skeleton has counted, which does not know them */
    bool failed;     /* memory was lacking, and nothing is counted */
};

/* Return the number of block rows, or block columns, of this number of rows, or columns. */
static inline int64_t bsr_blocks_across(int64_t lines, int64_t size)
{
    return (lines + size - 1) / size;
}

/* Count the blocks of all block rows, which threads share in ranges. Counting ends early beyond `max` blocks;
 * the result is then above `max`, but not exact. For a matrix whose entries are not in memory, its skeleton
 * counts (matrix/skeleton.h). */
struct bsr_count bsr_count_all(const struct csr *a, int64_t size, int64_t max,
                               const struct progress *progress);

/* Stamps with which the threads count the blocks of single block rows. */
struct bsr_stamps;

/* Make stamps for blocks of this size; free() frees them. *stamps becomes NULL if bsr_blocks_of is as fast.
 * STATUS_MEMORY. */
enum status bsr_stamps_make(const struct csr *a, int64_t size, struct bsr_stamps **stamps,
                            struct error *error);

/* The same as bsr_blocks_of. Several threads may count, but each block row only once. */
int64_t bsr_blocks_stamped(struct bsr_stamps *stamps, const struct csr *a, int64_t block_row,
                           const struct progress *progress);

#endif
