/* Parts of ranks_distribute (distribute.h): the owners of the rows, the exchange between parts, and pictures
 * of both. */
#ifndef SPARSIGHT_RANKS_PARTS_PARTS_H
#define SPARSIGHT_RANKS_PARTS_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/parts/halo.h"
#include "analysis/parts/partition.h"
#include "analysis/parts/sketch.h"
#include "base/error.h"
#include "ranks/pattern.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* Partitions of a distributed matrix into any number of parts. */

/* Compute the partition on rank 0, or for blocks, PT-Scotch and Zoltan on all ranks, and send it to all
 * ranks; owners of entries are those of the rank's own. Rank 0 gathers the input of its partitioner unless
 * *pattern has it: the offsets of rows, and for METIS and Scotch the columns of all entries, if both fit in
 * memory; they are kept for the next partition. All ranks hold 4 bytes a row. Fails as partition_find does,
 * the same on all ranks, and *partition is {0} then. Collective. */
enum status ranks_partition(const struct ranks *ranks, const struct share *share,
                            const struct partition_choice *choice, int64_t parts, size_t limit,
                            struct pattern *pattern, struct partition *partition, struct error *error);

/* Partitions that the ranks find together. */

/* Find the blocks of a grid (analysis/parts/grid.h): the owners of this rank's rows, owner[0 .. own.rows-1],
 * and of its entries, and in rectangular matrices those of all elements of x. 16 bytes a column. Collective;
 * STATUS_UNAVAILABLE, STATUS_MEMORY, on all ranks. */
enum status blocks_owners(const struct ranks *ranks, const struct share *share,
                          const struct partition_choice *choice, struct partition *partition, int32_t *owner,
                          struct error *error);

/* Find the owners of the elements of x, partition->col_owner, by the rule of analysis/parts/holders.h, and if
 * the entries are partitioned those of this rank's elements of y, owner[0 .. own.rows-1]; in 1D these are
 * given. 8 bytes a row and 8 a column. Collective; STATUS_MEMORY on all ranks. */
enum status ranks_holders(const struct ranks *ranks, const struct share *share, struct partition *partition,
                          int32_t *owner, struct error *error);

/* Find the owners of this rank's rows, owner[0 .. own.rows-1], by PT-Scotch in a partition of the graph of
 * A + A^T into partition->parts parts. The result depends on the number of ranks only. A rank needs some 12
 * bytes per entry of its own, twice that unless the pattern is symmetric, and the memory of PT-Scotch.
 * Collective; STATUS_UNAVAILABLE if this build lacks PT-Scotch or the matrix is not square, STATUS_LIMIT if
 * the graph is too large for its integers, STATUS_MEMORY, on all ranks. */
enum status ptscotch_owners(const struct ranks *ranks, const struct share *share,
                            const struct partition_choice *choice, struct partition *partition,
                            int32_t *owner, struct error *error);

/* Find the owners of this rank's rows, owner[0 .. own.rows-1], and the other lists of the partition, by
 * Zoltan: of the partition `hypergraph` or `finegrain`. The result depends on the number of ranks only. A
 * rank takes some 8 bytes an entry of its own, or 50 of `finegrain`, and the memory of Zoltan. Collective;
 * STATUS_UNAVAILABLE if this build lacks Zoltan, STATUS_LIMIT if the hypergraph is too large, STATUS_MEMORY,
 * on all ranks. */
enum status zoltan_owners(const struct ranks *ranks, const struct share *share,
                          const struct partition_choice *choice, struct partition *partition, int32_t *owner,
                          struct error *error);

/* The same, and unless `cut` is NULL, *cut becomes the sum of connectivity - 1 over the nets, in the numbers
 * that Zoltan reports in single precision. */
enum status zoltan_owners_cut(const struct ranks *ranks, const struct share *share,
                              const struct partition_choice *choice, struct partition *partition,
                              int32_t *owner, double *cut, struct error *error);

/* The exchange of a distributed product (src/analysis/parts/halo.h), counted by the ranks of a distributed
 * matrix, for any number of parts. */

/* Number of 4-byte numbers of each rank in a round, or a sixteenth of an even share if that is more. */
#define RANKS_HALO_ROUND ((int64_t)1 << 22)

/* Count the exchange. Rank 0's *halo has the numbers of halo_count for the whole matrix; those of the other
 * ranks are empty. Free with halo_free on all ranks. Each rank finds the elements that its rows of a part
 * need. If the rows of a part lie on several ranks, these elements go to ranks that count each once. They go
 * in rounds; `round` is the minimum size of one, as RANKS_HALO_ROUND. A rank takes 4 bytes for each of these
 * elements, at most one for each of its entries; 4 for each of its rows; 4 a column for each thread; 100 a
 * part; and two rounds. Rank 0 takes 16 bytes a message. STATUS_LIMIT, STATUS_MEMORY, the same on all ranks;
 * *halo is {0} then. Collective. */
enum status ranks_halo(const struct ranks *ranks, const struct share *share,
                       const struct partition *partition, int64_t round, size_t limit, struct halo *halo,
                       struct error *error);

/* Pictures of a partition (src/analysis/parts/sketch.h), drawn by the ranks of a distributed matrix. */

/* Make on rank 0 the sketch that sketch_make makes of the whole matrix, from rank 0's halo; on the others
 * *sketch becomes {0}. A rank takes 1 MiB. STATUS_MEMORY on all ranks. Collective. */
enum status ranks_sketch(const struct ranks *ranks, const struct share *share,
                         const struct partition *partition, const struct halo *halo, struct sketch *sketch,
                         struct error *error);

#endif
