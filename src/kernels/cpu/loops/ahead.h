/* For loops only: asking for entries before they are needed (prefetching). The processor does so by itself
 * where addresses ascend, but not beyond the end of a page, and not far enough ahead to keep the memory busy.
 */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_AHEAD_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_AHEAD_H

#include "kernels/cpu/loops/real.h"

/* Prefetch distances of values in bytes; columns are prefetched the same number of entries ahead. Each line
 * is prefetched twice: AHEAD_FAR before its use into the second-level cache, and AHEAD_NEAR before it into
 * the first. Prefetches may go beyond the end of an array: without memory there they do nothing, and are not
 * an error. */
#define AHEAD_FAR ((int64_t)16384)
#define AHEAD_NEAR ((int64_t)512)

/* Entries of fewer bytes stay in a core's own caches from one product to the next. */
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

/* Ask for values and columns that lie behind those of entries first .. end-1, as many of them. */
static inline __attribute__((always_inline)) void ahead(const real *val, const int32_t *col, int64_t first,
                                                        int64_t end)
{
    ahead_array(val, first, end, sizeof *val);
    ahead_array(col, first, end, sizeof *col);
}

/* How far ahead a loop asks that goes through values and columns in one sequence and asks at every step, for
 * each line once, into the first level; and one that reads the values of several rows side by side, and
 * nothing else. Less than 4096 bytes are less than a core can have under way. */
#define AHEAD_STEADY ((int64_t)8192)
#define AHEAD_ROWS ((int64_t)16384)

/* Ask for the line of values, and for that of their columns, that lie AHEAD_STEADY bytes of values behind
 * these. */
static inline __attribute__((always_inline)) void ahead_line(const real *val, const int32_t *col)
{
    __builtin_prefetch((const void *)((uintptr_t)val + (uintptr_t)AHEAD_STEADY), 0, 3);
    __builtin_prefetch((const void *)((uintptr_t)col + (uintptr_t)AHEAD_STEADY / sizeof *val * sizeof *col),
                       0, 3);
}

/* Ask for the two lines of values, and for the columns of as many entries, of `size` bytes each, that lie
 * AHEAD_STEADY bytes of values behind these. */
static inline __attribute__((always_inline)) void ahead_pair(const real *val, const void *col, size_t size)
{
    uintptr_t values = (uintptr_t)val + (uintptr_t)AHEAD_STEADY;
    __builtin_prefetch((const void *)values, 0, 3);
    __builtin_prefetch((const void *)(values + 64), 0, 3);
    __builtin_prefetch((const void *)((uintptr_t)col + (uintptr_t)AHEAD_STEADY / sizeof *val * size), 0, 3);
}

/* Ask for the line that lies AHEAD_ROWS bytes behind this value. */
static inline __attribute__((always_inline)) void ahead_row(const real *val)
{
    __builtin_prefetch((const void *)((uintptr_t)val + (uintptr_t)AHEAD_ROWS), 0, 3);
}

/* Where a loop goes through a block of rows column by column, entries next to each other in memory are not
 * used one after the other. The next block is then prefetched while this one is summed, so that both must
 * stay in the second-level cache: this is the maximum size of a block in bytes. */
#define AHEAD_BLOCK ((int64_t)128 << 10)

/* Ask for the line that holds the value `further` elements behind this one, into the second-level cache, and
 * for the one AHEAD_NEAR bytes behind it, into the first. */
static inline __attribute__((always_inline)) void ahead_value(const real *val, int64_t further)
{
    uintptr_t at = (uintptr_t)val;
    __builtin_prefetch((const void *)(at + (uintptr_t)further * sizeof *val), 0, 2);
    __builtin_prefetch((const void *)(at + AHEAD_NEAR), 0, 3);
}

/* Ask for the value and the column of an entry as ahead_value does for a value. */
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
