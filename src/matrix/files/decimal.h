/* Reading decimal numbers fast: integers eight digits at a time, doubles bit for bit as strtod reads them.
 *
 * The text of a number must be followed by a byte that cannot belong to one (a blank, a line end, a NUL), and
 * the DECIMAL_PADDING bytes from a number's last digit on must be readable.
 *
 * A decimal number is digits x 10^q with an integer `digits`. There are three ways to the double next to it:
 *
 * - digits < 2^53 and |q| <= 22 (Clinger 1990): digits and 10^|q| are doubles, and one product or quotient of
 *   doubles is rounded correctly by the processor.
 * - digits < 2^64 (Lemire 2021): digits 10^q = digits 5^q 2^q. Of 5^q the leading 128 bits are in a table, so
 *   that a product of integers gives the leading bits of the result. A double takes 53 of them, and one more
 *   to round by. The bits that the table lacks make the product too small by very little, which can change
 *   the 54 bits only if all bits after them are ones; this case is checked, and reported if it cannot be
 *   decided.
 * - More digits: the value lies between the first 19 digits d and d + 1, in units of the last of them. If
 *   both round to the same double, so does the value. */
#ifndef SPARSIGHT_MATRIX_FILES_DECIMAL_H
#define SPARSIGHT_MATRIX_FILES_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

#define DECIMAL_PADDING 16

/* Prepare the table of powers of five and the C locale. It must be called before the functions that read or
 * write doubles; several threads may call it at once, and only the first call does anything. Returns
 * STATUS_MEMORY if memory is short. */
enum status decimal_start(struct error *error);

/* Read one double as strtod does in the C locale: decimal, hexadecimal, inf, infinity, nan, nan(...). Blanks
 * before it are not skipped, and the exponent's letter may also be d or D. Rounds to the nearest double, ties
 * to even; too large numbers become infinity. Returns the byte after the number, or NULL if there is none.
 * Sources: Clinger, "How to read floating point numbers accurately", PLDI 1990; Lemire, "Number parsing at a
 * gigabyte per second", Software: Practice and Experience 51, 2021. strtod reads the numbers that these
 * algorithms cannot decide. */
const char *decimal_double(const char *text, double *value);

/* Read digits, which a sign may precede. A number that does not fit in 64 bits becomes INT64_MIN or
 * INT64_MAX. Returns the byte after the number, or NULL if there is none. */
const char *decimal_integer(const char *text, int64_t *value);

/* The powers 10^0 to 10^19, all that fit in 64 bits. */
extern const uint64_t decimal_tens[20];

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Return the number with the eight digits d0 .. d7, each 0 to 9 in a byte of its own, d0 in the lowest. First
 * every second byte becomes the number of a pair:
 *
 *     byte           0       1     2      3     4      5     6      7
 *     word * 10     10 d0  10 d1  10 d2  ...
 *     word >> 8        d1     d2     d3  ...
 *     sum           p0            p1            p2            p3           p0 = 10 d0 + d1, ...
 *
 * The number is p0 10^6 + p1 10^4 + p2 10^2 + p3. The product of p + p' 2^32 and a 2^32 + b has the upper
 * half p a + p' b. One such product gives p0 10^6 + p2 10^2, another one p1 10^4 + p3. */
static inline uint64_t decimal_join(uint64_t word)
{
    word = word * 10 + (word >> 8);
    uint64_t odd = (word & 0x000000ff000000ffu) * 0x000f424000000064u;
    uint64_t even = ((word >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u;
    return (odd + even) >> 32;
}
#endif

/* Read up to eight digits; *digits becomes their count. Returns their number, 0 if there are none.
 */
static inline uint64_t decimal_eight(const char *text, unsigned *digits)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word;
    memcpy(&word, text, sizeof word);
    word ^= 0x3030303030303030u; /* digits become 0 to 9, and no other byte does */
    /* A byte above 9 has a bit in its upper half, or gets one when 6 is added. A carry changes only later
     * bytes of the text, so the first byte found is not a digit. */
    uint64_t other = ((word + 0x0606060606060606u) | word) & 0xf0f0f0f0f0f0f0f0u;
    unsigned count = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
    *digits = count;
    if (!count) return 0;
    return decimal_join(word << (64 - 8 * count)); /* zeros precede the digits */
#else
    uint64_t value = 0;
    unsigned count = 0;
    for (; count < 8 && (unsigned char)(text[count] - '0') < 10; count++)
        value = value * 10 + (uint64_t)(text[count] - '0');
    *digits = count;
    return value;
#endif
}

/* Return true if the next eight bytes are digits; *value then becomes their number. */
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

/* digits 10^q rounds to 0 for q below this, and to infinity for q above, whatever the digits below 2^64 are:
 * 2^64 10^-343 < 2^-1075, half of the smallest subnormal double, and 10^309 > 2^1024. */
#define DECIMAL_POWER_MIN (-342)
#define DECIMAL_POWER_MAX 308

#define DECIMAL_MANTISSA_BITS 52
#define DECIMAL_HIDDEN_BIT ((uint64_t)1 << DECIMAL_MANTISSA_BITS)
#define DECIMAL_INFINITE_POWER 0x7ff

/* The leading 128 bits of 5^q, high's top bit being 1. For 0 <= q <= 55 that is 5^q itself. For larger q, and
 * for q < -27, bits are cut off, so that it is too small by less than 1 in the last place. For -27 <= q < 0
 * it is rounded up: its product with a 64-bit integer then always has the leading bits of the exact product
 * (Lemire 2021, section 5). */
struct decimal_power {
    uint64_t high, low;
};

/* Element q - DECIMAL_POWER_MIN is for 5^q. decimal_start writes the table, and it is only read from then on.
 */
extern struct decimal_power decimal_powers[DECIMAL_POWER_MAX - DECIMAL_POWER_MIN + 1];

/* Return the double of these bits: its mantissa without the hidden one, its exponent with the bias of 1023,
 * and its sign. */
static inline double decimal_assemble(uint64_t mantissa, int power, bool negative)
{
    uint64_t bits = mantissa | (uint64_t)power << DECIMAL_MANTISSA_BITS | (uint64_t)negative << 63;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Find the double nearest to digits 10^q by one or two products with the leading bits of 5^q (Lemire 2021,
 * algorithm 1). `digits` is not 0. Returns false if the product does not decide the rounding.
 *
 * With digits shifted until its top bit is 1, the product of the two 64-bit numbers has 127 or 128 bits, and
 * its upper 64 are
 *
 *     high = 01mmm...mmmr.........   or   1mmm...mmmr..........     m: 52 bits, r: one to round by
 *
 * which leaves at least 9 bits (0x1ff) behind r. The missing part of the product can carry into r only if all
 * of these are ones; then the lower half of the power is multiplied, too. If the next 64 bits are also ones,
 * and the power is not exact, the bits after them are unknown. */
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
    if (__builtin_expect((high & 0x1ff) == 0x1ff, 0)) {
        uint64_t more = (uint64_t)((unsigned __int128)digits * five->low >> 64);
        low += more;
        if (low < more) high++;
        if (low == UINT64_MAX && (q < -27 || q > 55)) return false;
    }
    int upper = (int)(high >> 63), cut = upper + 64 - DECIMAL_MANTISSA_BITS - 3;
    uint64_t mantissa = high >> cut; /* 54 bits, one more than a double has */
    /* The exponent of the value's top bit, and the bias. 217706 / 2^16 is so near log2(10) that
     * (217706 q) >> 16 = floor(q log2(10)) for all q of the table. */
    int power = (int)((217706 * q) >> 16) + 63 + upper - shift + 1023;
    if (__builtin_expect(power <= 0, 0)) { /* a subnormal number, which has fewer bits */
        if (power <= -63) {
            *value = decimal_assemble(0, 0, negative);
            return true;
        }
        mantissa >>= 1 - power;
        mantissa = (mantissa + (mantissa & 1)) >> 1;
        /* If the mantissa is rounded up to 2^52, these bits are the smallest normal number. */
        *value = decimal_assemble(mantissa, 0, negative);
        return true;
    }
    /* The bit r rounds up, but for an exact tie where m is even already. In a tie, digits 10^q is an odd
     * number of 54 bits times a power of two. For q > 0 that number is a multiple of 5^q, so 5^q < 2^54 and
     * q <= 23; for q < 0 digits is a multiple of 5^-q and of that number, so 5^-q < 2^11 and q >= -4. */
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

/* Read the exponent at the beginning of `text`, its letter first. It is limited to +-2^60, so that a number
 * of digits can be added to it. Returns the byte after it, or text itself if there is no exponent. */
const char *decimal_exponent(const char *text, int64_t *exponent);

/* Read a number as decimal_double does. This function reads the commonest forms of numbers, and is inlined
 * into the caller's loop; decimal_double reads all others. */
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
