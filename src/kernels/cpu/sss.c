#include "kernels/cpu/sss.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/array.h"
#include "formats/sss.h"
#include "kernels/cpu/cpu.h"

static enum status prepare_seq(struct launch *launch, struct error *error)
{
    return divide(launch, launch->storage->rows, NULL, error);
}

static void run_seq(const struct launch *launch)
{
    const struct division *division = launch->state;
    division->loops->contiguous->sss_plain(launch, 0, launch->storage->rows);
}

/* Each entry below the diagonal loads two elements of x, but that of its row counts only once per row. The
 * entry's mirror image loads and stores an element of y. */
static void traffic_seq(const struct launch *launch, struct traffic *traffic)
{
    const struct storage *storage = launch->storage;
    traffic->x_loads = storage->rows + storage->slots[1];
    traffic->y_loads = storage->slots[1] + (launch->product.accumulate ? storage->rows : 0);
    traffic->y_stores = storage->slots[1] + storage->rows;
}

/* Find the first row that a share adds to, and the row after its last one with an entry left of column
 * share->first. Columns ascend in a row. */
static void find_reach(const struct storage *storage, struct sss_share *share)
{
    const struct array *row_ptr = &storage->array[SSS_ROW_PTR];
    const int32_t *col = storage->array[SSS_COL].data;
    share->low = share->alone = share->first;
    for (int64_t i = share->first; i < share->end; i++) {
        const int64_t k = array_integer(row_ptr, i);
        if (k == array_integer(row_ptr, i + 1) || col[k] >= share->first) continue;
        share->low = min(share->low, (int64_t)col[k]);
        share->alone = i + 1;
    }
}

static void release_omp(struct launch *launch)
{
    struct sss_work *work = launch->state;
    if (work) {
        free(work->copies);
        free(work->window);
        free(work->run);
        free(work->order);
    }
    free(work);
    launch->state = NULL;
}

static size_t value_bytes(const struct launch *launch)
{
    return element_size(launch->storage->array[SSS_VAL].element);
}

/* The user's limit minus the matrix and `bytes`; 0: none. */
static size_t limit_beside(const struct launch *launch, size_t bytes)
{
    const size_t limit = launch->storage->limit, taken = storage_size(launch->storage).bytes + bytes;
    if (!limit) return 0;
    return limit > taken ? limit - taken : 1;
}

/* Allocate the copies, if they fit in the limit. */
static enum status allocate_copies(struct launch *launch, struct sss_work *work, struct error *error)
{
    size_t bytes;
    if (work->copied == 0) return STATUS_OK;
    if (!size_multiply((size_t)work->room, value_bytes(launch), &bytes)) bytes = SIZE_MAX;
    enum status status = memory_check(bytes, limit_beside(launch, 0), "the sums of sss-omp's threads", error);
    if (status != STATUS_OK) return status;
    work->copies = memory_array((size_t)work->room, value_bytes(launch), error);
    return work->copies ? STATUS_OK : STATUS_MEMORY;
}

/* The loop for windows is for real matrices with offsets of 32 bits. */
static enum status divide_shares(struct launch *launch, struct sss_work *work, struct error *error)
{
    const struct storage *storage = launch->storage;
    if (storage->complex || storage->array[SSS_ROW_PTR].element == ELEMENT_I64) return STATUS_OK;
    return sss_divide(storage, limit_beside(launch, (size_t)work->room * value_bytes(launch)), work, error);
}

static int64_t work_before_row(const void *of, int64_t i)
{
    return array_integer(of, i);
}

static enum status prepare_omp(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    const int threads = launch->threads;
    struct sss_work *work = memory_zeroed(sizeof *work + (size_t)threads * sizeof work->share[0], 1, error);
    launch->state = work;
    if (!work) return STATUS_MEMORY;
    struct division *division =
        division_new(launch, storage->rows, work_before_row, &storage->array[SSS_ROW_PTR], error);
    if (!division) return STATUS_MEMORY;
    work->loops = division->loops;
    work->shares = threads;
    work->join_first = storage->rows;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
        work->share[t].first = division->bound[t];
        work->share[t].end = division->bound[t + 1];
        find_reach(storage, &work->share[t]);
    }
    for (int t = 0; t < threads; t++) {
        struct sss_share *share = &work->share[t];
        share->copy = work->room;
        work->copied += share->first - share->low;
        if (share->low == share->first) continue;
        work->join_first = min(work->join_first, share->low);
        work->join_end = share->first;
        work->room += min(share->end, share->alone + SSS_WINDOW_ROWS) - share->low;
    }
    free(division);
    enum status status = allocate_copies(launch, work, error);
    return status == STATUS_OK ? divide_shares(launch, work, error) : status;
}

static void run_omp(const struct launch *launch)
{
    const struct sss_work *work = launch->state;
    const struct contiguous_loops *loops = work->loops->contiguous;
    const int64_t threads = launch->threads, first = work->join_first, joined = work->join_end - first;
#pragma omp parallel num_threads(launch->threads)
    {
#pragma omp for schedule(static, 1) nowait
        for (int64_t t = 0; t < threads; t++)
            loops->sss(launch, t, t + 1);
        if (work->copied > 0) {
#pragma omp barrier
#pragma omp for schedule(static, 1) nowait
            for (int64_t t = 0; t < threads; t++)
                loops->sss_join(launch, first + joined * t / threads, first + joined * (t + 1) / threads);
        }
    }
}

/* Copies are cleared, and later loaded and added to y. Elements of y in sorted windows are set first, and
 * then loaded and stored again. Rows that are summed beside the copies are loaded there, and stored to y. */
static void traffic_omp(const struct launch *launch, struct traffic *traffic)
{
    const struct sss_work *work = launch->state;
    traffic_seq(launch, traffic);
    traffic->own_bytes =
        (size_t)(work->copied + work->moved) * value_bytes(launch) + sss_table_bytes(launch->storage, work);
    traffic->y_loads += work->copied + work->begun + work->moved;
    traffic->y_stores += 2 * work->copied + work->begun + work->moved;
}

/* These kernels borrow no pace, and have no forecast until one is fitted. Before windows they took 0.5 to 1.4
 * times as long as the kernels of CSR (README.md). A forecast by the pace of CSR and half the bytes would
 * recommend them where they are slower. */
const struct kernel kernel_cpu_sss_seq = {
    CPU_KERNEL("sss-seq", sss),
    PUBLISHED_LOOP,
    .summary = "row by row, each entry also as its mirror image, one thread",
    .source = "Saad, SPARSKIT: a basic tool kit for sparse matrix computations, version 2, 1994",
    .prepare = prepare_seq,
    .run = run_seq,
    .release = division_release,
    .traffic = traffic_seq,
    .host = {.work = HOST_ROWS},
};

const struct kernel kernel_cpu_sss_omp = {
    CPU_KERNEL("sss-omp", sss),
    .summary = "each thread has rows with equally many entries; images in rows before them are summed "
               "separately first",
    .source = "after Batista, Ainsworth and Ribeiro, \"Parallel structurally-symmetric sparse matrix-vector "
              "products on multi-core processors\", 2010",
    .wins = "It suits symmetric matrices with their entries near the diagonal: half the bytes are read. Rows "
            "that several threads reach are added at the end, which costs more the wider the entries are "
            "scattered.",
    .prepare = prepare_omp,
    .run = run_omp,
    .release = release_omp,
    .traffic = traffic_omp,
    .host = {.work = HOST_ROWS},
};
