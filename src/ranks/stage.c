#include "ranks/stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

enum { TAG_RECORDS = 16 };

enum status stage_open(struct stage *stage, const struct ranks *ranks, struct error *error)
{
    size_t count = (size_t)ranks->count;
    *stage = (struct stage){.ranks = ranks};
    pthread_mutex_init(&stage->lock, NULL);
    pthread_cond_init(&stage->all_stopped, NULL);
    pthread_cond_init(&stage->resumed, NULL);
    stage->counts = memory_array(3 * count + 1, sizeof *stage->counts, error);
    if (!stage->counts) return STATUS_MEMORY;
    if (count == 1) return STATUS_OK; /* nothing ever goes anywhere */
    stage->out = memory_array(STAGE_BYTES, 1, error);
    stage->sorted = memory_array(STAGE_BYTES, 1, error);
    stage->in = memory_array(STAGE_BYTES, 1, error);
    stage->to = memory_array(STAGE_BYTES / STAGE_RECORD_MIN, sizeof *stage->to, error);
    return stage->out && stage->sorted && stage->in && stage->to ? STATUS_OK : STATUS_MEMORY;
}

void stage_close(struct stage *stage)
{
    if (!stage->ranks) return;
    free(stage->out);
    free(stage->sorted);
    free(stage->in);
    free(stage->to);
    free(stage->counts);
    pthread_mutex_destroy(&stage->lock);
    pthread_cond_destroy(&stage->all_stopped);
    pthread_cond_destroy(&stage->resumed);
    *stage = (struct stage){0};
}

void stage_begin(struct stage *stage, size_t size, int threads,
                 void (*deliver)(void *self, const char *records, int64_t count), void *self)
{
    stage->size = size;
    stage->capacity = (int64_t)(STAGE_BYTES / size);
    stage->used = stage->fill = 0;
    stage->threads = threads;
    stage->stopped = stage->finished = 0;
    stage->failed = stage->over = false;
    stage->first_failed = stage->ranks->count;
    atomic_store(&stage->stop, false);
    stage->deliver = deliver;
    stage->self = self;
}

/* Sort the records by destination rank. out_counts[r] becomes the number of records for rank r, and begin[r]
 * the index of the first. */
static void sort_records(struct stage *stage, int64_t *out_counts, int64_t *begin)
{
    int count = stage->ranks->count;
    size_t size = stage->size;
    memset(out_counts, 0, (size_t)count * sizeof *out_counts);
    for (int64_t k = 0; k < stage->used; k++)
        out_counts[stage->to[k]]++;
    begin[0] = 0;
    for (int r = 0; r < count; r++)
        begin[r + 1] = begin[r] + out_counts[r];
    for (int64_t k = 0; k < stage->used; k++)
        memcpy(stage->sorted + (size_t)begin[stage->to[k]]++ * size, stage->out + (size_t)k * size, size);
    for (int r = count - 1; r > 0; r--)
        begin[r] = begin[r - 1];
    begin[0] = 0;
}

/* Number of pieces of messages under way to a rank at a time, and from it. Each received piece has its own
 * slot in `in`. */
#define PIECES 8

/* Pieces to receive, in the order of their requests. */
struct coming {
    MPI_Request request[PIECES];
    int64_t records[PIECES]; /* of each */
    int64_t piece;           /* records of a full one */
    int first, count;        /* the oldest piece, and the number of pieces */
};

static char *place_of(const struct stage *stage, const struct coming *coming, int slot)
{
    return stage->in + (size_t)(slot * coming->piece) * stage->size;
}

/* Wait for the oldest piece, and deliver it. */
static void deliver_oldest(struct stage *stage, struct coming *coming)
{
    int slot = coming->first;
    ranks_rest(stage->ranks, &coming->request[slot]);
    stage->deliver(stage->self, place_of(stage, coming, slot), coming->records[slot]);
    coming->first = (slot + 1) % PIECES;
    coming->count--;
}

static void ask_for(struct stage *stage, struct coming *coming, int64_t records, int from)
{
    if (coming->count == PIECES) deliver_oldest(stage, coming);
    int slot = (coming->first + coming->count++) % PIECES;
    coming->records[slot] = records;
    MPI_Irecv(place_of(stage, coming, slot), (int)((size_t)records * stage->size), MPI_BYTE, from,
              TAG_RECORDS, stage->ranks->all, &coming->request[slot]);
}

/* Send all records, and deliver the received ones: in step s each rank sends to rank + s, modulo the number
 * of ranks. There is no deadlock: all ranks take steps, and pieces of a step, in the same order and wait only
 * for earlier ones, so that the earliest missing piece always has both a sender and a receiver. */
static void exchange(struct stage *stage)
{
    const struct ranks *ranks = stage->ranks;
    int64_t *out_counts = stage->counts, *in_counts = out_counts + ranks->count,
            *begin = in_counts + ranks->count;
    struct coming coming = {.piece = min((int64_t)ranks->round, STAGE_BYTES / PIECES) / (int64_t)stage->size};
    struct flight going;
    flight_begin(&going, ranks, PIECES);
    sort_records(stage, out_counts, begin);
    ranks_counts(ranks, out_counts, in_counts);
    if (out_counts[ranks->rank])
        stage->deliver(stage->self, stage->sorted + (size_t)begin[ranks->rank] * stage->size,
                       out_counts[ranks->rank]);
    for (int step = 1; step < ranks->count; step++) {
        int to = (ranks->rank + step) % ranks->count,
            from = (ranks->rank - step + ranks->count) % ranks->count;
        for (int64_t k = 0; k < max(in_counts[from], out_counts[to]); k += coming.piece) {
            if (k < in_counts[from]) ask_for(stage, &coming, min(in_counts[from] - k, coming.piece), from);
            if (k < out_counts[to])
                MPI_Isend(stage->sorted + (size_t)(begin[to] + k) * stage->size,
                          (int)((size_t)min(out_counts[to] - k, coming.piece) * stage->size), MPI_BYTE, to,
                          TAG_RECORDS, ranks->all, flight_next(&going));
        }
    }
    while (coming.count)
        deliver_oldest(stage, &coming);
    flight_end(&going);
    stage->used = stage->fill = 0;
}

/* Make a round with the other ranks. `left`: this rank has more records to come. All other threads are
 * stopped. */
static void make_round(struct stage *stage, bool left)
{
    const struct ranks *ranks = stage->ranks;
    int mine[3] = {stage->failed ? ranks->rank : ranks->count, !left, stage->used == 0}, all[3];
    MPI_Request request;
    MPI_Iallreduce(mine, all, 3, MPI_INT, MPI_MIN, ranks->all, &request);
    ranks_rest(ranks, &request);
    stage->first_failed = all[0];
    if (all[0] < ranks->count)
        atomic_store(&stage->stop, true);
    else if (!all[2])
        exchange(stage);
    stage->fill = 0;
    stage->over = all[1] || all[0] < ranks->count;
    stage->round++;
    stage->stopped = stage->finished;
    pthread_cond_broadcast(&stage->resumed);
}

bool stage_put(struct stage *stage, int thread, int64_t stays, int64_t count, char **records, int32_t **to)
{
    if (stage->ranks->count == 1) return true;
    pthread_mutex_lock(&stage->lock);
    while (stage->fill + stays + count > stage->capacity && !atomic_load(&stage->stop)) {
        uint64_t round = stage->round;
        if (thread == 0) {
            while (stage->stopped < stage->threads - 1)
                pthread_cond_wait(&stage->all_stopped, &stage->lock);
            make_round(stage, true);
        } else {
            if (++stage->stopped == stage->threads - 1) pthread_cond_signal(&stage->all_stopped);
            while (stage->round == round)
                pthread_cond_wait(&stage->resumed, &stage->lock);
        }
    }
    bool goes_on = !atomic_load(&stage->stop);
    if (goes_on) {
        *records = stage->out + (size_t)stage->used * stage->size;
        *to = stage->to + stage->used;
        stage->used += count;
        stage->fill += stays + count;
    }
    pthread_mutex_unlock(&stage->lock);
    return goes_on;
}

void stage_finish(struct stage *stage, int thread, bool failed)
{
    pthread_mutex_lock(&stage->lock);
    stage->failed = stage->failed || failed;
    if (thread != 0) {
        stage->finished++;
        if (++stage->stopped == stage->threads - 1) pthread_cond_signal(&stage->all_stopped);
    }
    while (thread == 0 && !stage->over) {
        while (stage->stopped < stage->threads - 1)
            pthread_cond_wait(&stage->all_stopped, &stage->lock);
        make_round(stage, stage->finished < stage->threads - 1);
    }
    pthread_mutex_unlock(&stage->lock);
}
