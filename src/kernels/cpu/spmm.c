#include "kernels/cpu/spmm.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/spmm_parts.h"

/* Bytes of a Y that does not stay in a core's caches, and is written with stores that bypass them. */
#define STREAM_BYTES ((int64_t)4 << 20)

#define LINE_BYTES 64
#define FEW_SLOTS 16 /* average slots of a row */

int64_t spmm_cursor(const struct spmm_rows *rows, int64_t u)
{
    int64_t low = 0, high = rows->kind == SPMM_COO ? rows->slots : 0;
    BISECT(low, high, rows->row[middle] < u);
    return low;
}

/* Return the number of slots before unit u, for dividing units among threads. */
static int64_t slots_before(const void *of, int64_t u)
{
    const struct spmm_rows *rows = of;
    if (rows->kind == SPMM_COO) return spmm_cursor(rows, u);
    if (rows->kind == SPMM_ELL || rows->kind == SPMM_ENTRY) return 0;
    const int64_t *longs = rows->ptr, at = rows->kind == SPMM_CSR ? u : u / rows->stride;
    const int32_t *shorts = rows->ptr;
    return rows->wide ? longs[at] : shorts[at];
}

enum status spmm_allocate(const struct launch *launch, int64_t elements, const char *what, void **memory,
                          struct error *error)
{
    size_t limit = launch->storage->limit ? launch->storage->limit : launch->limit;
    size_t arrays = storage_size(launch->storage).bytes, bytes;
    if (limit) limit = limit > arrays ? limit - arrays : 1;
    if (!size_multiply((size_t)elements, value_bytes(launch), &bytes)) bytes = SIZE_MAX;
    enum status status = memory_check(bytes, limit, what, error);
    if (status != STATUS_OK) return status;
    *memory = memory_array((size_t)elements, value_bytes(launch), error);
    return *memory ? STATUS_OK : STATUS_MEMORY;
}

/* Return whether the loops treat a row of X of this number of bytes as whole vectors (loops/spmm_whole.h). */
static bool whole_rows(const struct launch *launch, const struct spmm *spmm, int64_t bytes)
{
    return spmm->rows.kind == SPMM_CSR && !launch->storage->complex && bytes <= 4 * LINE_BYTES &&
           (bytes & (bytes - 1)) == 0;
}

/* Return whether to prefetch the `rows` rows of X, of this number of bytes each. It pays if they are used in
 * irregular order. In regular order it pays if they are long, or if rows of the matrix have few entries,
 * since the processor's own prefetching then lags behind; except for whole vectors (README.md). */
static bool asks_ahead(const struct launch *launch, const struct spmm *spmm, int64_t rows, int64_t bytes)
{
    const struct spmm_rows *of = &spmm->rows;
    int64_t least = of->slots <= FEW_SLOTS * of->units ? LINE_BYTES / 2 : 2 * LINE_BYTES;
    if (!whole_rows(launch, spmm, bytes) && bytes >= least && rows * bytes >= STREAM_BYTES) return true;
    return columns_scattered(of->col, of->slots, rows, (size_t)bytes);
}

enum status spmm_prepare_cut(struct launch *launch, const struct spmm_cut *cut, struct error *error)
{
    const size_t cuts = (size_t)launch->threads + 1;
    enum status status = spmm_prepare(launch, error);
    if (status != STATUS_OK) return status;
    struct spmm *spmm = launch->state;
    spmm->cut = memory_array(cuts, sizeof *cut, error);
    if (!spmm->cut) return STATUS_MEMORY;
    memcpy(spmm->cut, cut, cuts * sizeof *cut);
    return spmm_allocate(launch, (int64_t)launch->threads * spmm->block, "the sums of the threads",
                         &spmm->carried, error);
}

enum status spmm_prepare(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    struct spmm *spmm = memory_zeroed(1, sizeof *spmm, error);
    if (!spmm) return STATUS_MEMORY;
    launch->state = spmm;
    spmm->rows = launch->kernel->spmm_rows(storage);
    const struct spmm_rows *rows = &spmm->rows;
    spmm->loops = loops_of(storage);
    spmm->block = by_columns(launch) ? block_columns(launch) : launch->product.columns;
    spmm->division = division_new(launch, rows->units, slots_before, rows, error);
    if (!spmm->division) return STATUS_MEMORY;
    if (launch->product.transposed) return spmm_add_prepare(launch, error);
    spmm->far = asks_ahead(launch, spmm, storage->cols, (int64_t)value_bytes(launch) * spmm->block);
    if (!by_columns(launch)) return STATUS_OK;
    return spmm_allocate(launch, storage->cols * spmm->block, "vectors side by side", &spmm->packed, error);
}

void spmm_release(struct launch *launch)
{
    struct spmm *spmm = launch->state;
    if (product_plain(launch->product)) {
        division_release(launch);
        return;
    }
    if (spmm->work) free(spmm->work->copies);
    free(spmm->work);
    free(spmm->division);
    free(spmm->packed);
    free(spmm->cut);
    free(spmm->carried);
    free(spmm);
    launch->state = NULL;
}

/* Y = A X */

/* Pack rows first .. end-1 of a block of X. */
static void pack(const struct launch *launch, int first_column, int columns, int64_t first, int64_t end)
{
    const struct spmm *spmm = launch->state;
    const int64_t cols = launch->storage->cols;
    for (int64_t j = first; j < end; j += TILE) {
        const struct spmm_part part = {.x = at(launch, launch->x, cols, j, first_column),
                                       .y =
                                           (char *)spmm->packed + (size_t)(j * columns) * value_bytes(launch),
                                       .columns = columns};
        spmm->loops->contiguous->spmm_pack(&part, cols, NULL, min(TILE, end - j));
    }
}

/* Multiply a thread's units by the packed block: some rows of Y at a time, which are then unpacked. */
static void multiply_packed(const struct launch *launch, int first_column, int columns, int64_t first,
                            int64_t end)
{
    const struct spmm *spmm = launch->state;
    const int64_t m = launch->storage->rows;
    const int32_t *perm = spmm->rows.perm;
    double tile[TILE * BLOCK_BYTES / sizeof(double)] __attribute__((aligned(64)));
    for (int64_t u = first; u < end; u += TILE) {
        int64_t count = min(TILE, end - u);
        const struct spmm_part part = {.x = spmm->packed,
                                       .y = tile,
                                       .x_step = columns,
                                       .y_step = columns,
                                       .columns = columns,
                                       .far = spmm->far,
                                       .by_unit = true};
        spmm->loops->contiguous->spmm(&spmm->rows, &part, u, u + count);
        const struct spmm_part back = {.x = tile,
                                       .y = at(launch, launch->y, m, perm ? 0 : u, first_column),
                                       .columns = columns,
                                       .add = launch->product.accumulate || spmm->rows.kind == SPMM_ENTRY};
        spmm->loops->contiguous->spmm_unpack(&back, m, perm ? perm + u : NULL, count);
    }
}

/* Multiply units first .. end-1 if X and Y are stored row by row. */
static void multiply_rows(const struct launch *launch, int64_t first, int64_t end)
{
    const struct spmm *spmm = launch->state;
    const int columns = launch->product.columns;
    bool add = launch->product.accumulate || spmm->rows.kind == SPMM_ENTRY;
    bool large = launch->storage->rows * columns * (int64_t)value_bytes(launch) >= STREAM_BYTES;
    const struct spmm_part part = {.x = launch->x,
                                   .y = launch->y,
                                   .x_step = columns,
                                   .y_step = columns,
                                   .columns = columns,
                                   .add = add,
                                   .stream = large && !add,
                                   .far = spmm->far};
    spmm->loops->contiguous->spmm(&spmm->rows, &part, first, end);
}

/* Sum the entries first .. end-1, which are of one row, into `columns` elements at `to`. */
static void sum_entries(const struct launch *launch, int columns, int64_t first, int64_t end, void *to)
{
    const struct spmm *spmm = launch->state;
    const int64_t ptr[2] = {first, end};
    struct spmm_rows piece = spmm->rows;
    piece.ptr = ptr;
    piece.wide = true;
    const struct spmm_part part = {.x = spmm->packed ? spmm->packed : launch->x,
                                   .y = to,
                                   .x_step = columns,
                                   .y_step = columns,
                                   .columns = columns,
                                   .far = spmm->far,
                                   .by_unit = true};
    spmm->loops->contiguous->spmm(&piece, &part, 0, 1);
}

/* Store the elements of a row to Y, or add them. */
static void put_row(const struct launch *launch, int first_column, int columns, int64_t i, const void *from,
                    bool add)
{
    const struct spmm *spmm = launch->state;
    const int64_t m = launch->storage->rows;
    const struct spmm_part part = {.x = from,
                                   .y = at(launch, launch->y, m, i, first_column),
                                   .x_step = columns,
                                   .y_step = columns,
                                   .columns = columns,
                                   .add = add};
    if (by_columns(launch))
        spmm->loops->contiguous->spmm_unpack(&part, m, NULL, 1);
    else
        spmm->loops->contiguous->spmm_copy(&part, 1);
}

/* Return the first entry of a row. */
static int64_t entry_of(const struct spmm *spmm, int64_t row)
{
    int64_t cursor = 0;
    return row < spmm->rows.units ? spmm_entries(&spmm->rows, SPMM_CSR, row, &cursor).first
                                  : spmm->rows.slots;
}

static char *carried_of(const struct launch *launch, int t)
{
    const struct spmm *spmm = launch->state;
    return (char *)spmm->carried + (size_t)t * (size_t)spmm->block * value_bytes(launch);
}

/* Multiply the share of thread t: the rest of its first row, whole rows, and its part of the row in which the
 * next share begins. */
static void multiply_cut(const struct launch *launch, int t, int first_column, int columns)
{
    const struct spmm *spmm = launch->state;
    const struct spmm_cut *stop = &spmm->cut[t + 1];
    int64_t row = spmm->cut[t].row, entry = spmm->cut[t].entry;
    double sum[TILE * BLOCK_BYTES / sizeof(double)] __attribute__((aligned(64)));
    if (row < stop->row && entry > entry_of(spmm, row)) {
        sum_entries(launch, columns, entry, entry_of(spmm, row + 1), sum);
        put_row(launch, first_column, columns, row, sum, launch->product.accumulate);
        entry = entry_of(spmm, ++row);
    }
    if (row < stop->row) {
        if (by_columns(launch))
            multiply_packed(launch, first_column, columns, row, stop->row);
        else
            multiply_rows(launch, row, stop->row);
        entry = entry_of(spmm, stop->row);
    }
    sum_entries(launch, columns, entry, stop->entry, carried_of(launch, t));
}

/* The carried sum of thread t belongs to the row in which share t + 1 begins, whether the row ends there or
 * later. */
static void add_carried(const struct launch *launch, int first_column, int columns)
{
    const struct spmm *spmm = launch->state;
    for (int t = 0; t < launch->threads; t++)
        if (spmm->cut[t + 1].row < spmm->rows.units)
            put_row(launch, first_column, columns, spmm->cut[t + 1].row, carried_of(launch, t), true);
}

static void run_columns(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    const int64_t *bound = spmm->division->bound, cols = launch->storage->cols;
    const int threads = launch->threads, all = launch->product.columns;
#pragma omp parallel num_threads(threads)
    for (int c = 0; c < all; c += spmm->block) {
        int columns = all - c < spmm->block ? all - c : spmm->block;
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads; t++)
            pack(launch, c, columns, cols * t / threads, cols * (t + 1) / threads);
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads; t++)
            if (spmm->cut)
                multiply_cut(launch, t, c, columns);
            else
                multiply_packed(launch, c, columns, bound[t], bound[t + 1]);
#pragma omp single
        if (spmm->cut) add_carried(launch, c, columns);
    }
}

static void run_rows(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    const int64_t *bound = spmm->division->bound;
    const int columns = launch->product.columns;
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        if (spmm->cut)
            multiply_cut(launch, t, 0, columns);
        else
            multiply_rows(launch, bound[t], bound[t + 1]);
    if (spmm->cut) add_carried(launch, 0, columns);
}

bool spmm_run(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    if (product_plain(launch->product)) return false;
    bool entries = spmm->rows.kind == SPMM_ENTRY && !launch->product.transposed;
    if (entries && !launch->product.accumulate)
        memset(launch->y, 0, (size_t)(launch->storage->rows * launch->product.columns) * value_bytes(launch));
    if (launch->product.transposed)
        spmm_add_run(launch);
    else if (by_columns(launch))
        run_columns(launch);
    else
        run_rows(launch);
    return true;
}

/* X is loaded once a row, or once an entry in formats without rows. The sums, in Y or in a share's copy, are
 * cleared, and loaded and stored for each entry. Then the copies are added to Y row by row. */
void spmm_traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct spmm *spmm = launch->state;
    const struct storage *storage = launch->storage;
    const int64_t columns = launch->product.columns;
    bool add = launch->product.accumulate;
    if (product_plain(launch->product)) return;
    const struct csc_work *work = spmm->work;
    const int64_t slots = spmm->rows.slots;
    if (spmm->packed) traffic->own_bytes = (size_t)(storage->cols * columns) * value_bytes(launch);
    if (!launch->product.transposed) return;
    traffic->own_bytes = (size_t)(work->copied * columns) * value_bytes(launch);
    traffic->x_loads = spmm->rows.units;
    traffic->y_loads = slots + (add ? work->joined : work->twice);
    traffic->y_stores = slots + work->copied + (add ? work->joined : storage->cols + work->twice);
}
