/* What several loops do: sums along rows, and sums of many rows side by side. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_SUMS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_SUMS_H

#include "base/range.h"
#include "kernels/cpu/loops/ahead.h"
#include "kernels/cpu/loops/lanes.h"
#include "kernels/cpu/loops/real.h"

#ifdef LANES

/* LANES products. */
INLINE lanes products(const real *val, const int32_t *col, const real *x)
{
    return lanes_load(val) * lanes_gather(x, col);
}

/* The sum of entries first .. end-1, whatever their rows, as the sum of the elements. */
INLINE lanes dot_lanes(const real *val, const int32_t *col, const real *x, int64_t first, int64_t end)
{
    int64_t k = first;
    lanes s = {0}, t = {0};
    for (; k + 2 * LANES <= end; k += 2 * LANES) {
        s += products(val + k, col + k, x);
        t += products(val + k + LANES, col + k + LANES, x);
    }
    if (k + LANES <= end) {
        s += products(val + k, col + k, x);
        k += LANES;
    }
    if (k < end) t += lanes_tail(val + k, x, col + k, end - k);
    return s + t;
}

#endif

/* The sum of n entries that lie one after the other. */
static inline __attribute__((always_inline)) real dot(const real *val, const int32_t *col, const real *x,
                                                      int64_t n)
{
#ifdef LANES
    return lanes_sum(dot_lanes(val, col, x, 0, n));
#else
    real sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += val[k] * x[col[k]];
    return sum;
#endif
}

/* Rows whose sums are kept at a time, in the first-level cache, by loops that go along columns or diagonals.
 * The sums are an array of the loop's own: the compiler then knows that they are not x, and vectorises. A
 * multiple of any variant's lanes, so that the last of them may be stored whole. */
#define SUMS 512

/* Rows whose sums are kept at a time by a loop over that many columns. Those of the next block are asked for
 * during this one, so it must not be larger than what the caches keep. */
static inline int64_t sums_rows(int64_t columns)
{
    int64_t rows = AHEAD_BLOCK / (int64_t)(sizeof(real) + sizeof(int32_t)) / max(columns, 1);
    return min(max(rows / 64, 1) * 64, SUMS);
}

/* sum[i] += val[i] x[col[i]] for n rows. What is left of the last lanes beyond them is lost. Entries so many
 * further on are asked for, unless 0. */
static inline __attribute__((always_inline)) void add_column(real *restrict sum, const real *val,
                                                             const int32_t *col, const real *x, int64_t n,
                                                             int64_t further)
{
    int64_t i = 0;
#ifdef LANES
    for (; further && i + LANES <= n; i += LANES) {
        ahead_entry(val + i, col + i, further);
        lanes_store(sum + i, lanes_load(sum + i) + lanes_load(val + i) * lanes_gather(x, col + i));
    }
    for (; i + LANES <= n; i += LANES)
        lanes_store(sum + i, lanes_load(sum + i) + lanes_load(val + i) * lanes_gather(x, col + i));
    if (i < n) lanes_store(sum + i, lanes_load(sum + i) + lanes_tail(val + i, x, col + i, n - i));
#else
    (void)further;
    for (; i < n; i++)
        sum[i] += val[i] * x[col[i]];
#endif
}

static inline void clear_sums(real *sum, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] = 0;
}

/* A y of so many bytes would not stay in a core's caches anyway: it is written around them, which saves
 * reading it. */
#define STREAM_BYTES ((int64_t)16 << 20)

static inline bool streams(const struct launch *launch)
{
    return !launch->product.accumulate && launch->storage->rows * (int64_t)sizeof(real) >= STREAM_BYTES;
}

/* After stores around the caches: all are seen by whoever sees what is stored from now on. */
static inline void stream_end(const struct launch *launch)
{
#ifdef LANES
    if (streams(launch)) _mm_sfence();
#else
    (void)launch;
#endif
}

/* Where a block of rows ends that begins with row i: at a line of the cache, if y begins at one. */
static inline int64_t block_end(int64_t i, int64_t rows, int64_t end)
{
    const int64_t line = 64 / (int64_t)sizeof(real);
    return min((i + rows) / line * line, end);
}

/* Sums of n rows into y from its row `first` on, or into rows perm[0 .. n-1] unless perm is NULL. */
static inline __attribute__((always_inline)) void put_sums(const struct launch *launch, const real *sum,
                                                           int64_t first, const int32_t *perm, int64_t n)
{
    real *restrict y = launch->y;
    bool add = launch->product.accumulate;
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

/* The same for a block of many rows, around the caches where that pays. */
static inline __attribute__((always_inline)) void put_block(const struct launch *launch, const real *sum,
                                                            int64_t first, const int32_t *perm, int64_t n)
{
    int64_t i = 0;
#ifdef LANES
    real *y = (real *)launch->y + first;
    if (!perm && streams(launch) && (uintptr_t)y % 64 == 0)
        for (; i + LANES <= n; i += LANES)
            lanes_stream(y + i, lanes_load(sum + i));
#endif
    put_sums(launch, sum + i, first + i, perm, n - i);
}

#endif
