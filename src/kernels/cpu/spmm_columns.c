/* Y = A X with X and Y by columns: the source of X, its copies, and the product. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "kernels/cpu/spmm_parts.h"

/* Own copies pay if together they have at most this multiple of the slots as rows, and if they stay in the
 * caches of the threads' cores. A row is copied as its neighbours in memory, faster than a slot loads it.
 * Threads that copy together must read most rows from the caches of other cores. */
#define COPY_SHARE 2
#define COPY_BYTES ((int64_t)2 << 20)

/* The rows of X that the share of thread t uses. */
static struct spmm_window window_of(const struct launch *launch, int t)
{
    const struct spmm *spmm = launch->state;
    const int64_t *bound = spmm->division->bound;
    int64_t first = bound[t], end = bound[t + 1];
    struct spmm_window window = {.low = INT64_MAX};
    if (spmm->cut) {
        first = spmm->cut[t].row;
        end = min(spmm->cut[t + 1].row + 1, spmm->rows.units);
    }
    spmm_reach(&spmm->rows, first, end, &window.low, &window.high);
    if (window.high == 0) window.low = 0;
    return window;
}

/* The sum of the windows' rows. */
static int64_t own_rows(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    int64_t sum = 0;
    for (int t = 0; t < launch->threads; t++)
        sum += spmm->window[t].high - spmm->window[t].low;
    return sum;
}

static bool own_copies_pay(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    const int64_t own = own_rows(launch), cols = launch->storage->cols;
    const int64_t bytes = own * spmm->block * (int64_t)value_bytes(launch);
    if (own <= cols + cols / 4) return true; /* hardly more than a common copy */
    return own <= COPY_SHARE * spmm->rows.slots && bytes <= launch->threads * COPY_BYTES;
}

int64_t spmm_packed_rows(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    return spmm->source == SPMM_OWN ? own_rows(launch) : launch->storage->cols;
}

enum status spmm_columns_prepare(struct launch *launch, struct error *error)
{
    struct spmm *spmm = launch->state;
    int64_t rows = 0;
    spmm->window = memory_array((size_t)launch->threads, sizeof *spmm->window, error);
    if (!spmm->window) return STATUS_MEMORY;
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        spmm->window[t] = window_of(launch, t);
    spmm->source = own_copies_pay(launch) ? SPMM_OWN : SPMM_SHARED;
    for (int t = 0; t < launch->threads; t++) {
        spmm->window[t].place = rows;
        rows += spmm->window[t].high - spmm->window[t].low;
    }
    return spmm_allocate(launch, spmm_packed_rows(launch) * spmm->block, "vectors side by side",
                         &spmm->packed, error);
}

/* Copy rows first .. end-1 of a block of X to `to`. */
static void pack(const struct launch *launch, const struct spmm_block *block, int64_t first, int64_t end,
                 char *to)
{
    const struct spmm *spmm = launch->state;
    const int64_t cols = launch->storage->cols;
    const size_t row = (size_t)block->columns * value_bytes(launch);
    for (int64_t j = first; j < end; j += TILE) {
        const struct spmm_part part = {.x = at(launch, launch->x, cols, j, block->first),
                                       .y = to + (size_t)(j - first) * row,
                                       .columns = block->columns};
        spmm->loops->contiguous->spmm_pack(&part, cols, NULL, min(TILE, end - j));
    }
}

/* The block of columns from `first` on. */
static struct spmm_block block_at(const struct launch *launch, int first)
{
    const struct spmm *spmm = launch->state;
    const int left = launch->product.columns - first, columns = left < spmm->block ? left : spmm->block;
    return (struct spmm_block){.first = first, .columns = columns, .x = spmm->packed};
}

/* Each thread by itself, with its own copies. Their positions are those of whole blocks: while one thread
 * reads such a block, another may already copy the last one, which has fewer columns. */
static void run_own(const struct launch *launch, int t)
{
    const struct spmm *spmm = launch->state;
    const struct spmm_window *window = &spmm->window[t];
    const size_t value = value_bytes(launch);
    char *copy = (char *)spmm->packed + (size_t)(window->place * spmm->block) * value;
    for (int c = 0; c < launch->product.columns; c += spmm->block) {
        struct spmm_block block = block_at(launch, c);
        pack(launch, &block, window->low, window->high, copy);
        block.x = (const void *)((uintptr_t)copy - (size_t)(window->low * block.columns) * value);
        spmm_share(launch, t, &block);
    }
}

/* A common copy of each block. */
static void run_shared(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    const int64_t cols = launch->storage->cols;
    const int threads = launch->threads, all = launch->product.columns;
#pragma omp parallel num_threads(threads)
    for (int c = 0; c < all; c += spmm->block) {
        const struct spmm_block block = block_at(launch, c);
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads; t++) {
            const int64_t first = cols * t / threads;
            pack(launch, &block, first, cols * (t + 1) / threads,
                 (char *)spmm->packed + (size_t)(first * block.columns) * value_bytes(launch));
        }
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads; t++)
            spmm_share(launch, t, &block);
    }
}

void spmm_columns_run(const struct launch *launch)
{
    const struct spmm *spmm = launch->state;
    if (spmm->source == SPMM_SHARED) {
        run_shared(launch);
        return;
    }
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        run_own(launch, t);
}
