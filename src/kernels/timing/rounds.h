/* Timing prepared kernels in rounds. Only bench.c and consumption.c include this header. */
#ifndef SPARSIGHT_KERNELS_TIMING_ROUNDS_H
#define SPARSIGHT_KERNELS_TIMING_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/timing/bench.h"
#include "kernels/timing/operands.h"
#include "kernels/timing/sampling.h"

/* A contender is a kernel timed in rounds with others. */
struct contender {
    struct sampling sampling;
    const struct storage *storage;
    const struct storage *resident; /* the storage in the memory that the kernel reads; on the host it is
                                       `storage` itself */
    struct operands *operands;
    struct machine *machine; /* the machine of the kernel */
    struct launch launch;
    double prepare_seconds; /* the time that preparing it took */
    bool refresh; /* before each sample an untimed product runs, which reloads data that other kernels have
                     evicted from the cache */
    struct outlook *outlook; /* preliminary times; NULL: not wanted */
    int told;                /* thousandths of its timing that the progress has reported */
};

/* Data shared by all rounds of a group. */
struct rounds {
    const struct bench_options *options;
    struct machines *machines; /* the machines of contenders are measured again between rounds */
    struct progress *progress;
    uint64_t drawn;              /* random numbers */
    double host_watched;         /* the time when the host's bandwidths were last measured; 0: never */
    double watched[DEVICES_MAX]; /* the same for each device */
    const void *team;            /* the OpenMP runtime whose threads ran last on the host: library_team */
    double shown;                /* time of the last report of preliminary times; 0: none */
};

/* Run a prepared contender before it is timed: check a product, warm up, and find the number of products of a
 * sample. If a row is wrong, or a device fails, the result gets this error, and the contender is no longer
 * ready. */
void rounds_warm_up(struct rounds *rounds, struct contender *contender);

/* Run this number of products of a contender as they are run for a sample, but without a flush: the threads
 * are awake, and in their places. They are not timed. Fails as the device does. */
enum status rounds_repeat(struct rounds *rounds, struct contender *contender, int products,
                          struct error *error);

/* Time all contenders that are ready. A round takes one sample of each, in a new random order. With the
 * protocols of the sources there is one round, which takes all samples of a contender one after another. Then
 * a product of each is checked once more, and its samples are summarised in its result. Fails with
 * STATUS_MEMORY and STATUS_CANCELLED. */
enum status rounds_run(struct rounds *rounds, struct contender *contenders, int count, struct error *error);

#endif
