/* Decimal numbers in text, fast: integers eight digits at a time, doubles bit for bit as strtod reads them.
 *
 * The text of a number must be followed by a byte that cannot be part of one (a blank, a line end, a NUL),
 * and DECIMAL_PADDING bytes after the start of any number's last digit must be readable. */
#ifndef SPARSIGHT_MATRIX_DECIMAL_H
#define SPARSIGHT_MATRIX_DECIMAL_H

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
    word <<= 64 - 8 * count;        /* as if zeros stood before them */
    word = word * 10 + (word >> 8); /* pairs in bytes 0, 2, 4, 6, then all four pairs in two products */
    uint64_t odd = (word & 0x000000ff000000ffu) * 0x000f424000000064u;
    uint64_t even = ((word >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u;
    return (odd + even) >> 32;
#else
    uint64_t value = 0;
    unsigned count = 0;
    for (; count < 8 && (unsigned char)(text[count] - '0') < 10; count++)
        value = value * 10 + (uint64_t)(text[count] - '0');
    *digits = count;
    return value;
#endif
}

#endif
