#include "ranks/network.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/range.h"
#include "kernels/timing/processor.h"
#include "ranks/crowd.h"

#define TAG 21
#define WARMUP 10
#define ROW 16            /* exchanges per sample */
#define PAIR_SECONDS 0.15 /* time for the samples of one size */
#define SAMPLES_LEAST 20

/* The sizes of messages, in bytes. A halo has some KB to some MB. */
static const int sizes[] = {8, 1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20};
#define SIZES (int)(sizeof sizes / sizeof *sizes)

/* --- partners --- */

static bool is_partner(const struct network_place *mine, const struct network_place *other, bool within)
{
    if (within) return other->node == mine->node && other->place == (mine->place ^ 1);
    return other->node == (mine->node ^ 1) && other->place == mine->place;
}

int network_partner(const struct network_place *places, int count, int rank, bool within)
{
    for (int r = 0; r < count; r++)
        if (is_partner(&places[rank], &places[r], within)) return r;
    return -1;
}

/* Find the node of each rank, and its number there. Nodes are numbered in the order of their first ranks.
 * Returns the number of nodes; *most becomes the maximum number of ranks on a node. */
static int find_places(const struct ranks *ranks, MPI_Comm node, struct network_place *places, int *most)
{
    int64_t first = ranks->rank, mine[3];
    int64_t *all = memory_array((size_t)ranks->count, sizeof mine, NULL);
    int place, size, nodes = 0;
    int64_t missing = !all;
    ranks_sum(ranks, &missing, 1);
    if (missing) {
        free(all);
        return 0;
    }
    MPI_Comm_rank(node, &place);
    MPI_Comm_size(node, &size);
    MPI_Bcast(&first, 1, MPI_INT64_T, 0, node);
    mine[0] = first;
    mine[1] = place;
    mine[2] = size;
    ranks_share(ranks, mine, 3, all);
    *most = 0;
    for (int r = 0; r < ranks->count; r++) {
        const int64_t *of = all + (size_t)r * 3;
        if (of[0] == r) nodes++;
        /* The first rank of a node precedes its others. */
        places[r] = (struct network_place){of[0] == r ? nodes - 1 : places[of[0]].node, (int)of[1]};
        *most = max(*most, (int)of[2]);
    }
    free(all);
    return nodes;
}

/* --- exchanges --- */

/* Return the seconds of the fastest sample's exchange, with this number of bytes each way. No message waits
 * from before a sample, because a rank runs at most one exchange ahead of its partner. Returns 0 without a
 * partner. */
static double exchange(const struct ranks *ranks, int partner, char *out, char *in, int bytes)
{
    MPI_Request request[2];
    double best = INFINITY, spent = 0;
    int go = 1;
    if (partner >= 0) {
        MPI_Recv_init(in, bytes, MPI_BYTE, partner, TAG, ranks->all, &request[0]);
        MPI_Send_init(out, bytes, MPI_BYTE, partner, TAG, ranks->all, &request[1]);
    }
    for (int k = 0; go; k++) {
        MPI_Barrier(ranks->all);
        const double start = clock_seconds();
        for (int e = 0; e < ROW && partner >= 0; e++) {
            MPI_Startall(2, request);
            ranks_wait(2, request);
        }
        const double took = clock_seconds() - start;
        if (k >= WARMUP && partner >= 0) best = fmin(best, took / ROW);
        spent += took;
        go = k < WARMUP + SAMPLES_LEAST || spent < PAIR_SECONDS;
        MPI_Allreduce(MPI_IN_PLACE, &go, 1, MPI_INT, MPI_LAND, ranks->all);
    }
    if (partner >= 0) {
        MPI_Request_free(&request[0]);
        MPI_Request_free(&request[1]);
    }
    return partner >= 0 ? best : 0;
}

/* Fit latency + bytes / bandwidth to the times of all sizes. The sum of squares of relative errors is
 * minimized, so that each size counts alike. */
static void fit(const double seconds[SIZES], double *latency_us, double *bandwidth_gbs)
{
    double ww = 0, wb = 0, bb = 0, w1 = 0, b1 = 0;
    for (int k = 0; k < SIZES; k++) {
        const double one = 1 / seconds[k], byte = sizes[k] / seconds[k];
        ww += one * one;
        wb += one * byte;
        bb += byte * byte;
        w1 += one;
        b1 += byte;
    }
    const double det = ww * bb - wb * wb;
    double latency = (w1 * bb - b1 * wb) / det, per_byte = (b1 * ww - w1 * wb) / det;
    latency = fmax(fmin(latency, seconds[0] * 4), seconds[0]);
    *latency_us = latency * 1e6;
    *bandwidth_gbs = 1e-9 / per_byte;
}

/* Measure the exchanges of all pairs, within nodes or between them. */
static void measure(const struct ranks *ranks, const struct network_place *places, bool within, char *out,
                    char *in, double *latency_us, double *bandwidth_gbs)
{
    const int partner = network_partner(places, ranks->count, ranks->rank, within);
    double seconds[SIZES];
    for (int k = 0; k < SIZES; k++)
        seconds[k] = exchange(ranks, partner, out, in, sizes[k]);
    MPI_Allreduce(MPI_IN_PLACE, seconds, SIZES, MPI_DOUBLE, MPI_MAX, ranks->all);
    fit(seconds, latency_us, bandwidth_gbs);
}

static enum status check_world(const struct ranks *ranks, struct error *error)
{
    int64_t crowded = ranks->crowded;
    ranks_max(ranks, &crowded, 1);
    if (ranks->count < 2)
        return error_set(error, STATUS_UNAVAILABLE,
                         "the network is measured between ranks, and there is one: start it as 'mpirun -n 2 "
                         "sparsight-mpi report --network=measure'");
    if (crowded)
        return error_set(error, STATUS_UNAVAILABLE,
                         "the network cannot be measured while a node has more ranks than processors: start "
                         "fewer ranks on each node");
    return STATUS_OK;
}

/* Round a number as it is written in profiles. */
static double rounded(double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", number);
    return strtod(text, NULL);
}

static void round_all(struct network *network)
{
    network->latency_us = rounded(network->latency_us);
    network->bandwidth_gbs = rounded(network->bandwidth_gbs);
    network->near_latency_us = rounded(network->near_latency_us);
    network->near_bandwidth_gbs = rounded(network->near_bandwidth_gbs);
    network->crowd = rounded(network->crowd);
    network->memory_crowd = rounded(network->memory_crowd);
}

/* Measure all exchanges, with the buffers and places given. */
static enum status measure_all(const struct ranks *ranks, MPI_Comm node, struct network_place *places,
                               char *out, char *in, struct network_profile *profile, struct error *error)
{
    struct processor here = {.there = false};
    struct network *network = &profile->network;
    char why[NETWORK_WORDS];
    int most = 0;
    enum status status = STATUS_OK;
    const int nodes = find_places(ranks, node, places, &most);
    if (nodes == 0) return error_set(error, STATUS_MEMORY, "out of memory: no room for the places of ranks");
    network->latency_us = NETWORK_LATENCY_US;
    network->bandwidth_gbs = NETWORK_BANDWIDTH_GBS;
    network->node = most;
    if (most > 1) {
        measure(ranks, places, true, out, in, &network->near_latency_us, &network->near_bandwidth_gbs);
        status =
            crowd_measure(ranks, places[ranks->rank].place, &network->crowd, &network->memory_crowd, error);
    }
    if (status != STATUS_OK) return status;
    if (nodes > 1) measure(ranks, places, false, out, in, &network->latency_us, &network->bandwidth_gbs);
    profile->ranks = ranks->count;
    profile->nodes = nodes;
    processor_identify(&here);
    snprintf(profile->title, sizeof profile->title, "%s", here.title);
    snprintf(network->date, sizeof network->date, "%s", here.date);
    round_all(network);
    ranks_broadcast(ranks, 0, profile, sizeof *profile);
    if (!network_implausible(profile, why)) return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "the measured network is implausible: %s; measure again while nothing else runs", why);
}

enum status network_measure(const struct ranks *ranks, MPI_Comm node, struct network_profile *profile,
                            struct error *error)
{
    const size_t most = (size_t)sizes[SIZES - 1];
    *profile = (struct network_profile){0};
    enum status status = check_world(ranks, error);
    if (status != STATUS_OK) return status;
    char *out = memory_zeroed(most, 1, error), *in = memory_zeroed(most, 1, error);
    struct network_place *places = memory_array((size_t)ranks->count, sizeof *places, error);
    status = ranks_agree(ranks, out && in && places ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) status = measure_all(ranks, node, places, out, in, profile, error);
    free(out);
    free(in);
    free(places);
    if (status != STATUS_OK) *profile = (struct network_profile){0};
    return status;
}

enum status network_measure_here(const struct ranks *ranks, struct network_profile *profile,
                                 struct error *error)
{
    MPI_Comm node;
    MPI_Comm_split_type(ranks->all, MPI_COMM_TYPE_SHARED, ranks->rank, MPI_INFO_NULL, &node);
    enum status status = network_measure(ranks, node, profile, error);
    MPI_Comm_free(&node);
    return status;
}
