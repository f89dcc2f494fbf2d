/* The world of processes: rank and number of processes, collective operations, and agreement on failures.
 * This is MPI with 64-bit counts: longer messages go in several rounds, so that counts fit in MPI's int, and
 * no buffer of the library grows with the matrix.
 *
 * Each function but ranks_open is collective unless it says otherwise: all ranks call it, in the same order.
 * An error of MPI itself ends all ranks with MPI's own message (MPI_ERRORS_ARE_FATAL), since the ranks can no
 * longer agree on it. Only the thread that called ranks_open calls these functions. */
#ifndef SPARSIGHT_RANKS_RANKS_H
#define SPARSIGHT_RANKS_RANKS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/placement.h"

/* One rank's view of the world. */
struct ranks {
    MPI_Comm all;
    int rank, count;              /* this rank, from 0, and the number of ranks */
    int near;                     /* number of ranks on this rank's node, itself included */
    struct processors processors; /* the processors that any rank of this node may run on */
    int cores;                    /* number of cores of these processors */
    bool crowded;                 /* the node has more ranks than processors */
    size_t round;                 /* bytes of a round of a message, the same on all ranks */
};

/* The state to restore after a rank used its node exclusively. */
struct whole_node {
    struct placement placement;
    int threads;
};

/* Start MPI, and find the other ranks. STATUS_UNAVAILABLE if MPI cannot serve the program. Must not be called
 * twice. */
enum status ranks_open(struct ranks *ranks, int *argc, char ***argv, struct error *error);

/* End MPI: all ranks wait for each other. */
void ranks_close(struct ranks *ranks);

/* End all ranks immediately with this exit status: for a rank that cannot reach the next collective call. Not
 * collective; does not return. */
void ranks_abort(const struct ranks *ranks, int code);

/* Agree on the outcome of a step that each rank did by itself. If several ranks failed, the first of them
 * wins: all ranks return its status, and *error, which must not be NULL, is its error on all ranks. */
enum status ranks_agree(const struct ranks *ranks, enum status status, struct error *error);

/* Return the number of threads for each rank if all have the same number: its part of the node's cores, but
 * at most the cores it may run on. Not collective. */
int ranks_threads(const struct ranks *ranks);

/* Let this rank use its whole node while the others sleep. It gets the threads of all of them, but at most
 * one for each core, on all processors where any rank may run. Programs that start ranks often bind each to
 * its own processors. Not collective. */
void ranks_take_node(const struct ranks *ranks, struct whole_node *taken);
void ranks_leave_node(struct whole_node *taken);

/* Wait until all ranks arrive. The rank sleeps and checks every millisecond, so that others can use the
 * processors. */
void ranks_meet(const struct ranks *ranks);

/* Turn array[0 .. count-1] into the sums over all ranks, of integers, on all ranks; or the largest, or the
 * smallest.
 */
void ranks_sum(const struct ranks *ranks, int64_t *array, int64_t count);
void ranks_max(const struct ranks *ranks, int64_t *array, int64_t count);
void ranks_min(const struct ranks *ranks, int64_t *array, int64_t count);

/* Return the sum of this number over the ranks before this one; 0 on rank 0. */
int64_t ranks_before(const struct ranks *ranks, int64_t number);

/* Send the bytes of `root` to all ranks. */
void ranks_broadcast(const struct ranks *ranks, int root, void *data, size_t bytes);

/* Fill in all[r * count + k] with mine[k] of rank r, on all ranks. `count` is the same on all. */
void ranks_share(const struct ranks *ranks, const int64_t *mine, int count, int64_t *all);

/* Concatenate runs of bytes in the order of the ranks. sizes[r] bytes come from rank r (the same sizes on all
 * ranks). They go to `all`, which only `root` needs. */
void ranks_join(const struct ranks *ranks, int root, const void *mine, const size_t *sizes, void *all);

/* Exchange elements of `size` bytes: out_counts[r] of them go to rank r. `in` receives in_counts[r] from rank
 * r, in the order of the ranks. Both lists must agree between the ranks (ranks_counts). */
void ranks_exchange(const struct ranks *ranks, const void *out, const int64_t *out_counts, void *in,
                    const int64_t *in_counts, size_t size);

/* Fill in in_counts[r] with rank r's out_counts for this rank. */
void ranks_counts(const struct ranks *ranks, const int64_t *out_counts, int64_t *in_counts);

/* Wait for this request, asleep if ranks are crowded: MPI polls without a pause, which takes processor time
 * from the ranks it waits for. A sleep lasts an eighth of the time waited so far, at most 80 us, or at most 1
 * ms after 20 ms. Not collective. */
void ranks_rest(const struct ranks *ranks, MPI_Request *request);

/* Number of rounds of each message under way at a time, so that no round waits for the answer to the one
 * before. */
#define ROUNDS_AHEAD 4
#define FLIGHT_MAX 64

/* Requests under way, at most `most` at a time. */
struct flight {
    const struct ranks *ranks;
    int most, next;
    MPI_Request request[FLIGHT_MAX];
};

/* Begin without requests; `most` is at most FLIGHT_MAX. flight_next returns the slot for another request,
 * after waiting for the oldest one if all slots are taken. flight_end waits, resting, for all of them. Not
 * collective. */
void flight_begin(struct flight *flight, const struct ranks *ranks, int most);
MPI_Request *flight_next(struct flight *flight);
void flight_end(struct flight *flight);

/* Send this number of bytes to one rank, or receive them, resting. Both sides pass the same number. Not
 * collective. */
void ranks_send(const struct ranks *ranks, const void *data, size_t bytes, int to, int tag);
void ranks_receive(const struct ranks *ranks, void *data, size_t bytes, int from, int tag);

/* Wait for all of these requests. It is not collective. MPI_Waitall with MPI_STATUSES_IGNORE does the same,
 * but gcc warns of it with the header of MPICH. */
static inline void ranks_wait(int count, MPI_Request *request)
{
    for (int k = 0; k < count; k++)
        MPI_Wait(&request[k], MPI_STATUS_IGNORE);
}

/* Gathers the data of all ranks on rank 0. Collective. */

/* Reduce the data of the ranks, `bytes` each, with join(to, from), on rank 0. `scratch` has room for `bytes`.
 * Ranks are joined in pairs, then pairs of pairs. */
void ranks_combine(const struct ranks *ranks, void *mine, void *scratch, size_t bytes,
                   void (*join)(void *to, const void *from));

/* Unite sets of `words` words on rank 0. */
void ranks_unite(const struct ranks *ranks, uint64_t *set, int64_t words);

#endif
