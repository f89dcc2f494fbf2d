/* Partitions of a matrix that ranks hold together, into any number of parts. */
#ifndef SPARSIGHT_RANKS_PARTS_OWNERS_H
#define SPARSIGHT_RANKS_PARTS_OWNERS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/parts/partition.h"
#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* What rank 0 has of the pattern of the whole matrix, which partitions are found from; {0} on other ranks and
 * in the beginning. Free with pattern_free. */
struct pattern {
    struct csr whole;              /* row_ptr and col, as far as they are there; no values */
    bool own_offsets, own_columns; /* these are freed by pattern_free */
};

/* Find the partition that one process finds, or for PT-Scotch the one of so many ranks, and let all ranks
 * know it. Rank 0 gathers what its partitioner looks at unless *pattern has it: where rows begin, and for
 * METIS and Scotch the columns of all entries, if there is memory for both; they stay there for the next one.
 * All ranks hold 4 bytes a row. Fails as partition_find does, the same on all ranks, and *partition is {0}
 * then. Collective. */
enum status ranks_partition(const struct ranks *ranks, const struct share *share,
                            const struct partition_choice *choice, int64_t parts, size_t limit,
                            struct pattern *pattern, struct partition *partition, struct error *error);

/* Takes {0}. */
void pattern_free(struct pattern *pattern);

#endif
