#include "base/memory.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/sss.h"
#include "kernels/cpu/sss.h"

/* Windows with more entries per row than this on average are not sorted: a mispredicted end costs little
 * beside so many entries. Windows with rows of SORTED_LENGTHS entries or more are not sorted either. */
#define LONG_MEAN 12
#define SORTED_LENGTHS 256

/* If runs of rows of one length have this many rows on average, rows keep their order. */
#define EVEN_ROWS 6

static int64_t length_of(const int32_t *row_ptr, int64_t i)
{
    return row_ptr[i + 1] - row_ptr[i];
}

static int64_t window_end(const int32_t *row_ptr, int64_t first, int64_t end)
{
    int64_t stop = first + 1;
    while (stop < end && stop - first < SSS_WINDOW_ROWS &&
           row_ptr[stop + 1] - row_ptr[first] <= SSS_WINDOW_ENTRIES)
        stop++;
    return stop;
}

/* Return the number of runs of rows of one length in their own order. */
static int64_t count_changes(const int32_t *row_ptr, int64_t first, int64_t end)
{
    int64_t runs = 1;
    for (int64_t i = first + 1; i < end; i++)
        runs += length_of(row_ptr, i) != length_of(row_ptr, i - 1);
    return runs;
}

static enum sss_way choose_way(const int32_t *row_ptr, int64_t first, int64_t end)
{
    const int64_t rows = end - first;
    if (count_changes(row_ptr, first, end) * EVEN_ROWS <= rows) return SSS_EVEN;
    if (row_ptr[end] - row_ptr[first] > LONG_MEAN * rows) return SSS_LONG;
    for (int64_t i = first; i < end; i++)
        if (length_of(row_ptr, i) >= SORTED_LENGTHS) return SSS_LONG;
    return SSS_SORTED;
}

/* Write runs of rows in their own order, and their places, unless `run` is NULL; return the number of runs.
 */
static int64_t find_even_runs(const int32_t *row_ptr, int64_t first, int64_t end, struct sss_run *run,
                              uint8_t *place)
{
    int64_t runs = 0;
    for (int64_t i = first; i < end; i++) {
        const bool begins = i == first || length_of(row_ptr, i) != length_of(row_ptr, i - 1);
        runs += begins;
        if (!run) continue;
        if (begins) run[runs - 1] = (struct sss_run){(int32_t)length_of(row_ptr, i), 0};
        run[runs - 1].rows++;
        place[i - first] = (uint8_t)(i - first);
    }
    return runs;
}

/* Sort rows by length; rows of the same length keep their order. Write the runs and the places of rows unless
 * these are NULL; return the number of runs. */
static int64_t find_sorted_runs(const int32_t *row_ptr, int64_t first, int64_t end, struct sss_run *run,
                                uint8_t *place)
{
    int32_t rows[SORTED_LENGTHS] = {0}, before[SORTED_LENGTHS];
    int64_t runs = 0;
    int32_t sum = 0;
    for (int64_t i = first; i < end; i++)
        rows[length_of(row_ptr, i)]++;
    for (int length = 0; length < SORTED_LENGTHS; length++) {
        before[length] = sum;
        sum += rows[length];
        if (rows[length] == 0) continue;
        if (run) run[runs] = (struct sss_run){length, rows[length]};
        runs++;
    }
    for (int64_t i = first; place && i < end; i++)
        place[before[length_of(row_ptr, i)]++] = (uint8_t)(i - first);
    return runs;
}

/* Divide a share, or only count: `window` is then NULL. Its runs begin with `run`; returns the one after the
 * last, and in *windows the number of windows. */
static int64_t divide_share(const struct storage *storage, const struct sss_share *share,
                            struct sss_window *window, struct sss_work *into, int64_t run, int64_t *windows)
{
    const int32_t *row_ptr = storage->array[SSS_ROW_PTR].data;
    *windows = 0;
    for (int64_t i = share->first, end; i < share->end; i = end, ++*windows) {
        end = window_end(row_ptr, i, share->end);
        const enum sss_way way = choose_way(row_ptr, i, end);
        struct sss_run *to = window ? into->run + run : NULL;
        uint8_t *place = window ? into->order + i : NULL;
        if (window) window[*windows] = (struct sss_window){i, run, way};
        if (way == SSS_EVEN) run += find_even_runs(row_ptr, i, end, to, place);
        if (way == SSS_SORTED) run += find_sorted_runs(row_ptr, i, end, to, place);
    }
    return run;
}

size_t sss_table_bytes(const struct storage *storage, const struct sss_work *work)
{
    if (work->windows == 0) return 0;
    return (size_t)(work->windows + 1) * sizeof *work->window + (size_t)work->runs * sizeof *work->run +
           (size_t)storage->rows + 1;
}

static enum status allocate_tables(const struct storage *storage, struct sss_work *work, struct error *error)
{
    work->window = memory_array((size_t)work->windows + 1, sizeof *work->window, error);
    work->run = memory_array((size_t)work->runs + 1, sizeof *work->run, error);
    work->order = memory_zeroed((size_t)storage->rows + 1, 1, error);
    return work->window && work->run && work->order ? STATUS_OK : STATUS_MEMORY;
}

enum status sss_divide(const struct storage *storage, size_t limit, struct sss_work *work,
                       struct error *error)
{
    int64_t runs[THREADS_MAX + 1], windows[THREADS_MAX + 1];
#pragma omp parallel for schedule(static, 1) num_threads(work->shares)
    for (int t = 0; t < work->shares; t++)
        runs[t] = divide_share(storage, &work->share[t], NULL, NULL, 0, &windows[t]);
    for (int t = 0; t < work->shares; t++) {
        const int64_t own = runs[t];
        work->share[t].window = work->windows;
        work->windows += windows[t];
        work->share[t].windows_end = work->windows;
        runs[t] = work->runs;
        work->runs += own;
    }
    if (memory_check(sss_table_bytes(storage, work), limit, "the order of sss-omp's rows", NULL) != STATUS_OK)
        work->windows = 0;
    if (work->windows == 0) return STATUS_OK;
    enum status status = allocate_tables(storage, work, error);
    if (status != STATUS_OK) return status;
    work->window[work->windows] = (struct sss_window){.first = storage->rows, .run = work->runs};
#pragma omp parallel for schedule(static, 1) num_threads(work->shares)
    for (int t = 0; t < work->shares; t++)
        divide_share(storage, &work->share[t], work->window + work->share[t].window, work, runs[t],
                     &windows[t]);
    for (int t = 0; t < work->shares; t++)
        for (int64_t w = work->share[t].window; w < work->share[t].windows_end; w++) {
            const int64_t rows = work->window[w + 1].first - work->window[w].first;
            if (work->window[w].way == SSS_SORTED) work->begun += rows;
            if (work->window[w].first < work->share[t].alone) work->moved += rows;
        }
    return STATUS_OK;
}
