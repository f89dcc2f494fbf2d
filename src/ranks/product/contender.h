/* What bench.c and rounds.c share: kernels that are timed beside each other over ranks. */
#ifndef SPARSIGHT_RANKS_PRODUCT_CONTENDER_H
#define SPARSIGHT_RANKS_PRODUCT_CONTENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/timing/sampling.h"
#include "ranks/product/joint.h"

struct contender {
    struct sampling sampling; /* times are those of the slowest rank; it is ready if it is on all ranks */
    struct joint joint;
    struct phases phases; /* of this rank, in its samples */
};

struct rounds {
    const struct ranks *ranks;
    const struct bench_options *options;
    struct progress *progress;
    uint64_t drawn; /* random numbers for the order of kernels */
};

/* Agree on how a step of a contender went; of those that fail it is no longer ready. Returns whether it is.
 */
bool contender_agrees(const struct rounds *rounds, struct contender *contender, enum status status,
                      struct error *error);

/* Check a product of a contender, warm up, and find how many products a sample takes. Collective. */
void rounds_warm_up(struct rounds *rounds, struct contender *contender);

/* Take samples of all contenders that are ready, in rounds, check a product of each once more, and sum up
 * what the samples and the ranks say in their results. Collective. STATUS_MEMORY, STATUS_CANCELLED on all
 * ranks. */
enum status rounds_run(struct rounds *rounds, struct contender *contenders, int count, struct error *error);

#endif
