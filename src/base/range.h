/* Minimum, maximum, clamping, bisection, comparing for qsort, common multiples, and shares. */
#ifndef SPARSIGHT_BASE_RANGE_H
#define SPARSIGHT_BASE_RANGE_H

#include <math.h>
#include <stdint.h>

static inline int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* a / b rounded up, for a >= 0 and b > 0. */
static inline int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* The number in 0..max that is nearest to `value`. */
static inline int64_t clip(int64_t value, int64_t max)
{
    return value < 0 ? 0 : min(value, max);
}

/* The number in 0..count-1 that is nearest to `at`; 0 if there is none. */
static inline int clip_index(int at, int count)
{
    if (at >= count) at = count - 1;
    return at < 0 ? 0 : at;
}

/* Return the new index of the first visible item, if `room` of `count` items are visible and the old one is
 * `first`. Item `at` becomes visible, and no line stays empty below the last item. */
static inline int scroll_to(int first, int at, int count, int room)
{
    if (room < 1) room = 1;
    if (at < first) first = at;
    if (at >= first + room) first = at - room + 1;
    if (first > count - room) first = count - room;
    return first < 0 ? 0 : first;
}

/* Let `low` become the first index of low .. high - 1, both variables, for which `before` does not hold, or
 * `high` if there is none. `before` is an expression of the index `middle`; it holds for all indices before
 * the first for which it does not. */
#define BISECT(low, high, before)                                    \
    while ((low) < (high)) {                                         \
        const __typeof__(low) middle = (low) + ((high) - (low)) / 2; \
        if (before)                                                  \
            (low) = middle + 1;                                      \
        else                                                         \
            (high) = middle;                                         \
    }

/* Comparisons of double and of int64_t for qsort, ascending. */
static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline int compare_integers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The least common multiple of two positive numbers, which must not exceed INT64_MAX (Euclid's algorithm). */
static inline int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t divisor = a;
    for (int64_t rest = b; rest > 0;) {
        int64_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    return a / divisor * b;
}

/* part / whole; NaN if `whole` is 0. */
static inline double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

#endif
