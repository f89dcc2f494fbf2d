/* The division of a product among the threads of csc-omp. */
#ifndef SPARSIGHT_KERNELS_CPU_CSC_H
#define SPARSIGHT_KERNELS_CPU_CSC_H

#include "kernels/cpu/loops/loops.h"

/* The share of a thread: entries first .. end-1, which begin in column `column` and lie in rows low ..
 * high-1; all of these are 0 if there are no entries. */
struct csc_share {
    int64_t first, end, column;
    int64_t low, high;
    int64_t copy; /* index in the copies of its sums of rows low .. high-1; -1 if it adds to y itself */
    int next; /* if it adds to y itself: the share with the next higher rows that does; -1 after the last */
};

/* Entries of different columns add to the same rows. To keep threads apart, most shares add to their own
 * copies of the rows that they touch; the copies are added to y at the end. A maximal set of shares without
 * common rows adds to y itself:
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
    int64_t loads;  /* number of elements of x that are loaded */
    int64_t copied; /* the number of elements of all copies */
    int64_t joined; /* number of rows to which copies are added */
    int64_t twice;  /* number of these rows to which a share also adds directly */
    void *copies;
    struct csc_share share[];
};

/* Choose the shares that add to y themselves: in the order of rows, always the one that ends first. This
 * leaves the most rows for others, so that the set is as large as possible. The other shares get copies, or
 * all if `direct` is false. The ranges of the shares are set, and `copied` is 0. */
void csc_choose(struct csc_work *work, bool direct);

/* Count the rows to which copies are added (`joined`, `twice`), among this number of rows of y. */
void csc_count(struct csc_work *work, int64_t rows);

#endif
