/* Communication and scaling for row partitions of a distributed matrix, for any number of processes
 * (src/session/distribution.h). */
#ifndef SPARSIGHT_RANKS_PARTS_DISTRIBUTE_H
#define SPARSIGHT_RANKS_PARTS_DISTRIBUTE_H

#include <stddef.h>

#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"
#include "session/distribution.h"

/* Make on rank 0 the result of distribution_make for the whole matrix; on the others *distribution becomes
 * {0}. `whole`, on rank 0, has all row offsets, and the columns of all entries if these are gathered; else it
 * is NULL. request->keep is ignored. Fails as distribution_make does, the same on all ranks. Collective. */
enum status ranks_distribute(const struct ranks *ranks, const struct share *share,
                             const struct distribution_request *request, const struct csr *whole,
                             size_t limit, struct distribution *distribution, struct error *error);

#endif
