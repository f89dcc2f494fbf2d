/* Blocks (2D, checkerboard): rows and columns are cut into runs, and a grid of processes owns the blocks
 * (Hendrickson, Leland and Plimpton, Int. J. High Speed Comput. 7, 1995). In the expand phase a process sends
 * only to the others of its process column, and in the fold phase only to those of its process row. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/parts/grid.h"
#include "analysis/parts/holders.h"
#include "analysis/parts/runs.h"
#include "base/memory.h"

enum { ROWS };

enum status grid_choose(const struct parameter_values *values, int64_t parts, struct grid *grid,
                        struct error *error)
{
    const double rows = values->number[ROWS];
    grid->cols = 1;
    if (isnan(rows)) {
        for (int64_t cols = 2; cols * cols <= parts; cols++)
            if (parts % cols == 0) grid->cols = cols;
    } else {
        if (parts % (int64_t)rows)
            return error_set(error, STATUS_UNAVAILABLE,
                             "%" PRId64 " parts are no grid of %" PRId64 " rows of processes", parts,
                             (int64_t)rows);
        grid->cols = parts / (int64_t)rows;
    }
    grid->rows = parts / grid->cols;
    return STATUS_OK;
}

/* The rows of the grid, if it has any; a refused number stays. */
static void resolve_blocks(struct parameter_values *values, int64_t parts)
{
    struct grid grid;
    if (isnan(values->number[ROWS]) && grid_choose(values, parts, &grid, NULL) == STATUS_OK)
        values->number[ROWS] = (double)grid.rows;
}

void grid_rows(const struct slab *slab, const struct grid *grid, int32_t *row)
{
    const struct csr *a = slab->a;
    for (int64_t i = 0; i < a->rows; i++)
        row[i] =
            runs_part(slab->before + a->row_ptr[i], slab->before + a->row_ptr[i + 1], slab->nnz, grid->rows);
}

void grid_cols(const int64_t *entries, int64_t cols, int64_t nnz, const struct grid *grid, int32_t *col)
{
    int64_t before = 0;
    for (int64_t j = 0; j < cols; before += entries[j++])
        col[j] = runs_part(before, before + entries[j], nnz, grid->cols);
}

void grid_entries(const struct slab *slab, const struct grid *grid, const int32_t *row, const int32_t *col,
                  int32_t *entry)
{
    const struct csr *a = slab->a;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            entry[k] = (int32_t)(row[i] * grid->cols + col[a->col[k]]);
}

static size_t bytes_blocks(const struct partitioning *partitioning)
{
    const struct csr *a = partitioning->a;
    return ((size_t)csr_nnz(a) + (size_t)a->rows + (size_t)a->cols) * sizeof(int32_t) +
           2 * (size_t)a->cols * sizeof(int64_t);
}

/* The owner of element i of x and y of a square matrix is the process that has the position (i, i): the only
 * one that is both in the process row of row i and in the process column of column i. */
static enum status find_owners(const struct csr *a, const struct grid *grid, const int32_t *row,
                               const int32_t *col, struct partition *partition, struct error *error)
{
    if (a->rows != a->cols) return holders_find(a, partition, error);
    for (int64_t i = 0; i < a->rows; i++)
        partition->owner[i] = (int32_t)(row[i] * grid->cols + col[i]);
    return STATUS_OK;
}

static enum status divide_blocks(const struct partitioning *partitioning, struct partition *partition,
                                 struct error *error)
{
    const struct csr *a = partitioning->a;
    const struct slab slab = slab_of(a);
    struct grid grid;
    enum status status = grid_choose(partitioning->values, partition->parts, &grid, error);
    if (status != STATUS_OK) return status;
    int32_t *row = memory_array((size_t)a->rows, sizeof *row, error),
            *col = memory_array((size_t)a->cols, sizeof *col, error);
    int64_t *entries = memory_zeroed((size_t)a->cols, sizeof *entries, error);
    partition->entry = memory_array((size_t)csr_nnz(a), sizeof *partition->entry, error);
    status = row && col && entries && partition->entry ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) {
        for (int64_t k = 0; k < csr_nnz(a); k++)
            entries[a->col[k]]++;
        grid_rows(&slab, &grid, row);
        grid_cols(entries, a->cols, slab.nnz, &grid, col);
        grid_entries(&slab, &grid, row, col, partition->entry);
        status = find_owners(a, &grid, row, col, partition, error);
    }
    free(row);
    free(col);
    free(entries);
    return status == STATUS_OK ? progress_status(partitioning->progress, error) : status;
}

static const struct parameter parameters[] = {
    [ROWS] = {.name = "rows",
              .help = "rows of the grid of processes",
              .type = PARAMETER_INTEGER,
              .min = 1,
              .max = PARTS_MAX,
              .automatic = "the most square grid"},
    {0},
};

const struct partitioner partitioner_blocks = {
    .name = "blocks",
    .summary = "2D: blocks of a grid of processes; rows and columns are cut into ranges with about equally "
               "many entries",
    .source = "Hendrickson, Leland and Plimpton, Int. J. High Speed Comput. 7, 1995",
    .entrywise = true,
    .parameters = parameters,
    .resolve = resolve_blocks,
    .bytes = bytes_blocks,
    .divide = divide_blocks,
};
