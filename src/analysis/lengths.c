#include "analysis/lengths.h"

#include <math.h>
#include <stdlib.h>

#include "base/range.h"
#include "matrix/columns.h"

/* Wide enough for nnz^2 and n * sum of squares, with n <= 2^31 lines of at most 2^31 entries. So all sums
 * below are exact, and no digits cancel where large numbers are subtracted. */
__extension__ typedef __int128 int128;

/* The order statistic x_(k): element k of the sorted lengths, k = 0 .. n-1. */
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
 * For Gini's coefficient let x_1 <= ... <= x_n. In the sum over all i, j of abs(x_i - x_j), x_r is added for
 * the r - 1 lines before it and subtracted for the n - r after it, both twice:
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

enum status lengths_of_lines(const struct lines *from, int64_t nnz, struct progress *progress,
                             struct lengths *lengths, struct error *error)
{
    *lengths = (struct lengths){.lines = from->count + from->empty,
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
    return lengths_of_lines(&from, csr_nnz(a), progress, lengths, error);
}

enum status lengths_of_columns(const struct csr *a, struct progress *progress, struct lengths *lengths,
                               struct error *error)
{
    struct lines from;
    uint32_t *counts;
    *lengths = (struct lengths){0};
    progress_phase(progress, "column lengths", csr_nnz(a) + a->cols);
    enum status status = column_lengths(a, progress, &from, &counts, error);
    if (status != STATUS_OK) return status;
    status = lengths_of_lines(&from, csr_nnz(a), progress, lengths, error);
    free(counts);
    return status;
}

double lengths_mean_between(const struct csr *a, int64_t from, int64_t to)
{
    return to > from ? (double)(a->row_ptr[to] - a->row_ptr[from]) / (double)(to - from) : 0;
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
