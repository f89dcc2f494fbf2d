/* The division of a product among the threads of sss-omp. */
#ifndef SPARSIGHT_KERNELS_CPU_SSS_H
#define SPARSIGHT_KERNELS_CPU_SSS_H

#include "kernels/cpu/loops/loops.h"

/* The share of a thread: rows first .. end-1. The images of its entries are in rows low .. end-1, low <=
 * first. Those before its first row are summed in copies of rows low .. first-1, which begin with element
 * `copy`. Rows from `alone` on have no such images. */
struct sss_share {
    int64_t first, end, low, alone;
    int64_t copy;
};

/* Threads add images to their own rows of y themselves, since no other thread writes these, and to copies of
 * the rows before: only of those that they reach (Batista, Ainsworth and Ribeiro, "Parallel
 * structurally-symmetric sparse matrix-vector products on multi-core processors", 2010: effective ranges of
 * local buffers; Gkountouvas, Karakasis, Kourtis, Goumas and Koziris, "Improving the performance of the
 * symmetric sparse matrix-vector multiplication in multicore", IPDPS 2013).
 *
 *     rows      0 . . . . . . . . . . . . . . 15
 *     share 0   y y y y y
 *     share 1       c c c y y y y y
 *     share 2                 c c y y y y y y
 *
 * Afterwards each row of y gets the copies of it in the order of the shares, so that the same number of
 * threads gives the same sums. */
struct sss_work {
    const struct loops *loops;
    int shares;
    int64_t copied; /* the number of elements of all copies */
    void *copies;
    struct sss_share share[];
};

#endif
