/* For loops only: asking for entries before they are needed. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_AHEAD_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_AHEAD_H

#include "kernels/cpu/loops/real.h"

/* Bytes of values that are asked for ahead of those in use, and for columns as many entries: hardware does
 * not look beyond the end of a page, and does not bring enough at a time. First into the second-level cache,
 * then into the first. Nothing happens where there is no memory. */
#define AHEAD_FAR ((int64_t)16384)
#define AHEAD_NEAR ((int64_t)512)

/* Bytes of entries from which on they do not stay in a core's own caches. */
#define AHEAD_LARGE ((int64_t)1 << 20)

/* Whether it is worth while for so many slots. */
static inline bool ahead_pays(int64_t slots)
{
    return slots * (int64_t)(sizeof(real) + sizeof(int32_t)) >= AHEAD_LARGE;
}

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

/* Ask for what comes after entries first .. end-1 as far as there are so many more. */
static inline __attribute__((always_inline)) void ahead(const real *val, const int32_t *col, int64_t first,
                                                        int64_t end)
{
    ahead_array(val, first, end, sizeof *val);
    ahead_array(col, first, end, sizeof *col);
}

/* Bytes that are worked on between an entry's being asked for and its use, where entries next to each other
 * in memory are not used one after the other: half of what stays in the second-level cache. */
#define AHEAD_BLOCK ((int64_t)128 << 10)

/* Ask for the line of the cache with the value so many further on, and for one that is needed soon. */
static inline __attribute__((always_inline)) void ahead_value(const real *val, int64_t further)
{
    uintptr_t at = (uintptr_t)val;
    __builtin_prefetch((const void *)(at + (uintptr_t)further * sizeof *val), 0, 2);
    __builtin_prefetch((const void *)(at + AHEAD_NEAR), 0, 3);
}

/* The same for an entry. */
static inline __attribute__((always_inline)) void ahead_entry(const real *val, const int32_t *col,
                                                              int64_t further)
{
    uintptr_t at = (uintptr_t)col;
    ahead_value(val, further);
    __builtin_prefetch((const void *)(at + (uintptr_t)further * sizeof *col), 0, 2);
    __builtin_prefetch((const void *)(at + AHEAD_NEAR / (int64_t)sizeof(real) * sizeof *col), 0, 3);
}

/* Entries before its own at which an element of x is asked for. */
#define AHEAD_X 128

/* Ask for the elements of x that entries first .. end-1 lead to, AHEAD_X further on, of `count` entries; into
 * the second-level cache, to which more requests may be under way. */
static inline __attribute__((always_inline)) void ahead_x(const real *x, const int32_t *col, int64_t first,
                                                          int64_t end, int64_t count)
{
    int64_t stop = end + AHEAD_X < count ? end + AHEAD_X : count;
    for (int64_t k = first + AHEAD_X; k < stop; k++)
        __builtin_prefetch(x + col[k], 0, 2);
}

#endif
