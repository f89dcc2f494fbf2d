/* Columns: the number of entries of each and their sum, in windows of columns that all ranks process
 * together. */
#include <stdlib.h>

#include "analysis/column_sums.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "matrix/columns.h"
#include "ranks/sums/parts.h"

/* Minimum number of columns of a window. A larger window takes at most a quarter of the memory of an even
 * share of the entries. */
#define WINDOW_MIN ((int64_t)1 << 20)
#define WINDOW_BYTES ((int64_t)(sizeof(int64_t) + sizeof(exact_integer)))
#define ENTRY_BYTES 12

struct windows {
    int64_t columns, number; /* columns of a window, and number of windows */
    int64_t *used;           /* which of them have entries */
    int64_t *counts;         /* of a window */
    exact_integer *sums;     /* NULL: values are not summed up */
};

static enum status windows_open(const struct sums *sums, bool values, struct windows *windows,
                                struct error *error)
{
    const struct share *share = sums->share;
    int64_t fit = share->nnz / sums->ranks->count * ENTRY_BYTES / 4 / WINDOW_BYTES;
    windows->columns = max(min(max(fit, WINDOW_MIN), share->cols), 1);
    windows->number = (share->cols + windows->columns - 1) / windows->columns;
    windows->used = memory_zeroed((size_t)windows->number, sizeof *windows->used, error);
    windows->counts = memory_array((size_t)windows->columns, sizeof *windows->counts, error);
    if (values) windows->sums = memory_array((size_t)windows->columns, sizeof *windows->sums, error);
    return windows->used && windows->counts && (windows->sums || !values) ? STATUS_OK : STATUS_MEMORY;
}

static void windows_free(struct windows *windows)
{
    free(windows->used);
    free(windows->counts);
    free(windows->sums);
}

static void mark_used(const struct sums *sums, struct windows *windows)
{
    const struct csr *own = &sums->share->own;
    for (int64_t k = 0; k < csr_nnz(own); k++)
        windows->used[own->col[k] / windows->columns] = 1;
    ranks_max(sums->ranks, windows->used, windows->number);
}

/* Add up integers of 128 bits. */
static void add_wide(void *in, void *out, int *count, MPI_Datatype *type)
{
    const exact_integer *from = in;
    exact_integer *to = out;
    for (int k = 0; k < *count; k++)
        to[k] += from[k];
}

/* Reduction of 128-bit sums. */
struct wide {
    MPI_Datatype type;
    MPI_Op add;
};

static void wide_open(struct wide *wide)
{
    MPI_Type_contiguous((int)sizeof(exact_integer), MPI_BYTE, &wide->type);
    MPI_Type_commit(&wide->type);
    MPI_Op_create(add_wide, 1, &wide->add);
}

static void wide_close(struct wide *wide)
{
    MPI_Op_free(&wide->add);
    MPI_Type_free(&wide->type);
}

/* Sum up array[0 .. count-1] over all ranks on rank 0, in rounds. */
static void reduce(const struct ranks *ranks, void *array, int64_t count, size_t size, MPI_Datatype type,
                   MPI_Op add)
{
    const int64_t round = (int64_t)1 << 14;
    struct flight flight;
    flight_begin(&flight, ranks, ROUNDS_AHEAD);
    for (int64_t k = 0; k < count; k += round) {
        char *from = (char *)array + (size_t)k * size;
        MPI_Ireduce(ranks->rank ? (void *)from : MPI_IN_PLACE, from, (int)min(count - k, round), type, add, 0,
                    ranks->all, flight_next(&flight));
    }
    flight_end(&flight);
}

/* Process a window. On rank 0 the counts become those of all ranks, and *most becomes at least their largest
 * sum. */
static void go_through(const struct sums *sums, struct windows *windows, int64_t w, double largest,
                       const struct wide *wide, exact_integer *most)
{
    const struct csr *own = &sums->share->own;
    int64_t from = w * windows->columns, columns = min(windows->columns, sums->share->cols - from);
    for (int64_t j = 0; j < columns; j++)
        windows->counts[j] = 0;
    column_counts_add(own, from, from + columns, windows->counts);
    reduce(sums->ranks, windows->counts, columns, sizeof(int64_t), MPI_INT64_T, MPI_SUM);
    if (!windows->sums) return;
    for (int64_t j = 0; j < columns; j++)
        windows->sums[j] = 0;
    column_sums_add(own, largest, from, from + columns, windows->sums, NULL);
    reduce(sums->ranks, windows->sums, columns, sizeof(exact_integer), wide->type, wide->add);
    for (int64_t j = 0; j < columns; j++)
        if (windows->sums[j] > *most) *most = windows->sums[j];
}

static void go_through_all(struct sums *sums, struct windows *windows, double largest, double *norm_1)
{
    struct wide wide;
    exact_integer most = 0;
    wide_open(&wide);
    mark_used(sums, windows);
    for (int64_t w = 0; w < windows->number; w++) {
        int64_t from = w * windows->columns, columns = min(windows->columns, sums->share->cols - from);
        if (windows->used[w]) go_through(sums, windows, w, largest, &wide, &most);
        for (int64_t j = 0; j < columns && sums->skeleton.col_ptr; j++)
            sums->skeleton.col_ptr[from + j] = windows->used[w] ? windows->counts[j] : 0;
    }
    wide_close(&wide);
    if (sums->skeleton.col_ptr) threads_offsets(sums->skeleton.col_ptr, sums->share->cols);
    *norm_1 = column_sum(largest, most);
}

enum status sums_columns(struct sums *sums, double largest, size_t limit, double *norm_1, struct error *error)
{
    struct windows windows = {0};
    size_t columns = (size_t)sums->share->cols + 1;
    *norm_1 = 0;
    enum status status = windows_open(sums, largest > 0, &windows, error);
    if (status == STATUS_OK && sums->ranks->rank == 0) {
        status = memory_check(columns * sizeof *sums->skeleton.col_ptr, limit,
                              "where all columns begin, on rank 0,", error);
        if (status == STATUS_OK)
            sums->skeleton.col_ptr = memory_array(columns, sizeof *sums->skeleton.col_ptr, error);
        if (status == STATUS_OK && !sums->skeleton.col_ptr) status = STATUS_MEMORY;
    }
    status = ranks_agree(sums->ranks, status, error);
    if (status == STATUS_OK) go_through_all(sums, &windows, largest, norm_1);
    windows_free(&windows);
    return status;
}
