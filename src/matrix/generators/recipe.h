/* Shared by the generators: the recipe from which they compute, and checked sizes. */
#ifndef SPARSIGHT_MATRIX_GENERATORS_RECIPE_H
#define SPARSIGHT_MATRIX_GENERATORS_RECIPE_H

#include <stdint.h>

#include "matrix/build.h"
#include "matrix/generators/generate.h"
#include "matrix/generators/hash.h"
#include "matrix/matrix.h"

/* A specification with all its values; members from `rows` on are results of the generator's `plan`. */
struct recipe {
    const struct generator *generator;
    struct parameter_values values; /* in the order of generator->parameters */
    const struct load_options *options;
    struct progress *progress;

    int64_t rows, cols; /* these may exceed the limits, which the caller of `plan` checks */
    int64_t entries;    /* number of entries, exact or expected; INT64_MAX if it exceeds 64 bits */
    int64_t blocks;     /* number of blocks, if the generator has a function `block` */
    size_t scratch;     /* bytes of work space that `row` needs */
    enum field field;
    bool complex;
    bool repeats; /* an entry may be put several times, always with the same value */
    void *state;  /* the generator's own */
};

/* Returns parameter k as an integer. */
static inline int64_t recipe_integer(const struct recipe *recipe, int k)
{
    return (int64_t)recipe->values.number[k];
}

/* Return a * b, or a + b, for a, b >= 0, or INT64_MAX if that overflows. */
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

/* Return a count that was computed as a real number, or INT64_MAX if it is too large. */
static inline int64_t count_of(double count)
{
    return count < 9e18 ? (int64_t)count : INT64_MAX;
}

/* Return true if the work has been cancelled. It checks every 65,536 columns, for loops over the columns j of
 * a long row. The row may then be incomplete. */
static inline bool recipe_stopped(const struct recipe *recipe, int64_t j)
{
    return (j & 0xffff) == 0xffff && progress_cancelled(recipe->progress);
}

/* Return the random value of column j under a row's key, or 0 if the sink does not want values. */
static inline double random_value(const struct sink *sink, uint64_t key, int64_t j)
{
    return sink->values ? hash_value(hash_at(key, j)) : 0;
}

/* The upper ends of the ranges of sizes and seeds. Parameters are doubles, so a seed is at most 2^53: doubles
 * represent all integers up to there. */
#define MAX_ROWS 2147483647.0
#define MAX_SEED 9007199254740992.0
#define SEED_PARAMETER                                                                  \
    {                                                                                   \
        "seed", "seed of all random choices", 0, MAX_SEED, 1, .type = PARAMETER_INTEGER \
    }

/* The grid Laplacian in nested dissection order, row by row. */

/* Write the columns of row i, ascending, and return their number. The grid has nx x ny points; rectangles of
 * at most `leaf` points are not cut. O(log(nx ny)). */
int dissection_row(int64_t nx, int64_t ny, int64_t leaf, int64_t i, int64_t columns[5]);

#endif
