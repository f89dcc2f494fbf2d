#include "analysis/lengths.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

#define BLOCK_ENTRIES ((int64_t)1 << 18)

/* Wide enough for nnz^2 and n * sum of squares, with n <= 2^31 lines of at most 2^31 entries. So all sums
 * below are exact, and nothing is lost where large numbers are subtracted from each other. */
__extension__ typedef __int128 int128;

static int64_t blocks_of(int64_t count, int64_t block)
{
    return count / block + (count % block != 0);
}

/* The order statistic x_(k): the length that k others precede when all are sorted, k = 0 .. n-1. */
static int64_t order_statistic(const struct lengths *l, int64_t k)
{
    int64_t b = 0;
    while (b + 1 < l->bins && k >= l->histogram[b].count)
        k -= l->histogram[b++].count;
    return l->histogram[b].length;
}

/* The quantile q, definition 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The American
 * Statistician 50, 1996: with k = floor((n - 1) q) and t = (n - 1) q - k,
 *
 *     x_(k) + t (x_(k+1) - x_(k))
 *
 * From t = 1/2 on it is computed from the upper end, as numpy does, so that t = 1 would give just x_(k+1). */
static double quantile(const struct lengths *l, double q)
{
    double place = (double)(l->lines - 1) * q, below = floor(place), share = place - below;
    int64_t k = (int64_t)below;
    double a = (double)order_statistic(l, k), b = (double)order_statistic(l, min(k + 1, l->lines - 1));
    return share < 0.5 ? a + (b - a) * share : b - (b - a) * (1 - share);
}

/* The mean and all deviations, from sums over the histogram, in which `count` lines have the length x:
 *
 *     sigma = sqrt(n sum x^2 - nnz^2) / n,    sum abs(x - mu) / n = sum abs(n x - nnz) / n^2
 *
 * For Gini's coefficient let x_1 <= ... <= x_n. In the sum over all i, j of abs(x_i - x_j), x_r stands with a
 * plus for the r - 1 lines before it and with a minus for the n - r behind it, both twice:
 *
 *     sum over i, j of abs(x_i - x_j) = 2 sum over r of x_r (2 r - n - 1)
 *
 * Lines r = before + 1 .. before + count of one length add x count (2 before + count - n) to that last sum.
 */
static void set_moments(struct lengths *l)
{
    int128 squares = 0, deviations = 0, ranked = 0, n = l->lines, nnz = l->nnz;
    int64_t before = 0;
    for (int64_t b = 0; b < l->bins; b++) {
        int128 x = l->histogram[b].length, count = l->histogram[b].count;
        int128 deviation = x * n - nnz;
        squares += count * (x * x);
        deviations += count * (deviation < 0 ? -deviation : deviation);
        ranked += x * count * (2 * (int128)before + count - n);
        before += l->histogram[b].count;
    }
    long double lines = (long double)l->lines;
    l->mean = (double)l->nnz / (double)l->lines;
    l->stddev = (double)(sqrtl((long double)(n * squares - nnz * nnz)) / lines);
    l->average_deviation = (double)((long double)deviations / lines / lines);
    if (l->nnz == 0) return;
    l->cv = l->stddev / l->mean;
    l->percent_average_deviation = 100 * l->average_deviation / l->mean;
    l->gini = (double)((long double)ranked / lines / (long double)l->nnz);
}

static enum status describe(const struct lines *from, int64_t nnz, struct progress *progress,
                            struct lengths *lengths, struct error *error)
{
    *lengths = (struct lengths){.lines = from->count,
                                .nnz = nnz,
                                .mean = NAN,
                                .median = NAN,
                                .p95 = NAN,
                                .p99 = NAN,
                                .stddev = NAN,
                                .cv = NAN,
                                .average_deviation = NAN,
                                .percent_average_deviation = NAN,
                                .gini = NAN};
    enum status status = histogram_of(from, progress, &lengths->histogram, &lengths->bins, error);
    if (status != STATUS_OK) {
        lengths_free(lengths);
        return status;
    }
    if (lengths->bins == 0) return STATUS_OK;
    lengths->min = lengths->histogram[0].length;
    lengths->max = lengths->histogram[lengths->bins - 1].length;
    if (lengths->min == 0) lengths->empty = lengths->histogram[0].count;
    lengths->median = quantile(lengths, 0.5);
    lengths->p95 = quantile(lengths, 0.95);
    lengths->p99 = quantile(lengths, 0.99);
    set_moments(lengths);
    return STATUS_OK;
}

enum status lengths_of_rows(const struct csr *a, struct progress *progress, struct lengths *lengths,
                            struct error *error)
{
    progress_phase(progress, "row lengths", a->rows);
    const struct lines from = {.count = a->rows, .offsets = a->row_ptr};
    return describe(&from, csr_nnz(a), progress, lengths, error);
}

/* Count columns with an array for each thread, and add these up. `counts` is threads x cols and zero. */
static void count_apart(const struct csr *a, struct progress *progress, int threads, uint32_t *counts)
{
    int64_t nnz = csr_nnz(a), blocks = blocks_of(nnz, BLOCK_ENTRIES), cols = a->cols;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
        uint32_t *own = counts + (size_t)t * (size_t)cols;
        for (int64_t b = t; b < blocks && !progress_cancelled(progress); b += threads) {
            int64_t end = min((b + 1) * BLOCK_ENTRIES, nnz);
            for (int64_t k = b * BLOCK_ENTRIES; k < end; k++)
                own[a->col[k]]++;
            progress_add(progress, end - b * BLOCK_ENTRIES);
        }
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t j = 0; j < cols; j++)
        for (int t = 1; t < threads; t++)
            counts[j] += counts[(size_t)t * (size_t)cols + (size_t)j];
}

/* Count columns in one array by atomic additions. */
static void count_together(const struct csr *a, struct progress *progress, uint32_t *counts)
{
    int64_t nnz = csr_nnz(a), blocks = blocks_of(nnz, BLOCK_ENTRIES);
#pragma omp parallel for schedule(dynamic) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t end = min((b + 1) * BLOCK_ENTRIES, nnz);
        for (int64_t k = b * BLOCK_ENTRIES; k < end; k++)
            __atomic_fetch_add(&counts[a->col[k]], 1, __ATOMIC_RELAXED);
        progress_add(progress, end - b * BLOCK_ENTRIES);
    }
}

/* The number of entries in each column: the first a->cols elements of an array that the caller frees. 32 bits
 * suffice, since a column has at most one entry in each row. Atomic additions take longer, so threads count
 * apart as long as their arrays stay small beside the matrix. */
static uint32_t *count_columns(const struct csr *a, struct progress *progress, struct error *error)
{
    int threads = threads_count();
    int64_t nnz = csr_nnz(a), allowed = nnz / 4 > (1 << 20) ? nnz / 4 : 1 << 20;
    if (nnz < BLOCK_ENTRIES) threads = 1;
    bool apart = threads == 1 || a->cols <= allowed / threads;
    uint32_t *counts = memory_zeroed((size_t)a->cols, (apart ? (size_t)threads : 1) * sizeof *counts, error);
    if (!counts) return NULL;
    if (apart)
        count_apart(a, progress, threads, counts);
    else
        count_together(a, progress, counts);
    return counts;
}

enum status lengths_of_columns(const struct csr *a, struct progress *progress, struct lengths *lengths,
                               struct error *error)
{
    *lengths = (struct lengths){0};
    progress_phase(progress, "column lengths", csr_nnz(a) + a->cols);
    uint32_t *counts = count_columns(a, progress, error);
    if (!counts) return STATUS_MEMORY;
    const struct lines from = {.count = a->cols, .lengths = counts};
    enum status status = describe(&from, csr_nnz(a), progress, lengths, error);
    free(counts);
    return status;
}

enum status column_offsets(const struct csr *a, struct progress *progress, int64_t **offsets,
                           struct error *error)
{
    *offsets = NULL;
    progress_phase(progress, "column offsets", csr_nnz(a));
    int64_t *made = memory_array((size_t)a->cols + 1, sizeof *made, error);
    if (!made) return STATUS_MEMORY;
    uint32_t *counts = count_columns(a, progress, error);
    enum status status = counts ? progress_status(progress, error) : STATUS_MEMORY;
    if (status != STATUS_OK) goto out;
#pragma omp parallel for schedule(static) if (a->cols > PARALLEL_MIN)
    for (int64_t j = 0; j < a->cols; j++)
        made[j] = counts[j];
    threads_offsets(made, a->cols);
    *offsets = made;
out:
    free(counts);
    if (status != STATUS_OK) free(made);
    return status;
}

struct cut lengths_cut(const struct lengths *lengths, int64_t k)
{
    struct cut cut = {.k = k};
    for (int64_t b = 0; b < lengths->bins; b++) {
        struct length_count bin = lengths->histogram[b];
        cut.kept += bin.count * min(bin.length, k);
        if (bin.length > k) cut.longer += bin.count;
    }
    cut.rest = lengths->nnz - cut.kept;
    return cut;
}

void lengths_free(struct lengths *lengths)
{
    free(lengths->histogram);
    *lengths = (struct lengths){0};
}
