#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/csr.h"
#include "kernels/cpu/spmm.h"
#include "kernels/cpu/transposed.h"

/* The merge path (Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication", SC 2016)
 * goes through the entries and the ends of rows in one sequence of nnz + rows steps, each row's entries
 * before its end. Of rows with 2, 0 and 3 entries:
 *
 *     step     0 1 2 3 4 5 6 7
 *     entry    0 1     2 3 4
 *     row end      0 1       2
 *
 * Threads get equal numbers of steps, so that neither one long row nor many empty ones fall to one thread.
 * If a cut lies within a row, the thread with the row's end writes it, and the sums of the earlier threads
 * are added afterwards. */

/* The beginning of a thread's share of the path, and the end of the previous one: all rows before `row` and
 * all entries before `entry` come earlier, and `entry` is in row `row` or at its end. Threads write into
 * their shares, so each has its own cache line. */
struct share {
    _Alignas(64) int64_t row;
    int64_t entry;
    loop_sum carried; /* the sum over the entries after the share's last end of a row, which belong to the
                         first row of the next share */
};

struct balance {
    const struct loops *loops;
    cpu_loop *rows;       /* the loop for whole rows */
    void *memory;         /* the memory of `shares` */
    struct share *shares; /* threads + 1, at a multiple of 64 bytes; the last one is the path's end */
};

/* Return the row of the path after d steps: the first row whose end is not among steps 0 .. d-1. The end of
 * row i comes after row_ptr[i+1] entries and i other ends, so it is step row_ptr[i+1] + i, which ascends with
 * i. */
static int64_t path_row(const struct array *row_ptr, int64_t rows, int64_t d)
{
    int64_t low = 0, high = rows;
    BISECT(low, high, array_integer(row_ptr, middle + 1) + middle < d);
    return low;
}

/* Share t begins after d = steps t / T steps. With r of them ends of rows, the other d - r are entries. The
 * product is taken apart so that it cannot overflow. */
static struct spmm_cut cut_at(const struct launch *launch, int64_t t)
{
    const struct array *row_ptr = &launch->storage->array[CSR_ROW_PTR];
    int64_t rows = launch->storage->rows, steps = rows + launch->storage->nnz, threads = launch->threads;
    int64_t d = steps / threads * t + steps % threads * t / threads, row = path_row(row_ptr, rows, d);
    return (struct spmm_cut){row, d - row};
}

/* Several vectors: the same shares, with the loops of spmm.h. */
static enum status prepare_several(struct launch *launch, struct error *error)
{
    struct spmm_cut *cut = memory_array((size_t)launch->threads + 1, sizeof *cut, error);
    if (!cut) return STATUS_MEMORY;
    for (int t = 0; t <= launch->threads; t++)
        cut[t] = cut_at(launch, t);
    enum status status = spmm_prepare_cut(launch, cut, error);
    free(cut);
    return status;
}

static enum status prepare_plain(struct launch *launch, struct error *error)
{
    if (!product_plain(launch->product)) return prepare_several(launch, error);
    struct balance *balance = memory_zeroed(1, sizeof *balance, error);
    launch->state = balance;
    if (!balance) return STATUS_MEMORY;
    balance->loops = loops_of(launch->storage);
    balance->rows = csr_is_scattered(launch->storage) ? balance->loops->csr_scattered : balance->loops->csr;
    balance->memory = memory_array((size_t)launch->threads + 2, sizeof(struct share), error);
    if (!balance->memory) return STATUS_MEMORY;
    uintptr_t address = (uintptr_t)balance->memory, line = _Alignof(struct share);
    balance->shares = (struct share *)((address + line - 1) & ~(line - 1));
    for (int t = 0; t <= launch->threads; t++) {
        const struct spmm_cut cut = cut_at(launch, t);
        balance->shares[t] = (struct share){.row = cut.row, .entry = cut.entry};
    }
    return STATUS_OK;
}

static void release_plain(struct launch *launch)
{
    struct balance *balance = launch->state;
    if (!product_plain(launch->product)) {
        spmm_release(launch);
        return;
    }
    free(balance->memory);
    free(balance);
    launch->state = NULL;
}

/* A share consists of the rest of a row begun in an earlier share, then whole rows, then the beginning of a
 * row that ends in a later share, whose sum is carried. */
static void run_share(const struct launch *launch, struct share *share)
{
    const struct balance *balance = launch->state;
    const struct loops *loops = balance->loops;
    const struct array *row_ptr = &launch->storage->array[CSR_ROW_PTR];
    const struct share *stop = share + 1;
    int64_t row = share->row, entry = share->entry;
    if (row < stop->row && entry > array_integer(row_ptr, row)) {
        int64_t end = array_integer(row_ptr, row + 1);
        put_sum(launch, row, loops->csr_entries(launch, entry, end), launch->product.accumulate);
        entry = end;
        row++;
    }
    if (row < stop->row) {
        balance->rows(launch, row, stop->row);
        entry = array_integer(row_ptr, stop->row);
    }
    share->carried = loops->csr_entries(launch, entry, stop->entry);
}

/* The carried sum of thread t belongs to the row in which share t + 1 begins, whether the row ends there or
 * later. */
static void run_plain(const struct launch *launch)
{
    if (spmm_run(launch)) return;
    struct share *shares = ((const struct balance *)launch->state)->shares;
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        run_share(launch, &shares[t]);
    for (int t = 0; t < launch->threads; t++)
        if (shares[t + 1].row < launch->storage->rows)
            put_sum(launch, shares[t + 1].row, shares[t].carried, true);
}

/* The transposed matrix is stored, and its rows are shared in the same way. */

static enum status prepare(struct launch *launch, struct error *error)
{
    return transposed_prepare(launch, prepare_plain, error);
}

static void release(struct launch *launch)
{
    transposed_release(launch, release_plain);
}

static void run(const struct launch *launch)
{
    transposed_run(launch, run_plain);
}

static void traffic(const struct launch *launch, struct traffic *of)
{
    transposed_traffic(launch, of, spmm_traffic);
}

const struct kernel kernel_cpu_csr_balanced = {
    CPU_KERNEL("csr-balanced", csr),
    .summary = "each thread has equally many entries and rows; rows are cut where necessary",
    .source = "Merrill and Garland, \"Merge-based parallel sparse matrix-vector multiplication\", SC 2016",
    .wins =
        "It suits matrices with a few very long rows, such as power laws: several threads share such a row.",
    SPMM_KERNEL(csr_spmm_rows),
    .prepare = prepare,
    .run = run,
    .release = release,
    .traffic = traffic,
    .host = {.work = HOST_ENTRIES, .streams_y = csr_streams_y},
    .stores_transposed = transposed_always,
};
