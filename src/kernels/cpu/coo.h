/* CPU kernels for COO, and what other formats need for a COO part. */
#ifndef SPARSIGHT_KERNELS_CPU_COO_H
#define SPARSIGHT_KERNELS_CPU_COO_H

#include "kernels/cpu/cpu.h"

/* Return the entries whose rows, columns and values are in arrays q, q + 1 and q + 2. */
struct coo_part coo_part_of(const struct storage *storage, int q, enum coo_target target);

/* Entries in the order of rows, divided among threads: each thread has as many, wherever rows end. Only the
 * thread that has a row's first entry writes the row; what a later thread finds of it is carried over, and
 * added by one thread in the end:
 *
 *     thread   0 0 0 0 0 | 1 1 1 1 1 | 2 2 2 2 2
 *     row      0 0 1 1 1 | 1 1 2 3 3 | 3 3 3 3 3     carried[1] of row 1, carried[2] of row 3
 */
struct coo_work {
    struct coo_part part;
    struct division *division;
    loop_sum carried[]; /* carried[t] is thread t's sum over the row that began before its first entry */
};

/* Divide the entries of a part among the threads of a launch; NULL if memory is short. The caller frees the
 * result with coo_work_free, which takes NULL. */
struct coo_work *coo_work_new(const struct launch *launch, const struct coo_part *part, struct error *error);
void coo_work_free(struct coo_work *work);

/* coo_work_run is called for every thread t, at the same time; coo_work_finish once, by one thread, when all
 * of them are done, and adds what was carried to y. */
void coo_work_run(const struct launch *launch, struct coo_work *work, int t);
void coo_work_finish(const struct launch *launch, const struct coo_work *work);

#endif
