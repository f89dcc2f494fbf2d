/* Threads: their number for OpenMP, and parallel functions that several rooms share. */
#ifndef SPARSIGHT_BASE_THREADS_H
#define SPARSIGHT_BASE_THREADS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* One thread runs a loop over fewer entries than this. Starting the others would take longer; if other
 * programs keep the processors busy, it takes as long as a time slice of the system. */
#define PARALLEL_MIN 16384

/* The number of threads of the next parallel region; at least 1. */
int threads_count(void);

/* Set the number of threads of parallel regions that the calling thread starts; 0: the number that suits this
 * process (placement_threads, base/placement.h). */
void threads_set(int count);

/* Return the number of threads, up to `count` and including the calling one, that the system allows this
 * process now: 1 to THREADS_MAX + 1. It takes some 20 us a thread. */
int threads_possible(int count);

/* Limit parallel regions of the calling thread to the number of threads that the system can start now. OpenMP
 * ends the program if it gets fewer than it wants. So call this before a thread's first parallel region, and
 * again after other threads were started. */
void threads_fit(void);

/* Run an empty parallel region of `threads` threads, or with 0 of the number that the next parallel region
 * gets. Call this before timing code that begins with a region of this size: the first region of a thread
 * starts its team, which takes some 10 ms, and an idle team must be woken. */
void threads_gather(int threads);

/* Touch the pages of an array that was just allocated, and overwrite its content. Thread t of T touches the
 * t-th of T equal parts. So no two threads request the same huge page at once, which the system would clear
 * twice. On a machine of several memory nodes the data of each thread is near, since the thread touches its
 * part from the hardware thread on which it is timed (base/placement.h). Does nothing with one thread, or if
 * the array has less than a huge page for each thread. */
void threads_place(void *array, size_t bytes);

/* Turn n counts into n + 1 offsets in place: array[k] becomes the sum of the counts array[0] .. array[k-1],
 * for k = 0 .. n. Parallel. */
void threads_offsets(int64_t *array, int64_t n);

/* The maximum number of threads of a request. */
#define THREADS_MAX 1024

/* Read a number of threads as users write it, from 1 to THREADS_MAX; STATUS_USAGE for anything else. */
enum status threads_read(const char *text, int *threads, struct error *error);

#define THREAD_COUNTS_MAX 64

/* A list of numbers of threads for kernels. {0}: none were given. */
struct thread_counts {
    int items[THREAD_COUNTS_MAX]; /* each once, in the order they were named */
    int count;
};

/* Append the numbers of a list as the user writes it: "1,2,4", or "1-8" for all from 1 to 8; blanks may
 * surround each. STATUS_USAGE if the list is wrong or has more than THREAD_COUNTS_MAX numbers; the earlier
 * numbers have been appended then. */
enum status thread_counts_read(struct thread_counts *counts, const char *text, struct error *error);

/* The largest of them; 0 if there is none. */
int thread_counts_max(const struct thread_counts *counts);

void thread_counts_sort(struct thread_counts *counts);

/* Write the numbers for thread_counts_read. If they ascend by one from the first to the last, write a range.
 * Numbers that do not fit into out (size bytes) are left out. Returns out. */
char *thread_counts_write(const struct thread_counts *counts, char *out, size_t size);

#endif
