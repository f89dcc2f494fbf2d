#include "analysis/level.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

size_t level_bytes(int64_t rows, int64_t number)
{
    return ((size_t)rows + 1) * sizeof(int64_t) + (size_t)number * (sizeof(int32_t) + sizeof(int64_t));
}

void level_free(struct level *level)
{
    free(level->start);
    free(level->col);
    free(level->count);
    *level = (struct level){0};
}

static enum status reserve(struct level *level, int64_t number, struct error *error)
{
    level->start = memory_zeroed((size_t)level->rows + 1, sizeof *level->start, error);
    level->col = level->start ? memory_array((size_t)number, sizeof *level->col, error) : NULL;
    level->count = level->col ? memory_array((size_t)number, sizeof *level->count, error) : NULL;
    if (level->count) return STATUS_OK;
    level_free(level);
    return STATUS_MEMORY;
}

enum status level_of_matrix(const struct csr *a, struct level *level, struct error *error)
{
    int64_t nnz = csr_nnz(a);
    *level = (struct level){.row_step = 1, .col_step = 1, .rows = a->rows, .cols = a->cols};
    enum status status = reserve(level, nnz, error);
    if (status != STATUS_OK) return status;
    for (int64_t i = 0; i <= a->rows; i++)
        level->start[i] = a->row_ptr[i];
    if (nnz > 0) memcpy(level->col, a->col, (size_t)nnz * sizeof *level->col);
    for (int64_t k = 0; k < nnz; k++)
        level->count[k] = 1;
    return STATUS_OK;
}

/* The number of entries of cell (r, c) of the level, which is `times` x `times` cells of the pyramid. */
static int64_t cell_of(const struct pyramid *pyramid, const int64_t times[2], int64_t r, int64_t c)
{
    return pyramid_cells(pyramid, r * times[0], (r + 1) * times[0], c * times[1], (c + 1) * times[1]);
}

enum status level_of_pyramid(const struct pyramid *pyramid, int64_t side, struct level *level,
                             struct error *error)
{
    int64_t number = 0, times[2] = {1, 1};
    while (divide_up(pyramid->grid_rows, times[0]) > side)
        times[0] *= 2;
    while (divide_up(pyramid->grid_cols, times[1]) > side)
        times[1] *= 2;
    *level = (struct level){.row_step = pyramid->row_step * times[0],
                            .col_step = pyramid->col_step * times[1],
                            .rows = divide_up(pyramid->grid_rows, times[0]),
                            .cols = divide_up(pyramid->grid_cols, times[1])};
    for (int64_t r = 0; r < level->rows; r++)
        for (int64_t c = 0; c < level->cols; c++)
            number += cell_of(pyramid, times, r, c) > 0;
    enum status status = reserve(level, number, error);
    if (status != STATUS_OK) return status;
    int64_t used = 0;
    for (int64_t r = 0; r < level->rows; r++) {
        for (int64_t c = 0; c < level->cols; c++) {
            int64_t count = cell_of(pyramid, times, r, c);
            if (count == 0) continue;
            level->col[used] = (int32_t)c;
            level->count[used++] = count;
        }
        level->start[r + 1] = used;
    }
    return STATUS_OK;
}

enum status level_pyramid(const struct level *level, struct pyramid *pyramid, struct error *error)
{
    size_t stride = (size_t)level->cols + 1;
    *pyramid = (struct pyramid){.row_step = level->row_step,
                                .col_step = level->col_step,
                                .grid_rows = level->rows,
                                .grid_cols = level->cols,
                                .wide = 1};
    uint64_t *sums = memory_zeroed((size_t)level->rows + 1, stride * sizeof *sums, error);
    if (!sums) {
        *pyramid = (struct pyramid){0};
        return STATUS_MEMORY;
    }
    pyramid->sums = sums;
    for (int64_t r = 0; r < level->rows; r++) {
        uint64_t *upper = sums + (size_t)r * stride, *row = upper + stride;
        for (int64_t k = level->start[r]; k < level->start[r + 1]; k++)
            row[level->col[k] + 1] = (uint64_t)level->count[k];
        for (size_t c = 1; c < stride; c++)
            row[c] += row[c - 1];
        for (size_t c = 1; c < stride; c++)
            row[c] += upper[c];
    }
    return STATUS_OK;
}

/* Cells that are read one after another, in ascending columns. */
struct reading {
    const int32_t *col;
    const int64_t *count;
    int64_t left;
};

/* The column of the next cell; beyond all columns if there is none. */
static int64_t next_col(const struct reading *reading, int shift)
{
    return reading->left ? *reading->col >> shift : INT64_MAX;
}

/* Return the entries of the next cells in this column, and move past them. */
static int64_t take(struct reading *reading, int shift, int64_t col)
{
    int64_t sum = 0;
    for (; next_col(reading, shift) == col; reading->col++, reading->count++, reading->left--)
        sum += *reading->count;
    return sum;
}

/* Merge two rows of cells into one, whose cells are written from element `to` on. Returns where they end. */
static int64_t merge(struct level *level, struct reading upper, struct reading lower, int shift, int64_t to)
{
    while (upper.left || lower.left) {
        int64_t col = min(next_col(&upper, shift), next_col(&lower, shift));
        int64_t count = take(&upper, shift, col) + take(&lower, shift, col);
        level->col[to] = (int32_t)col;
        level->count[to++] = count;
    }
    return to;
}

static int64_t longest_row(const struct level *level)
{
    int64_t longest = 0;
    for (int64_t r = 0; r < level->rows; r++)
        longest = max(longest, level->start[r + 1] - level->start[r]);
    return longest;
}

static struct reading reading_of(const struct level *level, int64_t first, int64_t end)
{
    return (struct reading){level->col + first, level->count + first, end - first};
}

/* In place: writing never overtakes reading. The upper one of two merged rows is copied first. The merged row
 * fits into its memory and that of the cells already read from the lower row. */
enum status level_double(struct level *level, bool rows, bool cols, struct error *error)
{
    int64_t longest = rows ? longest_row(level) : 0, used = 0, written = 0;
    int32_t *col = memory_array((size_t)longest, sizeof *col, error);
    int64_t *count = col ? memory_array((size_t)longest, sizeof *count, error) : NULL;
    int shift = cols ? 1 : 0, each = rows ? 2 : 1;
    if (!count) {
        free(col);
        return STATUS_MEMORY;
    }
    for (int64_t r = 0; r < level->rows; r += each) {
        int64_t first = level->start[r], middle = level->start[r + 1];
        int64_t end = level->start[min(r + each, level->rows)];
        struct reading upper = reading_of(level, first, middle);
        if (rows && middle > first) {
            memcpy(col, upper.col, (size_t)upper.left * sizeof *col);
            memcpy(count, upper.count, (size_t)upper.left * sizeof *count);
            upper.col = col;
            upper.count = count;
        }
        level->start[written++] = used;
        used = merge(level, upper, reading_of(level, middle, end), shift, used);
    }
    level->start[written] = used;
    free(col);
    free(count);
    level->rows = written;
    level->row_step *= each;
    level->cols = (level->cols + (1 << shift) - 1) >> shift;
    level->col_step <<= shift;
    return STATUS_OK;
}

enum status level_coarsen(struct level *level, struct error *error)
{
    return level_double(level, level->rows >= level->cols, level->cols >= level->rows, error);
}
