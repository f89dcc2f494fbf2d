/* Ranks that each read a part of a file must read the same file: nodes may have different files of one name.
 */
#ifndef SPARSIGHT_RANKS_SAME_H
#define SPARSIGHT_RANKS_SAME_H

#include <stdint.h>

#include "base/error.h"
#include "ranks/ranks.h"

/* The minimum number of bytes of a piece that is compared at a time. */
#define SAME_PIECE ((int64_t)16 << 20)

/* Check that this name is the same plain file on all ranks. A rank has rank 0's file if its inode, size and
 * times of change are the same. Other ranks have copies. These are compared with rank 0's file by the sizes,
 * the first bytes, and the hashes of all pieces. Ranks with the same copy share its pieces, so that a node
 * reads its copy once more. `piece` is the minimum of a piece's bytes, as SAME_PIECE.
 *
 * STATUS_INPUT for another file, with the rank, its node and the remedy; and the errors of container_open,
 * STATUS_IO and STATUS_MEMORY; the same on all ranks. A rank takes 512 KiB, and 1 MiB for each thread.
 * Collective. */
enum status ranks_same_file(const struct ranks *ranks, const char *name, int64_t piece, struct error *error);

#endif
