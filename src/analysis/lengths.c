#include "analysis/lengths.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

/* Lengths below SHORT are counted in an array. The others are listed and sorted: there are at most
 * nnz / SHORT of them, so that neither many short lines nor a few enormous ones take much memory. */
#define SHORT 4096
#define BLOCK_LINES 65536
#define BLOCK_ENTRIES ((int64_t)1 << 18)

/* Wide enough for nnz^2 and lines * sum of squares, with at most 2^31 lines of at most 2^31 entries: all
 * sums below are exact, and differences of large numbers lose nothing. */
__extension__ typedef __int128 int128;

/* A sequence of lengths: differences of row offsets, or counts of columns. */
struct line_lengths {
    int64_t lines;
    const int64_t *offsets;
    const uint32_t *counts; /* used if offsets is NULL */
};

static inline int64_t length_at(const struct line_lengths *from, int64_t i)
{
    return from->offsets ? from->offsets[i + 1] - from->offsets[i] : (int64_t)from->counts[i];
}

static int64_t blocks_of(int64_t count, int64_t block)
{
    return count / block + (count % block != 0);
}

/* counts[len] += 1 for the short ones of lines [first, end); the others are told how many they are. */
static int64_t count_block(const struct line_lengths *from, int64_t first, int64_t end, int64_t *counts)
{
    int64_t longer = 0;
    for (int64_t i = first; i < end; i++) {
        int64_t length = length_at(from, i);
        if (length < SHORT)
            counts[length]++;
        else
            longer++;
    }
    return longer;
}

/* Histogram of the short lengths into counts[SHORT]; returns how many lengths are longer. */
static int64_t count_short(const struct line_lengths *from, struct progress *progress, int64_t *counts)
{
    int64_t longer = 0, blocks = blocks_of(from->lines, BLOCK_LINES);
    memset(counts, 0, SHORT * sizeof *counts);
#pragma omp parallel for schedule(dynamic) reduction(+ : counts[:SHORT], longer) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t first = b * BLOCK_LINES, end = least(first + BLOCK_LINES, from->lines);
        longer += count_block(from, first, end, counts);
        progress_add(progress, end - first);
    }
    return longer;
}

static void list_long(const struct line_lengths *from, struct progress *progress, int64_t *list)
{
    _Atomic int64_t next = 0;
    int64_t blocks = blocks_of(from->lines, BLOCK_LINES);
#pragma omp parallel for schedule(dynamic) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        for (int64_t i = b * BLOCK_LINES; i < least((b + 1) * BLOCK_LINES, from->lines); i++) {
            int64_t length = length_at(from, i);
            if (length >= SHORT) list[atomic_fetch_add(&next, 1)] = length;
        }
    }
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The histogram of short counts followed by that of the sorted list of long ones; with bins NULL, only
 * counted. */
static int64_t merge_bins(const int64_t *counts, const int64_t *list, int64_t longer,
                          struct length_count *bins)
{
    int64_t n = 0;
    for (int64_t length = 0; length < SHORT; length++) {
        if (!counts[length]) continue;
        if (bins) bins[n] = (struct length_count){length, counts[length]};
        n++;
    }
    for (int64_t k = 0, next; k < longer; k = next) {
        for (next = k + 1; next < longer && list[next] == list[k];)
            next++;
        if (bins) bins[n] = (struct length_count){list[k], next - k};
        n++;
    }
    return n;
}

static enum status make_histogram(const struct line_lengths *from, struct progress *progress,
                                  struct lengths *lengths, struct error *error)
{
    int64_t counts[SHORT];
    int64_t longer = count_short(from, progress, counts);
    enum status status = progress_status(progress, error);
    if (status != STATUS_OK) return status;
    int64_t *list = memory_array((size_t)longer, sizeof *list, error);
    if (!list) return STATUS_MEMORY;
    if (longer) {
        list_long(from, progress, list);
        status = progress_status(progress, error);
        if (status != STATUS_OK) goto out;
        qsort(list, (size_t)longer, sizeof *list, ascending);
    }
    lengths->bins = merge_bins(counts, list, longer, NULL);
    lengths->histogram = memory_array((size_t)lengths->bins, sizeof *lengths->histogram, error);
    if (lengths->histogram)
        merge_bins(counts, list, longer, lengths->histogram);
    else
        status = STATUS_MEMORY;
out:
    free(list);
    return status;
}

/* The k-th smallest length, k from 0. */
static int64_t order_statistic(const struct lengths *l, int64_t k)
{
    int64_t b = 0;
    while (b + 1 < l->bins && k >= l->histogram[b].count)
        k -= l->histogram[b++].count;
    return l->histogram[b].length;
}

/* Linear interpolation between order statistics at (lines - 1) q: Hyndman and Fan, "Sample Quantiles in
 * Statistical Packages" (1996), definition 7. */
static double quantile(const struct lengths *l, double q)
{
    double place = (double)(l->lines - 1) * q, below = floor(place), share = place - below;
    int64_t k = (int64_t)below;
    double a = (double)order_statistic(l, k), b = (double)order_statistic(l, least(k + 1, l->lines - 1));
    return share < 0.5 ? a + (b - a) * share : b - (b - a) * (1 - share);
}

/* What sums over the histogram give. */
static void set_moments(struct lengths *l)
{
    int128 squares = 0, deviations = 0, ranked = 0, n = l->lines, nnz = l->nnz;
    int64_t before = 0;
    for (int64_t b = 0; b < l->bins; b++) {
        int128 x = l->histogram[b].length, count = l->histogram[b].count;
        int128 deviation = x * n - nnz;
        squares += count * (x * x);
        deviations += count * (deviation < 0 ? -deviation : deviation);
        /* In ascending order, sum over pairs abs(x_i - x_j) = 2 sum x_r (2 r - n - 1), r = 1..n; a bin holds
         * ranks before + 1 .. before + count. */
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

static enum status describe(const struct line_lengths *from, int64_t nnz, struct progress *progress,
                            struct lengths *lengths, struct error *error)
{
    *lengths = (struct lengths){.lines = from->lines,
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
    enum status status = make_histogram(from, progress, lengths, error);
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
    const struct line_lengths from = {.lines = a->rows, .offsets = a->row_ptr};
    return describe(&from, csr_nnz(a), progress, lengths, error);
}

/* Every thread its own counts, added up afterwards. `counts` is parts x cols, zeroed. */
static void count_apart(const struct csr *a, struct progress *progress, int parts, uint32_t *counts)
{
    int64_t nnz = csr_nnz(a), blocks = blocks_of(nnz, BLOCK_ENTRIES), cols = a->cols;
#pragma omp parallel for schedule(static, 1) num_threads(parts)
    for (int part = 0; part < parts; part++) {
        uint32_t *own = counts + (size_t)part * (size_t)cols;
        for (int64_t b = part; b < blocks && !progress_cancelled(progress); b += parts) {
            int64_t end = least((b + 1) * BLOCK_ENTRIES, nnz);
            for (int64_t k = b * BLOCK_ENTRIES; k < end; k++)
                own[a->col[k]]++;
            progress_add(progress, end - b * BLOCK_ENTRIES);
        }
    }
#pragma omp parallel for schedule(static) num_threads(parts)
    for (int64_t j = 0; j < cols; j++)
        for (int part = 1; part < parts; part++)
            counts[j] += counts[(size_t)part * (size_t)cols + (size_t)j];
}

static void count_together(const struct csr *a, struct progress *progress, uint32_t *counts)
{
    int64_t nnz = csr_nnz(a), blocks = blocks_of(nnz, BLOCK_ENTRIES);
#pragma omp parallel for schedule(dynamic) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t end = least((b + 1) * BLOCK_ENTRIES, nnz);
        for (int64_t k = b * BLOCK_ENTRIES; k < end; k++)
            __atomic_fetch_add(&counts[a->col[k]], 1, __ATOMIC_RELAXED);
        progress_add(progress, end - b * BLOCK_ENTRIES);
    }
}

/* Entries of each column; the first a->cols numbers of an array that the caller frees. 32 bits suffice: a
 * column has at most one entry a row. Threads count apart while their arrays stay small beside the matrix. */
static uint32_t *count_columns(const struct csr *a, struct progress *progress, struct error *error)
{
    int parts = threads_count();
    int64_t nnz = csr_nnz(a), allowed = nnz / 4 > (1 << 20) ? nnz / 4 : 1 << 20;
    if (nnz < BLOCK_ENTRIES) parts = 1;
    bool apart = parts == 1 || a->cols <= allowed / parts;
    uint32_t *counts = memory_zeroed((size_t)a->cols, (apart ? (size_t)parts : 1) * sizeof *counts, error);
    if (!counts) return NULL;
    if (apart)
        count_apart(a, progress, parts, counts);
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
    const struct line_lengths from = {.lines = a->cols, .counts = counts};
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
#pragma omp parallel for schedule(static) if (a->cols > THREADS_LEAST)
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
        cut.kept += bin.count * least(bin.length, k);
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
