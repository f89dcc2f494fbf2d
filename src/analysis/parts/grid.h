/* A grid of processes for a matrix that is cut into blocks (the partition `blocks`). */
#ifndef SPARSIGHT_ANALYSIS_PARTS_GRID_H
#define SPARSIGHT_ANALYSIS_PARTS_GRID_H

#include <stdint.h>

#include "analysis/parts/partition.h"
#include "base/error.h"
#include "matrix/slab.h"

struct grid {
    int64_t rows, cols; /* rows x cols processes; process (r, c) is part r cols + c */
};

/* Choose the grid: as many rows as the partition's parameter says, or else the most square grid that has at
 * least as many rows as columns. STATUS_UNAVAILABLE if the number of parts is no multiple of its rows. */
enum status grid_choose(const struct parameter_values *values, int64_t parts, struct grid *grid,
                        struct error *error);

/* row[i] becomes the process row of row i of the slab: rows are cut into runs with about equally many
 * entries, as the partition `entries` does. */
void grid_rows(const struct slab *slab, const struct grid *grid, int32_t *row);

/* col[j] becomes the process column of column j, by the same rule from the number of its entries, of which
 * the matrix has nnz. */
void grid_cols(const int64_t *entries, int64_t cols, int64_t nnz, const struct grid *grid, int32_t *col);

/* entry[k] becomes the owner of entry k of the slab, whose rows have process rows `row`. */
void grid_entries(const struct slab *slab, const struct grid *grid, const int32_t *row, const int32_t *col,
                  int32_t *entry);

#endif
