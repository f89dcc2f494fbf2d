/* Y = A^T X with A as stored: the products of a row of X are added to many rows of Y. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "kernels/cpu/spmm_parts.h"

/* The share of a thread: its units, and the range of columns of their entries. */
static struct csc_share make_share(const struct spmm_rows *rows, int64_t first, int64_t end)
{
    struct csc_share share = {.first = first, .end = end, .low = INT64_MAX, .copy = -1, .next = -1};
    spmm_reach(rows, first, end, &share.low, &share.high);
    if (share.high == 0) share.low = 0;
    return share;
}

enum status spmm_add_prepare(struct launch *launch, struct error *error)
{
    struct spmm *spmm = launch->state;
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
    return spmm_allocate(launch, work->copied * spmm->block, "the sums of the threads", &work->copies, error);
}

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
        spmm->loops->contiguous->spmm_clear(&cleared, share->high - share->low);
    }
    if (!by_columns(launch)) {
        part.x = at(launch, launch->x, launch->storage->rows, 0, block.first);
        part.x_step = all;
        spmm->loops->contiguous->spmm_add(&spmm->rows, &part, share->first, share->end);
        return;
    }
    const int64_t m = launch->storage->rows;
    const int32_t *perm = spmm->rows.perm;
    double tile[TILE * BLOCK_BYTES / sizeof(double)] __attribute__((aligned(64)));
    for (int64_t u = share->first; u < share->end; u += TILE) {
        int64_t count = min(TILE, share->end - u);
        const struct spmm_part packing = {
            .x = at(launch, launch->x, m, perm ? 0 : u, block.first), .y = tile, .columns = block.columns};
        spmm->loops->contiguous->spmm_pack(&packing, m, perm ? perm + u : NULL, count);
        part.x = tile;
        part.x_step = block.columns;
        part.by_unit = true;
        spmm->loops->contiguous->spmm_add(&spmm->rows, &part, u, u + count);
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
        spmm->loops->contiguous->spmm_copy(part, high - low);
    }
    part->y = y;
}

/* Set rows first .. end-1 of Y to 0, except those of shares that add to Y themselves. */
static void clear_others(const struct launch *launch, int64_t first, int64_t end, struct block block)
{
    const struct spmm *spmm = launch->state;
    const struct csc_work *work = spmm->work;
    for (int t = work->direct; first < end; t = work->share[t].next) {
        int64_t low = t >= 0 ? min(work->share[t].low, end) : end;
        const struct spmm_part part = {.y = at(launch, launch->y, launch->storage->cols, first, block.first),
                                       .y_step = launch->product.columns,
                                       .columns = block.columns};
        if (first < low) spmm->loops->contiguous->spmm_clear(&part, low - first);
        if (t < 0) return;
        first = max(first, work->share[t].high);
    }
}

/* Compute rows first .. end-1 of Y from the shares' sums. */
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
        spmm->loops->contiguous->spmm_clear(&part, stop - i);
        add_copies(launch, &part, i, stop, block);
        const struct spmm_part back = {.x = tile,
                                       .y = at(launch, launch->y, n, i, block.first),
                                       .columns = block.columns,
                                       .add = launch->product.accumulate};
        spmm->loops->contiguous->spmm_unpack(&back, n, NULL, stop - i);
    }
}

void spmm_add_run(const struct launch *launch)
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
