/* What the generators have in common: the recipe they compute from, and checked sizes. */
#ifndef SPARSIGHT_MATRIX_GENERATORS_RECIPE_H
#define SPARSIGHT_MATRIX_GENERATORS_RECIPE_H

#include <stdint.h>

#include "matrix/build.h"
#include "matrix/generators/generate.h"
#include "matrix/generators/hash.h"
#include "matrix/matrix.h"

/* A specification with all its values. The generator's `plan` fills in the second half. */
struct recipe {
    const struct generator *generator;
    struct parameter_values values; /* in the order of generator->parameters */
    const struct load_options *options;
    struct progress *progress;

    int64_t rows, cols; /* may be beyond what the program can hold: the caller of `plan` checks */
    int64_t entries;    /* how many will be put, exactly or on average; INT64_MAX if beyond counting */
    int64_t blocks;     /* for generators with a `block`; those with a `row` get theirs from `entries` */
    size_t scratch;     /* bytes of work space a row needs */
    enum field field;
    bool complex;
    bool repeats; /* an entry may be put several times, always with the same value */
    void *state;
};

/* Parameter k as an integer. */
static inline int64_t recipe_integer(const struct recipe *recipe, int k)
{
    return (int64_t)recipe->values.number[k];
}

/* a * b and a + b of numbers that are not negative, INT64_MAX where that overflows. */
static inline int64_t count_times(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static inline int64_t count_plus(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* A count that is only known as a real number. */
static inline int64_t count_of(double count)
{
    return count < 9e18 ? (int64_t)count : INT64_MAX;
}

/* True now and then in a loop over the columns of a long row, if the work has been cancelled: what the row
 * lacks then does not matter. */
static inline bool recipe_stopped(const struct recipe *recipe, int64_t j)
{
    return (j & 0xffff) == 0xffff && progress_cancelled(recipe->progress);
}

/* The random value of column j under a row's key, where the sink wants values at all. */
static inline double random_value(const struct sink *sink, uint64_t key, int64_t j)
{
    return sink->values ? hash_value(hash_at(key, j)) : 0;
}

/* Ranges of most size and seed parameters. Seeds are limited to what a double counts exactly. */
#define MAX_ROWS 2147483647.0
#define MAX_SEED 9007199254740992.0
#define SEED_PARAMETER                                                                        \
    {                                                                                         \
        "seed", "number that all random choices follow from", 0, MAX_SEED, 1, .integer = true \
    }

#endif
