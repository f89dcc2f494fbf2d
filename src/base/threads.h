/* Threads: how many OpenMP may use, and the few parallel patterns that several rooms share. */
#ifndef SPARSIGHT_BASE_THREADS_H
#define SPARSIGHT_BASE_THREADS_H

#include <stdint.h>

/* Loops over fewer entries than this are done by one thread: to gather the others takes longer, and where
 * other programs keep the processors busy, a time slice of the system's. */
#define THREADS_LEAST 16384

/* Threads the next parallel region gets; at least 1. */
int threads_count(void);

/* Use this many from now on, in regions started by the calling thread; 0 means one per processor that this
 * process may run on. */
void threads_set(int count);

/* Turn counts into offsets in place: array[0..n-1] are counts, afterwards array[k] is the sum of the first k
 * counts and array[n] their total. Parallel. */
void threads_offsets(int64_t *array, int64_t n);

#endif
