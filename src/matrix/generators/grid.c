/* Stencils on grids. The boundary conditions are Dirichlet's: neighbours outside the grid are left out. */
#include "matrix/generators/recipe.h"

/* A grid of nx x ny x nz points; point (x, y, z) has row x + nx (y + ny z). */
struct grid {
    int64_t nx, ny, nz;
};

static struct grid grid_of(const struct recipe *recipe, int first, int dimensions)
{
    return (struct grid){recipe_integer(recipe, first), recipe_integer(recipe, first + 1),
                         dimensions == 3 ? recipe_integer(recipe, first + 2) : 1};
}

enum { N, NX, NY, NZ };

static const struct parameter square[] = {
    [N] = {"n", "grid points in each direction", 1, MAX_ROWS, 100, .type = PARAMETER_INTEGER},
    [NX] = {"nx", "grid points along x", 1, MAX_ROWS, .type = PARAMETER_INTEGER, .like = "n"},
    [NY] = {"ny", "grid points along y", 1, MAX_ROWS, .type = PARAMETER_INTEGER, .like = "n"},
    {0},
};

static const struct parameter cube[] = {
    [N] = {"n", "grid points in each direction", 1, MAX_ROWS, 32, .type = PARAMETER_INTEGER},
    [NX] = {"nx", "grid points along x", 1, MAX_ROWS, .type = PARAMETER_INTEGER, .like = "n"},
    [NY] = {"ny", "grid points along y", 1, MAX_ROWS, .type = PARAMETER_INTEGER, .like = "n"},
    [NZ] = {"nz", "grid points along z", 1, MAX_ROWS, .type = PARAMETER_INTEGER, .like = "n"},
    {0},
};

static enum status plan(struct recipe *recipe, int dimensions, int points)
{
    struct grid g = grid_of(recipe, NX, dimensions);
    recipe->rows = recipe->cols = count_times(count_times(g.nx, g.ny), g.nz);
    recipe->entries = count_times(recipe->rows, points);
    return STATUS_OK;
}

static enum status plan_laplace2d(struct recipe *recipe, struct error *error)
{
    return plan(recipe, 2, 5);
}

static enum status plan_laplace3d(struct recipe *recipe, struct error *error)
{
    return plan(recipe, 3, 7);
}

static enum status plan_stencil27(struct recipe *recipe, struct error *error)
{
    return plan(recipe, 3, 27);
}

/* Put a row of the star of 2 d + 1 points in d dimensions: a(i, i) = 2 d, and a(i, j) = -1 for each of the
 * two neighbours j along each axis. In row i, columns i - nx ny, i - nx, i - 1, i, i + 1, i + nx, i + nx ny
 * ascend. */
static void put_star(const struct grid *g, int64_t i, double centre, struct sink *sink)
{
    int32_t row = (int32_t)i;
    int64_t line = i / g->nx, plane = g->nx * g->ny;
    int64_t x = i - line * g->nx, z = line / g->ny, y = line - z * g->ny;
    if (z > 0) sink_put(sink, row, (int32_t)(i - plane), -1, 0);
    if (y > 0) sink_put(sink, row, (int32_t)(i - g->nx), -1, 0);
    if (x > 0) sink_put(sink, row, row - 1, -1, 0);
    sink_put(sink, row, row, centre, 0);
    if (x + 1 < g->nx) sink_put(sink, row, row + 1, -1, 0);
    if (y + 1 < g->ny) sink_put(sink, row, (int32_t)(i + g->nx), -1, 0);
    if (z + 1 < g->nz) sink_put(sink, row, (int32_t)(i + plane), -1, 0);
}

static void row_laplace2d(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    struct grid g = grid_of(recipe, NX, 2);
    put_star(&g, i, 4, sink);
}

static void row_laplace3d(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    struct grid g = grid_of(recipe, NX, 3);
    put_star(&g, i, 6, sink);
}

/* a(i, i) = 26, and a(i, j) = -1 for all other points j of the 3 x 3 x 3 box around (x, y, z) that lie in the
 * grid. */
static void row_stencil27(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    struct grid g = grid_of(recipe, NX, 3);
    int64_t line = i / g.nx, x = i - line * g.nx, z = line / g.ny, y = line - z * g.ny;
    int64_t first = x > 0 ? x - 1 : 0, last = x + 1 < g.nx ? x + 1 : x;
    for (int64_t w = z > 0 ? z - 1 : 0; w <= z + 1 && w < g.nz; w++)
        for (int64_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < g.ny; v++) {
            int64_t base = g.nx * (v + g.ny * w);
            for (int64_t j = base + first; j <= base + last; j++)
                sink_put(sink, (int32_t)i, (int32_t)j, i == j ? 26 : -1, 0);
        }
}

const struct generator generator_laplace2d = {
    .name = "laplace2d",
    .summary = "5-point Laplacian of an nx x ny grid: 4 on the diagonal, -1 for each neighbour",
    .source = "the standard second-order finite difference",
    .parameters = square,
    .plan = plan_laplace2d,
    .row = row_laplace2d,
};

const struct generator generator_laplace3d = {
    .name = "laplace3d",
    .summary = "7-point Laplacian of an nx x ny x nz grid: 6 on the diagonal, -1 for each neighbour",
    .source = "the standard second-order finite difference",
    .parameters = cube,
    .plan = plan_laplace3d,
    .row = row_laplace3d,
};

const struct generator generator_stencil27 = {
    .name = "stencil27",
    .summary = "operator of the HPCG benchmark: 26 on the diagonal, -1 for each of the 26 neighbours",
    .source = "Dongarra, Heroux and Luszczek, \"HPCG benchmark\", 2015",
    .parameters = cube,
    .plan = plan_stencil27,
    .row = row_stencil27,
};
