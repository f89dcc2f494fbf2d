#include "kernels/cpu/spmm.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/coo.h"
#include "formats/csr.h"
#include "formats/ell.h"
#include "formats/sell.h"
#include "kernels/cpu/scattered.h"

/* A block of columns has so many bytes a row, where vectors or sums are copied: four lines of the cache. */
#define BLOCK_BYTES 256

/* So many rows at a time are brought from one layout into the other, in the first-level cache. */
#define TILE 32

/* A Y of so many bytes does not stay in a core's caches, and is written around them. */
#define STREAM_BYTES ((int64_t)4 << 20)

struct spmm_rows spmm_rows_of(const struct storage *storage)
{
    const struct array *array = storage->array;
    struct spmm_rows rows = {.units = storage->rows, .wide = storage->wide, .stride = 1};
    if (storage->format == &format_csr) {
        rows.kind = SPMM_CSR;
        rows.ptr = array[CSR_ROW_PTR].data;
        rows.wide = array[CSR_ROW_PTR].element == ELEMENT_I64;
        rows.col = array[CSR_COL].data;
        rows.val = array[CSR_VAL].data;
        rows.slots = storage->nnz;
    } else if (storage->format == &format_coo) {
        bool sorted = (int)storage_parameter(storage, COO_ORDER) == COO_BY_ROW;
        rows.kind = sorted ? SPMM_COO : SPMM_ENTRY;
        rows.row = array[COO_ROW].data;
        rows.col = array[COO_COL].data;
        rows.val = array[COO_VAL].data;
        rows.slots = storage->nnz;
        if (!sorted) rows.perm = rows.row;
        if (!sorted) rows.units = storage->nnz;
    } else if (storage->format == &format_ell) {
        rows.kind = SPMM_ELL;
        rows.col = array[ELL_COL].data;
        rows.val = array[ELL_VAL].data;
        rows.slots = storage->slots[0];
        rows.width = storage->number[ELL_WIDTH];
        rows.sentinel = storage_parameter(storage, ELL_PAD) == ELL_SENTINEL;
        if (storage_parameter(storage, ELL_LAYOUT) == ELL_TRANSPOSED) rows.stride = storage->rows;
    } else {
        rows.kind = SPMM_SELL;
        rows.ptr = array[SELL_CHUNK_PTR].data;
        rows.wide = array[SELL_CHUNK_PTR].element == ELEMENT_I64;
        rows.col = array[SELL_COL].data;
        rows.val = array[SELL_VAL].data;
        rows.perm = storage->count > SELL_PERM ? array[SELL_PERM].data : NULL;
        rows.slots = storage->slots[0];
        rows.stride = (int64_t)storage->values.number[SELL_C];
    }
    return rows;
}

int64_t spmm_cursor(const struct spmm_rows *rows, int64_t u)
{
    int64_t low = 0, high = rows->kind == SPMM_COO ? rows->slots : 0;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (rows->row[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The slots before unit u, for the division of units among threads. */
static int64_t slots_before(const void *of, int64_t u)
{
    const struct spmm_rows *rows = of;
    if (rows->kind == SPMM_COO) return spmm_cursor(rows, u);
    if (rows->kind == SPMM_ELL || rows->kind == SPMM_ENTRY) return 0;
    const int64_t *longs = rows->ptr, at = rows->kind == SPMM_CSR ? u : u / rows->stride;
    const int32_t *shorts = rows->ptr;
    return rows->wide ? longs[at] : shorts[at];
}

static size_t value_bytes(const struct launch *launch)
{
    return element_size(storage_values(launch->storage, 0)->element);
}

/* The columns of a block, if vectors or sums are copied. */
static int block_columns(const struct launch *launch)
{
    int most = BLOCK_BYTES / (int)value_bytes(launch);
    return launch->product.columns < most ? launch->product.columns : most;
}

/* True if X and Y are not stored row by row; a single vector is. */
static bool by_columns(const struct launch *launch)
{
    return launch->product.columns > 1 && !launch->product.by_rows;
}

/* Allocate so many elements, if they keep what the user's limit leaves beside the matrix. */
static enum status allocate(const struct launch *launch, int64_t elements, const char *what, void **memory,
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

/* The share of a thread: its units, and between which columns of the matrix their entries lie. */
static struct csc_share make_share(const struct spmm_rows *rows, int64_t first, int64_t end)
{
    struct csc_share share = {.first = first, .end = end, .low = INT32_MAX, .copy = -1, .next = -1};
    int64_t cursor = spmm_cursor(rows, first);
    for (int64_t u = first; u < end; u++) {
        const struct spmm_entries entries = spmm_entries(rows, rows->kind, u, &cursor);
        /* Columns ascend in a row; of padding they are those of the last entry, or 0 in an empty row. */
        if (entries.count == 0) continue;
        share.low = min(share.low, rows->col[entries.first]);
        share.high =
            max(share.high, (int64_t)rows->col[entries.first + (entries.count - 1) * rows->stride] + 1);
    }
    if (share.high == 0) share.low = 0;
    return share;
}

static enum status make_work(struct launch *launch, struct spmm *spmm, struct error *error)
{
    int threads = launch->threads;
    struct csc_work *work = memory_zeroed(sizeof *work + (size_t)threads * sizeof work->share[0], 1, error);
    if (!work) return STATUS_MEMORY;
    spmm->work = work;
    work->shares = threads;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++)
        work->share[t] = make_share(&spmm->rows, spmm->division->bound[t], spmm->division->bound[t + 1]);
    csc_choose(work, !by_columns(launch));
    csc_count(work, launch->storage->cols);
    if (work->copied == 0) return STATUS_OK;
    spmm->block = block_columns(launch);
    return allocate(launch, work->copied * spmm->block, "the sums of the threads", &work->copies, error);
}

enum status spmm_prepare(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    struct spmm *spmm = memory_zeroed(1, sizeof *spmm, error);
    if (!spmm) return STATUS_MEMORY;
    launch->state = spmm;
    spmm->rows = spmm_rows_of(storage);
    const struct spmm_rows *rows = &spmm->rows;
    spmm->loops = loops_of(storage);
    spmm->block = by_columns(launch) ? block_columns(launch) : launch->product.columns;
    spmm->division = division_new(launch, rows->units, slots_before, rows, error);
    if (!spmm->division) return STATUS_MEMORY;
    if (launch->product.transposed) return make_work(launch, spmm, error);
    spmm->far =
        columns_scattered(rows->col, rows->slots, storage->cols, value_bytes(launch) * (size_t)spmm->block);
    if (!by_columns(launch)) return STATUS_OK;
    return allocate(launch, storage->cols * spmm->block, "vectors side by side", &spmm->packed, error);
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
    free(spmm);
    launch->state = NULL;
}

/* Y = A X */

/* The place of row i of column c in X or Y, whose vectors have `size` elements. */
static char *at(const struct launch *launch, const void *vectors, int64_t size, int64_t i, int c)
{
    return (char *)(uintptr_t)vectors +
           (size_t)product_place(launch->product, size, i, c) * value_bytes(launch);
}

/* Bring rows first .. end-1 of a block of X beside each other. */
static void pack(const struct launch *launch, int first_column, int columns, int64_t first, int64_t end)
{
    const struct spmm *spmm = launch->state;
    const int64_t cols = launch->storage->cols;
    for (int64_t j = first; j < end; j += TILE) {
        const struct spmm_part part = {.x = at(launch, launch->x, cols, j, first_column),
                                       .y =
                                           (char *)spmm->packed + (size_t)(j * columns) * value_bytes(launch),
                                       .columns = columns};
        spmm->loops->spmm_pack(&part, cols, NULL, min(TILE, end - j));
    }
}

/* Multiply a thread's units by the block that was packed: some rows of Y at a time, which are then brought to
 * their places. */
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
        spmm->loops->spmm(&spmm->rows, &part, u, u + count);
        const struct spmm_part back = {.x = tile,
                                       .y = at(launch, launch->y, m, perm ? 0 : u, first_column),
                                       .columns = columns,
                                       .add = launch->product.accumulate || spmm->rows.kind == SPMM_ENTRY};
        spmm->loops->spmm_unpack(&back, m, perm ? perm + u : NULL, count);
    }
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
            multiply_packed(launch, c, columns, bound[t], bound[t + 1]);
    }
}

static void run_rows(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    const int64_t *bound = spmm->division->bound;
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
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        spmm->loops->spmm(&spmm->rows, &part, bound[t], bound[t + 1]);
}

/* Y = A^T X */

/* A part of a block: columns c .. c+columns-1 of X, and of Y or a share's own sums. */
struct block {
    int first, columns;
};

/* Add a share's products to Y itself, or to its own sums. */
static void add_share(const struct launch *launch, const struct csc_share *share, struct block block)
{
    const struct spmm *spmm = launch->state;
    const int64_t n = launch->storage->cols, all = launch->product.columns;
    const size_t value = value_bytes(launch);
    bool copy = share->copy >= 0;
    struct spmm_part part = {
        .y = copy ? (char *)spmm->work->copies + (size_t)(share->copy * spmm->block) * value
                  : at(launch, launch->y, n, 0, block.first),
        .y_step = copy ? block.columns : all,
        .columns = block.columns,
        .low = copy ? share->low : 0,
    };
    if (share->low == share->high) return;
    if (copy || !launch->product.accumulate) {
        struct spmm_part cleared = part;
        cleared.y = (char *)part.y + (size_t)((share->low - part.low) * part.y_step) * value;
        spmm->loops->spmm_clear(&cleared, share->high - share->low);
    }
    if (!by_columns(launch)) {
        part.x = at(launch, launch->x, launch->storage->rows, 0, block.first);
        part.x_step = all;
        spmm->loops->spmm_add(&spmm->rows, &part, share->first, share->end);
        return;
    }
    const int64_t m = launch->storage->rows;
    const int32_t *perm = spmm->rows.perm;
    double tile[TILE * BLOCK_BYTES / sizeof(double)] __attribute__((aligned(64)));
    for (int64_t u = share->first; u < share->end; u += TILE) {
        int64_t count = min(TILE, share->end - u);
        const struct spmm_part packing = {
            .x = at(launch, launch->x, m, perm ? 0 : u, block.first), .y = tile, .columns = block.columns};
        spmm->loops->spmm_pack(&packing, m, perm ? perm + u : NULL, count);
        part.x = tile;
        part.x_step = block.columns;
        part.by_unit = true;
        spmm->loops->spmm_add(&spmm->rows, &part, u, u + count);
    }
}

/* Add the sums of shares to the rows of `part`, which are rows first .. end-1 of Y. */
static void add_copies(const struct launch *launch, struct spmm_part *part, int64_t first, int64_t end,
                       struct block block)
{
    const struct spmm *spmm = launch->state;
    const size_t value = value_bytes(launch);
    char *y = part->y;
    part->add = true;
    part->x_step = block.columns;
    for (int t = 0; t < spmm->work->shares; t++) {
        const struct csc_share *share = &spmm->work->share[t];
        int64_t low = max(first, share->low), high = min(end, share->high);
        if (share->copy < 0 || low >= high) continue;
        int64_t before = share->copy * spmm->block + (low - share->low) * block.columns;
        part->x = (char *)spmm->work->copies + (size_t)before * value;
        part->y = y + (size_t)((low - first) * part->y_step) * value;
        spmm->loops->spmm_copy(part, high - low);
    }
    part->y = y;
}

/* Set rows first .. end-1 of Y to 0, but for those of shares that add to Y themselves. */
static void clear_others(const struct launch *launch, int64_t first, int64_t end, struct block block)
{
    const struct spmm *spmm = launch->state;
    const struct csc_work *work = spmm->work;
    for (int t = work->direct; first < end; t = work->share[t].next) {
        int64_t low = t >= 0 ? min(work->share[t].low, end) : end;
        const struct spmm_part part = {.y = at(launch, launch->y, launch->storage->cols, first, block.first),
                                       .y_step = launch->product.columns,
                                       .columns = block.columns};
        if (first < low) spmm->loops->spmm_clear(&part, low - first);
        if (t < 0) return;
        first = max(first, work->share[t].high);
    }
}

/* Make rows first .. end-1 of Y out of the shares' sums. */
static void join(const struct launch *launch, int64_t first, int64_t end, struct block block)
{
    const struct spmm *spmm = launch->state;
    const int64_t n = launch->storage->cols;
    double tile[TILE * BLOCK_BYTES / sizeof(double)] __attribute__((aligned(64)));
    for (int64_t i = first, stop; i < end; i = stop) {
        stop = min(i + TILE, end);
        struct spmm_part part = {.columns = block.columns};
        if (!by_columns(launch)) {
            if (!launch->product.accumulate) clear_others(launch, i, stop, block);
            part.y = at(launch, launch->y, n, i, block.first);
            part.y_step = launch->product.columns;
            add_copies(launch, &part, i, stop, block);
            continue;
        }
        part.y = tile;
        part.y_step = block.columns;
        spmm->loops->spmm_clear(&part, stop - i);
        add_copies(launch, &part, i, stop, block);
        const struct spmm_part back = {.x = tile,
                                       .y = at(launch, launch->y, n, i, block.first),
                                       .columns = block.columns,
                                       .add = launch->product.accumulate};
        spmm->loops->spmm_unpack(&back, n, NULL, stop - i);
    }
}

static void run_transposed(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    const int threads = launch->threads, all = launch->product.columns;
    const int64_t n = launch->storage->cols;
#pragma omp parallel num_threads(threads)
    for (int c = 0; c < all; c += spmm->block) {
        const struct block block = {c, all - c < spmm->block ? all - c : spmm->block};
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads; t++)
            add_share(launch, &spmm->work->share[t], block);
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads; t++)
            join(launch, n * t / threads, n * (t + 1) / threads, block);
    }
}

bool spmm_run(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    if (product_plain(launch->product)) return false;
    bool entries = spmm->rows.kind == SPMM_ENTRY && !launch->product.transposed;
    if (entries && !launch->product.accumulate)
        memset(launch->y, 0, (size_t)(launch->storage->rows * launch->product.columns) * value_bytes(launch));
    if (launch->product.transposed)
        run_transposed(launch);
    else if (by_columns(launch))
        run_columns(launch);
    else
        run_rows(launch);
    return true;
}

/* X is loaded once a row, or once an entry where these come by themselves; the sums, in Y or a share's own,
 * are cleared, and loaded and stored for each entry. Then the shares' own are added to Y row by row. */
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
