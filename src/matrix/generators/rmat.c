/* R-MAT: graphs whose degrees have a heavy tail, near a power law but not strictly one (Seshadhri, Pinar and
 * Kolda, J. ACM 60, 2013). An edge is drawn by choosing one of the matrix's four quadrants with probabilities
 * a, b, c and d = 1 - a - b - c, then a quadrant of that one, and so on down to a single position. Each
 * choice is a bit of the row and one of the column:
 *
 *     a | b     row bit 0, column bits 0 and 1
 *     --+--
 *     c | d     row bit 1, column bits 0 and 1
 */
#include "matrix/generators/recipe.h"

#include "base/error.h"

enum { SCALE, EDGE, A, B, C, SEED };

static const struct parameter parameters[] = {
    [SCALE] = {"scale", "2^scale rows and columns", 1, 30, 10, .type = PARAMETER_INTEGER},
    [EDGE] = {"edge", "edges drawn for each row; repeated edges count once", 0, MAX_ROWS, 16,
              .type = PARAMETER_REAL},
    [A] = {"a", "probability of the upper left quadrant", 0, 1, 0.57, .type = PARAMETER_REAL},
    [B] = {"b", "probability of the upper right quadrant", 0, 1, 0.19, .type = PARAMETER_REAL},
    [C] = {"c", "probability of the lower left quadrant; the lower right gets the rest", 0, 1, 0.19,
           .type = PARAMETER_REAL},
    [SEED] = SEED_PARAMETER,
    {0},
};

/* Number of edges of a block. */
#define EDGES_PER_BLOCK 65536

static enum status plan_powerlaw(struct recipe *recipe, struct error *error)
{
    double sum = recipe->values.number[A] + recipe->values.number[B] + recipe->values.number[C];
    if (sum > 1 + 1e-12) return error_set(error, STATUS_USAGE, "a + b + c is %g, and must be at most 1", sum);
    recipe->rows = recipe->cols = (int64_t)1 << recipe_integer(recipe, SCALE);
    recipe->entries = count_of(recipe->values.number[EDGE] * (double)recipe->rows);
    recipe->blocks = recipe->entries / EDGES_PER_BLOCK + 1;
    recipe->repeats = true;
    return STATUS_OK;
}

/* LEVELS choices are made with one random number u in [0, 1). The interval is cut into pieces of lengths a,
 * b, c, d, and each of these again in the same proportion, LEVELS times: outcome k, which has two bits for
 * each choice, the first in the highest, has one of the 4^LEVELS pieces. Bounds are whole numbers on a scale
 * of 2^53: outcome k has bound[k] <= u 2^53 < bound[k+1]. To find the outcome, the interval is also cut into
 * CELLS cells of equal length: the search begins with the first outcome that reaches into u's cell (the
 * method of guide tables, Chen and Asau, 1974). */
#define LEVELS 4
#define OUTCOMES 256
#define CELLS 4096
#define CELL_BITS 41 /* 2^53 / CELLS is 2^41 */

struct descent {
    uint64_t bound[OUTCOMES + 1];
    uint8_t row[OUTCOMES], col[OUTCOMES]; /* the LEVELS bits of the row and of the column for an outcome */
    uint8_t guide[CELLS]; /* for each cell, the first outcome with bound[k+1] beyond its start */
};

/* Make the tables. An outcome's piece begins at `first` and is `length` long after each choice. */
static void prepare(const struct recipe *recipe, struct descent *descent)
{
    double a = recipe->values.number[A], ab = a + recipe->values.number[B],
           abc = ab + recipe->values.number[C];
    const double low[5] = {0, a, ab, abc, 1};
    for (int k = 0; k < OUTCOMES; k++) {
        double first = 0, length = 1;
        descent->row[k] = descent->col[k] = 0;
        for (int level = LEVELS - 1; level >= 0; level--) {
            int quadrant = k >> 2 * level & 3;
            first += length * low[quadrant];
            length *= low[quadrant + 1] - low[quadrant];
            descent->row[k] = (uint8_t)(descent->row[k] << 1 | quadrant >> 1);
            descent->col[k] = (uint8_t)(descent->col[k] << 1 | (quadrant & 1));
        }
        descent->bound[k] = (uint64_t)(first * 0x1p53);
    }
    descent->bound[OUTCOMES] = (uint64_t)1 << 53;
    for (uint64_t cell = 0, k = 0; cell < CELLS; cell++) {
        while (descent->bound[k + 1] <= cell << CELL_BITS)
            k++;
        descent->guide[cell] = (uint8_t)k;
    }
}

/* Return the outcome of u, which is on the scale of 2^53. */
static inline unsigned outcome_of(const struct descent *descent, uint64_t u)
{
    unsigned k = descent->guide[u >> CELL_BITS];
    while (u >= descent->bound[k + 1])
        k++;
    return k;
}

/* Put edge e: choose `scale` times. If that is no multiple of LEVELS, the last choices of the last outcome
 * are dropped. */
static void put_edge(const struct recipe *recipe, const struct descent *descent, int64_t e, struct sink *sink)
{
    uint64_t seed = (uint64_t)recipe->values.number[SEED], key = hash_key(seed, HASH_PLACE, e);
    int scale = (int)recipe->values.number[SCALE], level = 0;
    uint32_t i = 0, j = 0;
    for (; level < scale; level += LEVELS) {
        unsigned k = outcome_of(descent, hash_at(key, level / LEVELS) >> 11);
        i = i << LEVELS | descent->row[k];
        j = j << LEVELS | descent->col[k];
    }
    i >>= level - scale;
    j >>= level - scale;
    sink_put(sink, (int32_t)i, (int32_t)j, random_value(sink, hash_key(seed, HASH_VALUE, i), j), 0);
}

static void block_powerlaw(const struct recipe *recipe, int64_t k, struct sink *sink)
{
    struct descent descent;
    prepare(recipe, &descent);
    int64_t end = (k + 1) * EDGES_PER_BLOCK;
    for (int64_t e = k * EDGES_PER_BLOCK; e < end && e < recipe->entries; e++)
        put_edge(recipe, &descent, e, sink);
}

const struct generator generator_powerlaw = {
    .name = "powerlaw",
    .summary = "R-MAT graph: heavy-tailed row and column lengths, nearly a power law; random values",
    .source = "Chakrabarti, Zhan and Faloutsos, \"R-MAT: a recursive model for graph mining\", SDM 2004",
    .parameters = parameters,
    .plan = plan_powerlaw,
    .block = block_powerlaw,
};
