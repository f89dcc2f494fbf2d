#include "analysis/pyramid_counted.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "base/wide.h"

/* Minimum number of cells along the longer side, as for a matrix in memory. */
#define SIDE_MIN 256

/* Number of columns of the table that a thread sums up at once. */
#define STRIP 256

/* Number of entries in a batch, whose intermediate results stay in the first-level cache. */
#define BATCH 1024

static int64_t cells_of(int64_t lines, int64_t step)
{
    return lines / step + (lines % step != 0);
}

static size_t table_sums(const struct pyramid *p)
{
    return ((size_t)p->grid_rows + 1) * ((size_t)p->grid_cols + 1);
}

static struct pyramid choose(int64_t rows, int64_t cols, size_t bytes)
{
    struct pyramid p = {.row_step = 1, .col_step = 1, .grid_rows = rows, .grid_cols = cols};
    for (;;) {
        int64_t side = p.grid_rows > p.grid_cols ? p.grid_rows : p.grid_cols;
        bool fits =
            side <= PYRAMID_SIDE && (table_sums(&p) * sizeof(uint64_t) <= bytes || side < 2 * SIDE_MIN);
        if (fits) return p;
        bool upright = p.grid_rows == side, across = p.grid_cols == side;
        p.row_step <<= upright;
        p.col_step <<= across;
        p.grid_rows = cells_of(rows, p.row_step);
        p.grid_cols = cells_of(cols, p.col_step);
    }
}

size_t pyramid_begin_bytes(int64_t rows, int64_t cols, size_t bytes)
{
    const struct pyramid p = choose(rows, cols, bytes);
    return table_sums(&p) * (sizeof(uint32_t) + sizeof(uint64_t));
}

enum status pyramid_counted_begin(int64_t rows, int64_t cols, size_t bytes, struct pyramid *pyramid,
                                  struct error *error)
{
    struct pyramid p = choose(rows, cols, bytes);
    *pyramid = (struct pyramid){0};
    p.sums = memory_zeroed(table_sums(&p), sizeof(uint32_t), error);
    if (!p.sums) return STATUS_MEMORY;
    *pyramid = p;
    return STATUS_OK;
}

static enum status widen(struct pyramid *pyramid, struct error *error)
{
    const uint32_t *narrow = pyramid->sums;
    uint64_t *wide = memory_array(table_sums(pyramid), sizeof *wide, error);
    if (!wide) return STATUS_MEMORY;
    for (size_t k = 0; k < table_sums(pyramid); k++)
        wide[k] = narrow[k];
    free(pyramid->sums);
    pyramid->sums = wide;
    pyramid->wide = 1;
    return STATUS_OK;
}

/* Write the elements of the table that entries belong to. Until the end, element (r + 1, c + 1) of the table
 * is the count of cell (r, c). */
WIDE static void find_cells(const struct pyramid *pyramid, const int32_t *row, const int32_t *col,
                            int64_t count, uint32_t *cell)
{
    int row_shift = __builtin_ctzll((unsigned long long)pyramid->row_step);
    int col_shift = __builtin_ctzll((unsigned long long)pyramid->col_step);
    uint32_t stride = (uint32_t)pyramid->grid_cols + 1, origin = stride + 1;
    for (int64_t k = 0; k < count; k++)
        cell[k] = origin + (uint32_t)(row[k] >> row_shift) * stride + (uint32_t)(col[k] >> col_shift);
}

/* The number of cells that differ from the one before. `next` is `cell` + 1, passed separately: the compiler
 * vectorises the loop only if it does not know that. */
WIDE static int64_t changes_of(const uint32_t *cell, const uint32_t *next, int64_t count)
{
    uint32_t changes = 0;
    for (int64_t k = 0; k < count; k++)
        changes += cell[k] != next[k];
    return changes;
}

/* Write the beginning of each run of the same cell, and the end of the last. Returns the number of runs. The
 * loop has no branch, which would be mispredicted. */
static int64_t find_runs(const uint32_t *cell, int64_t count, int32_t *start)
{
    int64_t runs = 1;
    start[0] = 0;
    for (int32_t k = 1; k < count; k++) {
        start[runs] = k;
        runs += cell[k] != cell[k - 1];
    }
    start[runs] = (int32_t)count;
    return runs;
}

/* Counting a run entry by entry is slow, since each addition waits for the one before it. */
static void count_runs(const struct pyramid *pyramid, const uint32_t *cell, int64_t count)
{
    int32_t start[BATCH + 1];
    uint32_t *narrow = pyramid->sums;
    uint64_t *wide = pyramid->sums;
    int64_t runs = find_runs(cell, count, start);
    for (int64_t r = 0; r < runs && pyramid->wide; r++)
        wide[cell[start[r]]] += (uint64_t)(start[r + 1] - start[r]);
    for (int64_t r = 0; r < runs && !pyramid->wide; r++)
        narrow[cell[start[r]]] += (uint32_t)(start[r + 1] - start[r]);
}

static void count_each(const struct pyramid *pyramid, const uint32_t *cell, int64_t count)
{
    uint32_t *narrow = pyramid->sums;
    uint64_t *wide = pyramid->sums;
    for (int64_t k = 0; k < count && pyramid->wide; k++)
        wide[cell[k]]++;
    for (int64_t k = 0; k < count && !pyramid->wide; k++)
        narrow[cell[k]]++;
}

enum status pyramid_count_entries(struct pyramid *pyramid, int64_t before, const int32_t *row,
                                  const int32_t *col, int64_t count, struct error *error)
{
    uint32_t cell[BATCH];
    if (!pyramid->wide && before + count > UINT32_MAX && widen(pyramid, error) != STATUS_OK)
        return STATUS_MEMORY;
    for (int64_t from = 0, some; from < count; from += some) {
        some = min(count - from, BATCH);
        find_cells(pyramid, row + from, col + from, some, cell);
        if (2 * changes_of(cell, cell + 1, some - 1) < some)
            count_runs(pyramid, cell, some);
        else
            count_each(pyramid, cell, some);
    }
    return STATUS_OK;
}

static void sum_narrow_row(uint32_t *row, size_t stride)
{
    uint32_t along = 0;
    for (size_t c = 1; c < stride; c++)
        row[c] = along += row[c];
}

static void sum_wide_row(uint64_t *row, size_t stride)
{
    uint64_t along = 0;
    for (size_t c = 1; c < stride; c++)
        row[c] = along += row[c];
}

/* Add to elements from..to-1 of row r those above them. */
static void add_above(const struct pyramid *pyramid, size_t r, size_t from, size_t to)
{
    size_t stride = (size_t)pyramid->grid_cols + 1;
    uint32_t *narrow = (uint32_t *)pyramid->sums + r * stride;
    uint64_t *wide = (uint64_t *)pyramid->sums + r * stride;
    for (size_t c = from; c < to && !pyramid->wide; c++)
        narrow[c] += (narrow - stride)[c];
    for (size_t c = from; c < to && pyramid->wide; c++)
        wide[c] += (wide - stride)[c];
}

void pyramid_end(const struct pyramid *pyramid)
{
    size_t rows = (size_t)pyramid->grid_rows, stride = (size_t)pyramid->grid_cols + 1;
#pragma omp parallel if (rows * stride > PARALLEL_MIN)
    {
#pragma omp for
        for (size_t r = 1; r <= rows; r++)
            if (pyramid->wide)
                sum_wide_row((uint64_t *)pyramid->sums + r * stride, stride);
            else
                sum_narrow_row((uint32_t *)pyramid->sums + r * stride, stride);
#pragma omp for
        for (size_t from = 1; from < stride; from += STRIP)
            for (size_t r = 1; r <= rows; r++)
                add_above(pyramid, r, from, from + STRIP < stride ? from + STRIP : stride);
    }
}
