/* Timing prepared kernels in rounds. Only for kernels/bench.c. */
#ifndef SPARSIGHT_KERNELS_TIMING_ROUNDS_H
#define SPARSIGHT_KERNELS_TIMING_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/timing/bench.h"
#include "kernels/timing/operands.h"

/* A kernel being timed. */
struct lane {
    struct result *result;
    const struct storage *storage;
    const struct storage *resident; /* where the kernel runs: `storage` itself on the host */
    struct operands *operands;
    struct machine *machine; /* that it runs on */
    struct launch launch;
    double *seconds; /* samples; owned */
    int count, capacity;
    double spent; /* seconds in samples, with all that comes before each: the flush, above all */
    int inner;    /* products a sample */
    bool slow;    /* each sample is checked itself, since another product would take long */
    bool refresh; /* a product that is not timed comes before each sample: it brings into the cache what the
                     kernels before it have put out */
    bool ready;   /* prepared, and found right so far */
    int told;     /* thousandths of it that the progress knows of */
};

/* How to time. */
struct rounds {
    const struct bench_options *options;
    struct machines *machines; /* only those are looked at that a lane runs on */
    struct progress *progress;
    uint64_t seed, drawn;        /* random numbers drawn so far */
    double host_watched;         /* when the host's bandwidths were measured last; 0: never */
    double watched[DEVICES_MAX]; /* likewise those of each device */
};

/* Run a prepared lane before it is timed: check a product, warm up, find out how many products a sample
 * takes. A wrong row becomes the result's error, as does what a device says, and the lane is no longer
 * ready. */
void rounds_warm_up(struct rounds *rounds, struct lane *lane);

/* Time all lanes that are ready, one sample of each a round, in an order that is drawn anew for each round;
 * or for the protocols of the sources all samples of a lane after each other, the lanes in random order. Then
 * check each once more and sum it up in its result. STATUS_MEMORY, STATUS_CANCELLED. */
enum status rounds_run(struct rounds *rounds, struct lane *lanes, int count, struct error *error);

#endif
