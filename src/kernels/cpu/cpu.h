/* Shared by the CPU kernels: loops in the compiled variants, and the division of work among threads. */
#ifndef SPARSIGHT_KERNELS_CPU_CPU_H
#define SPARSIGHT_KERNELS_CPU_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/cpu/loops/loops.h"
#include "kernels/kernel.h"

/* The division of work among threads: thread t has units bound[t] .. bound[t+1]-1. A unit is a row, a strip,
 * a chunk or another unit of the kernel's loop. */
struct division {
    const struct loops *loops;
    bool scattered; /* csr-omp uses the loop for scattered columns; false for other kernels */
    int64_t bound[];
};

/* Return the loops of this precision that are fastest on this machine: those with the widest vectors it has,
 * and with gathers or single loads (loops/gather.h), whichever is faster in a trial. The first call makes the
 * trial, which takes less than a millisecond; all further calls return the same. */
const struct loops *loops_for(enum precision precision);

/* Return the loops for the values of a storage, which may be complex. */
const struct loops *loops_of(const struct storage *storage);

/* For tests: make loops_for return the loops of this instruction set ("portable", "avx2", "avx2-loads",
 * "avx512", "avx512-loads"), or with NULL the fastest again. Returns false, and changes nothing, if this
 * build or machine lacks them. */
bool loops_choose(const char *isa);

/* The work before unit u, u = 0 .. units, in any measure (entries, slots). `of` is the argument of
 * division_new. The result never decreases with u. */
typedef int64_t work_before(const void *of, int64_t u);

/* Divide `units` units among launch->threads threads so that all have about the same work. With W = units +
 * before(units), where each unit counts 1 beside its work, thread t of T begins at the first unit u with
 * u + before(u) >= W t / T. If `before` is NULL, units have equal work. Returns NULL if memory is short; the
 * caller frees the result with free(). O(threads log units) calls of `before`. */
struct division *division_new(const struct launch *launch, int64_t units, work_before *before, const void *of,
                              struct error *error);

/* Divide as division_new does and make the result launch->state, which division_release frees. `work` is an
 * array of offsets whose element u is the work before unit u, or NULL if units have equal work. */
enum status divide(struct launch *launch, int64_t units, const struct array *work, struct error *error);
void division_release(struct launch *launch);

/* Return whether the kernel multiplies the vectors one after the other, by its loop for a single one: two
 * vectors that are stored by columns, if the caches of the threads' cores hold the matrix. Otherwise reading
 * it twice costs more than putting the vectors side by side. */
bool vectors_apart(const struct launch *launch);
#define APART_COLUMNS 2

/* Return whether a product is that of the kernel's loop for a single vector: plain, or of vectors apart. */
bool vectors_single(const struct launch *launch);

/* Return the launch of y = A x for vector c of X and of Y, if vectors_single. */
struct launch vectors_one(const struct launch *launch, int c);

/* Run a loop by launch->threads threads, each over the units that launch->state, a division, gives it, for
 * each vector if vectors_single. */
void run_divided(const struct launch *launch, cpu_loop *loop);

/* Set y to 0 by one thread, unless the launch accumulates. */
void clear_y(const struct launch *launch);

/* Compute y[i] = value, or y[i] += value if `add`. */
void put_sum(const struct launch *launch, int64_t i, loop_sum value, bool add);

/* The empty table of parameters. */
extern const struct parameter no_parameters[];

/* The members of a kernel's descriptor that are the same for kernels that multiply real and complex matrices
 * and have no parameters of their own; and for those with one thread, whose loop is that of the source. */
#define CPU_KERNEL(key, matrix)                                                                      \
    .name = (key), .backend = &backend_cpu, .format = &format_##matrix, .parameters = no_parameters, \
    .complex = true
#define PUBLISHED_LOOP                                                                                   \
    .wins = "One thread runs the loop as it was published, for comparison and for very small matrices.", \
    .sequential = true

/* Deciding whether prefetching the elements of x pays off. */

/* Return true if the columns of `count` entries, taken in order, often lead to elements of x that are in no
 * cache of the core and that the processor does not prefetch itself. This is so if x, which has `cols`
 * elements of `size` bytes, is large, and if among samples of the entries more than one in twenty needs a
 * line of x that was not used recently and whose predecessor was not used either. Reads at most 2^20
 * entries. */
bool columns_scattered(const int32_t *col, int64_t count, int64_t cols, size_t size);

#endif
