#include <stdlib.h>

#include "base/memory.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/csr.h"

/* Where a thread's share of the merge path begins, the next one's beginning being its end: before `entry`, in
 * or before row `row`, all rows before it being done. The path has a step for each entry and one for the end
 * of each row, so that neither a row of all entries nor a stretch of empty rows falls to one thread. Each
 * element of `shares` has a line of the cache for itself, since threads write there. */
struct share {
    _Alignas(64) int64_t row;
    int64_t entry;
    double carried; /* of the row that the share ends in, without its end: for the next one's row */
};

struct balance {
    const struct loops *loops;
    cpu_loop *rows; /* of whole rows */
    void *memory;
    struct share *shares; /* threads + 1 */
};

/* The first row whose end lies behind step d of the path (Merrill and Garland, "Merge-based parallel sparse
 * matrix-vector multiplication", SC 2016, figure 5): the end of row i is step row_ptr[i+1] + i. */
static int64_t path_row(const struct array *row_ptr, int64_t rows, int64_t d)
{
    int64_t low = 0, high = rows;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (array_integer(row_ptr, middle + 1) + middle < d)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void divide_path(const struct launch *launch, struct share *shares)
{
    const struct array *row_ptr = &launch->storage->array[CSR_ROW_PTR];
    int64_t rows = launch->storage->rows, steps = rows + launch->storage->nnz, threads = launch->threads;
    for (int64_t t = 0; t <= threads; t++) {
        int64_t d = steps / threads * t + steps % threads * t / threads;
        shares[t].row = path_row(row_ptr, rows, d);
        shares[t].entry = d - shares[t].row;
        shares[t].carried = 0;
    }
}

static enum status prepare(struct launch *launch, struct error *error)
{
    struct balance *balance = memory_zeroed(1, sizeof *balance, error);
    launch->state = balance;
    if (!balance) return STATUS_MEMORY;
    balance->loops = loops_for(launch->storage->precision);
    balance->rows = csr_is_scattered(launch->storage) ? balance->loops->csr_scattered : balance->loops->csr;
    balance->memory = memory_array((size_t)launch->threads + 2, sizeof(struct share), error);
    if (!balance->memory) return STATUS_MEMORY;
    uintptr_t address = (uintptr_t)balance->memory, line = _Alignof(struct share);
    balance->shares = (struct share *)((address + line - 1) & ~(line - 1));
    divide_path(launch, balance->shares);
    return STATUS_OK;
}

static void release(struct launch *launch)
{
    struct balance *balance = launch->state;
    free(balance->memory);
    free(balance);
    launch->state = NULL;
}

/* y[i] = value, or y[i] += value. */
static void put(const struct launch *launch, int64_t i, double value, bool add)
{
    if (launch->storage->precision == PRECISION_F32)
        ((float *)launch->y)[i] = add ? ((float *)launch->y)[i] + (float)value : (float)value;
    else
        ((double *)launch->y)[i] = add ? ((double *)launch->y)[i] + value : value;
}

static void run_share(const struct launch *launch, struct share *share)
{
    const struct balance *balance = launch->state;
    const struct loops *loops = balance->loops;
    const struct array *row_ptr = &launch->storage->array[CSR_ROW_PTR];
    const struct share *stop = share + 1;
    int64_t row = share->row, entry = share->entry;
    if (row < stop->row && entry > array_integer(row_ptr, row)) {
        int64_t end = array_integer(row_ptr, row + 1);
        put(launch, row, loops->csr_entries(launch, entry, end), launch->product.accumulate);
        entry = end;
        row++;
    }
    if (row < stop->row) {
        balance->rows(launch, row, stop->row);
        entry = array_integer(row_ptr, stop->row);
    }
    share->carried = loops->csr_entries(launch, entry, stop->entry);
}

/* The end of a row is written by the thread that has it; what others have of the row is added afterwards. */
static void run(const struct launch *launch)
{
    struct share *shares = ((const struct balance *)launch->state)->shares;
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        run_share(launch, &shares[t]);
    for (int t = 0; t < launch->threads; t++)
        if (shares[t + 1].row < launch->storage->rows)
            put(launch, shares[t + 1].row, shares[t].carried, true);
}

const struct kernel kernel_cpu_csr_balanced = {
    .name = "csr-balanced",
    .backend = BACKEND_CPU,
    .format = &format_csr,
    .summary = "each thread has as many entries and rows, cut within rows",
    .source = "Merrill and Garland, \"Merge-based parallel sparse matrix-vector multiplication\", SC 2016",
    .parameters = no_parameters,
    .prepare = prepare,
    .run = run,
    .release = release,
};
