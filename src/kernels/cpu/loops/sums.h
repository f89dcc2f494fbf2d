/* Loops shared by several formats. A matrix can be summed in two directions:
 *
 *     along rows (dot)             down columns (add_column)
 *     row i   -> -> -> -> sum      row i     i+1   i+2   i+3
 *     row i+1 -> -> -> -> sum       |  v  |  v  |  v  |  v     one vector of sums
 *
 * Along rows the elements of a vector are entries of one row, which must be added up at the end. Down columns
 * they are sums of neighbouring rows, which need no further work, but the format must store the entries of
 * neighbouring rows contiguously (transposed ELL, JDS, SELL, and DIA). */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_SUMS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_SUMS_H

#include "base/range.h"
#include "kernels/cpu/loops/ahead.h"
#include "kernels/cpu/loops/gather.h"
#include "kernels/cpu/loops/pairs.h"
#include "kernels/cpu/loops/real.h"

#ifdef SIMD

/* Return a vector whose element e is val[e] x[col[e]], e < SIMD. */
INLINE simd products(const real *val, const int32_t *col, const real *x)
{
    return simd_load(val) * simd_gather(x, col);
}

/* Return a vector whose elements add up to the sum of val[k] x[col[k]] over entries k = first .. end-1 of any
 * rows. Two vectors of sums alternate, so that a fused operation does not wait for the one before. */
INLINE simd dot_simd(const real *val, const int32_t *col, const real *x, int64_t first, int64_t end)
{
    int64_t k = first;
    simd s = {0}, t = {0};
    for (; k + 2 * SIMD <= end; k += 2 * SIMD) {
        s += products(val + k, col + k, x);
        t += products(val + k + SIMD, col + k + SIMD, x);
    }
    if (k + SIMD <= end) {
        s += products(val + k, col + k, x);
        k += SIMD;
    }
    if (k < end) t += simd_tail(val + k, x, col + k, end - k);
    return s + t;
}

#endif

/* Return the sum of val[k] x[col[k]] over k < n. */
static inline __attribute__((always_inline)) real dot(const real *val, const int32_t *col, const real *x,
                                                      int64_t n)
{
#ifdef SIMD
    return simd_sum(dot_simd(val, col, x, 0, n));
#elif defined(PAIRS)
    return pairs_dot(val, col, x, n);
#else
    real sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += val[k] * x[col[k]];
    return sum;
#endif
}

/* Maximum number of rows whose sums loops along columns or diagonals keep at a time, in the first-level
 * cache. The sums are in a separate array instead of y: the compiler then knows that they do not alias x, and
 * vectorises. SUMS is a multiple of every variant's SIMD, so that the last vector of a block may be stored
 * whole. */
#define SUMS 512

/* Return the rows of a block for a loop over this number of columns: rows * columns entries are about
 * AHEAD_BLOCK bytes, in multiples of 64 rows, from 64 to SUMS. */
static inline int64_t sums_rows(int64_t columns)
{
    int64_t rows = AHEAD_BLOCK / (int64_t)(sizeof(real) + sizeof(int32_t)) / max(columns, 1);
    return min(max(rows / 64, 1) * 64, SUMS);
}

/* Compute sum[i] += val[i] x[col[i]] for i < n. The sums that share a vector with the last of these must
 * exist; they keep their values. Unless `further` is 0, the entries that number of elements ahead are
 * prefetched. */
static inline __attribute__((always_inline)) void add_column(real *restrict sum, const real *val,
                                                             const int32_t *col, const real *x, int64_t n,
                                                             int64_t further)
{
    int64_t i = 0;
#ifdef SIMD
    for (; further && i + SIMD <= n; i += SIMD) {
        ahead_entry(val + i, col + i, further);
        simd_store(sum + i, simd_load(sum + i) + simd_load(val + i) * simd_gather(x, col + i));
    }
    for (; i + SIMD <= n; i += SIMD)
        simd_store(sum + i, simd_load(sum + i) + simd_load(val + i) * simd_gather(x, col + i));
    if (i < n) simd_store(sum + i, simd_load(sum + i) + simd_tail(val + i, x, col + i, n - i));
#else
#    ifdef PAIRS
    for (; i + PAIRS <= n; i += PAIRS) {
        if (further) ahead_entry(val + i, col + i, further);
        pairs_store(sum + i,
                    pairs_add_product(pairs_load(sum + i), pairs_load(val + i), pairs_gather(x, col + i)));
    }
#    endif
    for (; i < n; i++)
        sum[i] += val[i] * x[col[i]];
#endif
}

static inline void clear_sums(real *sum, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] = 0;
}

/* Size of y in bytes from which it does not stay in a core's caches until the next product. Such a y is
 * written with non-temporal stores, which saves reading each of its lines before it is overwritten. */
#define STREAM_BYTES ((int64_t)16 << 20)

static inline bool streams(const struct launch *launch)
{
    return !launch->product.accumulate && launch->storage->rows * (int64_t)sizeof(real) >= STREAM_BYTES;
}

/* End a loop that may have streamed. Non-temporal stores are weakly ordered: the fence makes them visible
 * before later stores, such as the flag that this thread has finished. */
static inline void stream_end(const struct launch *launch)
{
#if defined(SIMD) || defined(PAIRS)
    if (streams(launch)) _mm_sfence();
#else
#endif
}

/* Return the end of a block of about `rows` rows from row i, at most `end`. It is the end of a cache line if
 * y is aligned to one, so that no line of y is streamed in two pieces. */
static inline int64_t block_end(int64_t i, int64_t rows, int64_t end)
{
    const int64_t line = 64 / (int64_t)sizeof(real);
    return min((i + rows) / line * line, end);
}

/* Compute y[first + i] = sum[i] for i < n, or y[perm[i]] = sum[i] unless perm is NULL; += instead of = if the
 * launch accumulates. */
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

/* The same as put_sums, streamed if that pays and y is aligned. The caller must finally call stream_end. */
static inline __attribute__((always_inline)) void put_block(const struct launch *launch, const real *sum,
                                                            int64_t first, const int32_t *perm, int64_t n)
{
    int64_t i = 0;
#ifdef SIMD
    real *y = (real *)launch->y + first;
    if (!perm && streams(launch) && (uintptr_t)y % 64 == 0)
        for (; i + SIMD <= n; i += SIMD)
            simd_stream(y + i, simd_load(sum + i));
#elif defined(PAIRS)
    real *y = (real *)launch->y + first;
    if (!perm && streams(launch) && (uintptr_t)y % 64 == 0)
        for (; i + PAIRS <= n; i += PAIRS)
            pairs_stream(y + i, pairs_load(sum + i));
#endif
    put_sums(launch, sum + i, first + i, perm, n - i);
}

#endif
