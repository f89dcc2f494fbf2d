/* When samples of a kernel are taken, and how many: the same in one process (rounds.c) and over several
 * (src/ranks/product/rounds.c). */
#ifndef SPARSIGHT_KERNELS_TIMING_SAMPLING_H
#define SPARSIGHT_KERNELS_TIMING_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/timing/bench.h"

/* A product that takes longer is run for nothing but samples. */
#define SLOW_SECONDS 0.2

/* The samples of a kernel that is timed beside others. */
struct sampling {
    struct result *result;
    double *seconds;     /* the samples, each the time of one product; owned */
    int count, capacity; /* how many samples there are, and how many there is room for */
    double spent;        /* the seconds spent on samples and on all that comes before each, such as a flush */
    int inner;           /* number of products of a sample, one after another */
    bool slow;           /* a product takes more than SLOW_SECONDS */
    bool ready;          /* the kernel is prepared, and all products that were checked so far were right */
};

/* So many products warm up, or fewer that take so many seconds. */
int sampling_warm_products(const struct bench_options *options);
double sampling_warm_seconds(const struct bench_options *options);

/* Return whether the kernel is still ready; an error becomes its result, and then it no longer is. */
bool sampling_went(struct sampling *sampling, enum status status, const struct error *error);

/* Return which share of the sampling is done, 0 to 1: it needs so many samples, and so many seconds. */
double sampling_done(const struct bench_options *options, const struct sampling *sampling);

/* Make room for another sample. STATUS_MEMORY. */
enum status sampling_room(struct sampling *sampling, struct error *error);

/* Add a sample, for which there is room. */
static inline void sampling_add(struct sampling *sampling, double seconds)
{
    sampling->seconds[sampling->count++] = seconds;
}

/* Draw a random order of 0 .. count-1, in which each order is as likely as any other (Fisher and Yates): from
 * the last place down, each place gets one of those that have none yet. *drawn counts random numbers. */
void sampling_order(const struct bench_options *options, uint64_t *drawn, int *order, int count);

#endif
