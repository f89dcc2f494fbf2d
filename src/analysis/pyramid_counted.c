#include "analysis/pyramid_counted.h"

#include "base/memory.h"

/* As of the pyramid of a matrix in memory, a grid is not made coarser than so many cells along a side. */
#define SIDE_MIN 256

static int64_t cells_of(int64_t lines, int64_t step)
{
    return lines / step + (lines % step != 0);
}

static size_t table_bytes(const struct pyramid *p)
{
    return ((size_t)p->grid_rows + 1) * ((size_t)p->grid_cols + 1) * sizeof(uint64_t);
}

static struct pyramid choose(int64_t rows, int64_t cols, size_t bytes)
{
    struct pyramid p = {.row_step = 1, .col_step = 1, .grid_rows = rows, .grid_cols = cols, .wide = 1};
    for (;;) {
        int64_t side = p.grid_rows > p.grid_cols ? p.grid_rows : p.grid_cols;
        bool fits = side <= PYRAMID_SIDE && (table_bytes(&p) <= bytes || side < 2 * SIDE_MIN);
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
    return table_bytes(&p);
}

enum status pyramid_counted_begin(int64_t rows, int64_t cols, size_t bytes, struct pyramid *pyramid,
                                  struct error *error)
{
    struct pyramid p = choose(rows, cols, bytes);
    *pyramid = (struct pyramid){0};
    p.sums = memory_zeroed(table_bytes(&p), 1, error);
    if (!p.sums) return STATUS_MEMORY;
    *pyramid = p;
    return STATUS_OK;
}

/* Until the end, element (r + 1, c + 1) of the table is the count of cell (r, c). */
void pyramid_count_entries(const struct pyramid *pyramid, const int32_t *row, const int32_t *col,
                           int64_t count)
{
    int row_shift = __builtin_ctzll((unsigned long long)pyramid->row_step);
    int col_shift = __builtin_ctzll((unsigned long long)pyramid->col_step);
    size_t stride = (size_t)pyramid->grid_cols + 1;
    uint64_t *cells = (uint64_t *)pyramid->sums + stride + 1;
    for (int64_t k = 0; k < count; k++)
        cells[(size_t)(row[k] >> row_shift) * stride + (size_t)(col[k] >> col_shift)]++;
}

void pyramid_end(const struct pyramid *pyramid)
{
    size_t stride = (size_t)pyramid->grid_cols + 1;
    uint64_t *sums = pyramid->sums;
    for (size_t r = 1; r <= (size_t)pyramid->grid_rows; r++) {
        uint64_t *row = sums + r * stride, along = 0;
        for (size_t c = 1; c < stride; c++) {
            along += row[c];
            row[c] = along + row[c - stride];
        }
    }
}
