#include "matrix/decimal.h"

#include <float.h>
#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Words of 5^342, and one bit more for the division. */
#define WORDS 13

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
struct decimal_power decimal_powers[DECIMAL_POWER_MOST - DECIMAL_POWER_LEAST + 1];
static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void times_five(uint64_t *number)
{
    unsigned __int128 carry = 0;
    for (int k = 0; k < WORDS; k++) {
        carry += (unsigned __int128)number[k] * 5;
        number[k] = (uint64_t)carry;
        carry >>= 64;
    }
}

static int bit_length(const uint64_t *number)
{
    int k = WORDS - 1;
    while (!number[k])
        k--;
    return 64 * k + 64 - __builtin_clzll(number[k]);
}

/* The 64 bits of number from bit `first` upwards; bits outside are 0. */
static uint64_t bits_from(const uint64_t *number, int first)
{
    uint64_t bits = 0;
    for (int b = 0; b < 64; b++) {
        int at = first + b;
        if (at >= 0 && at < 64 * WORDS) bits |= (number[at / 64] >> (at % 64) & 1) << b;
    }
    return bits;
}

static struct decimal_power leading(const uint64_t *number)
{
    int length = bit_length(number);
    return (struct decimal_power){bits_from(number, length - 64), bits_from(number, length - 128)};
}

static bool at_least(const uint64_t *a, const uint64_t *b)
{
    for (int k = WORDS - 1; k >= 0; k--)
        if (a[k] != b[k]) return a[k] > b[k];
    return true;
}

/* floor(2^(z+127) / number) where 2^z is the power of two above number: long division, bit by bit. */
static struct decimal_power reciprocal(const uint64_t *number)
{
    uint64_t rest[WORDS] = {0};
    unsigned __int128 quotient = 0;
    int top = bit_length(number) - 1;
    rest[top / 64] = (uint64_t)1 << (top % 64);
    for (int step = 0; step < 128; step++) {
        for (int k = WORDS - 1; k > 0; k--)
            rest[k] = rest[k] << 1 | rest[k - 1] >> 63;
        rest[0] <<= 1;
        quotient <<= 1;
        if (!at_least(rest, number)) continue;
        quotient |= 1;
        unsigned borrow = 0;
        for (int k = 0; k < WORDS; k++) {
            uint64_t less = rest[k] - number[k] - borrow;
            borrow = rest[k] < number[k] || (rest[k] == number[k] && borrow);
            rest[k] = less;
        }
    }
    return (struct decimal_power){(uint64_t)(quotient >> 64), (uint64_t)quotient};
}

static void fill_tables(void)
{
    uint64_t five[WORDS] = {1};
    for (int q = 0; q <= -DECIMAL_POWER_LEAST; q++) {
        if (q <= DECIMAL_POWER_MOST) decimal_powers[q - DECIMAL_POWER_LEAST] = leading(five);
        if (q > 0) {
            struct decimal_power power = reciprocal(five);
            if (q <= 27 && ++power.low == 0) power.high++;
            decimal_powers[-q - DECIMAL_POWER_LEAST] = power;
        }
        times_five(five);
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
    const int64_t most = (int64_t)1 << 60;
    if ((*text | 0x20) != 'e' && (*text | 0x20) != 'd') return text;
    const char *end = decimal_integer(text + 1, exponent);
    if (!end) return text;
    if (*exponent > most) *exponent = most;
    if (*exponent < -most) *exponent = -most;
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
