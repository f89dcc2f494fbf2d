#include "ranks/ranks.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/job.h"
#include "base/placement.h"
#include "base/range.h"
#include "base/threads.h"

/* Maximum bytes of a round of a message, and maximum 8-byte elements of a round of a reduction. If ranks
 * rest, a longer round would arrive in many small pieces, between which ranks sleep longer and longer; each
 * round begins with short naps. Without resting, longer rounds keep a network busy. */
#define ROUND_CROWDED ((size_t)1 << 16)
#define ROUND_BYTES ((size_t)1 << 20)
#define ROUND_ELEMENTS ((int64_t)1 << 15)

/* Maximum number of steps of an exchange at a time, each with its own rounds. */
#define STEPS (FLIGHT_MAX / 2 / ROUNDS_AHEAD)

/* A resting rank sleeps for 1/NAP_SHARE of the time waited, at most NAP_SHORT, about the time of a piece of a
 * message. It never polls without sleeping, which would take the processor from the ranks that it waits for.
 * After LONG_SECONDS other ranks are probably computing, and the maximum is NAP_LONG. */
#define NAP_SHARE 8
#define NAP_SHORT 80e-6
#define LONG_SECONDS 20e-3
#define NAP_LONG 1e-3

/* The tag of messages between two ranks. */
enum { TAG_JOIN = 1, TAG_EXCHANGE };

/* Return true if this host has an adapter of a fabric, a network other than Ethernet. */
static bool has_fabric(void)
{
    DIR *folder = opendir("/sys/class/infiniband");
    bool found = false;
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        found = found || entry->d_name[0] != '.';
    if (folder) closedir(folder);
    return found;
}

/* If all ranks are on this host, and it has no fabric, disable Open MPI's search for one: its component cm,
 * which serves fabrics only, loads libraries that calibrate their clocks for 0.2 s. A setting of the user
 * takes precedence. Other MPIs do not read the variable. */
static void spare_fabric(void)
{
    const char *all = getenv("OMPI_COMM_WORLD_SIZE"), *near = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (all && near && strcmp(all, near) == 0 && !has_fabric()) setenv("OMPI_MCA_pml", "^cm", 0);
}

/* Find the other ranks on this node, and the processors that any of them may use. */
static void look_around(struct ranks *ranks)
{
    MPI_Comm node;
    MPI_Comm_split_type(ranks->all, MPI_COMM_TYPE_SHARED, ranks->rank, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks->near);
    processors_here(&ranks->processors);
    MPI_Allreduce(MPI_IN_PLACE, ranks->processors.bits, (int)sizeof ranks->processors.bits, MPI_UNSIGNED_CHAR,
                  MPI_BOR, node);
    MPI_Comm_free(&node);
    ranks->cores = processors_cores(&ranks->processors);
    ranks->crowded = ranks->near > ranks->cores;
    int crowded = ranks->crowded, any;
    MPI_Allreduce(&crowded, &any, 1, MPI_INT, MPI_MAX, ranks->all);
    ranks->round = any ? ROUND_CROWDED : ROUND_BYTES;
}

enum status ranks_open(struct ranks *ranks, int *argc, char ***argv, struct error *error)
{
    int provided = 0;
    spare_fabric();
    *ranks = (struct ranks){.all = MPI_COMM_NULL, .count = 1, .near = 1};
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_FUNNELED)
        return error_set(error, STATUS_UNAVAILABLE,
                         "MPI does not start with threads beside the one that calls it; another MPI may");
    ranks->all = MPI_COMM_WORLD;
    MPI_Comm_rank(ranks->all, &ranks->rank);
    MPI_Comm_size(ranks->all, &ranks->count);
    look_around(ranks);
    return STATUS_OK;
}

void ranks_close(struct ranks *ranks)
{
    if (ranks->all != MPI_COMM_NULL) MPI_Finalize();
    ranks->all = MPI_COMM_NULL;
}

int ranks_threads(const struct ranks *ranks)
{
    return (int)max(min(ranks->cores / ranks->near, placement_threads()), 1);
}

void ranks_take_node(const struct ranks *ranks, struct whole_node *taken)
{
    taken->threads = threads_count();
    int threads = (int)min((int64_t)taken->threads * ranks->near, max(ranks->cores, taken->threads));
    placement_over(&taken->placement, &ranks->processors, threads);
    threads_set(threads);
}

void ranks_leave_node(struct whole_node *taken)
{
    placement_end(&taken->placement);
    threads_set(taken->threads);
}

void ranks_rest(const struct ranks *ranks, MPI_Request *request)
{
    int done = 0;
    if (!ranks->crowded) {
        MPI_Wait(request, MPI_STATUS_IGNORE);
        return;
    }
    const double start = clock_seconds();
    for (MPI_Test(request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(request, &done, MPI_STATUS_IGNORE)) {
        double waited = clock_seconds() - start;
        double length = waited / NAP_SHARE;
        if (length > NAP_SHORT) length = waited < LONG_SECONDS ? NAP_SHORT : NAP_LONG;
        const struct timespec nap = {.tv_nsec = (long)(length * 1e9)};
        nanosleep(&nap, NULL);
    }
}

void flight_begin(struct flight *flight, const struct ranks *ranks, int most)
{
    *flight = (struct flight){.ranks = ranks, .most = most};
    for (int k = 0; k < most; k++)
        flight->request[k] = MPI_REQUEST_NULL;
}

MPI_Request *flight_next(struct flight *flight)
{
    MPI_Request *request = &flight->request[flight->next];
    flight->next = (flight->next + 1) % flight->most;
    ranks_rest(flight->ranks, request);
    return request;
}

void flight_end(struct flight *flight)
{
    for (int k = 0; k < flight->most; k++)
        flight_next(flight);
}

/* Return the number of bytes of the round that begins at byte k of `bytes`. */
static int round_of(const struct ranks *ranks, size_t bytes, size_t k)
{
    return (int)(bytes - k < ranks->round ? bytes - k : ranks->round);
}

void ranks_send(const struct ranks *ranks, const void *data, size_t bytes, int to, int tag)
{
    struct flight flight;
    flight_begin(&flight, ranks, ROUNDS_AHEAD);
    for (size_t k = 0; k < bytes; k += ranks->round)
        MPI_Isend((const char *)data + k, round_of(ranks, bytes, k), MPI_BYTE, to, tag, ranks->all,
                  flight_next(&flight));
    flight_end(&flight);
}

void ranks_receive(const struct ranks *ranks, void *data, size_t bytes, int from, int tag)
{
    struct flight flight;
    flight_begin(&flight, ranks, ROUNDS_AHEAD);
    for (size_t k = 0; k < bytes; k += ranks->round)
        MPI_Irecv((char *)data + k, round_of(ranks, bytes, k), MPI_BYTE, from, tag, ranks->all,
                  flight_next(&flight));
    flight_end(&flight);
}

void ranks_abort(const struct ranks *ranks, int code)
{
    MPI_Abort(ranks->all, code);
}

enum status ranks_agree(const struct ranks *ranks, enum status status, struct error *error)
{
    int mine = status == STATUS_OK ? ranks->count : ranks->rank, first;
    MPI_Request request;
    MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, ranks->all, &request);
    ranks_rest(ranks, &request);
    if (first == ranks->count) return STATUS_OK;
    if (first == ranks->rank) error->status = status;
    ranks_broadcast(ranks, first, error, sizeof *error);
    return error->status;
}

void ranks_meet(const struct ranks *ranks)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    MPI_Request request;
    int met = 0;
    MPI_Ibarrier(ranks->all, &request);
    for (MPI_Test(&request, &met, MPI_STATUS_IGNORE); !met; MPI_Test(&request, &met, MPI_STATUS_IGNORE))
        nanosleep(&moment, NULL);
}

static void reduce(const struct ranks *ranks, int64_t *array, int64_t count, MPI_Op operation)
{
    struct flight flight;
    flight_begin(&flight, ranks, ROUNDS_AHEAD);
    for (int64_t k = 0; k < count; k += ROUND_ELEMENTS)
        MPI_Iallreduce(MPI_IN_PLACE, array + k, (int)min(count - k, ROUND_ELEMENTS), MPI_INT64_T, operation,
                       ranks->all, flight_next(&flight));
    flight_end(&flight);
}

void ranks_sum(const struct ranks *ranks, int64_t *array, int64_t count)
{
    reduce(ranks, array, count, MPI_SUM);
}

void ranks_max(const struct ranks *ranks, int64_t *array, int64_t count)
{
    reduce(ranks, array, count, MPI_MAX);
}

void ranks_min(const struct ranks *ranks, int64_t *array, int64_t count)
{
    reduce(ranks, array, count, MPI_MIN);
}

int64_t ranks_before(const struct ranks *ranks, int64_t number)
{
    int64_t before = 0; /* MPI leaves it unchanged on rank 0 */
    MPI_Request request;
    MPI_Iexscan(&number, &before, 1, MPI_INT64_T, MPI_SUM, ranks->all, &request);
    ranks_rest(ranks, &request);
    return ranks->rank == 0 ? 0 : before;
}

void ranks_broadcast(const struct ranks *ranks, int root, void *data, size_t bytes)
{
    struct flight flight;
    flight_begin(&flight, ranks, ROUNDS_AHEAD);
    for (size_t k = 0; k < bytes; k += ranks->round)
        MPI_Ibcast((char *)data + k, round_of(ranks, bytes, k), MPI_BYTE, root, ranks->all,
                   flight_next(&flight));
    flight_end(&flight);
}

void ranks_share(const struct ranks *ranks, const int64_t *mine, int count, int64_t *all)
{
    MPI_Request request;
    MPI_Iallgather(mine, count, MPI_INT64_T, all, count, MPI_INT64_T, ranks->all, &request);
    ranks_rest(ranks, &request);
}

void ranks_join(const struct ranks *ranks, int root, const void *mine, const size_t *sizes, void *all)
{
    if (ranks->rank != root) {
        ranks_send(ranks, mine, sizes[ranks->rank], root, TAG_JOIN);
        return;
    }
    char *place = all;
    for (int r = 0; r < ranks->count; place += sizes[r++]) {
        if (r != root)
            ranks_receive(ranks, place, sizes[r], r, TAG_JOIN);
        else if (sizes[r])
            memmove(place, mine, sizes[r]);
    }
}

void ranks_counts(const struct ranks *ranks, const int64_t *out_counts, int64_t *in_counts)
{
    MPI_Request request;
    MPI_Ialltoall(out_counts, 1, MPI_INT64_T, in_counts, 1, MPI_INT64_T, ranks->all, &request);
    ranks_rest(ranks, &request);
}

/* Return the offset in bytes of the data of rank `rank`. */
static size_t begin_of(const int64_t *counts, int rank, size_t size)
{
    size_t begin = 0;
    for (int r = 0; r < rank; r++)
        begin += (size_t)counts[r] * size;
    return begin;
}

/* Do the steps first .. first + STEPS - 1. */
static void exchange_steps(const struct ranks *ranks, int first, const void *out, const int64_t *out_counts,
                           void *in, const int64_t *in_counts, size_t size)
{
    struct flight flight;
    const char *source[STEPS];
    char *target[STEPS];
    size_t send[STEPS], receive[STEPS], most = 0;
    const int steps = ranks->count - first < STEPS ? ranks->count - first : STEPS;
    for (int s = 0; s < steps; s++) {
        const int to = (ranks->rank + first + s) % ranks->count,
                  from = (ranks->rank - first - s + ranks->count) % ranks->count;
        source[s] = (const char *)out + begin_of(out_counts, to, size);
        target[s] = (char *)in + begin_of(in_counts, from, size);
        send[s] = (size_t)out_counts[to] * size;
        receive[s] = (size_t)in_counts[from] * size;
        most = send[s] > most ? send[s] : most;
        most = receive[s] > most ? receive[s] : most;
    }
    flight_begin(&flight, ranks, ROUNDS_AHEAD * 2 * steps);
    for (size_t k = 0; k < most; k += ranks->round)
        for (int s = 0; s < steps; s++) {
            const int to = (ranks->rank + first + s) % ranks->count,
                      from = (ranks->rank - first - s + ranks->count) % ranks->count;
            if (k < receive[s])
                MPI_Irecv(target[s] + k, round_of(ranks, receive[s], k), MPI_BYTE, from, TAG_EXCHANGE,
                          ranks->all, flight_next(&flight));
            if (k < send[s])
                MPI_Isend(source[s] + k, round_of(ranks, send[s], k), MPI_BYTE, to, TAG_EXCHANGE, ranks->all,
                          flight_next(&flight));
        }
    flight_end(&flight);
}

/* In step s each rank sends to rank + s and receives from rank - s, modulo the number of ranks, so that every
 * rank has equally many partners for sending and receiving. Several steps run at the same time, so that no
 * rank waits for a single one. */
void ranks_exchange(const struct ranks *ranks, const void *out, const int64_t *out_counts, void *in,
                    const int64_t *in_counts, size_t size)
{
    const int own = ranks->rank;
    const size_t kept = (size_t)out_counts[own] * size;
    if (kept)
        memcpy((char *)in + begin_of(in_counts, own, size),
               (const char *)out + begin_of(out_counts, own, size), kept);
    for (int first = 1; first < ranks->count; first += STEPS)
        exchange_steps(ranks, first, out, out_counts, in, in_counts, size);
}

#define TAG_PAIR 11
#define ROUND_WORDS ((int64_t)1 << 15)

void ranks_combine(const struct ranks *ranks, void *mine, void *scratch, size_t bytes,
                   void (*join)(void *to, const void *from))
{
    for (int step = 1; step < ranks->count; step *= 2) {
        if (ranks->rank % (2 * step) == step) {
            ranks_send(ranks, mine, bytes, ranks->rank - step, TAG_PAIR);
            return;
        }
        if (ranks->rank + step >= ranks->count) continue;
        ranks_receive(ranks, scratch, bytes, ranks->rank + step, TAG_PAIR);
        join(mine, scratch);
    }
}

void ranks_unite(const struct ranks *ranks, uint64_t *set, int64_t words)
{
    struct flight flight;
    flight_begin(&flight, ranks, ROUNDS_AHEAD);
    for (int64_t k = 0; k < words; k += ROUND_WORDS) {
        int round = (int)min(words - k, ROUND_WORDS);
        MPI_Ireduce(ranks->rank ? (void *)(set + k) : MPI_IN_PLACE, set + k, round, MPI_UINT64_T, MPI_BOR, 0,
                    ranks->all, flight_next(&flight));
    }
    flight_end(&flight);
}
