/* Shared by bench.c and rounds.c: kernels timed over ranks in the same rounds. */
#ifndef SPARSIGHT_RANKS_PRODUCT_CONTENDER_H
#define SPARSIGHT_RANKS_PRODUCT_CONTENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/timing/sampling.h"
#include "ranks/product/joint.h"

struct contender {
    struct sampling sampling; /* times are those of the slowest rank; ready if ready on all ranks */
    struct joint joint;
    struct phases phases; /* of this rank, in its samples */
};

struct rounds {
    const struct ranks *ranks;
    const struct bench_options *options;
    struct progress *progress;
    uint64_t drawn; /* random numbers for the order of kernels */
};

/* Agree on the outcome of a contender's step. After a failure it is no longer ready. Returns true if it is
 * ready. */
bool contender_agrees(const struct rounds *rounds, struct contender *contender, enum status status,
                      struct error *error);

/* Check a product of a contender, warm up, and find the number of products of a sample. Collective. */
void ranked_warm_up(struct rounds *rounds, struct contender *contender);

/* Take samples of all ready contenders, in rounds, check a product of each once more, and write the sums over
 * samples and ranks into their results. Collective. STATUS_MEMORY, STATUS_CANCELLED on all ranks. */
enum status ranked_rounds(struct rounds *rounds, struct contender *contenders, int count,
                          struct error *error);

#endif
