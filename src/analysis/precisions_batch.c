#include "analysis/precisions_batch.h"

#include <float.h>

#include "base/wide.h"

/* `parts` is a constant in each call, so that the compiler unrolls the inner loop and vectorises the outer
 * one. After an overflow the other parts are 0. */
static inline __attribute__((always_inline)) void split(const struct rounding *rounding, int parts,
                                                        const double *val, int64_t count,
                                                        struct rounded_batch *batch)
{
    for (int64_t k = 0; k < count; k++) {
        double rest = val[k], sum = 0;
        for (int p = 0; p < parts; p++) {
            double part = number_round(rounding, rest);
            rest = number_pick(fabs(part) <= DBL_MAX, rest - part, 0);
            batch->part[p][k] = part;
            sum += part;
        }
        batch->stored[k] = sum;
    }
}

#define INFINITE ((int64_t)2047 << 52)

/* The bits of a number >= 0 as an integer. They have the order of the numbers, and comparing integers lets
 * the compiler vectorise. */
static inline int64_t bits_of(double size)
{
    int64_t bits;
    memcpy(&bits, &size, sizeof bits);
    return bits;
}

/* A stored value has the sign of its value, so that absolute values are compared. */
static inline __attribute__((always_inline)) void count_values(const double *val, const double *stored,
                                                               int64_t count, struct rounded *rounded)
{
    int64_t exact = 0, infinite = 0, zero = 0, largest = 0;
    double most;
    for (int64_t k = 0; k < count; k++) {
        double size = fabs(val[k]), change = fabs(stored[k] - val[k]);
        int64_t a = bits_of(size), s = bits_of(fabs(stored[k])), finite = a < INFINITE, kept = s < INFINITE;
        int64_t relative = bits_of(change / number_pick(a > 0, size, 1)) & -(finite & kept);
        exact += finite & (a == s);
        infinite += finite & (kept ^ 1);
        zero += (a > 0) & (s == 0);
        largest = relative > largest ? relative : largest;
    }
    memcpy(&most, &largest, sizeof most);
    rounded->exact += exact;
    rounded->infinite += infinite;
    rounded->zero += zero;
    rounded->largest = most > rounded->largest ? most : rounded->largest;
}

static inline __attribute__((always_inline)) void count_subnormal(double normal, int parts, int64_t count,
                                                                  const struct rounded_batch *batch,
                                                                  struct rounded *rounded)
{
    int64_t subnormal = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t found = 0;
        for (int p = 0; p < parts; p++) {
            double size = fabs(batch->part[p][k]);
            found |= (size > 0) & (size < normal);
        }
        subnormal += found;
    }
    rounded->subnormal += subnormal;
}

/* One function for each number of parts. */
WIDE static void round_1(const struct rounding *rounding, const double *val, int64_t count,
                         struct rounded_batch *batch, struct rounded *rounded)
{
    split(rounding, 1, val, count, batch);
    count_values(val, batch->stored, count, rounded);
    count_subnormal(rounding->normal, 1, count, batch, rounded);
}

WIDE static void round_2(const struct rounding *rounding, const double *val, int64_t count,
                         struct rounded_batch *batch, struct rounded *rounded)
{
    split(rounding, 2, val, count, batch);
    count_values(val, batch->stored, count, rounded);
    count_subnormal(rounding->normal, 2, count, batch, rounded);
}

WIDE static void round_3(const struct rounding *rounding, const double *val, int64_t count,
                         struct rounded_batch *batch, struct rounded *rounded)
{
    split(rounding, 3, val, count, batch);
    count_values(val, batch->stored, count, rounded);
    count_subnormal(rounding->normal, 3, count, batch, rounded);
}

_Static_assert(NUMBER_PARTS_MAX == 3, "a function for each number of parts");

void precisions_round(const struct number_type *type, const struct rounding *rounding, const double *val,
                      int64_t count, struct rounded_batch *batch, struct rounded *rounded)
{
    (type->parts == 1 ? round_1 : type->parts == 2 ? round_2 : round_3)(rounding, val, count, batch, rounded);
}

WIDE int64_t precisions_finite(const double *val, int64_t count)
{
    int64_t finite = 0;
    for (int64_t k = 0; k < count; k++)
        finite += fabs(val[k]) <= DBL_MAX;
    return finite;
}
