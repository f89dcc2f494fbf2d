/* A random order, which every other order should beat. */
#include "base/threads.h"
#include "matrix/generators/hash.h"
#include "matrix/orders/order.h"

enum { APPLY, SEED };

static enum status compute_random(const struct ordering *ordering, int32_t *from, int64_t count,
                                  struct error *error)
{
    const struct hash_permutation permutation =
        hash_permutation((uint64_t)ordering->values->number[SEED], count);
    progress_phase(ordering->progress, "ordering at random", 0);
#pragma omp parallel for schedule(static) if (count > PARALLEL_MIN)
    for (int64_t k = 0; k < count; k++)
        from[k] = progress_cancelled(ordering->progress) ? 0 : (int32_t)hash_image(&permutation, k);
    return progress_status(ordering->progress, error);
}

static const struct parameter parameters[] = {
    [APPLY] = ORDER_APPLY("symmetric, of rectangles rows"),
    [SEED] = SEED_OF("the permutation"),
    {0},
};

const struct order order_random = {
    .name = "random",
    .summary = "at random, as a bad order to compare with",
    .source = "Black and Rogaway, Ciphers with arbitrary finite domains, CT-RSA 2002",
    .lines = LINES_ANY,
    .usual = APPLY_SYMMETRIC,
    .lengths = true,
    .parameters = parameters,
    .compute = compute_random,
};
