/* Gathers the data of all ranks on rank 0. Collective. */
#ifndef SPARSIGHT_RANKS_JOIN_H
#define SPARSIGHT_RANKS_JOIN_H

#include <stddef.h>
#include <stdint.h>

#include "ranks/ranks.h"

/* Reduce the data of the ranks, `bytes` each, with join(to, from), on rank 0. `scratch` has room for `bytes`.
 * Ranks are joined in pairs, then pairs of pairs. */
void ranks_combine(const struct ranks *ranks, void *mine, void *scratch, size_t bytes,
                   void (*join)(void *to, const void *from));

/* Unite sets of `words` words on rank 0. */
void ranks_unite(const struct ranks *ranks, uint64_t *set, int64_t words);

#endif
