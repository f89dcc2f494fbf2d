/* How the threads of csc-omp share a product. */
#ifndef SPARSIGHT_KERNELS_CPU_CSC_H
#define SPARSIGHT_KERNELS_CPU_CSC_H

#include "kernels/cpu/loops/loops.h"

/* The share of a thread: entries first .. end-1, which begin in column `column` and lie in rows low ..
 * high-1; all of these are 0 if there are no entries. */
struct csc_share {
    int64_t first, end, column;
    int64_t low, high;
    int64_t copy; /* where in the copies its sums of rows low .. high-1 begin; -1 if it adds to y itself */
    int next; /* if it adds to y itself: the share with the next higher rows that does; -1 after the last */
};

/* Entries of different columns add to the same rows. So that no two threads add to the same element of y,
 * most of them have sums of their own for the rows that they meet, which are added to y when all are done.
 * Shares that have no row in common add to y itself, as many of them as there can be:
 *
 *     row       0 . . . . . . . . . . . . . . 15
 *     share 0   y y y y y y                          adds to y
 *     share 1         c c c c c c                    has a copy of six rows
 *     share 2               y y y y y y
 *     share 3                       c c c c
 *
 * A row's sums are added up in the order of the shares, after that of the share that adds to y itself. */
struct csc_work {
    const struct loops *loops;
    int shares;
    int direct;     /* the first share that adds to y itself; -1 if there is none */
    int64_t loads;  /* how many elements of x are loaded */
    int64_t copied; /* how many elements all copies have */
    int64_t joined; /* how many rows copies are added to */
    int64_t twice;  /* how many of these rows a share adds to itself, too */
    void *copies;
    struct csc_share share[];
};

/* Choose the shares that add to y themselves: going up the rows, always the one that ends first, which leaves
 * the most rows for others, so that there cannot be more of them. The other shares get copies; so do all if
 * `direct` is false. The ranges of the shares are known before, and `copied` is 0. */
void csc_choose(struct csc_work *work, bool direct);

/* Count the rows to which copies are added (`joined`, `twice`), among this number of rows of y. */
void csc_count(struct csc_work *work, int64_t rows);

#endif
