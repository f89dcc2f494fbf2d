/* Decimal numbers in text, fast: integers eight digits at a time, doubles bit for bit as strtod reads them.
 *
 * The text of a number must be followed by a byte that cannot be part of one (a blank, a line end, a NUL),
 * and DECIMAL_PADDING bytes after the start of any number's last digit must be readable. */
#ifndef SPARSIGHT_MATRIX_FILES_DECIMAL_H
#define SPARSIGHT_MATRIX_FILES_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

#define DECIMAL_PADDING 16

/* Prepare the table of powers of five and the C locale, once a process; call it before decimal_double. Any
 * number of threads may call it at once. Errors: STATUS_MEMORY. */
enum status decimal_start(struct error *error);

/* Read one double as strtod does in the C locale, but for blanks before it, which are not skipped: decimal,
 * hexadecimal, inf, infinity, nan, nan(...). The exponent's letter may also be d or D. Rounds to nearest,
 * ties to even; what is too large becomes infinity. Returns the byte after the number, or NULL if there is
 * none. Sources: Clinger, How to read floating point numbers accurately (PLDI 1990), for the short cases;
 * Lemire, Number parsing at a gigabyte per second (SPE 2021), for the rest; strtod for what these leave open.
 */
const char *decimal_double(const char *text, double *value);

/* Read [+-]digits. Beyond 64 bits the value is clamped to INT64_MIN or INT64_MAX. Returns the byte after the
 * number, or NULL if there is none. */
const char *decimal_integer(const char *text, int64_t *value);

extern const uint64_t decimal_tens[20]; /* powers of ten that fit 64 bits */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The number of eight digits, each 0 to 9 in its byte, the first in the lowest. */
static inline uint64_t decimal_join(uint64_t word)
{
    word = word * 10 + (word >> 8); /* pairs in bytes 0, 2, 4, 6, then all four pairs in two products */
    uint64_t odd = (word & 0x000000ff000000ffu) * 0x000f424000000064u;
    uint64_t even = ((word >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u;
    return (odd + even) >> 32;
}
#endif

/* Read up to eight digits: *digits of them (0 if there are none). Returns their value. */
static inline uint64_t decimal_eight(const char *text, unsigned *digits)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word;
    memcpy(&word, text, sizeof word);
    word ^= 0x3030303030303030u; /* digits become 0 to 9 */
    /* A byte above 9 shows in its upper half, at once or after adding 6; a carry only reaches bytes after it.
     */
    uint64_t other = ((word + 0x0606060606060606u) | word) & 0xf0f0f0f0f0f0f0f0u;
    unsigned count = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
    *digits = count;
    if (!count) return 0;
    return decimal_join(word << (64 - 8 * count)); /* as if zeros stood before them */
#else
    uint64_t value = 0;
    unsigned count = 0;
    for (; count < 8 && (unsigned char)(text[count] - '0') < 10; count++)
        value = value * 10 + (uint64_t)(text[count] - '0');
    *digits = count;
    return value;
#endif
}

/* The next eight bytes are digits: *value is theirs. */
static inline bool decimal_all_eight(const char *text, uint64_t *value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word;
    memcpy(&word, text, sizeof word);
    word ^= 0x3030303030303030u;
    if (((word + 0x0606060606060606u) | word) & 0xf0f0f0f0f0f0f0f0u) return false;
    *value = decimal_join(word);
    return true;
#else
    unsigned count;
    *value = decimal_eight(text, &count);
    return count == 8;
#endif
}

/* 10^q for q outside these is 0 or infinity beside any mantissa of 64 bits. */
#define DECIMAL_POWER_MIN (-342)
#define DECIMAL_POWER_MAX 308

#define DECIMAL_MANTISSA_BITS 52
#define DECIMAL_HIDDEN_BIT ((uint64_t)1 << DECIMAL_MANTISSA_BITS)
#define DECIMAL_INFINITE_POWER 0x7ff

/* The leading 128 bits of 5^q: cut off for q >= 0, and for q < 0 those of the reciprocal, which are cut off
 * too below -27 and rounded up from there on (Lemire 2021, section 5). */
struct decimal_power {
    uint64_t high, low;
};

/* Written once, by decimal_start, and only read from then on. */
extern struct decimal_power decimal_powers[DECIMAL_POWER_MAX - DECIMAL_POWER_MIN + 1];

static inline double decimal_assemble(uint64_t mantissa, int power, bool negative)
{
    uint64_t bits = mantissa | (uint64_t)power << DECIMAL_MANTISSA_BITS | (uint64_t)negative << 63;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* digits x 10^q to the nearest double by one or two products with the leading bits of 5^q (Lemire 2021,
 * algorithm 1). digits is not 0. False if the product leaves the rounding open. */
static inline bool decimal_nearest(uint64_t digits, int64_t q, bool negative, double *value)
{
    if (q < DECIMAL_POWER_MIN || q > DECIMAL_POWER_MAX) {
        *value = decimal_assemble(0, q < 0 ? 0 : DECIMAL_INFINITE_POWER, negative);
        return true;
    }
    int shift = __builtin_clzll(digits);
    digits <<= shift;
    const struct decimal_power *five = &decimal_powers[q - DECIMAL_POWER_MIN];
    unsigned __int128 product = (unsigned __int128)digits * five->high;
    uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    if (__builtin_expect((high & 0x1ff) == 0x1ff,
                         0)) { /* a carry from the lower half may reach the mantissa */
        uint64_t more = (uint64_t)((unsigned __int128)digits * five->low >> 64);
        low += more;
        if (low < more) high++;
        if (low == UINT64_MAX && (q < -27 || q > 55)) return false;
    }
    int upper = (int)(high >> 63), cut = upper + 64 - DECIMAL_MANTISSA_BITS - 3;
    uint64_t mantissa = high >> cut; /* one bit more than a double has */
    /* floor(q log2(10)) + 63, the exponent of the product's top bit, and the bias */
    int power = (int)((217706 * q) >> 16) + 63 + upper - shift + 1023;
    if (__builtin_expect(power <= 0, 0)) { /* subnormal */
        if (power <= -63) {
            *value = decimal_assemble(0, 0, negative);
            return true;
        }
        mantissa >>= 1 - power;
        mantissa = (mantissa + (mantissa & 1)) >> 1;
        *value =
            decimal_assemble(mantissa, 0, negative); /* rounding up to 2^52 gives the least normal number */
        return true;
    }
    /* An exact tie (only these exponents allow one) goes to even; elsewhere the bit behind decides. */
    if (low <= 1 && q >= -4 && q <= 23 && (mantissa & 3) == 1 && mantissa << cut == high)
        mantissa &= ~(uint64_t)1;
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    if (mantissa >= 2 * DECIMAL_HIDDEN_BIT) {
        mantissa = DECIMAL_HIDDEN_BIT;
        power++;
    }
    if (power >= DECIMAL_INFINITE_POWER)
        *value = decimal_assemble(0, DECIMAL_INFINITE_POWER, negative);
    else
        *value = decimal_assemble(mantissa & ~DECIMAL_HIDDEN_BIT, power, negative);
    return true;
}

/* Read the exponent that `text` may begin with, its letter first, clamped so that adding a digit count to it
 * cannot overflow. Returns the byte after it, or text itself if there is none. */
const char *decimal_exponent(const char *text, int64_t *exponent);

/* decimal_double, with the commonest ways of writing a number in line. */
static inline const char *decimal_value(const char *text, double *value)
{
    const char *start = text;
    bool negative = *text == '-';
    text += negative | (*text == '+');
    const char *first = text;
    uint64_t digits = 0, eight;
    unsigned count;
    if ((unsigned char)(text[0] - '0') < 10 && text[1] == '.')
        digits = (uint64_t)(*text++ - '0');
    else {
        while (decimal_all_eight(text, &eight)) {
            digits = digits * 100000000u + eight;
            text += 8;
        }
        eight = decimal_eight(text, &count);
        digits = digits * decimal_tens[count] + eight;
        text += count;
    }
    int64_t written = text - first, q = 0;
    if (*text == '.') {
        const char *point = ++text;
        while (decimal_all_eight(text, &eight)) {
            digits = digits * 100000000u + eight;
            text += 8;
        }
        eight = decimal_eight(text, &count);
        digits = digits * decimal_tens[count] + eight;
        text += count;
        q = point - text;
        written -= q;
    }
    if (__builtin_expect(written == 0 || written > 19 || digits == 0, 0)) return decimal_double(start, value);
    if ((unsigned char)*text > ' ') {
        int64_t exponent = 0;
        if ((*text | 0x20) == 'x') return decimal_double(start, value);
        text = decimal_exponent(text, &exponent);
        q += exponent;
    }
    if (!decimal_nearest(digits, q, negative, value)) return decimal_double(start, value);
    return text;
}

#endif
