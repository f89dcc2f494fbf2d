/* Measuring the times of messages between ranks, and of computing beside others, in the words of --network.
 */
#ifndef SPARSIGHT_RANKS_NETWORK_H
#define SPARSIGHT_RANKS_NETWORK_H

#include <mpi.h>

#include "analysis/parts/network.h"
#include "base/error.h"
#include "ranks/ranks.h"

/* Measure latency and bandwidth between ranks of one node, and between ranks of two nodes if there are
 * several. Pairs of ranks exchange messages, all pairs at the same time, since the ranks of a product share
 * the memory and the adapters of their nodes. The fastest of many exchanges counts: other programs on the
 * machine make the rest slower. Then the slowest pair counts. If all ranks are on one node, messages between
 * nodes get the default. If ranks share nodes, it
 * also measures how they slow each other down (crowd_measure). `node` has the ranks of this rank's node
 * (network_measure_here finds them). The profile has no name yet. It takes some seconds, and 37 MB of each
 * rank.
 *
 * STATUS_UNAVAILABLE for one rank, and if some node has more ranks than processors, which would be measured
 * instead; STATUS_INPUT if the result is implausible; STATUS_MEMORY; the same on all ranks. Collective. */
enum status network_measure(const struct ranks *ranks, MPI_Comm node, struct network_profile *profile,
                            struct error *error);
enum status network_measure_here(const struct ranks *ranks, struct network_profile *profile,
                                 struct error *error);

/* The position of a rank: the number of its node, and its number among the ranks of the node, both from 0. */
struct network_place {
    int node, place;
};

/* The partner of a rank in the measurement within nodes, or between them; -1: it has none. Ranks 2k and 2k +
 * 1 of a node are partners; between nodes the ranks with the same number on nodes 2k and 2k + 1. Not
 * collective. */
int network_partner(const struct network_place *places, int count, int rank, bool within);

#endif
