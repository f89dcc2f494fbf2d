#include "analysis/exact.h"

#include <math.h>

/* Words for the longest sum, that of squares: 2 EXACT_EXPONENTS bits, and 128 more. */
#define WORDS (2 * EXACT_EXPONENTS / 64 + 4)

void exact_join(struct exact *to, const struct exact *from)
{
    for (int k = 0; k < EXACT_EXPONENTS; k++) {
        to->part[k].sizes += from->part[k].sizes;
        to->part[k].squares += from->part[k].squares;
    }
}

/* words += value << bit, words being digits to the base of 2^64, the lowest first. */
static void put(uint64_t *words, int bit, exact_integer value)
{
    /* `high` and `low` overlap in bits that are 0 in `high`. */
    exact_integer low = (exact_integer)(uint64_t)value << bit % 64, high = (value >> 64) << bit % 64;
    const uint64_t digits[] = {(uint64_t)low, (uint64_t)(low >> 64) | (uint64_t)high, (uint64_t)(high >> 64)};
    exact_integer carry = 0;
    for (int k = bit / 64, d = 0; k < WORDS && (d < 3 || carry); k++, d++) {
        carry += (exact_integer)words[k] + (d < 3 ? digits[d] : 0);
        words[k] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* Return words x 2^unit, rounded to the nearest double, ties to even. The upper two words have the 53 bits
 * that remain and at least 75 bits below them. For ties it also matters whether any other word is not 0. */
static struct exact_number number_of(const uint64_t *words, int unit)
{
    int top = WORDS - 1;
    while (top > 0 && words[top] == 0)
        top--;
    if (words[top] == 0) return (struct exact_number){0, 0};
    int lead = __builtin_clzll(words[top]);
    exact_integer upper = ((exact_integer)words[top] << 64 | (top > 0 ? words[top - 1] : 0)) << lead;
    const exact_integer half = (exact_integer)1 << 74;
    exact_integer below = upper & (2 * half - 1);
    uint64_t mantissa = (uint64_t)(upper >> 75);
    for (int k = 0; k < top - 1; k++)
        below |= words[k] != 0;
    if (below > half || (below == half && mantissa % 2)) mantissa++;
    int exponent, above = unit + 64 * (top + 1) - lead;
    double fraction = frexp((double)mantissa * 0x1p-53, &exponent);
    return (struct exact_number){fraction, above + exponent};
}

struct exact_number exact_sizes(const struct exact *sums)
{
    uint64_t words[WORDS] = {0};
    for (int k = 0; k < EXACT_EXPONENTS; k++)
        if (sums->part[k].sizes) put(words, k, sums->part[k].sizes);
    return number_of(words, -EXACT_UNIT);
}

struct exact_number exact_squares(const struct exact *sums)
{
    uint64_t words[WORDS] = {0};
    for (int k = 0; k < EXACT_EXPONENTS; k++)
        if (sums->part[k].squares) put(words, 2 * k, sums->part[k].squares);
    return number_of(words, EXACT_DROPPED - 2 * EXACT_UNIT);
}
