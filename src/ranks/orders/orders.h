/* Other orders of the rows and columns of a distributed matrix. */
#ifndef SPARSIGHT_RANKS_ORDERS_ORDERS_H
#define SPARSIGHT_RANKS_ORDERS_ORDERS_H

#include <stddef.h>

#include "base/error.h"
#include "matrix/matrix.h"
#include "matrix/orders/order.h"
#include "ranks/ranks.h"
#include "ranks/share.h"
#include "session/case.h"

/* Make this rank's share of the matrix in another order, the one of order_compute for the whole matrix: rank
 * 0 finds the permutation, and the entries move to the owners of their new rows (share_moved).
 *
 * `natural`, which only rank 0 needs, describes the matrix. Its csr has the offsets of all rows, and the
 * columns of all entries, if rank 0 has gathered these; else it is {0}. Rank 0 gathers the rest of what the
 * order needs: 8 bytes a row, and 4 an entry unless the order needs no columns. It also takes the order's own
 * memory, and keeps 4 bytes for each row that moves, and as many for each column that has another
 * permutation. Each rank takes 4 bytes for each of them while entries move, and its new share.
 *
 * *reordering gets on all ranks the name of the order; on rank 0 also the permutation and the times. Free it
 * with reordering_free, also after failure. to->matrix describes the matrix on rank 0; on the others it has
 * the field and the symmetry. Collective. Fails as order_compute does, with STATUS_LIMIT if any of this
 * exceeds `limit` beside the share (0: the default of memory_check), and STATUS_MEMORY; on all ranks alike,
 * and *to is {0} then. */
enum status share_reordered(const struct ranks *ranks, const struct share *share,
                            const struct matrix *natural, const struct order_choice *choice, size_t limit,
                            struct share *to, struct reordering *reordering, struct error *error);

#endif
