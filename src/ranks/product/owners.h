/* Shares by a partition: the rows of a matrix move to their owners in a partition. */
#ifndef SPARSIGHT_RANKS_PRODUCT_OWNERS_H
#define SPARSIGHT_RANKS_PRODUCT_OWNERS_H

#include <stddef.h>

#include "analysis/parts/partition.h"
#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* Make this rank's share by a partition with one part for each rank. Rows are permuted so that each rank owns
 * a run of them, in which they keep their order. The columns of a square matrix are permuted likewise, so
 * that a product is that of the original matrix in another order. *to has none of the source's statements.
 *
 * Rank 0 finds the partition; if the method uses entries, it gathers the pattern, 4 bytes an entry and 8 a
 * row. All ranks take 8 bytes a row of the whole matrix, and their share twice, while rows move. Collective.
 * Fails as partition_find does; STATUS_UNAVAILABLE if the partition has another number of parts; STATUS_LIMIT
 * if that takes more than `limit` bytes (0: the default of memory_check), STATUS_MEMORY; on all ranks alike,
 * and *to is {0} then. */
enum status share_by_partition(const struct ranks *ranks, const struct share *share,
                               const struct partition_choice *choice, size_t limit, struct share *to,
                               struct error *error);

#endif
