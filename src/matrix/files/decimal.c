#include "matrix/files/decimal.h"

#include <float.h>
#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Halves of words that hold 5^342, and 2^INVERSE_BITS / 5^342 with at least 128 bits: 5^342 has 795. */
#define HALVES 30
#define INVERSE_BITS 959

/* Digits beyond these can at most tell a tie from what lies just above it. */
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

/* Powers of ten that a double holds exactly. */
static const double exact_tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Written once, by fill_tables under pthread_once, and only read from then on. */
struct decimal_power decimal_powers[DECIMAL_POWER_MAX - DECIMAL_POWER_MIN + 1];
static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Large numbers are arrays of 32-bit halves of words, the lowest first. */
static void times_five(uint32_t *number)
{
    uint64_t carry = 0;
    for (int k = 0; k < HALVES; k++) {
        carry += (uint64_t)number[k] * 5;
        number[k] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* number = floor(number / 5) */
static void fifth(uint32_t *number)
{
    uint64_t rest = 0;
    for (int k = HALVES - 1; k >= 0; k--) {
        uint64_t part = rest << 32 | number[k];
        number[k] = (uint32_t)(part / 5);
        rest = part % 5;
    }
}

/* The first 128 bits of number from its highest 1; bits below its lowest are 0. */
static struct decimal_power leading(const uint32_t *number)
{
    int top = HALVES - 1;
    while (!number[top])
        top--;
    uint32_t part[5] = {0};
    for (int k = 0; k < 5 && k <= top; k++)
        part[k] = number[top - k];
    int shift = __builtin_clz(part[0]);
    uint64_t high = (uint64_t)part[0] << 32 | part[1], low = (uint64_t)part[2] << 32 | part[3];
    if (shift) {
        high = high << shift | low >> (64 - shift);
        low = low << shift | part[4] >> (32 - shift);
    }
    return (struct decimal_power){high, low};
}

/* Powers 5^q, and of their inverses floor(2^INVERSE_BITS / 5^q), of which each is the floor of a fifth of the
 * one before. Their leading bits are the significands of 10^q and 10^-q. */
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

/* The parts of a decimal number's text. */
struct parts {
    const char *first; /* first digit or point */
    const char *last;  /* after the last digit or point, before any exponent */
    int64_t exponent;  /* the written one */
    bool negative;
};

/* Hand the number to strtod, shortened to the digits that can matter: the rest is 0, or worth a 1 after
 * them. */
static double by_strtod(const struct parts *parts)
{
    char text[DIGITS_ENOUGH + 64];
    int used = 0;
    int64_t exponent = parts->exponent;
    bool point = false, rest = false;
    if (parts->negative) text[used++] = '-';
    int empty = used;
    for (const char *c = parts->first; c < parts->last; c++) {
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

/* The first 19 digits from the first that is not 0, as an integer; *exponent is what the point and the digits
 * left out are worth. True if a digit was left out that is not 0. */
static bool nineteen(const struct parts *parts, uint64_t *digits, int64_t *exponent)
{
    int used = 0;
    bool point = false, rest = false;
    *digits = 0;
    *exponent = parts->exponent;
    for (const char *c = parts->first; c < parts->last; c++) {
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

/* More than 19 digits: if the first 19 and the same plus one round to one double, that is it. */
static double many_digits(const struct parts *parts)
{
    uint64_t digits;
    int64_t exponent;
    double below, above;
    bool rest = nineteen(parts, &digits, &exponent);
    if (!digits) return parts->negative ? -0.0 : 0.0;
    if (decimal_nearest(digits, exponent, parts->negative, &below)) {
        if (!rest) return below;
        if (decimal_nearest(digits + 1, exponent, parts->negative, &above) && below == above) return below;
    }
    return by_strtod(parts);
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
    struct parts parts = {.negative = *text == '-'};
    if (*text == '-' || *text == '+') text++;
    parts.first = text;
    uint64_t digits = 0;
    unsigned count;
    do {
        uint64_t eight = decimal_eight(text, &count);
        digits = digits * decimal_tens[count] + eight;
        text += count;
    } while (count == 8);
    int64_t written = text - parts.first, fraction = 0;
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
    bool hexadecimal = (*text | 0x20) == 'x' && text == parts.first + 1 && *parts.first == '0';
    if (__builtin_expect(written == 0 || hexadecimal, 0)) { /* or inf, nan, nothing */
        char *end;
        char first = (char)(*parts.first | 0x20);
        if (first != '0' && first != 'i' && first != 'n') return NULL;
        *value = strtod_l(start, &end, c_locale);
        return end > start ? end : NULL;
    }
    parts.last = text;
    text = decimal_exponent(text, &parts.exponent);
    if (__builtin_expect(written > 19, 0)) {
        const char *first = parts.first;
        while (*first == '0' || *first == '.')
            first++;
        int64_t leading_zeros = first - parts.first - (first > parts.last - fraction - 1 && fraction > 0);
        if (first < parts.last && written - leading_zeros > 19) {
            *value = many_digits(&parts);
            return text;
        }
    }
    int64_t q = parts.exponent - fraction;
    if (digits == 0) {
        *value = parts.negative ? -0.0 : 0.0;
    } else if (digits < 2 * DECIMAL_HIDDEN_BIT && q >= -22 && q <= 22 && FLT_EVAL_METHOD == 0) {
        double exact = (double)digits;
        exact = q < 0 ? exact / exact_tens[-q] : exact * exact_tens[q];
        *value = parts.negative ? -exact : exact;
    } else if (!decimal_nearest(digits, q, parts.negative, value)) {
        *value = by_strtod(&parts);
    }
    return text;
}
