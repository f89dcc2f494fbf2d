/* CPU kernels for COO, and functions for the COO part of other formats. */
#ifndef SPARSIGHT_KERNELS_CPU_COO_H
#define SPARSIGHT_KERNELS_CPU_COO_H

#include "kernels/cpu/cpu.h"

/* Return the entries whose rows, columns and values are in arrays q, q + 1 and q + 2. */
struct coo_part coo_part_of(const struct storage *storage, int q, enum coo_target target);

/* Entries in the order of rows, divided among threads: all threads have equal numbers of them, regardless of
 * rows. Only the thread with a row's first entry writes the row; a later thread carries its partial sum, and
 * one thread adds these at the end:
 *
 *     thread   0 0 0 0 0 | 1 1 1 1 1 | 2 2 2 2 2
 *     row      0 0 1 1 1 | 1 1 2 3 3 | 3 3 3 3 3     carried[1] of row 1, carried[2] of row 3 */
struct coo_work {
    struct coo_part part;
    struct division *division;
    loop_sum carried[]; /* carried[t] is thread t's sum over the row that began before its first entry */
};

/* Divide the entries of a part among the threads of a launch; NULL if memory is short. The caller frees the
 * result with coo_work_free, which takes NULL. */
struct coo_work *coo_work_new(const struct launch *launch, const struct coo_part *part, struct error *error);
void coo_work_free(struct coo_work *work);

/* All threads t call coo_work_run at the same time. Afterwards one thread calls coo_work_finish, which adds
 * the carried sums to y. */
void coo_work_run(const struct launch *launch, struct coo_work *work, int t);
void coo_work_finish(const struct launch *launch, const struct coo_work *work);

#endif
