#include "kernels/cuda/products/windows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cuda/products/products.h"
#include "kernels/gpu/device.h"

/* The rows of a window, whose columns are walked together. */
struct walk {
    const int32_t *col;
    int64_t at[WINDOW_ROWS], end[WINDOW_ROWS];
};

/* Return the walk of a window of the storage, or of the pattern if the storage is only planned. */
static struct walk walk_of(const struct launch *launch, int64_t window)
{
    const struct storage *storage = launch->storage;
    const struct csr *pattern = storage->array[CSR_COL].data ? NULL : launch->pattern;
    const struct array *row_ptr = &storage->array[CSR_ROW_PTR];
    const int64_t rows = pattern ? pattern->rows : storage->rows;
    struct walk walk = {.col = pattern ? pattern->col : storage->array[CSR_COL].data};
    for (int r = 0; r < WINDOW_ROWS; r++) {
        const int64_t row = window * WINDOW_ROWS + r;
        if (row >= rows) break;
        walk.at[r] = pattern ? pattern->row_ptr[row] : array_integer(row_ptr, row);
        walk.end[r] = pattern ? pattern->row_ptr[row + 1] : array_integer(row_ptr, row + 1);
    }
    return walk;
}

/* Return the next column of any of the rows, and which rows have it as the bits of *rows; -1 after the last.
 * The entries of a row are in ascending order of their columns. */
static int32_t next_column(struct walk *walk, unsigned *rows)
{
    int32_t least = INT32_MAX;
    *rows = 0;
    for (int r = 0; r < WINDOW_ROWS; r++) {
        if (walk->at[r] >= walk->end[r]) continue;
        const int32_t j = walk->col[walk->at[r]];
        if (j < least) {
            least = j;
            *rows = 0;
        }
        if (j == least) *rows |= 1U << r;
    }
    for (int r = 0; r < WINDOW_ROWS; r++)
        walk->at[r] += *rows >> r & 1;
    return *rows ? least : -1;
}

static int64_t tiles_of(const struct launch *launch, int64_t window)
{
    struct walk walk = walk_of(launch, window);
    unsigned rows;
    int64_t columns = 0;
    while (next_column(&walk, &rows) >= 0)
        columns++;
    return (columns + WINDOW_COLUMNS - 1) / WINDOW_COLUMNS;
}

/* Write the tiles of a window from tile `tile` on. */
static void fill(const struct launch *launch, int64_t window, int64_t tile, int32_t *col, void *val)
{
    const struct storage *storage = launch->storage;
    const bool single = storage->precision == PRECISION_F32;
    const void *values = storage->array[CSR_VAL].data;
    struct walk walk = walk_of(launch, window);
    for (int64_t c = 0;; c++) {
        unsigned rows;
        const struct walk before = walk;
        const int32_t j = next_column(&walk, &rows);
        const int64_t t = tile + c / WINDOW_COLUMNS;
        const int k = (int)(c % WINDOW_COLUMNS);
        if (j < 0 && k == 0) return;
        col[t * WINDOW_COLUMNS + k] = j < 0 ? col[t * WINDOW_COLUMNS + k - 1] : j;
        for (int r = 0; r < WINDOW_ROWS; r++) {
            const bool there = j >= 0 && rows >> r & 1;
            if (single)
                ((float *)val)[t * WINDOW_SLOTS + k * WINDOW_ROWS + r] =
                    there ? ((const float *)values)[before.at[r]] : 0;
            else
                ((double *)val)[t * WINDOW_SLOTS + r * WINDOW_COLUMNS + k] =
                    there ? ((const double *)values)[before.at[r]] : 0;
        }
    }
}

#define WINDOWS_LOOKED_AT 1000
#define GAIN 1.2   /* windows are made from this gain on */
#define LONGEST 16 /* and if none is longer than this multiple of the mean */

/* A sample of windows. */
struct looked {
    int64_t windows, tiles, entries, longest;
};

static struct looked look(const struct launch *launch, int64_t windows)
{
    const int64_t step = max(windows / WINDOWS_LOOKED_AT, 1);
    struct looked looked = {0};
    for (int64_t w = 0; w < windows; w += step) {
        const struct walk walk = walk_of(launch, w);
        const int64_t tiles = tiles_of(launch, w);
        looked.windows++;
        looked.tiles += tiles;
        looked.longest = max(looked.longest, tiles);
        for (int r = 0; r < WINDOW_ROWS; r++)
            looked.entries += walk.end[r] - walk.at[r];
    }
    return looked;
}

/* Return whether windows save time: by the bytes that the loads of tiles and of entries ask for, or if A is
 * transposed, by their additions. No window may be much longer than others. */
static bool worth(const struct looked *looked, bool transposed, int columns, double value)
{
    const double row = columns * value;
    const double by_windows =
        (double)looked->tiles * (WINDOW_SLOTS * value + WINDOW_COLUMNS * (sizeof(int32_t) + row));
    const double by_rows = (double)looked->entries * (sizeof(int32_t) + value + row);
    if (transposed && GAIN * (double)looked->tiles * WINDOW_COLUMNS >= (double)looked->entries) return false;
    return (transposed || GAIN * by_windows < by_rows) &&
           looked->longest * looked->windows < LONGEST * (looked->tiles + looked->windows);
}

static enum status place(struct launch *launch, struct product_windows *windows, const int64_t *first,
                         const int32_t *col, const void *val, struct error *error)
{
    struct error reason = {0};
    const size_t tiles = (size_t)windows->tiles;
    windows->first = device_copy_of(launch->device, first, (size_t)(windows->windows + 1) * sizeof *first,
                                    "the tiles of windows", &reason);
    if (windows->first)
        windows->col = device_copy_of(launch->device, col, tiles * WINDOW_COLUMNS * sizeof *col,
                                      "the columns of windows", &reason);
    if (windows->col)
        windows->val = device_copy_of(launch->device, val, tiles * WINDOW_SLOTS * value_size(launch->storage),
                                      "the values of windows", &reason);
    return windows->val ? STATUS_OK : error_set(error, reason.status, "%s", reason.message);
}

static enum status make(struct launch *launch, struct product_windows *windows, struct error *error)
{
    const struct storage *storage = launch->storage;
    int64_t *first = memory_array((size_t)windows->windows + 1, sizeof *first, error);
    int32_t *col = NULL;
    void *val = NULL;
    enum status status = STATUS_MEMORY;
    if (!first) return status;
#pragma omp parallel for schedule(dynamic, 64) if (storage->nnz > PARALLEL_MIN)
    for (int64_t w = 0; w < windows->windows; w++)
        first[w + 1] = tiles_of(launch, w);
    first[0] = 0;
    for (int64_t w = 0; w < windows->windows; w++)
        first[w + 1] += first[w];
    windows->tiles = first[windows->windows];
    col = memory_array((size_t)windows->tiles * WINDOW_COLUMNS, sizeof *col, error);
    if (col) val = memory_array((size_t)windows->tiles * WINDOW_SLOTS, value_size(storage), error);
    if (val) {
#pragma omp parallel for schedule(dynamic, 64) if (storage->nnz > PARALLEL_MIN)
        for (int64_t w = 0; w < windows->windows; w++)
            fill(launch, w, first[w], col, val);
        status = place(launch, windows, first, col, val, error);
    }
    free(val);
    free(col);
    free(first);
    return status;
}

static int64_t windows_of(int64_t rows)
{
    return (rows + WINDOW_ROWS - 1) / WINDOW_ROWS;
}

enum status product_windows_make(struct launch *launch, struct product_windows *windows, struct error *error)
{
    const struct storage *storage = launch->storage;
    const int columns = product_columns(launch->product);
    const bool planned = !storage->array[CSR_COL].data;
    *windows = (struct product_windows){0};
    if (storage->complex || columns % 8 || storage->nnz == 0 ||
        (planned ? !launch->pattern : !launch->device->type->write) || launch->device->facts.major < 8)
        return STATUS_OK;
    const struct looked looked = look(launch, windows_of(planned ? launch->pattern->rows : storage->rows));
    if (!worth(&looked, launch->product.transposed, columns, (double)value_size(storage))) return STATUS_OK;
    windows->windows = windows_of(storage->rows);
    if (!planned) return make(launch, windows, error);
    windows->tiles = (int64_t)((double)windows->windows * (double)looked.tiles / (double)looked.windows);
    return STATUS_OK;
}

void product_windows_release(struct launch *launch, struct product_windows *windows)
{
    device_release(launch->device, windows->first);
    device_release(launch->device, windows->col);
    device_release(launch->device, windows->val);
}

size_t product_windows_bytes(const struct launch *launch, const struct product_windows *windows)
{
    const size_t tiles = (size_t)windows->tiles;
    if (windows->windows == 0) return 0;
    return (size_t)(windows->windows + 1) * sizeof *windows->first +
           tiles * (WINDOW_COLUMNS * sizeof *windows->col + WINDOW_SLOTS * value_size(launch->storage));
}
