#include "analysis/pyramid_counted.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "base/wide.h"

/* As of the pyramid of a matrix in memory, a grid is not made coarser than so many cells along a side. */
#define SIDE_MIN 256

/* So many columns of the table are summed up by a thread at once. */
#define STRIP 256

/* So many entries are looked at once: what is made of them stays in the first-level cache. */
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

/* How many cells are not the one before them; `next` is `cell` from its second element on, of which the
 * compiler must not know that, to look at several at once. */
WIDE static int64_t changes_of(const uint32_t *cell, const uint32_t *next, int64_t count)
{
    uint32_t changes = 0;
    for (int64_t k = 0; k < count; k++)
        changes += cell[k] != next[k];
    return changes;
}

/* Let cell[k] be each cell that is not the one before it, and times[k] how often it comes. Returns how many
 * these are. There is no jump for each, which would be mispredicted. */
static int64_t join_repeated(uint32_t *cell, int64_t count, uint32_t *times)
{
    int64_t joined = 0;
    times[0] = 1;
    for (int64_t k = 1; k < count; k++) {
        bool changes = cell[k] != cell[joined];
        joined += changes;
        cell[joined] = cell[k];
        times[joined] = (changes ? 0 : times[joined]) + 1;
    }
    return joined + 1;
}

/* To count the same cell again and again is slow, since each time has to wait for the one before it. */
static void count_batch(const struct pyramid *pyramid, uint32_t *cell, int64_t count)
{
    uint32_t times[BATCH], *narrow = pyramid->sums;
    uint64_t *wide = pyramid->sums;
    bool repeated = 2 * changes_of(cell, cell + 1, count - 1) < count;
    if (repeated) count = join_repeated(cell, count, times);
    if (pyramid->wide)
        for (int64_t k = 0; k < count; k++)
            wide[cell[k]] += repeated ? times[k] : 1;
    else if (repeated)
        for (int64_t k = 0; k < count; k++)
            narrow[cell[k]] += times[k];
    else
        for (int64_t k = 0; k < count; k++)
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
        count_batch(pyramid, cell, some);
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
