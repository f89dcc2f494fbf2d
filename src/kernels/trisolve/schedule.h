/* The division of a triangular solve among threads, by levels, with waits between threads instead of barriers
 * (Park, Smelyanskiy, Sundaram and Dubey, "Sparsifying Synchronization for High-Performance Shared-Memory
 * Sparse Triangular Solver", ISC 2014). */
#ifndef SPARSIGHT_KERNELS_TRISOLVE_SCHEDULE_H
#define SPARSIGHT_KERNELS_TRISOLVE_SCHEDULE_H

#include <stdatomic.h>

#include "kernels/trisolve/division.h"

/* The two ways through the tasks of a strand: from the first to the last, or from the last to the first, with
 * the rows of each task in this order, too. */
enum trisolve_way { TRISOLVE_AHEAD, TRISOLVE_BACK, TRISOLVE_WAYS };

/* Wait until a thread has finished this number of tasks. */
struct trisolve_wait {
    int32_t thread;
    int32_t tasks;
};

/* The waits of a strand on one way, without those that an earlier task of the strand implies. */
struct trisolve_waits {
    int64_t *from; /* the k-th task on this way begins after the waits from[k] .. from[k + 1] - 1 */
    struct trisolve_wait *list;
};

/* The tasks of one thread, in their order. Each has some rows. The strand has copies of its rows in this
 * order. */
struct trisolve_strand {
    int64_t tasks, rows;
    int64_t entries, others; /* numbers of entries of `own`, and of `other` */
    int64_t *task;           /* task k has the rows task[k] .. task[k + 1] - 1 of the strand */
    struct trisolve_waits waits[TRISOLVE_WAYS]; /* TRISOLVE_BACK only of a mirrored schedule */
    int32_t *row;                               /* the row of the matrix */
    double *inverse, *diagonal;
    double *right;                  /* of a mirrored schedule: room for a number of each row */
    struct trisolve_triangle own;   /* entries of the triangle that is solved */
    struct trisolve_triangle other; /* entries of the other triangle, if requested; else {0} */
    int64_t next;                   /* the tasks that are finished; only its thread reads this */
    char before[64];
    atomic_int done; /* `next` for other threads to read, in a cache line of its own */
    char behind[64];
};

struct trisolve_schedule {
    int threads;
    bool shared;   /* strands other than the first have rows, too */
    bool mirrored; /* the strands solve the other triangle, too, on the way back */
    int64_t levels;
    enum trisolve_way way;
    struct trisolve_strand *strands; /* one per thread; owned. NULL: a solve row by row is as fast */
};

/* Make the strands of a division (trisolve_divide). None are made if one thread has all rows, in the order of
 * a solve row by row, unless they are always wanted. Only the copying is parallel. O(nnz + rows log rows).
 * STATUS_MEMORY. */
enum status trisolve_schedule_make(const struct trisolve_parts *parts, const struct trisolve_wish *wish,
                                   struct trisolve_schedule *schedule, struct error *error);
void trisolve_schedule_free(struct trisolve_schedule *schedule);

/* Begin a run on this way: no task is finished. Only one thread calls this, before all others start. */
void trisolve_schedule_begin(struct trisolve_schedule *schedule, enum trisolve_way way);

/* Compute some rows of a strand, first .. last - 1; on the way back, the last row comes first. */
typedef void trisolve_rows(const struct trisolve_strand *strand, int64_t first, int64_t last, void *argument);

/* Run the strands of one of `count` threads: strand `thread`, and each count-th after it. Returns when they
 * are finished. */
void trisolve_schedule_run(struct trisolve_schedule *schedule, int thread, int count, trisolve_rows *rows,
                           void *argument);

/* Return the number of waits of the strand that has the most, on all ways. */
int64_t trisolve_schedule_waits(const struct trisolve_schedule *schedule);

#endif
