/* A matrix with several structures side by side, like a model of coupled components: for demonstrations, and
 * for testing formats on rows of different kinds. Along the diagonal there are
 *
 *   mesh     grid x grid points in nested dissection order: arrowheads within arrowheads;
 *   bands    a line of points with neighbours near and far: five diagonals;
 *   blocks   dense blocks that grow;
 *   hubs     rows that get longer and columns that get fuller towards the end, by a power law;
 *   border   a few long rows and columns, as constraints make them.
 *
 * Mesh and bands are coupled along a diagonal line, mesh and blocks along an antidiagonal one, both ways; and
 * each row of the hubs has one entry at a random point of bands or blocks. */
#include <math.h>

#include "matrix/generators/recipe.h"

enum { N, SEED };

static const struct parameter parameters[] = {
    [N] = {"n", "rows and columns", 64, MAX_ROWS, 3000, .type = PARAMETER_INTEGER},
    [SEED] = SEED_PARAMETER,
    {0},
};

#define LEAF 4
#define BORDER_MAX 64
#define BLOCK_STEP 4 /* blocks have 4, 8, 12, ... */
#define BLOCK_MAX 64 /* ... 64, 64, ... rows */

struct components {
    int64_t grid;                                    /* points of the mesh along each side */
    int64_t mesh, bands, blocks, hubs, border;       /* rows of each */
    int64_t bands_at, blocks_at, hubs_at, border_at; /* the first row of each; the mesh begins at 0 */
    int64_t n;                                       /* rows of all */
};

static struct components components_of(const struct recipe *recipe)
{
    struct components p = {.n = recipe_integer(recipe, N)};
    p.grid = (int64_t)sqrt((double)(p.n / 5 * 2));
    p.mesh = p.grid * p.grid;
    p.bands = p.n / 5;
    p.blocks = p.n / 6;
    p.border = p.n / 80 < BORDER_MAX ? p.n / 80 + 1 : BORDER_MAX;
    p.hubs = p.n - p.mesh - p.bands - p.blocks - p.border;
    p.bands_at = p.mesh;
    p.blocks_at = p.bands_at + p.bands;
    p.hubs_at = p.blocks_at + p.blocks;
    p.border_at = p.hubs_at + p.hubs;
    return p;
}

/* The current row, and the data for putting entries into it. */
struct pen {
    struct sink *sink;
    uint64_t seed;
    int64_t row;
};

/* Put entry (row, j). Its value is 10 on the diagonal, elsewhere a random multiple of 1/100 between -0.99 and
 * 0.99 that is not 0, and the same for (i, j) and (j, i). */
static void put(const struct pen *pen, int64_t j)
{
    double value = 0;
    if (pen->sink->values) {
        int64_t low = pen->row < j ? pen->row : j, high = pen->row < j ? j : pen->row;
        uint64_t h = hash_at(hash_key(pen->seed, HASH_VALUE, low), high);
        int64_t hundredths = 1 + hash_below(h, 99);
        value = pen->row == j ? 10 : (double)(h & 1 ? hundredths : -hundredths) / 100;
    }
    sink_put(pen->sink, (int32_t)pen->row, (int32_t)j, value, 0);
}

/* Couple a row of the mesh with a component of `size` rows, fewer than the mesh has, that begins at row `at`:
 * row i of the mesh has an entry at its row floor(i size / mesh), where i counts from the end if `flip`. */
static void put_coupling(const struct pen *pen, const struct components *p, int64_t at, int64_t size,
                         int flip)
{
    int64_t i = flip ? p->mesh - 1 - pen->row : pen->row;
    put(pen, at + i * size / p->mesh);
}

/* Couple row k of a component with the mesh, as put_coupling does from the other side: its entries are
 * in the columns i with floor(i size / mesh) = k, from ceil(k mesh / size) to ceil((k + 1) mesh / size) - 1.
 */
static void put_coupling_back(const struct pen *pen, const struct components *p, int64_t k, int64_t size,
                              int flip)
{
    int64_t first = (k * p->mesh + size - 1) / size, end = ((k + 1) * p->mesh + size - 1) / size;
    for (int64_t t = 0; t < end - first; t++)
        put(pen, flip ? p->mesh - end + t : first + t);
}

/* Put a row of the mesh: that of dissection_row, and one entry for each of the two couplings. */
static void put_mesh(const struct pen *pen, const struct components *p)
{
    int64_t columns[5];
    int count = dissection_row(p->grid, p->grid, LEAF, pen->row, columns);
    for (int k = 0; k < count; k++)
        put(pen, columns[k]);
    put_coupling(pen, p, p->bands_at, p->bands, 0);
    put_coupling(pen, p, p->blocks_at, p->blocks, 1);
}

/* Put row i of the bands, in columns i - far, i - 1, i, i + 1, i + far with far = floor(sqrt(bands)). */
static void put_bands(const struct pen *pen, const struct components *p)
{
    int64_t i = pen->row - p->bands_at, far = (int64_t)sqrt((double)p->bands);
    const int64_t steps[] = {-far, -1, 0, 1, far};
    put_coupling_back(pen, p, i, p->bands, 0);
    for (int k = 0; k < 5; k++)
        if (i + steps[k] >= 0 && i + steps[k] < p->bands) put(pen, pen->row + steps[k]);
}

/* Find the block that has row i of the blocks, which is rows *first .. *end-1. Sizes are BLOCK_STEP, 2
 * BLOCK_STEP, ... up to BLOCK_MAX, and BLOCK_MAX from there on. */
static void block_of(int64_t i, int64_t rows, int64_t *first, int64_t *end)
{
    int64_t size = BLOCK_STEP;
    *first = 0;
    while (size < BLOCK_MAX && i >= *first + size) {
        *first += size;
        size += BLOCK_STEP;
    }
    *first += (i - *first) / size * size;
    *end = *first + size < rows ? *first + size : rows;
}

static void put_blocks(const struct pen *pen, const struct components *p)
{
    int64_t i = pen->row - p->blocks_at, first, end;
    put_coupling_back(pen, p, i, p->blocks, 1);
    block_of(i, p->blocks, &first, &end);
    for (int64_t j = first; j < end; j++)
        put(pen, p->blocks_at + j);
}

/* Return the number of columns drawn for row q of the hubs, counted from the end: 2 + hubs / (8 sqrt(q +
 * 1)). */
static int64_t hub_length(const struct components *p, int64_t q)
{
    return 2 + (int64_t)((double)p->hubs / (8 * sqrt((double)(q + 1))));
}

/* Columns, counted from the end of the hubs, are floor(hubs u^3) with u uniform in [0, 1). So column c is
 * drawn in proportion to c^(-2/3). One that is drawn again has the same value, and counts once. */
static void put_hubs(const struct pen *pen, const struct components *p)
{
    uint64_t key = hash_key(pen->seed, HASH_PLACE, pen->row);
    int64_t length = hub_length(p, p->border_at - 1 - pen->row);
    put(pen, p->bands_at + hash_below(hash_at(key, 0), p->bands + p->blocks));
    put(pen, pen->row);
    for (int64_t k = 1; k <= length; k++) {
        double u = hash_unit(hash_at(key, k));
        put(pen, p->border_at - 1 - (int64_t)((double)p->hubs * (u * u * u)));
    }
}

/* Return true for the diagonal and for one position in eight of the border, symmetrically. */
static int in_border(const struct pen *pen, int64_t j)
{
    int64_t low = pen->row < j ? pen->row : j, high = pen->row < j ? j : pen->row;
    return low == high || hash_at(hash_key(pen->seed, HASH_LENGTH, low), high) % 8 == 0;
}

static void row_mosaic(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    const struct components p = components_of(recipe);
    const struct pen pen = {sink, (uint64_t)recipe->values.number[SEED], i};
    if (i < p.bands_at)
        put_mesh(&pen, &p);
    else if (i < p.blocks_at)
        put_bands(&pen, &p);
    else if (i < p.hubs_at)
        put_blocks(&pen, &p);
    else if (i < p.border_at)
        put_hubs(&pen, &p);
    for (int64_t j = i < p.border_at ? p.border_at : 0; j < p.n && !recipe_stopped(recipe, j); j++)
        if (in_border(&pen, j)) put(&pen, j);
}

static enum status plan_mosaic(struct recipe *recipe, struct error *error)
{
    const struct components p = components_of(recipe);
    recipe->rows = recipe->cols = p.n;
    recipe->entries = count_times(p.border, p.n) / 4;
    recipe->entries = count_plus(recipe->entries, 7 * p.mesh + 6 * p.bands + (BLOCK_MAX + 4) * p.blocks);
    recipe->entries =
        count_plus(recipe->entries, 4 * p.hubs + (int64_t)((double)p.hubs * sqrt((double)p.hubs) / 4));
    recipe->repeats = true;
    return STATUS_OK;
}

const struct generator generator_mosaic = {
    .name = "mosaic",
    .summary = "several structures beside each other: mesh, bands, blocks, hubs and a border",
    .source = "",
    .parameters = parameters,
    .plan = plan_mosaic,
    .row = row_mosaic,
};
