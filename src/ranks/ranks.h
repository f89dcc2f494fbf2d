/* The world of processes: which of how many this one is, what all of them do together, and how they agree on
 * what failed. This is MPI with counts of 64 bits: what is longer than a round goes in several, so that no
 * count passes what MPI's int holds, and no buffer of the library grows with the matrix.
 *
 * Each function but ranks_open is collective unless it says otherwise: all ranks call it, in the same order.
 * An error of MPI itself ends all ranks with MPI's own message (MPI_ERRORS_ARE_FATAL), since there is nobody
 * left to agree with. Only the thread that called ranks_open calls these functions. */
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
    int rank, count;              /* this one, from 0, and how many there are */
    int near;                     /* how many of them are on this rank's node, itself among them */
    struct processors processors; /* that any rank of this node may run on */
    int cores;                    /* that these are on */
    bool crowded;                 /* the node's ranks are more than these */
    size_t round;                 /* a message goes in rounds of so many bytes, on all ranks */
};

/* What a rank has to give back that took its node for itself. */
struct whole_node {
    struct placement placement;
    int threads;
};

/* Start MPI, and learn who there is. STATUS_UNAVAILABLE if MPI cannot serve the program. Not to be called
 * twice. */
enum status ranks_open(struct ranks *ranks, int *argc, char ***argv, struct error *error);

/* End MPI: all ranks wait for each other. */
void ranks_close(struct ranks *ranks);

/* End all ranks at once with this exit status, whatever they are doing: for a rank that cannot reach the next
 * collective call. Not collective; does not return. */
void ranks_abort(const struct ranks *ranks, int code);

/* Agree on how a step went that each rank did by itself. Of several ranks that failed, the first in their
 * order wins: its status is returned by all ranks, and *error, which must not be NULL, is its error on all
 * ranks. */
enum status ranks_agree(const struct ranks *ranks, enum status status, struct error *error);

/* Return how many threads suit a rank, where every rank has as many: its part of the node's cores, but no
 * more than the cores it may run on. Not collective. */
int ranks_threads(const struct ranks *ranks);

/* Let this rank alone have its node for a while, in which the others sleep: as many threads as all of them
 * have, but no more than cores, wherever any rank may run. Those who start ranks often bind each to
 * processors of its own. Not collective. */
void ranks_take_node(const struct ranks *ranks, struct whole_node *taken);
void ranks_leave_node(struct whole_node *taken);

/* Wait until all ranks are here, asleep but for a look every millisecond, so that others have the processors
 * meanwhile. */
void ranks_meet(const struct ranks *ranks);

/* Turn array[0 .. count-1] into the sums over all ranks, of integers, on all ranks; or the largest, or the
 * smallest.
 */
void ranks_sum(const struct ranks *ranks, int64_t *array, int64_t count);
void ranks_max(const struct ranks *ranks, int64_t *array, int64_t count);
void ranks_min(const struct ranks *ranks, int64_t *array, int64_t count);

/* Return the sum of this number over the ranks before this one; 0 on rank 0. */
int64_t ranks_before(const struct ranks *ranks, int64_t number);

/* Give all ranks the bytes that `root` has. */
void ranks_broadcast(const struct ranks *ranks, int root, void *data, size_t bytes);

/* Fill in all[r * count + k] with mine[k] of rank r, on all ranks. `count` is the same on all. */
void ranks_share(const struct ranks *ranks, const int64_t *mine, int count, int64_t *all);

/* Join runs of bytes in the order of the ranks: sizes[r] of them come from rank r (the same sizes on all
 * ranks), and `all`, which only `root` has to give, gets them one behind the other. */
void ranks_join(const struct ranks *ranks, int root, const void *mine, const size_t *sizes, void *all);

/* Exchange elements of `size` bytes: out_counts[r] go to rank r, which finds them in the order of the ranks
 * in its `in`, of which in_counts[r] come from rank r. Both lists must agree between the ranks
 * (ranks_counts). */
void ranks_exchange(const struct ranks *ranks, const void *out, const int64_t *out_counts, void *in,
                    const int64_t *in_counts, size_t size);

/* Fill in in_counts[r] with what rank r has for this one in its out_counts. */
void ranks_counts(const struct ranks *ranks, const int64_t *out_counts, int64_t *in_counts);

/* Wait for this request, and if ranks are crowded, sleep meanwhile: MPI looks for messages without a pause,
 * which keeps those from working that it waits for. It sleeps an eighth of what it has waited already, and no
 * more than 80 us at a time, or 1 ms once it has waited for 20. Not collective. */
void ranks_rest(const struct ranks *ranks, MPI_Request *request);

/* So many rounds of each message are on their way at a time, so that nobody waits for an answer between two.
 */
#define ROUNDS_AHEAD 4
#define FLIGHT_MAX 64

/* Requests on their way, of which no more than `most` are at a time. */
struct flight {
    const struct ranks *ranks;
    int most, next;
    MPI_Request request[FLIGHT_MAX];
};

/* Begin with none; `most` is FLIGHT_MAX at most. flight_next returns where another one is to be put, after
 * the oldest has come if they are so many already; flight_end waits, resting, until all have come. Not
 * collective. */
void flight_begin(struct flight *flight, const struct ranks *ranks, int most);
MPI_Request *flight_next(struct flight *flight);
void flight_end(struct flight *flight);

/* Send so many bytes to one rank, or receive them, resting. Both sides say the same number. Not collective.
 */
void ranks_send(const struct ranks *ranks, const void *data, size_t bytes, int to, int tag);
void ranks_receive(const struct ranks *ranks, void *data, size_t bytes, int from, int tag);

/* Wait for all of these requests. It is not collective. MPI_Waitall with MPI_STATUSES_IGNORE does the same,
 * but the header of MPICH makes gcc warn of that. */
static inline void ranks_wait(int count, MPI_Request *request)
{
    for (int k = 0; k < count; k++)
        MPI_Wait(&request[k], MPI_STATUS_IGNORE);
}

#endif
