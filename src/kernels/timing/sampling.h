/* The times and the number of samples of a kernel: the same rules in one process (rounds.c) and over several
 * (src/ranks/product/rounds.c). */
#ifndef SPARSIGHT_KERNELS_TIMING_SAMPLING_H
#define SPARSIGHT_KERNELS_TIMING_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/timing/bench.h"

/* Seconds of a product above which it is run only for samples. */
#define SLOW_SECONDS 0.2

/* The samples of a kernel timed in rounds with others. */
struct sampling {
    struct result *result;
    double *seconds;     /* the samples, each the time of one product; owned */
    int count, capacity; /* number of samples, and room for samples */
    double spent;        /* the seconds spent on samples, including the work before each, such as a flush */
    int inner;           /* number of products of a sample, one after another */
    bool slow;           /* a product takes more than SLOW_SECONDS */
    bool ready;          /* the kernel is prepared, and all checked products so far were right */
};

/* Return the minimum number of samples of a kernel, and in *least the minimum seconds of sampling. */
int sampling_repeats(const struct bench_options *options, double *least);

/* Maximum products and maximum seconds of warming up. */
int sampling_warm_products(const struct bench_options *options);
double sampling_warm_seconds(const struct bench_options *options);

/* Return whether the kernel is still ready; an error becomes its result, and then it no longer is. */
bool sampling_went(struct sampling *sampling, enum status status, const struct error *error);

/* Return the finished share of the sampling, 0 to 1, of both its minimum number of samples and its minimum
 * seconds. */
double sampling_done(const struct bench_options *options, const struct sampling *sampling);

/* Make room for another sample. STATUS_MEMORY. */
enum status sampling_room(struct sampling *sampling, struct error *error);

/* Add a sample, for which there is room. */
static inline void sampling_add(struct sampling *sampling, double seconds)
{
    sampling->seconds[sampling->count++] = seconds;
}

/* Draw a random order of 0 .. count-1, all orders equally probable (Fisher and Yates): from the last position
 * down, each gets one of the remaining elements. *drawn counts random numbers. */
void sampling_order(const struct bench_options *options, uint64_t *drawn, int *order, int count);

#endif
