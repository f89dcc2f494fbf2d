/* How csc-omp's threads share a product, for its loops. */
#ifndef SPARSIGHT_KERNELS_CPU_CSC_H
#define SPARSIGHT_KERNELS_CPU_CSC_H

#include "kernels/cpu/loops/loops.h"

/* A thread's entries, first .. end-1. They begin in column `column` and lie in rows low .. high-1; all of
 * these are 0 if there are none. */
struct csc_part {
    int64_t first, end, column;
    int64_t low, high;
    int64_t copy; /* where in the copies its sums of rows low .. high-1 begin; -1: it adds to y itself */
    int next;     /* of those that add to y: the one with the next higher rows; -1: it is the last */
};

/* Entries of different columns add to the same rows. So that no two threads add to the same element of y,
 * most of them have sums of their own for the rows that they meet, which are added to y when all are done.
 * Parts that have no row in common add to y itself, as many of them as there can be:
 *
 *     row      0 . . . . . . . . . . . . . . 15
 *     part 0   y y y y y y                          adds to y
 *     part 1         c c c c c c                    has a copy of six rows
 *     part 2               y y y y y y
 *     part 3                       c c c c
 *
 * What comes to a row is added in the order of the parts, those with copies last. */
struct csc_work {
    const struct loops *loops;
    int parts;
    int direct;     /* the first part that adds to y; -1: there is none */
    int64_t loads;  /* elements of x */
    int64_t copied; /* elements of all copies */
    int64_t joined; /* rows that copies are added to, */
    int64_t twice;  /* and of these those that a part adds to itself, too */
    void *copies;
    struct csc_part part[];
};

#endif
