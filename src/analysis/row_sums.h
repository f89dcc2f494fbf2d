/* Sums of |a| over rows. One scan serves a matrix in memory, the rows that a rank has of one (values.c), and
 * rows that come by once (streamed_rows.c). */
#ifndef SPARSIGHT_ANALYSIS_ROW_SUMS_H
#define SPARSIGHT_ANALYSIS_ROW_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/compensated.h"
#include "matrix/relay.h"

/* Compensated sums of many sizes, |a|, that come one after the other. */

/* Sums that are computed side by side, since each addition waits for the one before it; and the run from
 * which on that pays. */
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

/* Return which of the entries first .. end-1 of a line, which ascend, is the one at i; -1 if none is. That is
 * number `guess`, which is not before them, as often as not, or it is sought by halving. */
static inline int64_t line_seek(const int32_t *across, int64_t first, int64_t end, int32_t i, int64_t guess)
{
    if (guess < end && across[guess] == i) return guess;
    for (int64_t some = end - first; some > 1; some -= some / 2)
        first += across[first + some / 2] <= i ? some / 2 : 0;
    return across[first] == i ? first : -1;
}

/* What the entries of a row sum up to, as far as they have been taken. */
struct row_sum {
    int64_t row;     /* of the matrix; -1: none */
    struct sum off;  /* of sizes beside the diagonal */
    double diagonal; /* the size on it */
};

/* What a scan keeps from row to row; {0} at the beginning. */
struct row_scan {
    int64_t before;            /* at how many entries after the beginning of a row the diagonal was last */
    int64_t positive_diagonal; /* entries on the diagonal that are real and > 0 */
};

static inline void row_sum_diagonal(struct row_sum *sum, struct row_scan *scan, const struct entries *e,
                                    int64_t k, double size)
{
    sum->diagonal += size;
    scan->positive_diagonal += e->val[k] > 0 && (!e->imaginary || e->imaginary[k] == 0);
}

/* The diagonal is sought among so many entries or more; of fewer each is looked at. */
#define SEEK_MIN 4

/* Take `count` entries of the row, from number `from` on, whose sizes, |a|, are changed. If they ascend, the
 * diagonal is sought as far from their beginning as it was in the row before. */
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
