/* Sums of |a| over rows. One scan serves a matrix in memory, the rows of a rank (values.c), and streamed rows
 * (streamed_lines.c). */
#ifndef SPARSIGHT_ANALYSIS_ROW_SUMS_H
#define SPARSIGHT_ANALYSIS_ROW_SUMS_H

#include <math.h>
#include <stdint.h>

#include "matrix/relay.h"

/* Compensated sums in double precision: the rounding errors are summed beside them (Neumaier, ZAMM 54,
 * 1974). */

/* A sum and its rounding error. {0} is an empty sum. */
struct sum {
    double sum, rest;
};

static inline void sum_add(struct sum *sum, double value)
{
    double next = sum->sum + value, part = next - sum->sum;
    sum->rest += (sum->sum - (next - part)) + (value - part);
    sum->sum = next;
}

/* After an overflow the compensation is NaN. */
static inline double sum_of(struct sum sum)
{
    return isfinite(sum.sum) ? sum.sum + sum.rest : sum.sum;
}

/* Compensated sums of many consecutive sizes, |a|. */

/* Number of sums computed side by side, since each addition waits for the one before it; and the shortest run
 * for which that pays. */
#define LANES 4
#define LANES_MIN 16

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef double lanes_anywhere
    __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

static inline void sum_in_lanes(const double *sizes, int64_t count, struct sum *total)
{
    lanes sum = {0}, rest = {0};
    int64_t k = 0;
    for (; k + LANES <= count; k += LANES) {
        lanes value = *(const lanes_anywhere *)(const void *)(sizes + k);
        lanes next = sum + value, part = next - sum;
        rest += (sum - (next - part)) + (value - part);
        sum = next;
    }
    for (; k < count; k++)
        sum_add(total, sizes[k]);
    for (int l = 0; l < LANES; l++) {
        sum_add(total, sum[l]);
        total->rest += rest[l];
    }
}

/* Add `count` sizes. */
static inline void sum_sizes(const double *sizes, int64_t count, struct sum *sum)
{
    struct sum total = *sum;
    if (count >= LANES_MIN)
        sum_in_lanes(sizes, count, &total);
    else
        for (int64_t k = 0; k < count; k++)
            sum_add(&total, sizes[k]);
    *sum = total;
}

/* Return the index of the entry at i among the ascending entries first .. end-1 of a line; -1 if there is
 * none. Entry `guess` >= first is tried first, and is often the right one; then follows a bisection. */
static inline int64_t line_seek(const int32_t *across, int64_t first, int64_t end, int32_t i, int64_t guess)
{
    if (guess < end && across[guess] == i) return guess;
    for (int64_t some = end - first; some > 1; some -= some / 2)
        first += across[first + some / 2] <= i ? some / 2 : 0;
    return across[first] == i ? first : -1;
}

/* The sums over the entries of a row that have been taken so far. */
struct row_sum {
    int64_t row;     /* the index of the row in the matrix; -1: none */
    struct sum off;  /* the sum of the sizes off the diagonal */
    double diagonal; /* the size on the diagonal */
};

/* The state of a scan between rows; {0} at the beginning. */
struct row_scan {
    int64_t before; /* the last distance of the diagonal from the beginning of its row, in entries */
    int64_t positive_diagonal; /* entries on the diagonal that are real and > 0 */
};

static inline void row_sum_diagonal(struct row_sum *sum, struct row_scan *scan, const struct entries *e,
                                    int64_t k, double size)
{
    sum->diagonal += size;
    scan->positive_diagonal += e->val[k] > 0 && (!e->imaginary || e->imaginary[k] == 0);
}

/* The diagonal is searched by bisection among this number of entries or more; fewer are compared one by
 * one. */
#define SEEK_MIN 4

/* Take `count` entries of the row, from number `from` on. Their sizes, |a|, are overwritten. If the entries
 * ascend, the search for the diagonal begins as far from their beginning as it was in the row before. */
static inline void row_sum_take(struct row_sum *sum, struct row_scan *scan, const struct entries *e,
                                int64_t from, int64_t count, double *sizes)
{
    const int32_t *col = e->col + from, row = (int32_t)sum->row;
    if (!e->ascend || count < SEEK_MIN) {
        for (int64_t k = 0; k < count; k++)
            if (col[k] == row)
                row_sum_diagonal(sum, scan, e, from + k, sizes[k]);
            else
                sum_add(&sum->off, sizes[k]);
        return;
    }
    int64_t at = line_seek(col, 0, count, row, scan->before);
    if (at >= 0) {
        row_sum_diagonal(sum, scan, e, from + at, sizes[at]);
        scan->before = at;
        sizes[at] = 0;
    }
    sum_sizes(sizes, count, &sum->off);
}

/* Put the sizes of `count` entries from number `from` on into `sizes`. */
void row_sizes(const struct entries *e, int64_t from, int64_t count, double *sizes);

#endif
