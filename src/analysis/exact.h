/* Sums of absolute values and of their squares that are exact, so that they do not depend on the order of the
 * additions, and thus not on threads or processes.
 *
 * For each exponent of a double, the mantissas of the numbers with this exponent are added as integers (as in
 * the small superaccumulator of Neal, arXiv 1505.05571, 2015, whose chunks are wider). */
#ifndef SPARSIGHT_ANALYSIS_EXACT_H
#define SPARSIGHT_ANALYSIS_EXACT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 exact_integer;

/* The exponents of doubles from that of the smallest denormal number, once its mantissa is shifted up, to
 * that of the largest finite one: a number is mantissa x 2^(k - EXACT_UNIT), 2^52 <= mantissa < 2^53, 0 <= k
 * < EXACT_EXPONENTS. */
#define EXACT_EXPONENTS 2098
#define EXACT_UNIT 1126

/* Squares of mantissas have 106 bits, of which the lowest EXACT_DROPPED are rounded away before they are
 * added, so that 2^64 numbers fit into a sum. The relative error of a sum of squares is at most 2^-63. */
#define EXACT_DROPPED 42

struct exact_part {
    exact_integer sizes;   /* in units of 2^(k - EXACT_UNIT) */
    exact_integer squares; /* in units of 2^(2 (k - EXACT_UNIT) + EXACT_DROPPED) */
};

/* {0} is an empty sum. */
struct exact {
    struct exact_part part[EXACT_EXPONENTS];
};

/* Split a finite size > 0 into *mantissa and the exponent k above, which is returned. */
static inline int exact_split(double size, uint64_t *mantissa)
{
    uint64_t bits, fraction;
    memcpy(&bits, &size, sizeof bits);
    fraction = bits & (((uint64_t)1 << 52) - 1);
    int exponent = (int)(bits >> 52);
    if (exponent == 0) {
        int lift = __builtin_clzll(fraction) - 11;
        *mantissa = fraction << lift;
        return 52 - lift;
    }
    *mantissa = fraction | (uint64_t)1 << 52;
    return exponent + 51;
}

/* Add a finite size > 0, and its square. */
static inline void exact_add(struct exact *sums, double size)
{
    uint64_t mantissa;
    struct exact_part *part = &sums->part[exact_split(size, &mantissa)];
    const exact_integer half = (exact_integer)1 << (EXACT_DROPPED - 1);
    part->sizes += mantissa;
    part->squares += ((exact_integer)mantissa * mantissa + half) >> EXACT_DROPPED;
}

/* Add a finite size > 0, and its square, this number of times. */
static inline void exact_add_times(struct exact *sums, double size, uint64_t times)
{
    uint64_t mantissa;
    struct exact_part *part = &sums->part[exact_split(size, &mantissa)];
    const exact_integer half = (exact_integer)1 << (EXACT_DROPPED - 1);
    part->sizes += (exact_integer)mantissa * times;
    part->squares += (((exact_integer)mantissa * mantissa + half) >> EXACT_DROPPED) * times;
}

/* Add the sums of *from. */
void exact_join(struct exact *to, const struct exact *from);

/* A number mantissa x 2^exponent, whose mantissa is 0 or lies between 1/2 and 1. It may exceed the range of a
 * double. */
struct exact_number {
    double mantissa;
    int exponent;
};

/* Return the sum of the sizes, or of the squares, rounded once. */
struct exact_number exact_sizes(const struct exact *sums);
struct exact_number exact_squares(const struct exact *sums);

/* Maximum number of numbers in one call. */
#define EXACT_BATCH 1024

/* Add the sizes, |a|, of `count` finite numbers, and their squares, and return true; zeros are skipped.
 * `least` and `most` are the smallest and the largest of the other sizes. Returns false and adds nothing
 * unless 2^-400 < least <= most < 2^400 and most / least < 2^16. */
bool exact_add_batch(struct exact *sums, const double *val, int64_t count, double least, double most);

#endif
