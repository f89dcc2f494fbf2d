/* The 5-point Laplacian in nested dissection order (George, 1973): a line of points that cuts the grid in two
 * comes last, after both halves, which are ordered the same way. The halves are not coupled with each other,
 * so the pattern is an arrowhead of arrowheads:
 *
 *     grid   low low | high high         pattern   low       *
 *            low low | high high                       high  *
 *            low low | high high                   *   *   line
 *
 * There are no tables: descending through the halves computes the row of a point, and the point of a row,
 * from the sizes alone. */
#include "matrix/generators/recipe.h"

enum { N, NX, NY, LEAF };

static const struct parameter parameters[] = {
    [N] = {"n", "grid points in each direction", 1, MAX_ROWS, 100, .type = PARAMETER_INTEGER},
    [NX] = {"nx", "grid points along x", 1, MAX_ROWS, .type = PARAMETER_INTEGER, .like = "n"},
    [NY] = {"ny", "grid points along y", 1, MAX_ROWS, .type = PARAMETER_INTEGER, .like = "n"},
    [LEAF] = {"leaf", "grids of at most this many points are ordered by rows instead of cut", 2, MAX_ROWS, 4,
              .type = PARAMETER_INTEGER},
    {0},
};

/* A rectangle of the grid, with wide x high points from (x, y) on, whose rows begin at `first`. */
struct region {
    int64_t x, y, wide, high;
    int64_t first;
};

/* Cut a region across its longer side, in the middle: first come the rows of *low, then those of *high, then
 * those of the points between them, *line. */
static void cut(const struct region *region, struct region *low, struct region *high, struct region *line)
{
    *low = *high = *line = *region;
    if (region->wide >= region->high) {
        low->wide = (region->wide - 1) / 2;
        high->wide = region->wide - 1 - low->wide;
        line->wide = 1;
        line->x = region->x + low->wide;
        high->x = line->x + 1;
    } else {
        low->high = (region->high - 1) / 2;
        high->high = region->high - 1 - low->high;
        line->high = 1;
        line->y = region->y + low->high;
        high->y = line->y + 1;
    }
    high->first = low->first + low->wide * low->high;
    line->first = high->first + high->wide * high->high;
}

static inline int contains(const struct region *region, int64_t x, int64_t y)
{
    return x >= region->x && x < region->x + region->wide && y >= region->y && y < region->y + region->high;
}

static inline int is_whole(const struct region *region, int64_t leaf)
{
    return region->wide * region->high <= leaf || region->wide == 1 || region->high == 1;
}

/* Return the row that point (x, y) of a region has. */
static int64_t place_of(struct region region, int64_t leaf, int64_t x, int64_t y)
{
    struct region low, high, line;
    while (!is_whole(&region, leaf)) {
        cut(&region, &low, &high, &line);
        region = contains(&low, x, y) ? low : contains(&high, x, y) ? high : line;
    }
    return region.first + (y - region.y) * region.wide + (x - region.x);
}

/* Each of two sides can be halved 31 times, and with the whole grid that is fewer regions than this. */
#define DEPTH 64

/* List the regions that contain row `place`, from the whole grid to the one that is not cut further. Returns
 * their number. */
static int regions_at(struct region grid, int64_t leaf, int64_t place, struct region path[DEPTH])
{
    struct region low, high, line;
    int depth = 0;
    path[depth++] = grid;
    while (depth < DEPTH && !is_whole(&path[depth - 1], leaf)) {
        cut(&path[depth - 1], &low, &high, &line);
        path[depth++] = place < high.first ? low : place < line.first ? high : line;
    }
    return depth;
}

static inline int is_inside(const struct region *region, int64_t x, int64_t y)
{
    return x > region->x && x + 1 < region->x + region->wide && y > region->y &&
           y + 1 < region->y + region->high;
}

static enum status plan_dissection(struct recipe *recipe, struct error *error)
{
    recipe->rows = recipe->cols = count_times(recipe_integer(recipe, NX), recipe_integer(recipe, NY));
    recipe->entries = count_times(recipe->rows, 5);
    return STATUS_OK;
}

/* The search for the rows of the neighbours begins with the smallest region that has the point in its
 * interior, and thus all of them. For most points it is small. */
int dissection_row(int64_t nx, int64_t ny, int64_t leaf, int64_t i, int64_t columns[5])
{
    struct region path[DEPTH];
    int depth = regions_at((struct region){0, 0, nx, ny, 0}, leaf, i, path), count = 1;
    const struct region *own = &path[depth - 1], *common = own;
    int64_t x = own->x + (i - own->first) % own->wide, y = own->y + (i - own->first) / own->wide;
    while (common > path && !is_inside(common, x, y))
        common--;
    columns[0] = i;
    if (x > 0) columns[count++] = place_of(*common, leaf, x - 1, y);
    if (x + 1 < nx) columns[count++] = place_of(*common, leaf, x + 1, y);
    if (y > 0) columns[count++] = place_of(*common, leaf, x, y - 1);
    if (y + 1 < ny) columns[count++] = place_of(*common, leaf, x, y + 1);
    for (int k = 1; k < count; k++)
        for (int t = k; t > 0 && columns[t - 1] > columns[t]; t--) {
            int64_t later = columns[t - 1];
            columns[t - 1] = columns[t];
            columns[t] = later;
        }
    return count;
}

static void row_dissection(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    int64_t columns[5];
    int count = dissection_row(recipe_integer(recipe, NX), recipe_integer(recipe, NY),
                               recipe_integer(recipe, LEAF), i, columns);
    for (int k = 0; k < count; k++)
        sink_put(sink, (int32_t)i, (int32_t)columns[k], columns[k] == i ? 4 : -1, 0);
}

const struct generator generator_dissection = {
    .name = "dissection",
    .summary = "laplace2d in nested dissection order: arrowheads within arrowheads",
    .source = "George, \"Nested dissection of a regular finite element mesh\", SIAM J. Numer. Anal. 10, 1973",
    .parameters = parameters,
    .plan = plan_dissection,
    .row = row_dissection,
};
