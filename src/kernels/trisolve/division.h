/* Shares of threads in a triangular solve. Each thread has tasks, one after the other, and a task has rows.
 */
#ifndef SPARSIGHT_KERNELS_TRISOLVE_DIVISION_H
#define SPARSIGHT_KERNELS_TRISOLVE_DIVISION_H

#include "kernels/trisolve/trisolve.h"

/* The options of dividing a solve. */
struct trisolve_wish {
    enum triangle triangle;
    bool both;             /* strands have the rows of the other triangle, too */
    bool mirrored;         /* with `both`: the other triangle has the mirrored pattern, and is solved by the
                              same strands, backwards */
    bool always;           /* make strands even if a solve row by row is expected to be as fast */
    const int32_t *levels; /* the level of each row (levels_find) */
    int64_t level_count;
    int threads;
};

/* The shares. The arrays are owned; free with trisolve_division_free, which takes {0}. */
struct trisolve_division {
    int32_t *order;  /* the rows, as one thread would solve them */
    int32_t *thread; /* of each row */
    int32_t *task;   /* of each row, in its thread; the rows of a task are in the order of `order` */
    int delay;       /* trisolve_delay of the triangle; 1: `order` is that of a solve row by row */
    bool shared;     /* threads other than the first have rows, too */
    double time;     /* the expected time, in units of an entry */
};

/* Divide the solve with one triangle. Two ways of dividing are compared by their expected time:
 *
 * - by levels: threads share the rows of each level (Anderson and Saad, Int. J. High Speed Comput. 1, 1989).
 *   Successive levels with little work are one task of the first thread;
 * - by pieces: the order of one thread is cut into pieces of some rows. One piece after the other goes to the
 *   thread that finishes it first (Park et al., ISC 2014, use such tasks instead of single rows). On a grid,
 *   threads solve different planes or lines, and each thread follows the thread before it.
 *
 * If neither is expected to be faster than one thread, the first thread has all rows, as one task. One
 * thread; O(nnz + rows log rows). STATUS_MEMORY. */
enum status trisolve_divide(const struct trisolve_parts *parts, const struct trisolve_wish *wish,
                            struct trisolve_division *division, struct error *error);
void trisolve_division_free(struct trisolve_division *division);

#endif
