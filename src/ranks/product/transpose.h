/* The transposed matrix as a share: products with A^T over ranks are those of a matrix that is stored
 * transposed. */
#ifndef SPARSIGHT_RANKS_PRODUCT_TRANSPOSE_H
#define SPARSIGHT_RANKS_PRODUCT_TRANSPOSE_H

#include <stddef.h>

#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* Make this rank's share of A^T: a run of the columns of A, with about as many entries as those of other
 * ranks. Entries are sent to their owners as when a matrix is read (ranks/build.h). *to has of the source's
 * statements only the symmetry. Collective. STATUS_LIMIT if it takes more than `limit` bytes on some rank (0:
 * the default of memory_check), STATUS_MEMORY; on all ranks alike, and *to is {0} then. O(entries). */
enum status share_transposed(const struct ranks *ranks, const struct share *share, size_t limit,
                             struct share *to, struct error *error);

#endif
