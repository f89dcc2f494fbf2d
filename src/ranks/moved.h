/* A distributed matrix whose entries move to other positions, and with them to other ranks: the transposed
 * matrix, or the matrix in another order of its rows and columns. */
#ifndef SPARSIGHT_RANKS_MOVED_H
#define SPARSIGHT_RANKS_MOVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* The new position of entry (i, j): (rows[i], cols[j]), with all rows and columns of the matrix; NULL: they
 * keep their numbers. Then, if `transposed`, the two are swapped. */
struct move {
    const int32_t *rows, *cols;
    bool transposed;
};

/* Make this rank's share of the matrix whose entries have moved: a run of its rows, with about as many
 * entries as those of other ranks. Entries are sent to their owners as when a matrix is read (ranks/build.h).
 * to->matrix is {0}, except for the field and the number of duplicates. The share needs its values.
 * Collective. STATUS_LIMIT if it takes more than `limit` bytes on some rank (0: the default of memory_check,
 * divided among the ranks of a node), STATUS_MEMORY; on all ranks alike, and *to is {0} then. O(entries), and
 * sorting of rows. */
enum status share_moved(const struct ranks *ranks, const struct share *share, const struct move *move,
                        size_t limit, struct share *to, struct error *error);

#endif
