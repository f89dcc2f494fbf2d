/* The division of a product among the threads of sss-omp, and of a thread's rows into windows. */
#ifndef SPARSIGHT_KERNELS_CPU_SSS_H
#define SPARSIGHT_KERNELS_CPU_SSS_H

#include "kernels/cpu/loops/loops.h"

/* The share of a thread: rows first .. end-1. The images of its entries are in rows low .. end-1, low <=
 * first. Those before its first row are summed in copies of rows low .. first-1, which begin with element
 * `copy`. Rows from `alone` on have no such images. Its windows are window .. windows_end-1. Space for
 * the rows of windows that begin before `alone` follows the copies. */
struct sss_share {
    int64_t first, end, low, alone;
    int64_t copy;
    int64_t window, windows_end;
};

/* The order in which a window's rows are multiplied. A mispredicted end of a row costs as much as some ten
 * entries. In a run of rows of one length few ends are mispredicted, and short lengths have loops without
 * tests. */
enum sss_way {
    SSS_LONG,   /* row after row: they are long */
    SSS_EVEN,   /* row after row, in runs of rows of the same length */
    SSS_SORTED, /* by length, in the order of the table */
};

/* A run: successive rows in the window's order that have `length` entries each below the diagonal. */
struct sss_run {
    int32_t length, rows;
};

/* Maximum numbers of rows and entries of a window; one row may have more entries. The values
 * of a window, and its elements of x and y, stay in a core's caches, so that its rows may be taken in any
 * order. Places in a window have 8 bits. */
#define SSS_WINDOW_ROWS 256
#define SSS_WINDOW_ENTRIES 8192

/* Rows from `first` to the first row of the next window. */
struct sss_window {
    int64_t first;
    int64_t run; /* its first run. Its runs have all of its rows; SSS_LONG has no runs */
    enum sss_way way;
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
    int64_t copied; /* the number of elements of all copies, */
    int64_t room;   /* elements of all copies and of the space behind them */
    int64_t moved;  /* the number of rows that are summed in that space and then moved to y */
    void *copies;
    int64_t join_first, join_end; /* all copies are of rows join_first .. join_end-1 */
    int64_t windows, runs;        /* of all shares; 0: the loop for any rows multiplies all */
    int64_t begun; /* number of rows whose elements of y are set to the products of the diagonal first */
    struct sss_window *window; /* one more than `windows` */
    struct sss_run *run;
    uint8_t *order; /* the places of a window's rows within it, in its order, and one more element */
    struct sss_share share[];
};

/* Divide the rows of all shares into windows. If their tables need more than `limit` bytes (0: the default of
 * memory_check), there are none, and work->windows is 0. Fails with STATUS_MEMORY. */
enum status sss_divide(const struct storage *storage, size_t limit, struct sss_work *work,
                       struct error *error);

/* The bytes of these tables. */
size_t sss_table_bytes(const struct storage *storage, const struct sss_work *work);

#endif
