/* A matrix repeated down the diagonal, so that a small real one becomes large:
 * a(c m + i, c n + j) = t(i, j) for c = 0 .. copies-1, where t is m x n. */
#include "matrix/generators/recipe.h"

#include <string.h>

#include "base/memory.h"

enum { TILE_FILE, TILE_COPIES };

static const struct parameter parameters[] = {
    [TILE_FILE] = {"file", "the matrix: anything that sparsight opens", .type = PARAMETER_TEXT},
    [TILE_COPIES] = {"copies", "number of copies", 1, MAX_ROWS, 2, .type = PARAMETER_INTEGER},
    {0},
};

/* A tile of tiles is refused: it equals a tile with more copies, and reading its specification would
 * recurse. */
static enum status check_file(const struct recipe *recipe, struct error *error)
{
    if (!recipe->values.text)
        return error_set(error, STATUS_USAGE, "tile needs a matrix to repeat: tile,file=X,copies=N");
    if (strncmp(recipe->values.text, "gen:tile", 8) == 0)
        return error_set(error, STATUS_USAGE, "tile cannot repeat another tile; multiply the copies");
    return STATUS_OK;
}

static enum status plan_tile(struct recipe *recipe, struct error *error)
{
    enum status status = check_file(recipe, error);
    if (status != STATUS_OK) return status;
    struct matrix *tile = memory_zeroed(1, sizeof *tile, error);
    if (!tile) return STATUS_MEMORY;
    recipe->state = tile;
    struct load_options options = *recipe->options;
    /* Each process has the whole tile in memory; only the copies may be distributed or streamed. */
    options.builder = NULL;
    options.taker = NULL;
    options.stream = false;
    options.beside = NULL;
    status = matrix_load(recipe->values.text, &options, recipe->progress, tile, error);
    if (status != STATUS_OK) return status;
    int64_t copies = recipe_integer(recipe, TILE_COPIES);
    recipe->rows = count_times(tile->csr.rows, copies);
    recipe->cols = count_times(tile->csr.cols, copies);
    recipe->entries = count_times(csr_nnz(&tile->csr), copies);
    recipe->field = tile->field;
    recipe->complex = tile->csr.imaginary != NULL;
    return STATUS_OK;
}

static void row_tile(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink)
{
    const struct csr *a = &((const struct matrix *)recipe->state)->csr;
    int64_t copy = i / a->rows, from = i - copy * a->rows, shift = copy * a->cols;
    for (int64_t k = a->row_ptr[from]; k < a->row_ptr[from + 1]; k++)
        sink_put(sink, (int32_t)i, (int32_t)(a->col[k] + shift), a->val[k],
                 a->imaginary ? a->imaginary[k] : 0);
}

static void release_tile(struct recipe *recipe)
{
    if (recipe->state) matrix_free(recipe->state);
    free(recipe->state);
}

const struct generator generator_tile = {
    .name = "tile",
    .summary = "a matrix repeated down the diagonal",
    .source = "",
    .parameters = parameters,
    .plan = plan_tile,
    .row = row_tile,
    .release = release_tile,
};
