/* Measuring how ranks of a node slow each other down. */
#ifndef SPARSIGHT_RANKS_CROWD_H
#define SPARSIGHT_RANKS_CROWD_H

#include "base/error.h"
#include "ranks/ranks.h"

/* Measure the time of a product while all ranks of a node compute, relative to the first rank of each node
 * while the others sleep: *own of a matrix of 0.4 MB, which a core's own caches hold, *memory of one of 35 MB
 * for each rank. The fastest of many samples counts, as other programs on the machine make the rest slower;
 * of a sample together, the slowest rank. Both are at least 1. `place` is the rank's number on its node, from
 * 0. It takes a second.
 *
 * STATUS_MEMORY, the same on all ranks. Collective. */
enum status crowd_measure(const struct ranks *ranks, int place, double *own, double *memory,
                          struct error *error);

#endif
