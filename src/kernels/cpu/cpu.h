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
    bool scattered; /* the kernel takes the loop for scattered columns, if there is one */
    int64_t bound[];
};

/* The loops for a precision that this machine runs fastest. */
const struct loops *loops_for(enum precision precision);

/* For tests: from now on choose the loops of this instruction set ("portable", "avx2", "avx512"); NULL: the
 * fastest again. False, and nothing changes, if this build or machine has none such. */
bool loops_choose(const char *isa);

/* Work before unit u of what `of` describes, u = 0 .. units; never descends. */
typedef int64_t work_before(const void *of, int64_t u);

/* Divide `units` among launch->threads so that each has about the same work, a unit itself counting as 1.
 * NULL `before`: units are alike. NULL without memory; free with free(). O(threads log units) calls. */
struct division *division_new(const struct launch *launch, int64_t units, work_before *before, const void *of,
                              struct error *error);

/* The same by an array of offsets, element u being the work before unit u, or NULL. The result becomes
 * launch->state, to be freed with division_release. */
enum status divide(struct launch *launch, int64_t units, const struct array *work, struct error *error);
void division_release(struct launch *launch);

/* Run a loop over all units by one thread, or by launch->threads as divided. launch->state is a division. */
void run_sequential(const struct launch *launch, cpu_loop *loop, int64_t units);
void run_divided(const struct launch *launch, cpu_loop *loop);

/* y = 0, unless products are added to it. One thread. */
void clear_y(const struct launch *launch);

/* For kernels without parameters of their own. */
extern const struct parameter no_parameters[];

#endif
