#include "kernels/cpu/csc.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/array.h"
#include "formats/csc.h"
#include "formats/fill.h"
#include "kernels/cpu/cpu.h"

static size_t value_bytes(const struct launch *launch)
{
    return element_size(launch->storage->array[CSC_VAL].element);
}

static enum status prepare_seq(struct launch *launch, struct error *error)
{
    return divide(launch, launch->storage->cols, NULL, error);
}

static void run_seq(const struct launch *launch)
{
    const struct division *division = launch->state;
    clear_y(launch);
    division->loops->contiguous->csc_plain(launch, 0, launch->storage->cols);
}

/* Each entry loads and stores an element of y, which is cleared before. */
static void traffic_seq(const struct launch *launch, struct traffic *traffic)
{
    const struct storage *storage = launch->storage;
    traffic->x_loads = storage->cols;
    traffic->y_loads = storage->nnz;
    traffic->y_stores = storage->nnz + (launch->product.accumulate ? 0 : storage->rows);
}

/* Return the column of entry e. The shares of csc-omp have the same number of entries, so that they may begin
 * and end within columns. */
static int64_t column_of(const struct storage *storage, int64_t e)
{
    return offset_find(&storage->array[CSC_COL_PTR], storage->cols, e);
}

/* Return the share of entries first .. end-1. Since rows ascend in a column, the lowest and the highest row
 * are among those of each column's first and last entry. */
static struct csc_share make_share(const struct storage *storage, int64_t first, int64_t end)
{
    const struct array *col_ptr = &storage->array[CSC_COL_PTR];
    const int32_t *row = storage->array[CSC_ROW].data;
    struct csc_share share = {.first = first, .end = end, .copy = -1, .next = -1};
    if (first == end) return share;
    share.column = column_of(storage, first);
    share.low = row[first];
    for (int64_t j = share.column, e = first; e < end; j++) {
        int64_t stop = min(array_integer(col_ptr, j + 1), end);
        if (e == stop) continue;
        share.low = min(share.low, row[e]);
        share.high = max(share.high, (int64_t)row[stop - 1] + 1);
        e = stop;
    }
    return share;
}

/* Return the share that ends first among those with rows, none of them below `reach`; -1 if there is none. */
static int next_direct(const struct csc_work *work, int64_t reach)
{
    int best = -1;
    for (int t = 0; t < work->shares; t++) {
        const struct csc_share *share = &work->share[t];
        if (share->low < share->high && share->low >= reach &&
            (best < 0 || share->high < work->share[best].high))
            best = t;
    }
    return best;
}

void csc_choose(struct csc_work *work, bool direct)
{
    int *link = &work->direct;
    *link = -1;
    for (int64_t reach = 0; direct && (*link = next_direct(work, reach)) >= 0;
         link = &work->share[*link].next)
        reach = work->share[*link].high;
    for (int t = 0; t < work->shares; t++)
        work->share[t].copy = work->share[t].low < work->share[t].high ? 0 : -1;
    for (int t = work->direct; t >= 0; t = work->share[t].next)
        work->share[t].copy = -1;
    for (int t = 0; t < work->shares; t++) {
        struct csc_share *share = &work->share[t];
        if (share->copy < 0) continue;
        share->copy = work->copied;
        work->copied += share->high - share->low;
    }
}

/* Return the lowest row after i at which a share begins or ends, or `rows` if there is none. */
static int64_t next_bound(const struct csc_work *work, int64_t i, int64_t rows)
{
    int64_t next = rows;
    for (int t = 0; t < work->shares; t++) {
        const struct csc_share *share = &work->share[t];
        if (share->low > i) next = min(next, share->low);
        if (share->high > i) next = min(next, share->high);
    }
    return next;
}

/* Count from bound to bound: all rows between two bounds are in the same shares. */
void csc_count(struct csc_work *work, int64_t rows)
{
    for (int64_t i = 0, next; i < rows; i = next) {
        bool copied = false, direct = false;
        next = next_bound(work, i, rows);
        for (int t = 0; t < work->shares; t++) {
            const struct csc_share *share = &work->share[t];
            if (i < share->low || i >= share->high) continue;
            if (share->copy < 0)
                direct = true;
            else
                copied = true;
        }
        if (copied) work->joined += next - i;
        if (copied && direct) work->twice += next - i;
    }
}

static void release_omp(struct launch *launch)
{
    struct csc_work *work = launch->state;
    if (work) free(work->copies);
    free(work);
    launch->state = NULL;
}

/* Allocate the copies, if they fit in the user's limit minus the matrix. */
static enum status allocate_copies(struct launch *launch, struct csc_work *work, struct error *error)
{
    size_t limit = launch->storage->limit, arrays = storage_size(launch->storage).bytes, bytes;
    if (work->copied == 0) return STATUS_OK;
    if (limit) limit = limit > arrays ? limit - arrays : 1;
    if (!size_multiply((size_t)work->copied, value_bytes(launch), &bytes)) bytes = SIZE_MAX;
    enum status status = memory_check(bytes, limit, "the sums of csc-omp's threads", error);
    if (status != STATUS_OK) return status;
    work->copies = memory_array((size_t)work->copied, value_bytes(launch), error);
    return work->copies ? STATUS_OK : STATUS_MEMORY;
}

static enum status prepare_omp(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    int threads = launch->threads;
    struct csc_work *work = memory_zeroed(sizeof *work + (size_t)threads * sizeof work->share[0], 1, error);
    if (!work) return STATUS_MEMORY;
    launch->state = work;
    work->loops = loops_of(storage);
    work->shares = threads;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++)
        work->share[t] =
            make_share(storage, storage->nnz / threads * t + storage->nnz % threads * t / threads,
                       storage->nnz / threads * (t + 1) + storage->nnz % threads * (t + 1) / threads);
    for (int t = 0; t < threads; t++)
        if (work->share[t].first < work->share[t].end)
            work->loads += column_of(storage, work->share[t].end - 1) - work->share[t].column + 1;
    csc_choose(work, true);
    csc_count(work, storage->rows);
    return allocate_copies(launch, work, error);
}

/* Return the first of the rows to which thread t adds the copies. */
static int64_t first_row(const struct launch *launch, int t)
{
    return launch->storage->rows * t / launch->threads;
}

static void run_omp(const struct launch *launch)
{
    const struct csc_work *work = launch->state;
#pragma omp parallel num_threads(launch->threads)
    {
#pragma omp for schedule(static, 1)
        for (int t = 0; t < launch->threads; t++)
            work->loops->contiguous->csc(launch, t, t + 1);
#pragma omp for schedule(static, 1)
        for (int t = 0; t < launch->threads; t++)
            work->loops->contiguous->csc_join(launch, first_row(launch, t), first_row(launch, t + 1));
    }
}

/* The sums, in y or in a copy, are cleared, and loaded and stored for each entry. Then copies are read and
 * added to y row by row; rows without a direct share are only stored, unless the launch accumulates. */
static void traffic_omp(const struct launch *launch, struct traffic *traffic)
{
    const struct csc_work *work = launch->state;
    const struct storage *storage = launch->storage;
    bool add = launch->product.accumulate;
    traffic->own_bytes = (size_t)work->copied * value_bytes(launch);
    traffic->x_loads = work->loads;
    traffic->y_loads = storage->nnz + (add ? work->joined : work->twice);
    traffic->y_stores = storage->nnz + work->copied + (add ? work->joined : storage->rows + work->twice);
}

const struct kernel kernel_cpu_csc_seq = {
    CPU_KERNEL("csc-seq", csc),
    PUBLISHED_LOOP,
    .summary = "column by column, one thread",
    .source = "Saad, Iterative Methods for Sparse Linear Systems, section 3.5",
    .prepare = prepare_seq,
    .run = run_seq,
    .release = division_release,
    .traffic = traffic_seq,
    .host = {.work = HOST_COLUMNS, .clears_y = true},
};

const struct kernel kernel_cpu_csc_omp = {
    CPU_KERNEL("csc-omp", csc),
    .summary = "each thread has equally many entries; rows of several threads are summed separately first",
    .source = "",
    .wins = "It suits a matrix that is stored by columns already. The rows of several threads are added at "
            "the end, which costs more the wider the entries are scattered.",
    .prepare = prepare_omp,
    .run = run_omp,
    .release = release_omp,
    .traffic = traffic_omp,
    .host = {.work = HOST_COLUMNS, .clears_y = true},
};
