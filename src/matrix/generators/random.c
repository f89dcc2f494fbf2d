/* Matrices with random patterns: uniform rows, dense blocks, permutations. */
#include "matrix/generators/recipe.h"

#include "base/error.h"
#include "base/memory.h"

static inline uint64_t seed_of(const struct recipe *recipe, int k)
{
    return (uint64_t)recipe->values.number[k];
}

/* Fail with STATUS_USAGE unless the lengths mean - spread to mean + spread all lie in 0 .. max. */
static enum status check_lengths(double mean, double spread, int64_t max, struct error *error)
{
    if (mean + spread <= (double)max && mean - spread >= 0) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "lengths of %g to %g do not lie in 0..%lld", mean - spread,
                     mean + spread, (long long)max);
}

/* random */

enum { RANDOM_M, RANDOM_N, RANDOM_MEAN, RANDOM_SPREAD, RANDOM_SEED };

static const struct parameter random_parameters[] = {
    [RANDOM_M] = {"m", "rows", 1, MAX_ROWS, 1000, .type = PARAMETER_INTEGER},
    [RANDOM_N] = {"n", "columns", 1, MAX_ROWS, .type = PARAMETER_INTEGER, .like = "m"},
    [RANDOM_MEAN] = {"mean", "mean row length", 0, MAX_ROWS, 10, .type = PARAMETER_REAL},
    [RANDOM_SPREAD] = {"spread", "row lengths are uniform in mean - spread .. mean + spread", 0, MAX_ROWS, 0,
                       .type = PARAMETER_REAL},
    [RANDOM_SEED] = SEED_PARAMETER,
    {0},
};

static enum status plan_random(struct recipe *recipe, struct error *error)
{
    double mean = recipe->values.number[RANDOM_MEAN], spread = recipe->values.number[RANDOM_SPREAD];
    recipe->rows = recipe_integer(recipe, RANDOM_M);
    recipe->cols = recipe_integer(recipe, RANDOM_N);
    recipe->entries = count_of(mean * (double)recipe->rows);
    recipe->scratch = hash_subset_scratch((int64_t)(mean + spread) + 1);
    return check_lengths(mean, spread, recipe->cols, error);
}

/* Row i has a random length between mean - spread and mean + spread, and as many distinct columns, all sets
 * equally probable. The value of column j is random number j of row i, so that it does not depend on the
 * other columns. Length, columns and values each have a sequence of random numbers for every row, so that any
 * row can be made without those before it. */
static void row_random(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    uint64_t seed = seed_of(recipe, RANDOM_SEED), values = hash_key(seed, HASH_VALUE, i);
    int64_t length = hash_length(hash_key(seed, HASH_LENGTH, i), recipe->values.number[RANDOM_MEAN],
                                 recipe->values.number[RANDOM_SPREAD], recipe->cols);
    const int32_t *col = hash_subset(hash_key(seed, HASH_PLACE, i), recipe->cols, length, scratch);
    for (int64_t k = 0; k < length; k++)
        sink_put(sink, (int32_t)i, col[k], random_value(sink, values, col[k]), 0);
}

const struct generator generator_random = {
    .name = "random",
    .summary = "rows of uniformly chosen distinct columns, with random values",
    .source = "",
    .parameters = random_parameters,
    .plan = plan_random,
    .row = row_random,
};

/* blocks */

enum { BLOCKS_N, BLOCKS_SIZE, BLOCKS_MEAN, BLOCKS_SPREAD, BLOCKS_SEED };

static const struct parameter blocks_parameters[] = {
    [BLOCKS_N] = {"n", "rows and columns", 1, MAX_ROWS, 1000, .type = PARAMETER_INTEGER},
    [BLOCKS_SIZE] = {"size", "rows and columns of a block; those at the end may be cut off", 1, 1024, 4,
                     .type = PARAMETER_INTEGER},
    [BLOCKS_MEAN] = {"mean", "mean number of blocks in a row of blocks", 0, MAX_ROWS, 5,
                     .type = PARAMETER_REAL},
    [BLOCKS_SPREAD] = {"spread", "numbers of blocks are uniform in mean - spread .. mean + spread", 0,
                       MAX_ROWS, 0, .type = PARAMETER_REAL},
    [BLOCKS_SEED] = SEED_PARAMETER,
    {0},
};

static int64_t blocks_across(const struct recipe *recipe)
{
    int64_t n = recipe_integer(recipe, BLOCKS_N), size = recipe_integer(recipe, BLOCKS_SIZE);
    return (n + size - 1) / size;
}

static enum status plan_blocks(struct recipe *recipe, struct error *error)
{
    double mean = recipe->values.number[BLOCKS_MEAN], spread = recipe->values.number[BLOCKS_SPREAD];
    recipe->rows = recipe->cols = recipe_integer(recipe, BLOCKS_N);
    recipe->entries = count_of((double)recipe->rows * mean * recipe->values.number[BLOCKS_SIZE]);
    recipe->scratch = hash_subset_scratch((int64_t)(mean + spread) + 1);
    return check_lengths(mean, spread, blocks_across(recipe), error);
}

/* All rows i of a block row, i / size, share their columns: those of `count` random blocks among the `across`
 * of the block row. Each row draws its own values. */
static void row_blocks(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    uint64_t seed = seed_of(recipe, BLOCKS_SEED), values = hash_key(seed, HASH_VALUE, i);
    int64_t size = recipe_integer(recipe, BLOCKS_SIZE), across = blocks_across(recipe), group = i / size;
    int64_t count = hash_length(hash_key(seed, HASH_LENGTH, group), recipe->values.number[BLOCKS_MEAN],
                                recipe->values.number[BLOCKS_SPREAD], across);
    const int32_t *block = hash_subset(hash_key(seed, HASH_PLACE, group), across, count, scratch);
    for (int64_t k = 0; k < count; k++) {
        int64_t first = block[k] * size, end = first + size < recipe->cols ? first + size : recipe->cols;
        for (int64_t j = first; j < end; j++)
            sink_put(sink, (int32_t)i, (int32_t)j, random_value(sink, values, j), 0);
    }
}

const struct generator generator_blocks = {
    .name = "blocks",
    .summary = "dense square blocks at random positions of a grid of blocks, with random values",
    .source = "",
    .parameters = blocks_parameters,
    .plan = plan_blocks,
    .row = row_blocks,
};

/* permutation */

enum { PERMUTATION_N, PERMUTATION_SEED };

static const struct parameter permutation_parameters[] = {
    [PERMUTATION_N] = {"n", "rows and columns", 1, MAX_ROWS, 1000, .type = PARAMETER_INTEGER},
    [PERMUTATION_SEED] = SEED_PARAMETER,
    {0},
};

/* Make the permutation, which recipe->state keeps. */
static enum status plan_permutation(struct recipe *recipe, struct error *error)
{
    struct hash_permutation *permutation = memory_array(1, sizeof *permutation, error);
    if (!permutation) return STATUS_MEMORY;
    recipe->rows = recipe->cols = recipe->entries = recipe_integer(recipe, PERMUTATION_N);
    *permutation = hash_permutation(seed_of(recipe, PERMUTATION_SEED), recipe->rows);
    recipe->field = FIELD_PATTERN;
    recipe->state = permutation;
    return STATUS_OK;
}

/* a(i, pi(i)) = 1, where pi is the permutation. Its image of i is computed in O(1) from i and the seed alone
 * (hash.h), so that no table of it is needed. */
static void row_permutation(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    sink_put(sink, (int32_t)i, (int32_t)hash_image(recipe->state, i), 1, 0);
}

static void release_permutation(struct recipe *recipe)
{
    free(recipe->state);
}

const struct generator generator_permutation = {
    .name = "permutation",
    .summary = "a random permutation: one entry in each row and each column",
    .source = "Black and Rogaway, \"Ciphers with arbitrary finite domains\", CT-RSA 2002",
    .parameters = permutation_parameters,
    .plan = plan_permutation,
    .row = row_permutation,
    .release = release_permutation,
};
