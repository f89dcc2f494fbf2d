/* Nested dissection by PT-Scotch, over ranks. */
#ifndef SPARSIGHT_RANKS_ORDERS_PTSCOTCH_H
#define SPARSIGHT_RANKS_ORDERS_PTSCOTCH_H

#include <stdint.h>

#include "base/error.h"
#include "base/parameters.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* Fill in place[0 .. own.rows-1] with the new numbers of this rank's rows of a square matrix, in a nested
 * dissection of the graph of A + A^T with these parameters (matrix/orders/ptscotch.h). The result depends on
 * the number of ranks only. A rank needs some 12 bytes per entry of its own, twice that unless the pattern is
 * symmetric, and the memory of PT-Scotch. Collective; STATUS_UNAVAILABLE if this build lacks PT-Scotch or
 * that fails, STATUS_LIMIT if the graph is too large for its integers, STATUS_MEMORY, on all ranks. */
enum status ptscotch_places(const struct ranks *ranks, const struct share *share,
                            const struct parameter_values *values, int32_t *place, struct error *error);

#endif
