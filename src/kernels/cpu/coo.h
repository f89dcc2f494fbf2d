/* CPU kernels for COO, and what other formats need for a COO part. */
#ifndef SPARSIGHT_KERNELS_CPU_COO_H
#define SPARSIGHT_KERNELS_CPU_COO_H

#include "kernels/cpu/cpu.h"

/* The part in arrays q, q + 1 and q + 2: rows, columns and values. */
struct coo_part coo_part_of(const struct storage *storage, int q, enum coo_target target);

/* A part in the order of rows, divided among threads: each has as many entries, wherever rows end. What it
 * finds of a row that began before them it leaves here, and one thread adds that in the end. */
struct coo_work {
    struct coo_part part;
    struct division *division;
    double carried[]; /* by each thread */
};

/* NULL without memory. Free with coo_work_free, which takes NULL. */
struct coo_work *coo_work_new(const struct launch *launch, const struct coo_part *part, struct error *error);
void coo_work_free(struct coo_work *work);

/* The entries of thread t; and then, when all threads are done, by one of them what was carried. */
void coo_work_run(const struct launch *launch, struct coo_work *work, int t);
void coo_work_finish(const struct launch *launch, const struct coo_work *work);

#endif
