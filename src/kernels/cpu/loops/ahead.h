/* For loops only: prefetching entries. The processor itself prefetches ascending addresses, but not beyond
 * the end of a page, and not far enough ahead to keep the memory busy. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_AHEAD_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_AHEAD_H

#include "kernels/cpu/loops/real.h"

/* Prefetch distances of values in bytes; columns are prefetched the same number of entries ahead. Each line
 * is prefetched twice: AHEAD_FAR before its use into the second-level cache, and AHEAD_NEAR before it into
 * the first. Prefetches may go beyond the end of an array: prefetches of unmapped addresses have no
 * effect. */
#define AHEAD_FAR ((int64_t)16384)
#define AHEAD_NEAR ((int64_t)512)

/* Bytes of entries below which they stay in a core's private caches from one product to the next. */
#define AHEAD_LARGE ((int64_t)1 << 20)

/* Return true if a storage of this number of slots is large enough for prefetching to pay. */
static inline bool ahead_pays(int64_t slots)
{
    return slots * (int64_t)(sizeof(real) + sizeof(int32_t)) >= AHEAD_LARGE;
}

/* Prefetch the elements AHEAD_FAR and AHEAD_NEAR (converted from values to elements) after first .. end-1, of
 * `size` bytes each: one request for each line of 64 bytes. Addresses are computed as integers, since they
 * may lie outside the array. */
static inline __attribute__((always_inline)) void ahead_array(const void *array, int64_t first, int64_t end,
                                                              int64_t size)
{
    const uintptr_t far = (uintptr_t)(AHEAD_FAR / (int64_t)sizeof(real) * size),
                    near = (uintptr_t)(AHEAD_NEAR / (int64_t)sizeof(real) * size);
    for (int64_t byte = first * size; byte < end * size; byte += 64) {
        uintptr_t line = (uintptr_t)array + (uintptr_t)byte;
        __builtin_prefetch((const void *)(line + far), 0, 2);
        __builtin_prefetch((const void *)(line + near), 0, 3);
    }
}

/* Prefetch the values and columns after those of entries first .. end-1, the same number of them. */
static inline __attribute__((always_inline)) void ahead(const real *val, const int32_t *col, int64_t first,
                                                        int64_t end)
{
    ahead_array(val, first, end, sizeof *val);
    ahead_array(col, first, end, sizeof *col);
}

/* Prefetch distances in bytes, into the first-level cache: of a loop that reads values and columns in one
 * sequence and prefetches each line once, at every step; and of a loop that reads only the values of several
 * rows side by side. Less than 4096 bytes would not use all outstanding requests of a core. */
#define AHEAD_STEADY ((int64_t)8192)
#define AHEAD_ROWS ((int64_t)16384)

/* Prefetch the line of values, and that of their columns, AHEAD_STEADY bytes of values ahead. */
static inline __attribute__((always_inline)) void ahead_line(const real *val, const int32_t *col)
{
    __builtin_prefetch((const void *)((uintptr_t)val + (uintptr_t)AHEAD_STEADY), 0, 3);
    __builtin_prefetch((const void *)((uintptr_t)col + (uintptr_t)AHEAD_STEADY / sizeof *val * sizeof *col),
                       0, 3);
}

/* Prefetch the two lines of values, and the columns of the same entries, of `size` bytes each, AHEAD_STEADY
 * bytes of values ahead. */
static inline __attribute__((always_inline)) void ahead_pair(const real *val, const void *col, size_t size)
{
    uintptr_t values = (uintptr_t)val + (uintptr_t)AHEAD_STEADY;
    __builtin_prefetch((const void *)values, 0, 3);
    __builtin_prefetch((const void *)(values + 64), 0, 3);
    __builtin_prefetch((const void *)((uintptr_t)col + (uintptr_t)AHEAD_STEADY / sizeof *val * size), 0, 3);
}

/* Prefetch the line AHEAD_ROWS bytes after this value. */
static inline __attribute__((always_inline)) void ahead_row(const real *val)
{
    __builtin_prefetch((const void *)((uintptr_t)val + (uintptr_t)AHEAD_ROWS), 0, 3);
}

/* Maximum bytes of a block of rows in loops that process it column by column. Such a loop does not use
 * entries in the order of memory. It prefetches the next block while it sums this one, so that both must stay
 * in the second-level cache. */
#define AHEAD_BLOCK ((int64_t)128 << 10)

/* Prefetch the line of the value `further` elements after this one into the second-level cache, and the line
 * AHEAD_NEAR bytes after this one into the first-level cache. */
static inline __attribute__((always_inline)) void ahead_value(const real *val, int64_t further)
{
    uintptr_t at = (uintptr_t)val;
    __builtin_prefetch((const void *)(at + (uintptr_t)further * sizeof *val), 0, 2);
    __builtin_prefetch((const void *)(at + AHEAD_NEAR), 0, 3);
}

/* Prefetch the value and the column of an entry as ahead_value does for a value. */
static inline __attribute__((always_inline)) void ahead_entry(const real *val, const int32_t *col,
                                                              int64_t further)
{
    uintptr_t at = (uintptr_t)col;
    ahead_value(val, further);
    __builtin_prefetch((const void *)(at + (uintptr_t)further * sizeof *col), 0, 2);
    __builtin_prefetch((const void *)(at + AHEAD_NEAR / (int64_t)sizeof(real) * sizeof *col), 0, 3);
}

/* Prefetch distance of elements of x in entries. */
#define AHEAD_X 128

/* Prefetch x[col[k]] of entries k = first + AHEAD_X .. end-1 + AHEAD_X, up to the last of `count`; into the
 * second-level cache, since a core can have more outstanding requests to it than to the first. */
static inline __attribute__((always_inline)) void ahead_x(const real *x, const int32_t *col, int64_t first,
                                                          int64_t end, int64_t count)
{
    int64_t stop = end + AHEAD_X < count ? end + AHEAD_X : count;
    for (int64_t k = first + AHEAD_X; k < stop; k++)
        __builtin_prefetch(x + col[k], 0, 2);
}

#endif
