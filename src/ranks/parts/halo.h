/* What a distributed product would exchange (src/analysis/parts/halo.h), counted by the ranks that hold the
 * matrix, for any number of parts. */
#ifndef SPARSIGHT_RANKS_PARTS_HALO_H
#define SPARSIGHT_RANKS_PARTS_HALO_H

#include <stddef.h>

#include "analysis/parts/halo.h"
#include "analysis/parts/partition.h"
#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* A round takes so many numbers of 4 bytes of each rank, or a sixteenth of an even share if that is more. */
#define RANKS_HALO_ROUND ((int64_t)1 << 22)

/* Count it: rank 0's *halo has the numbers that halo_count finds in the whole matrix, and those of the others
 * have none. Free with halo_free on all ranks. Each rank finds the elements that its rows of a part need; of
 * parts whose rows lie on several ranks these go to the ranks that count them once, in rounds, of which
 * `round` says the least size, as RANKS_HALO_ROUND does. A rank takes 4 bytes for each of these elements,
 * which are no more than its entries; 4 for each of its rows; for each thread 4 a column; 100 a part; and two
 * rounds. Rank 0 takes 16 bytes a message. STATUS_LIMIT, STATUS_MEMORY, the same on all ranks; *halo is {0}
 * then. Collective. */
enum status ranks_halo(const struct ranks *ranks, const struct share *share,
                       const struct partition *partition, int64_t round, size_t limit, struct halo *halo,
                       struct error *error);

#endif
