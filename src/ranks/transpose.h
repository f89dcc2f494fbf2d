/* The transposed matrix over ranks, beside the matrix or instead of it. Products with A^T over ranks are
 * those of a matrix that is stored transposed. */
#ifndef SPARSIGHT_RANKS_TRANSPOSE_H
#define SPARSIGHT_RANKS_TRANSPOSE_H

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

/* Replace a loaded share by that of A^T, with the description of matrix_transpose. The rows of a symmetric
 * matrix stay where they are. For others a rank holds both shares meanwhile, within `limit` bytes (0: the
 * default of memory_check, divided among the ranks of a node). Collective. STATUS_LIMIT, STATUS_MEMORY, on
 * all ranks alike; the share is then to be freed. */
enum status share_transpose(const struct ranks *ranks, struct share *share, size_t limit,
                            struct error *error);

#endif
