/* Matrices whose pattern is a shape: bands, arrows, full rectangles. */
#include "matrix/generators/hash.h"
#include "matrix/generators/recipe.h"

/* banded */

enum { BAND_N, BAND_LOWER, BAND_UPPER, BAND_FILL, BAND_SEED };

static const struct parameter band_parameters[] = {
    [BAND_N] = {"n", "rows and columns", 1, MAX_ROWS, 1000, .type = PARAMETER_INTEGER},
    [BAND_LOWER] = {"lower", "diagonals below the main one", 0, MAX_ROWS, 8, .type = PARAMETER_INTEGER},
    [BAND_UPPER] = {"upper", "diagonals above the main one", 0, MAX_ROWS, .type = PARAMETER_INTEGER,
                    .like = "lower"},
    [BAND_FILL] = {"fill", "filled share of the band outside the main diagonal", 0, 1, 1,
                   .type = PARAMETER_REAL},
    [BAND_SEED] = SEED_PARAMETER,
    {0},
};

/* Row i of the band has positions in *below columns before the diagonal and *above after it:
 *
 *     j = i - below .. i + above,   below = min(i, lower),   above = min(n - 1 - i, upper) */
static void band_of(const struct recipe *recipe, int64_t i, int64_t *below, int64_t *above)
{
    int64_t n = recipe->rows, lower = recipe_integer(recipe, BAND_LOWER),
            upper = recipe_integer(recipe, BAND_UPPER);
    *below = i < lower ? i : lower;
    *above = n - 1 - i < upper ? n - 1 - i : upper;
}

static enum status plan_banded(struct recipe *recipe, struct error *error)
{
    int64_t n = recipe_integer(recipe, BAND_N), lower = recipe_integer(recipe, BAND_LOWER),
            upper = recipe_integer(recipe, BAND_UPPER);
    int64_t width = (lower < n ? lower : n - 1) + (upper < n ? upper : n - 1);
    double fill = recipe->values.number[BAND_FILL];
    recipe->rows = recipe->cols = n;
    recipe->entries = count_of((double)n * (1 + fill * (double)width));
    recipe->scratch = fill < 1 ? hash_subset_scratch((int64_t)(fill * (double)width) + 1) : 0;
    return STATUS_OK;
}

static void row_full_band(const struct recipe *recipe, int64_t i, struct sink *sink)
{
    int64_t below, above;
    band_of(recipe, i, &below, &above);
    uint64_t key = hash_key((uint64_t)recipe->values.number[BAND_SEED], HASH_VALUE, i);
    for (int64_t j = i - below; j <= i + above && !recipe_stopped(recipe, j); j++)
        sink_put(sink, (int32_t)i, (int32_t)j, random_value(sink, key, j), 0);
}

/* Put the diagonal, and a random set of the other positions, on average fill (below + above) of them. The
 * set's numbers count positions before the diagonal from 0 to below - 1, and continue with those after it. */
static void row_banded(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    double fill = recipe->values.number[BAND_FILL];
    if (fill == 1) {
        row_full_band(recipe, i, sink);
        return;
    }
    uint64_t seed = (uint64_t)recipe->values.number[BAND_SEED], values = hash_key(seed, HASH_VALUE, i);
    int64_t below, above, k = 0;
    band_of(recipe, i, &below, &above);
    int64_t count =
        hash_length(hash_key(seed, HASH_LENGTH, i), fill * (double)(below + above), 0, below + above);
    const int32_t *place = hash_subset(hash_key(seed, HASH_PLACE, i), below + above, count, scratch);
    for (; k < count && place[k] < below; k++)
        sink_put(sink, (int32_t)i, (int32_t)(i - below + place[k]),
                 random_value(sink, values, i - below + place[k]), 0);
    sink_put(sink, (int32_t)i, (int32_t)i, random_value(sink, values, i), 0);
    for (; k < count; k++)
        sink_put(sink, (int32_t)i, (int32_t)(i + 1 - below + place[k]),
                 random_value(sink, values, i + 1 - below + place[k]), 0);
}

const struct generator generator_banded = {
    .name = "banded",
    .summary = "a band, full or filled at random, with a full main diagonal and random values",
    .source = "",
    .parameters = band_parameters,
    .plan = plan_banded,
    .row = row_banded,
};

/* arrow */

enum { ARROW_N, ARROW_WIDTH };

static const struct parameter arrow_parameters[] = {
    [ARROW_N] = {"n", "rows and columns", 1, MAX_ROWS, 1000, .type = PARAMETER_INTEGER},
    [ARROW_WIDTH] = {"width", "full rows, and full columns", 1, MAX_ROWS, 1, .type = PARAMETER_INTEGER},
    {0},
};

static int64_t arrow_width(const struct recipe *recipe)
{
    int64_t width = recipe_integer(recipe, ARROW_WIDTH), n = recipe_integer(recipe, ARROW_N);
    return width < n ? width : n;
}

static enum status plan_arrow(struct recipe *recipe, struct error *error)
{
    int64_t n = recipe_integer(recipe, ARROW_N), width = arrow_width(recipe);
    recipe->rows = recipe->cols = n;
    recipe->entries = count_plus(count_times(width, n), count_times(n - width, width + 1));
    return STATUS_OK;
}

/* a(i, i) = n, and a(i, j) = -1 for j != i if i < width or j < width. As no row has more than n - 1 entries
 * beside the diagonal, the matrix is strictly diagonally dominant. */
static void row_arrow(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    int64_t n = recipe->rows, width = arrow_width(recipe), full = i < width ? n : width;
    int32_t row = (int32_t)i;
    for (int64_t j = 0; j < full && !recipe_stopped(recipe, j); j++)
        sink_put(sink, row, (int32_t)j, i == j ? (double)n : -1, 0);
    if (i >= width) sink_put(sink, row, row, (double)n, 0);
}

const struct generator generator_arrow = {
    .name = "arrow",
    .summary = "arrowhead: first rows, first columns and the diagonal; n on the diagonal, -1 elsewhere",
    .source = "",
    .parameters = arrow_parameters,
    .plan = plan_arrow,
    .row = row_arrow,
};

/* dense */

enum { DENSE_M, DENSE_N, DENSE_SEED };

static const struct parameter dense_parameters[] = {
    [DENSE_M] = {"m", "rows", 1, MAX_ROWS, 100, .type = PARAMETER_INTEGER},
    [DENSE_N] = {"n", "columns", 1, MAX_ROWS, .type = PARAMETER_INTEGER, .like = "m"},
    [DENSE_SEED] = SEED_PARAMETER,
    {0},
};

static enum status plan_dense(struct recipe *recipe, struct error *error)
{
    recipe->rows = recipe_integer(recipe, DENSE_M);
    recipe->cols = recipe_integer(recipe, DENSE_N);
    recipe->entries = count_times(recipe->rows, recipe->cols);
    return STATUS_OK;
}

static void row_dense(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    uint64_t key = hash_key((uint64_t)recipe->values.number[DENSE_SEED], HASH_VALUE, i);
    for (int64_t j = 0; j < recipe->cols && !recipe_stopped(recipe, j); j++)
        sink_put(sink, (int32_t)i, (int32_t)j, random_value(sink, key, j), 0);
}

const struct generator generator_dense = {
    .name = "dense",
    .summary = "every position filled, with random values",
    .source = "",
    .parameters = dense_parameters,
    .plan = plan_dense,
    .row = row_dense,
};
