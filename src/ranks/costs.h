/* The costs of work that all ranks do together. */
#ifndef SPARSIGHT_RANKS_COSTS_H
#define SPARSIGHT_RANKS_COSTS_H

#include "base/cost.h"
#include "ranks/ranks.h"

/* Replace the times of each part by those of the slowest rank. All ranks have the same parts. Collective. */
void ranks_costs(const struct ranks *ranks, struct costs *costs);

#endif
