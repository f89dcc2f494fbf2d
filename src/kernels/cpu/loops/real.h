/* For loops only: the type that they are compiled for, offsets of either width, and what several loops do. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_REAL_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_REAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/range.h"
#include "kernels/cpu/loops/loops.h"

typedef REAL real;

/* Element e of an array of offsets; `wide` is a constant where this is asked for every row. */
static inline __attribute__((always_inline)) int64_t offset_at(const void *offsets, bool wide, int64_t e)
{
    return wide ? ((const int64_t *)offsets)[e] : ((const int32_t *)offsets)[e];
}

/* Offset e of an array. */
static inline int64_t offset_of(const struct array *offsets, int64_t e)
{
    return offset_at(offsets->data, offsets->element == ELEMENT_I64, e);
}

/* The sum of n entries that lie one after the other. */
static inline real dot(const real *val, const int32_t *col, const real *x, int64_t n)
{
    real sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += val[k] * x[col[k]];
    return sum;
}

/* Rows whose sums are kept at a time, in the first-level cache, by loops that go along columns or diagonals.
 * The sums are an array of the loop's own: the compiler then knows that they are not x, and vectorises. */
#define SUMS 512

/* sum[i] += val[i] x[col[i]] for n rows. */
static inline __attribute__((always_inline)) void add_column(real *restrict sum, const real *val,
                                                             const int32_t *col, const real *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] += val[i] * x[col[i]];
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
