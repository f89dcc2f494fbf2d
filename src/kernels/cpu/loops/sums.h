/* What several loops do: sums along rows, and sums of many rows side by side. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_SUMS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_SUMS_H

#include "base/range.h"
#include "kernels/cpu/loops/lanes.h"
#include "kernels/cpu/loops/real.h"

/* The sum of n entries that lie one after the other. */
static inline __attribute__((always_inline)) real dot(const real *val, const int32_t *col, const real *x,
                                                      int64_t n)
{
    int64_t k = 0;
#ifdef LANES
    lanes s = {0}, t = {0};
    for (; k + 2 * LANES <= n; k += 2 * LANES) {
        s += lanes_load(val + k) * lanes_gather(x, col + k);
        t += lanes_load(val + k + LANES) * lanes_gather(x, col + k + LANES);
    }
    if (k + LANES <= n) {
        s += lanes_load(val + k) * lanes_gather(x, col + k);
        k += LANES;
    }
    if (k < n) t += lanes_tail(val + k, x, col + k, n - k);
    return lanes_sum(s + t);
#else
    real sum = 0;
    for (; k < n; k++)
        sum += val[k] * x[col[k]];
    return sum;
#endif
}

/* Rows whose sums are kept at a time, in the first-level cache, by loops that go along columns or diagonals.
 * The sums are an array of the loop's own: the compiler then knows that they are not x, and vectorises. A
 * multiple of any variant's lanes, so that the last of them may be stored whole. */
#define SUMS 512

/* sum[i] += val[i] x[col[i]] for n rows. What is left of the last lanes beyond them is lost. */
static inline __attribute__((always_inline)) void add_column(real *restrict sum, const real *val,
                                                             const int32_t *col, const real *x, int64_t n)
{
    int64_t i = 0;
#ifdef LANES
    for (; i + LANES <= n; i += LANES)
        lanes_store(sum + i, lanes_load(sum + i) + lanes_load(val + i) * lanes_gather(x, col + i));
    if (i < n) lanes_store(sum + i, lanes_load(sum + i) + lanes_tail(val + i, x, col + i, n - i));
#else
    for (; i < n; i++)
        sum[i] += val[i] * x[col[i]];
#endif
}

static inline void clear_sums(real *sum, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] = 0;
}

/* Sums of n rows into y from its row `first` on, or into rows perm[0 .. n-1] unless perm is NULL. */
static inline __attribute__((always_inline)) void put_sums(const struct launch *launch, const real *sum,
                                                           int64_t first, const int32_t *perm, int64_t n)
{
    real *restrict y = launch->y;
    bool add = launch->accumulate;
    if (perm)
        for (int64_t i = 0; i < n; i++)
            y[perm[i]] = add ? y[perm[i]] + sum[i] : sum[i];
    else if (add)
        for (int64_t i = 0; i < n; i++)
            y[first + i] += sum[i];
    else
        for (int64_t i = 0; i < n; i++)
            y[first + i] = sum[i];
}

#endif
