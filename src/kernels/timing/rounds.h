/* Timing prepared kernels in rounds. Only bench.c includes this header. */
#ifndef SPARSIGHT_KERNELS_TIMING_ROUNDS_H
#define SPARSIGHT_KERNELS_TIMING_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/timing/bench.h"
#include "kernels/timing/operands.h"
#include "kernels/timing/sampling.h"

/* A contender is a kernel that is being timed beside others. */
struct contender {
    struct sampling sampling;
    const struct storage *storage;
    const struct storage *resident; /* the storage in the memory that the kernel reads; on the host it is
                                       `storage` itself */
    struct operands *operands;
    struct machine *machine; /* the machine that the kernel runs on */
    struct launch launch;
    double prepare_seconds; /* the time that preparing it took */
    bool refresh; /* before each sample a product is run that is not timed: it brings back into the cache
                     what other kernels have replaced there */
    struct outlook *outlook; /* what the samples say so far; NULL if nobody watches */
    int told;                /* how many thousandths of its timing the progress was told of */
};

/* What all rounds of a group have in common. */
struct rounds {
    const struct bench_options *options;
    struct machines *machines; /* those on which contenders run are measured again between rounds */
    struct progress *progress;
    uint64_t drawn;              /* random numbers */
    double host_watched;         /* when the host's bandwidths were last measured; 0 if they never were */
    double watched[DEVICES_MAX]; /* when those of each device were */
    const void *team;            /* the OpenMP whose threads ran last on the host: library_team */
    double shown;                /* when others were last told what the samples say; 0 if they never were */
};

/* Run a prepared contender before it is timed: check a product, warm up, and find how many products a sample
 * should take. If a row is wrong, or a device fails, that becomes the result's error, and the contender is no
 * longer ready. */
void rounds_warm_up(struct rounds *rounds, struct contender *contender);

/* Time all contenders that are ready. A round takes one sample of each, in an order that is drawn anew for
 * each round. With the protocols of the sources there is one round, which takes all samples of a contender
 * one after another. Then a product of each is checked once more, and its samples are summed up in its
 * result. Fails with STATUS_MEMORY and STATUS_CANCELLED. */
enum status rounds_run(struct rounds *rounds, struct contender *contenders, int count, struct error *error);

#endif
