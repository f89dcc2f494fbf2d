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

void spmm_reach(const struct spmm_rows *rows, int64_t first, int64_t end, int64_t *low, int64_t *high)
{
    int64_t cursor = spmm_cursor(rows, first);
    for (int64_t u = first; u < end; u++) {
        const struct spmm_entries entries = spmm_entries(rows, rows->kind, u, &cursor);
        /* Columns ascend in a row; padding has the column of the last entry, or 0 in an empty row. */
        if (entries.count == 0) continue;
        *low = min(*low, rows->col[entries.first]);
        *high = max(*high, (int64_t)rows->col[entries.first + (entries.count - 1) * rows->stride] + 1);
    }
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
    const enum spmm_kind kind = spmm->rows.kind;
    return (kind == SPMM_CSR || kind == SPMM_SELL) && !launch->storage->complex && bytes <= 4 * LINE_BYTES &&
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

/* The bytes of a thread's carried sums: whole lines, so that threads do not write to the same one. */
static size_t carried_bytes(const struct launch *launch)
{
    return ((size_t)launch->product.columns * value_bytes(launch) + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

static enum status prepare(struct launch *launch, const struct spmm_cut *cut, struct error *error)
{
    const struct storage *storage = launch->storage;
    const size_t cuts = (size_t)launch->threads + 1;
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
    if (cut) {
        spmm->cut = memory_array(cuts, sizeof *cut, error);
        if (!spmm->cut) return STATUS_MEMORY;
        memcpy(spmm->cut, cut, cuts * sizeof *cut);
        const size_t elements = (cuts - 1) * carried_bytes(launch) / value_bytes(launch);
        enum status status =
            spmm_allocate(launch, (int64_t)elements, "the sums of the threads", &spmm->carried, error);
        if (status != STATUS_OK) return status;
    }
    return by_columns(launch) ? spmm_columns_prepare(launch, error) : STATUS_OK;
}

enum status spmm_prepare(struct launch *launch, struct error *error)
{
    return prepare(launch, NULL, error);
}

enum status spmm_prepare_cut(struct launch *launch, const struct spmm_cut *cut, struct error *error)
{
    return prepare(launch, cut, error);
}

void spmm_release(struct launch *launch)
{
    struct spmm *spmm = launch->state;
    if (vectors_single(launch)) {
        division_release(launch);
        return;
    }
    if (spmm->work) free(spmm->work->copies);
    free(spmm->work);
    free(spmm->division);
    free(spmm->window);
    free(spmm->packed);
    free(spmm->cut);
    free(spmm->carried);
    free(spmm);
    launch->state = NULL;
}

/* Y = A X */

/* Multiply units by a block of columns: some rows of Y at a time, which are then unpacked. */
static void multiply_columns(const struct launch *launch, const struct spmm_block *block, int64_t first,
                             int64_t end)
{
    const struct spmm *spmm = launch->state;
    const int64_t m = launch->storage->rows;
    const int32_t *perm = spmm->rows.perm;
    const struct contiguous_loops *loops = spmm->loops->contiguous;
    double tile[TILE * BLOCK_BYTES / sizeof(double)] __attribute__((aligned(64)));
    for (int64_t u = first; u < end; u += TILE) {
        int64_t count = min(TILE, end - u);
        const struct spmm_part part = {.x = block->x,
                                       .y = tile,
                                       .x_step = block->columns,
                                       .y_step = block->columns,
                                       .columns = block->columns,
                                       .far = spmm->far,
                                       .by_unit = true};
        loops->spmm(&spmm->rows, &part, u, u + count);
        const struct spmm_part back = {.x = tile,
                                       .y = at(launch, launch->y, m, perm ? 0 : u, block->first),
                                       .columns = block->columns,
                                       .add = launch->product.accumulate || spmm->rows.kind == SPMM_ENTRY};
        loops->spmm_unpack(&back, m, perm ? perm + u : NULL, count);
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

/* Sum the entries first .. end-1, which are of one row, into the elements of a block at `to`. */
static void sum_entries(const struct launch *launch, const struct spmm_block *block, int64_t first,
                        int64_t end, void *to)
{
    const struct spmm *spmm = launch->state;
    const struct contiguous_loops *loops = spmm->loops->contiguous;
    const int64_t ptr[2] = {first, end};
    struct spmm_rows piece = spmm->rows;
    piece.ptr = ptr;
    piece.wide = true;
    const struct spmm_part part = {.x = block->x,
                                   .y = to,
                                   .x_step = block->columns,
                                   .y_step = block->columns,
                                   .columns = block->columns,
                                   .far = spmm->far,
                                   .by_unit = true};
    loops->spmm(&piece, &part, 0, 1);
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
    return (char *)spmm->carried + (size_t)t * carried_bytes(launch);
}

/* Multiply whole rows. */
static void multiply(const struct launch *launch, const struct spmm_block *block, int64_t first, int64_t end)
{
    if (by_columns(launch))
        multiply_columns(launch, block, first, end);
    else
        multiply_rows(launch, first, end);
}

/* Multiply the share of thread t: the rest of its first row, whole rows, and its part of the row in which the
 * next share begins. */
static void multiply_cut(const struct launch *launch, int t, const struct spmm_block *block)
{
    const struct spmm *spmm = launch->state;
    const struct spmm_cut *stop = &spmm->cut[t + 1];
    int64_t row = spmm->cut[t].row, entry = spmm->cut[t].entry;
    double sum[TILE * BLOCK_BYTES / sizeof(double)] __attribute__((aligned(64)));
    if (row < stop->row && entry > entry_of(spmm, row)) {
        sum_entries(launch, block, entry, entry_of(spmm, row + 1), sum);
        put_row(launch, block->first, block->columns, row, sum, launch->product.accumulate);
        entry = entry_of(spmm, ++row);
    }
    if (row < stop->row) {
        multiply(launch, block, row, stop->row);
        entry = entry_of(spmm, stop->row);
    }
    sum_entries(launch, block, entry, stop->entry,
                carried_of(launch, t) + (size_t)block->first * value_bytes(launch));
}

/* The carried sum of thread t belongs to the row in which share t + 1 begins, whether the row ends there or
 * later. */
static void add_carried(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    for (int t = 0; t < launch->threads && spmm->cut; t++)
        if (spmm->cut[t + 1].row < spmm->rows.units)
            put_row(launch, 0, launch->product.columns, spmm->cut[t + 1].row, carried_of(launch, t), true);
}

void spmm_share(const struct launch *launch, int t, const struct spmm_block *block)
{
    const struct spmm *spmm = launch->state;
    if (spmm->cut)
        multiply_cut(launch, t, block);
    else
        multiply(launch, block, spmm->division->bound[t], spmm->division->bound[t + 1]);
}

static void run_rows(const struct launch *launch)
{
    const int columns = launch->product.columns;
    const struct spmm_block block = {.columns = columns, .x = launch->x};
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        spmm_share(launch, t, &block);
}

bool spmm_run(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    if (vectors_single(launch)) return false;
    bool entries = spmm->rows.kind == SPMM_ENTRY && !launch->product.transposed;
    if (entries && !launch->product.accumulate)
        memset(launch->y, 0, (size_t)(launch->storage->rows * launch->product.columns) * value_bytes(launch));
    if (launch->product.transposed)
        spmm_add_run(launch);
    else if (by_columns(launch))
        spmm_columns_run(launch);
    else
        run_rows(launch);
    add_carried(launch);
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
    if (vectors_single(launch)) return;
    const struct csc_work *work = spmm->work;
    const int64_t slots = spmm->rows.slots;
    if (spmm->packed) traffic->own_bytes = (size_t)(spmm_packed_rows(launch) * columns) * value_bytes(launch);
    if (!launch->product.transposed) return;
    traffic->own_bytes = (size_t)(work->copied * columns) * value_bytes(launch);
    traffic->x_loads = spmm->rows.units;
    traffic->y_loads = slots + (add ? work->joined : work->twice);
    traffic->y_stores = slots + work->copied + (add ? work->joined : storage->cols + work->twice);
}
