/* R-MAT: power-law graphs by recursive choice of quadrants. */
#include "matrix/generators/recipe.h"

#include "base/error.h"

enum { SCALE, EDGE, A, B, C, SEED };

static const struct generator_parameter parameters[] = {
    [SCALE] = {"scale", "2^scale rows and columns", 1, 30, 10, .integer = true},
    [EDGE] = {"edge", "edges drawn for each row; the same one drawn again counts once", 0, MOST_ROWS, 16},
    [A] = {"a", "probability of the upper left quadrant", 0, 1, 0.57},
    [B] = {"b", "probability of the upper right quadrant", 0, 1, 0.19},
    [C] = {"c", "probability of the lower left quadrant; the lower right gets the rest", 0, 1, 0.19},
    [SEED] = SEED_PARAMETER,
    {0},
};

/* Edges produced together. */
#define EDGES_PER_BLOCK 65536

static enum status plan_powerlaw(struct recipe *recipe, struct error *error)
{
    double sum = recipe->number[A] + recipe->number[B] + recipe->number[C];
    if (sum > 1 + 1e-12)
        return error_set(error, STATUS_USAGE, "gen:powerlaw: a + b + c is %g, and must be at most 1", sum);
    recipe->rows = recipe->cols = (int64_t)1 << recipe_integer(recipe, SCALE);
    recipe->entries = count_of(recipe->number[EDGE] * (double)recipe->rows);
    recipe->blocks = recipe->entries / EDGES_PER_BLOCK + 1;
    recipe->repeats = true;
    return STATUS_OK;
}

/* Bounds of the quadrants on a scale of 2^32. */
struct quadrants {
    uint64_t a, ab, abc;
};

static struct quadrants quadrants_of(const struct recipe *recipe)
{
    double a = recipe->number[A], ab = a + recipe->number[B], abc = ab + recipe->number[C];
    return (struct quadrants){(uint64_t)(a * 0x1p32), (uint64_t)(ab * 0x1p32), (uint64_t)(abc * 0x1p32)};
}

/* The quadrant that 32 random bits choose: 0 and 1 in the upper half, 2 and 3 in the lower. */
static inline uint32_t quadrant(const struct quadrants *q, uint64_t bits)
{
    return (uint32_t)(bits >= q->a) + (bits >= q->ab) + (bits >= q->abc);
}

/* Edge e descends `scale` times into a quadrant; each hash serves two levels, its upper half first. */
static void put_edge(const struct recipe *recipe, const struct quadrants *q, int64_t e, struct sink *sink)
{
    uint64_t seed = (uint64_t)recipe->number[SEED], key = hash_key(seed, HASH_PLACE, e);
    int scale = (int)recipe->number[SCALE];
    uint32_t i = 0, j = 0;
    for (int level = 0; level < scale; level++) {
        uint64_t bits = hash_at(key, level / 2);
        uint32_t chosen = quadrant(q, level % 2 ? bits & 0xffffffff : bits >> 32);
        i = i << 1 | chosen >> 1;
        j = j << 1 | (chosen & 1);
    }
    sink_put(sink, (int32_t)i, (int32_t)j, random_value(sink, hash_key(seed, HASH_VALUE, i), j), 0);
}

static void block_powerlaw(const struct recipe *recipe, int64_t k, struct sink *sink)
{
    struct quadrants q = quadrants_of(recipe);
    int64_t end = (k + 1) * EDGES_PER_BLOCK;
    for (int64_t e = k * EDGES_PER_BLOCK; e < end && e < recipe->entries; e++)
        put_edge(recipe, &q, e, sink);
}

const struct generator generator_powerlaw = {
    .name = "powerlaw",
    .summary = "R-MAT graph: row and column lengths follow a power law; random values",
    .source = "Chakrabarti, Zhan and Faloutsos, \"R-MAT: a recursive model for graph mining\", SDM 2004",
    .parameters = parameters,
    .plan = plan_powerlaw,
    .block = block_powerlaw,
};
