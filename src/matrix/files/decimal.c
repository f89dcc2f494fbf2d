#include "matrix/files/decimal.h"

#include <float.h>
#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Large numbers have HALVES * 32 = 960 bits. That holds 5^342, which has 795, and 2^INVERSE_BITS, of which
 * 2^INVERSE_BITS / 5^342 still has more than 128. */
#define HALVES 30
#define INVERSE_BITS 959

/* The midpoint of two neighbouring doubles has at most 768 significant digits. Further digits of a text can
 * only distinguish a tie from a number just above it. */
#define DIGITS_ENOUGH 800

const uint64_t decimal_tens[20] = {1u,
                                   10u,
                                   100u,
                                   1000u,
                                   10000u,
                                   100000u,
                                   1000000u,
                                   10000000u,
                                   100000000u,
                                   1000000000u,
                                   10000000000u,
                                   100000000000u,
                                   1000000000000u,
                                   10000000000000u,
                                   100000000000000u,
                                   1000000000000000u,
                                   10000000000000000u,
                                   100000000000000000u,
                                   1000000000000000000u,
                                   10000000000000000000u};

/* The powers of ten that are doubles: 5^22 < 2^53 < 5^23. */
static const double exact_tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* fill_tables writes these under pthread_once, and they are only read from then on. */
struct decimal_power decimal_powers[DECIMAL_POWER_MAX - DECIMAL_POWER_MIN + 1];
static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* number = 5 number. Large numbers are arrays of 32-bit halves of words, the lowest first. */
static void times_five(uint32_t *number)
{
    uint64_t carry = 0;
    for (int k = 0; k < HALVES; k++) {
        carry += (uint64_t)number[k] * 5;
        number[k] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* number = floor(number / 5), by long division from the highest half down. */
static void fifth(uint32_t *number)
{
    uint64_t rest = 0;
    for (int k = HALVES - 1; k >= 0; k--) {
        uint64_t dividend = rest << 32 | number[k];
        number[k] = (uint32_t)(dividend / 5);
        rest = dividend % 5;
    }
}

/* Return the 128 bits of a number from its highest 1 on. If it has fewer, zeros follow. */
static struct decimal_power leading(const uint32_t *number)
{
    int top = HALVES - 1;
    while (!number[top])
        top--;
    uint32_t half[5] = {0};
    for (int k = 0; k < 5 && k <= top; k++)
        half[k] = number[top - k];
    int shift = __builtin_clz(half[0]);
    uint64_t high = (uint64_t)half[0] << 32 | half[1], low = (uint64_t)half[2] << 32 | half[3];
    if (shift) {
        high = high << shift | low >> (64 - shift);
        low = low << shift | half[4] >> (32 - shift);
    }
    return (struct decimal_power){high, low};
}

/* For q = 0, 1, ..., 342 compute the two numbers
 *
 *     power = 5^q,    inverse = floor(2^INVERSE_BITS / 5^q),
 *
 * whose leading bits are those of 5^q and 5^-q. Each inverse is the floor of a fifth of the one before, since
 * floor(floor(a / 5^q) / 5) = floor(a / 5^(q+1)), so that no error builds up. */
static void fill_tables(void)
{
    uint32_t power[HALVES] = {1}, inverse[HALVES] = {0};
    inverse[INVERSE_BITS / 32] = (uint32_t)1 << (INVERSE_BITS % 32);
    for (int q = 0; q <= -DECIMAL_POWER_MIN; q++) {
        if (q <= DECIMAL_POWER_MAX) decimal_powers[q - DECIMAL_POWER_MIN] = leading(power);
        if (q > 0) {
            struct decimal_power rounded = leading(inverse);
            if (q <= 27 && ++rounded.low == 0) rounded.high++;
            decimal_powers[-q - DECIMAL_POWER_MIN] = rounded;
        }
        times_five(power);
        fifth(inverse);
    }
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

enum status decimal_start(struct error *error)
{
    pthread_once(&once, fill_tables);
    if (!c_locale) return error_set(error, STATUS_MEMORY, "out of memory: no room for the C locale");
    return STATUS_OK;
}

const char *decimal_integer(const char *text, int64_t *value)
{
    bool negative = *text == '-', over = false;
    uint64_t magnitude = 0;
    if (*text == '-' || *text == '+') text++;
    if ((unsigned char)(*text - '0') > 9) return NULL;
    for (; (unsigned char)(*text - '0') < 10; text++)
        over |= __builtin_mul_overflow(magnitude, (uint64_t)10, &magnitude) ||
                __builtin_add_overflow(magnitude, (uint64_t)(*text - '0'), &magnitude);
    if (negative)
        *value = over || magnitude > (uint64_t)INT64_MAX ? INT64_MIN : -(int64_t)magnitude;
    else
        *value = over || magnitude > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)magnitude;
    return text;
}

/* A decimal number as written. */
struct numeral {
    const char *first; /* the first digit or the point */
    const char *last;  /* the byte after the last digit or the point, before any exponent */
    int64_t exponent;  /* as it is written */
    bool negative;
};

/* Let strtod read the number, shortened to DIGITS_ENOUGH digits. If an omitted digit is not 0, a 1 replaces
 * all of them: the number stays on the same side of every midpoint of two doubles. */
static double by_strtod(const struct numeral *numeral)
{
    char text[DIGITS_ENOUGH + 64];
    int used = 0;
    int64_t exponent = numeral->exponent;
    bool point = false, rest = false;
    if (numeral->negative) text[used++] = '-';
    int empty = used;
    for (const char *c = numeral->first; c < numeral->last; c++) {
        if (*c == '.') {
            point = true;
            continue;
        }
        if (used < DIGITS_ENOUGH) {
            if (used > empty || *c != '0') text[used++] = *c;
            exponent -= point;
        } else {
            rest |= *c != '0';
            exponent += !point;
        }
    }
    if (used == empty) text[used++] = '0';
    if (rest) {
        text[used++] = '1';
        exponent--;
    }
    snprintf(text + used, sizeof text - (size_t)used, "e%lld", (long long)exponent);
    return strtod_l(text, NULL, c_locale);
}

/* *digits becomes the number of the first 19 digits, counted from the first that is not 0, and *exponent its
 * power of ten: the written one, changed by the point and the digits left out. Returns true if one of these
 * is not 0.
 */
static bool nineteen(const struct numeral *numeral, uint64_t *digits, int64_t *exponent)
{
    int used = 0;
    bool point = false, rest = false;
    *digits = 0;
    *exponent = numeral->exponent;
    for (const char *c = numeral->first; c < numeral->last; c++) {
        if (*c == '.') {
            point = true;
            continue;
        }
        if (used < 19) {
            *digits = *digits * 10 + (uint64_t)(*c - '0');
            used += *digits > 0;
            *exponent -= point;
        } else {
            rest |= *c != '0';
            *exponent += !point;
        }
    }
    return rest;
}

/* Return the double nearest to a number of more than 19 digits, which lies between its first 19 digits and
 * that plus one. If these two round to the same double, so does the number, since rounding is monotonic. */
static double many_digits(const struct numeral *numeral)
{
    uint64_t digits;
    int64_t exponent;
    double below, above;
    bool rest = nineteen(numeral, &digits, &exponent);
    if (!digits) return numeral->negative ? -0.0 : 0.0;
    if (decimal_nearest(digits, exponent, numeral->negative, &below)) {
        if (!rest) return below;
        if (decimal_nearest(digits + 1, exponent, numeral->negative, &above) && below == above) return below;
    }
    return by_strtod(numeral);
}

const char *decimal_exponent(const char *text, int64_t *exponent)
{
    const int64_t max = (int64_t)1 << 60;
    if ((*text | 0x20) != 'e' && (*text | 0x20) != 'd') return text;
    const char *end = decimal_integer(text + 1, exponent);
    if (!end) return text;
    if (*exponent > max) *exponent = max;
    if (*exponent < -max) *exponent = -max;
    return end;
}

const char *decimal_double(const char *text, double *value)
{
    const char *start = text;
    struct numeral numeral = {.negative = *text == '-'};
    if (*text == '-' || *text == '+') text++;
    numeral.first = text;
    uint64_t digits = 0;
    unsigned count;
    do {
        uint64_t eight = decimal_eight(text, &count);
        digits = digits * decimal_tens[count] + eight;
        text += count;
    } while (count == 8);
    int64_t written = text - numeral.first, fraction = 0;
    if (*text == '.') {
        const char *point = text++;
        do {
            uint64_t eight = decimal_eight(text, &count);
            digits = digits * decimal_tens[count] + eight;
            text += count;
        } while (count == 8);
        fraction = text - point - 1;
        written += fraction;
    }
    bool hexadecimal = (*text | 0x20) == 'x' && text == numeral.first + 1 && *numeral.first == '0';
    if (__builtin_expect(written == 0 || hexadecimal, 0)) { /* hexadecimal, inf, nan, or no number at all */
        char *end;
        char first = (char)(*numeral.first | 0x20);
        if (first != '0' && first != 'i' && first != 'n') return NULL;
        *value = strtod_l(start, &end, c_locale);
        return end > start ? end : NULL;
    }
    numeral.last = text;
    text = decimal_exponent(text, &numeral.exponent);
    if (__builtin_expect(written > 19, 0)) {
        const char *first = numeral.first;
        while (*first == '0' || *first == '.')
            first++;
        int64_t leading_zeros = first - numeral.first - (first > numeral.last - fraction - 1 && fraction > 0);
        if (first < numeral.last && written - leading_zeros > 19) {
            *value = many_digits(&numeral);
            return text;
        }
    }
    int64_t q = numeral.exponent - fraction;
    if (digits == 0) {
        *value = numeral.negative ? -0.0 : 0.0;
    } else if (digits < 2 * DECIMAL_HIDDEN_BIT && q >= -22 && q <= 22 && FLT_EVAL_METHOD == 0) {
        double exact = (double)digits;
        exact = q < 0 ? exact / exact_tens[-q] : exact * exact_tens[q];
        *value = numeral.negative ? -exact : exact;
    } else if (!decimal_nearest(digits, q, numeral.negative, value)) {
        *value = by_strtod(&numeral);
    }
    return text;
}
