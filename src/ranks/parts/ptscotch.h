/* Partitions that PT-Scotch finds over the ranks. */
#ifndef SPARSIGHT_RANKS_PARTS_PTSCOTCH_H
#define SPARSIGHT_RANKS_PARTS_PTSCOTCH_H

#include <stdint.h>

#include "analysis/parts/partition.h"
#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* Find the owners of this rank's rows, owner[0 .. own.rows-1], in a partition of the graph of A + A^T into so
 * many parts. It is the same whenever as many ranks ask for it. A rank takes some 12 bytes an entry of its
 * own, twice that unless the pattern is symmetric, and what PT-Scotch takes. Collective; STATUS_UNAVAILABLE
 * if this build lacks PT-Scotch or the matrix is not square, STATUS_LIMIT if the graph is too large for its
 * integers, STATUS_MEMORY, on all ranks. */
enum status ptscotch_owners(const struct ranks *ranks, const struct share *share,
                            const struct partition_choice *choice, int64_t parts, int32_t *owner,
                            struct error *error);

#endif
