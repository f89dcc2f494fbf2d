/* The division of a triangular solve among threads, by levels, with waits between threads instead of barriers
 * (Park, Smelyanskiy, Sundaram and Dubey, "Sparsifying Synchronization for High-Performance Shared-Memory
 * Sparse Triangular Solver", ISC 2014). */
#ifndef SPARSIGHT_KERNELS_TRISOLVE_SCHEDULE_H
#define SPARSIGHT_KERNELS_TRISOLVE_SCHEDULE_H

#include <stdatomic.h>

#include "kernels/trisolve/trisolve.h"

/* Wait until a thread has finished this number of tasks. */
struct trisolve_wait {
    int32_t thread;
    int32_t tasks;
};

/* The tasks of one thread, in their order. Each has some rows. The strand has copies of its rows in this
 * order. */
struct trisolve_strand {
    int64_t tasks, rows;
    int64_t entries, others;     /* numbers of entries of `own`, and of `other` */
    int64_t *task;               /* task k has the rows task[k] .. task[k + 1] - 1 of the strand */
    int64_t *wait;               /* task k begins after the waits wait[k] .. wait[k + 1] - 1 */
    struct trisolve_wait *waits; /* without waits that an earlier task of the strand implies */
    int32_t *row;                /* the row of the matrix */
    double *inverse, *diagonal;
    struct trisolve_triangle own;   /* entries of the triangle that is solved */
    struct trisolve_triangle other; /* entries of the other triangle, if requested; else {0} */
    int64_t next;                   /* the first task that is not finished; only its thread reads it */
    char before[64];
    atomic_int done; /* `next` for other threads to read, in a cache line of its own */
    char behind[64];
};

struct trisolve_schedule {
    int threads;
    bool shared; /* strands other than the first have rows, too */
    int64_t levels;
    struct trisolve_strand *strands; /* one per thread; owned */
};

/* The options of dividing a solve. */
struct trisolve_division {
    enum triangle triangle;
    bool both;             /* strands have the rows of the other triangle, too */
    bool alone;            /* make strands even if sharing no level pays off */
    const int32_t *levels; /* the level of each row (levels_find) */
    int64_t level_count;
    int threads;
};

/* Divide the solve with one triangle. Only the copying is parallel. O(nnz + rows). STATUS_MEMORY. */
enum status trisolve_schedule_make(const struct trisolve_parts *parts, const struct trisolve_division *wanted,
                                   struct trisolve_schedule *schedule, struct error *error);
void trisolve_schedule_free(struct trisolve_schedule *schedule);

/* Begin a run: no task is finished. Only one thread calls this, before all others start. */
void trisolve_schedule_begin(struct trisolve_schedule *schedule);

/* Compute some rows of a strand, first .. last - 1. */
typedef void trisolve_rows(const struct trisolve_strand *strand, int64_t first, int64_t last, void *argument);

/* Run the strands of one of `count` threads: strand `thread`, and each count-th after it. Returns when they
 * are finished. */
void trisolve_schedule_run(struct trisolve_schedule *schedule, int thread, int count, trisolve_rows *rows,
                           void *argument);

/* Return the number of waits of the strand that has the most. */
int64_t trisolve_schedule_waits(const struct trisolve_schedule *schedule);

#endif
