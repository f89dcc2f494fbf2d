/* Records on their way to other ranks, in rounds of a bounded size.
 *
 * The threads of a rank put records in, each with its destination rank. When a stage is full, or its rank has
 * no more records, its rank is ready for a round: all ranks exchange the contents of their stages, and each
 * passes the received records to its `deliver`. Rounds continue until no rank has records left. Records that
 * stay on a rank are not put in, but count for the fill of its stage, so that ranks that send little come to
 * rounds as often as those that send much.
 *
 * Only the thread that called stage_begin calls MPI. It must be thread 0 of the team; the others wait
 * meanwhile. */
#ifndef SPARSIGHT_RANKS_STAGE_H
#define SPARSIGHT_RANKS_STAGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "ranks/ranks.h"

/* Bytes of each of the three buffers of a stage, for any number of ranks. */
#define STAGE_BYTES ((size_t)8 << 20)

/* The smallest record, in bytes. */
#define STAGE_RECORD_MIN 4

struct stage {
    const struct ranks *ranks;
    char *out, *sorted, *in; /* in the order of arrival; sorted by rank; as received */
    int32_t *to;             /* the rank that each record of `out` goes to */
    int64_t *counts;         /* of records: for each rank, from each rank, and room for sorting */

    size_t size;      /* bytes of a record in this pass */
    int64_t capacity; /* records */
    int64_t used;     /* records in `out` */
    int64_t fill;     /* these, and those that stayed here */
    int threads;      /* of the team */
    int stopped;      /* number of threads that wait for a round, or have finished */
    int finished;
    uint64_t round;
    bool failed;      /* a step on this rank failed, which it reports in the next round */
    int first_failed; /* the first rank that failed, once a round has reported it; else the number of ranks */
    atomic_bool stop; /* a rank has failed: nothing more is exchanged in this pass */
    bool over;        /* all ranks are done */
    pthread_mutex_t lock; /* protects the members from `used` to here */
    pthread_cond_t all_stopped, resumed;
    void (*deliver)(void *self, const char *records,
                    int64_t count); /* called by thread 0, while all others wait */
    void *self;
};

/* Make the buffers. STATUS_MEMORY. Not collective. Free with stage_close, also after failure. */
enum status stage_open(struct stage *stage, const struct ranks *ranks, struct error *error);
void stage_close(struct stage *stage);

/* Begin a pass with records of `size` bytes and this number of threads. */
void stage_begin(struct stage *stage, size_t size, int threads,
                 void (*deliver)(void *self, const char *records, int64_t count), void *self);

/* Make room for `count` records beside `stays` entries that stay on this rank; count + stays is at most 2048.
 * Waits for rounds, and if this is thread 0, makes them. Returns false if a rank has failed and the pass is
 * over; else the caller fills in records and *to before it calls a function of the stage again. */
bool stage_put(struct stage *stage, int thread, int64_t stays, int64_t count, char **records, int32_t **to);

/* This thread has no more records; `failed`: because of an error. Thread 0 returns when all ranks are done,
 * or one has failed (stage->first_failed < ranks). Each thread calls it once a pass. */
void stage_finish(struct stage *stage, int thread, bool failed);

#endif
