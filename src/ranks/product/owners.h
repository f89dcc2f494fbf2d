/* Shares by a partition: the rows of a matrix go to the ranks that a partition says own them. */
#ifndef SPARSIGHT_RANKS_PRODUCT_OWNERS_H
#define SPARSIGHT_RANKS_PRODUCT_OWNERS_H

#include <stddef.h>

#include "analysis/parts/partition.h"
#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* Make the share that a partition into as many parts as there are ranks gives this one. Rows are permuted so
 * that each rank owns a run of them, in which they keep their order; of a square matrix the columns are
 * permuted likewise. So a product of it is that of the matrix as it was, in another order. *to has none of
 * what the source said.
 *
 * Rank 0 finds the partition; for one that looks at entries it gathers the pattern, 4 bytes an entry and 8 a
 * row. All ranks take 8 bytes a row of the whole matrix, and their share twice, while the rows are dealt out.
 * Collective. Fails as partition_find does; STATUS_UNAVAILABLE if the partition is one of another number of
 * parts; STATUS_LIMIT if that takes more than `limit` bytes (0: what memory_check takes by itself),
 * STATUS_MEMORY; on all ranks alike, and *to is {0} then. */
enum status share_by_partition(const struct ranks *ranks, const struct share *share,
                               const struct partition_choice *choice, size_t limit, struct share *to,
                               struct error *error);

#endif
