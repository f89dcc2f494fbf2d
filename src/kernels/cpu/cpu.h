/* What the CPU kernels have in common: loops in the variants that were compiled, and the division of work
 * among threads. */
#ifndef SPARSIGHT_KERNELS_CPU_CPU_H
#define SPARSIGHT_KERNELS_CPU_CPU_H

#include "kernels/cpu/loops/loops.h"
#include "kernels/kernel.h"

/* The work of each thread: thread t has units bound[t] .. bound[t+1]-1, units being rows, strips, chunks or
 * whatever the kernel's loop counts. */
struct division {
    const struct loops *loops;
    int64_t bound[];
};

/* The loops for a precision that this machine runs fastest. */
const struct loops *loops_for(enum precision precision);

/* For tests: from now on choose the loops of this instruction set ("portable", "avx2", "avx512"); NULL: the
 * fastest again. False, and nothing changes, if this build or machine has none such. */
bool loops_choose(const char *isa);

/* Divide `units` among launch->threads so that each has about the same `work`, which never descends: work[0]
 * is that before unit 0. NULL offsets: units are alike. The result becomes launch->state, to be freed with
 * division_release. */
enum status divide(struct launch *launch, int64_t units, const struct array *work, struct error *error);
void division_release(struct launch *launch);

/* Run a loop over all units by one thread, or by launch->threads as divided. */
void run_sequential(const struct launch *launch, cpu_loop *loop, int64_t units);
void run_divided(const struct launch *launch, cpu_loop *loop);

#endif
