/* Threads: how many OpenMP may use, and the few parallel patterns that several rooms share. */
#ifndef SPARSIGHT_BASE_THREADS_H
#define SPARSIGHT_BASE_THREADS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Loops over fewer entries than this are done by one thread: to gather the others takes longer, and where
 * other programs keep the processors busy, a time slice of the system's. */
#define PARALLEL_MIN 16384

/* Threads the next parallel region gets; at least 1. */
int threads_count(void);

/* Use this many from now on, in regions started by the calling thread; 0 means one per processor that this
 * process may run on. */
void threads_set(int count);

/* Touch the pages of an array for the first time, each thread its share of them in the order of threads. So
 * no two threads ask for the same huge page at once, which the system would clear twice; and on a machine of
 * several memory nodes thread t finds the t-th part of an array near by. For arrays that are just allocated:
 * what they hold is lost. Does nothing with one thread, or if the array is smaller than a huge page a thread.
 * Where threads move from node to node the pages do not follow: OMP_PROC_BIND=true keeps them where they are.
 */
void threads_place(void *array, size_t bytes);

/* Turn counts into offsets in place: array[0..n-1] are counts, afterwards array[k] is the sum of the first k
 * counts and array[n] their total. Parallel. */
void threads_offsets(int64_t *array, int64_t n);

/* The most threads that can be asked for. */
#define THREADS_MAX 1024

/* A number of threads as the user writes it, from 1 to THREADS_MAX; STATUS_USAGE for anything else. */
enum status threads_read(const char *text, int *threads, struct error *error);

#define THREAD_COUNTS_MAX 64

/* Several numbers of threads, with each of which something is done. {0}: none were named. */
struct thread_counts {
    int items[THREAD_COUNTS_MAX]; /* each once, in the order they were named */
    int count;
};

/* Append the numbers of a list as the user writes it: "1,2,4", or "1-8" for all from 1 to 8; blanks may
 * surround each. STATUS_USAGE says what is wrong with the list, or that there would be more than
 * THREAD_COUNTS_MAX; the numbers before that have been appended then. */
enum status thread_counts_read(struct thread_counts *counts, const char *text, struct error *error);

/* The largest of them; 0 if there is none. */
int thread_counts_max(const struct thread_counts *counts);

void thread_counts_sort(struct thread_counts *counts);

/* Write them as thread_counts_read takes them, the numbers that ascend by one from the first to the last as a
 * range. What does not fit into out (size bytes) is left out. Returns out. */
char *thread_counts_write(const struct thread_counts *counts, char *out, size_t size);

#endif
