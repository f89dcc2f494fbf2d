#include "matrix/files/decimal_write.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "matrix/files/decimal.h"

/* Whole numbers below this have no more than 15 digits, and %.15g writes them without an exponent. */
#define WHOLE 1e15

/* Maximum digits of fractions that are tried first. */
#define SHORT_FRACTION 6

__extension__ typedef unsigned __int128 uint128;

static char *write_digits(char *out, uint64_t digits)
{
    char reversed[20];
    int count = 0;
    do
        reversed[count++] = (char)('0' + digits % 10);
    while (digits /= 10);
    while (count)
        *out++ = reversed[--count];
    return out;
}

char *decimal_write_integer(char *out, int64_t value)
{
    if (value < 0) *out++ = '-';
    return write_digits(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* Write digits as %.<precision>g does, where the value is d.ddd... 10^exponent with these digits d: without
 * zeros at the end, and with an exponent if that is below -4 or not below the precision. */
static char *lay_out(char *out, uint64_t digits, int exponent, int precision)
{
    char text[20];
    while (digits % 10 == 0)
        digits /= 10;
    int count = (int)(write_digits(text, digits) - text);
    if (exponent < -4 || exponent >= precision) {
        *out++ = text[0];
        if (count > 1) *out++ = '.';
        memcpy(out, text + 1, (size_t)count - 1);
        out += count - 1;
        *out++ = 'e';
        *out++ = exponent < 0 ? '-' : '+';
        if (abs(exponent) < 10) *out++ = '0';
        return write_digits(out, (uint64_t)abs(exponent));
    }
    int before = exponent + 1; /* digits before the point */
    if (before <= 0) {
        *out++ = '0';
        *out++ = '.';
        for (int k = before; k < 0; k++)
            *out++ = '0';
    }
    for (int k = 0; k < count || k < before; k++) {
        if (k == before && k > 0) *out++ = '.';
        *out++ = k < count ? text[k] : '0';
    }
    return out;
}

/* Write a number that is m / 10^k with k <= SHORT_FRACTION and m < 10^15; NULL if it is not. The quotient of
 * doubles m and 10^k is rounded correctly, so if it is the magnitude, m / 10^k reads back to it (Clinger
 * 1990). No other decimal of up to 15 digits does, since these are farther apart than doubles. */
static char *write_short(char *out, double magnitude)
{
    for (int k = 1; k <= SHORT_FRACTION; k++) {
        double power = (double)decimal_tens[k], scaled = magnitude * power;
        if (scaled >= WHOLE) return NULL;
        if (scaled != floor(scaled) || scaled / power != magnitude) continue;
        char text[20];
        uint64_t digits = (uint64_t)scaled;
        int count = (int)(write_digits(text, digits) - text);
        return lay_out(out, digits, count - 1 - k, 15);
    }
    return NULL;
}

/* magnitude 10^-q rounded to the nearest integer `digits`. `rest` is the sign of magnitude 10^-q - digits, or
 * 0 if that is too close to 0. */
struct scaled {
    uint64_t digits;
    int rest;
};

/* With magnitude = m 2^e, m < 2^53, and 10^-q = 5^-q 2^-q, of which `five` is the leading 128 bits,
 *
 *     magnitude 10^-q = product / 2^shift,    product = m five / 2^64
 *
 * `five` is off by at most 1, which changes the product by less than 1 since m < 2^64, and cutting off the
 * bits of m five below 2^64 changes it by less than 1 more. So the product is off by less than 2. Returns
 * false if the rounding is then undecided. */
static bool scale(double magnitude, int q, struct scaled *scaled)
{
    int e, power = -q;
    uint64_t m = (uint64_t)ldexp(frexp(magnitude, &e), 53);
    e -= 53;
    if (power < DECIMAL_POWER_MIN || power > DECIMAL_POWER_MAX) return false;
    const struct decimal_power *five = &decimal_powers[power - DECIMAL_POWER_MIN];
    uint128 product = (uint128)m * five->high;
    product += (uint64_t)((uint128)m * five->low >> 64);
    /* 10^power has its top bit at 2^floor(power log2(10)), and 127 below is the last of the 128 bits. */
    int shift = -(e + ((217706 * power) >> 16) - 127) - 64;
    if (shift < 8 || shift > 120) return false;
    const uint128 half = (uint128)1 << (shift - 1), fraction = product & (2 * half - 1);
    if (fraction + 2 >= half && fraction <= half + 2) return false;
    scaled->digits = (uint64_t)(product >> shift) + (fraction > half);
    scaled->rest = fraction <= 2 || fraction >= 2 * half - 2 ? 0 : fraction > half ? -1 : 1;
    return true;
}

/* Round to 17 digits: magnitude is about digits 10^(exponent - 16). The exponent of the power of two below
 * the magnitude gives that of ten, or one less. Returns false if the rounding is undecided. */
static bool seventeen_digits(double magnitude, struct scaled *scaled, int *exponent)
{
    *exponent = (int)floor((double)ilogb(magnitude) * 0.30102999566398119521);
    if (!scale(magnitude, *exponent - 16, scaled)) return false;
    if (scaled->digits < 10 * decimal_tens[16]) return true;
    ++*exponent; /* there is a power of ten between that power of two and the magnitude */
    return scale(magnitude, *exponent - 16, scaled);
}

/* Write with 15 digits, or 16, or 17, as soon as they read back to the magnitude. The shorter ones are
 * rounded from the 17 digits; if exactly a half is cut off, the sign of the rest decides. Returns NULL if
 * that is unknown. */
static char *write_long(char *out, double magnitude)
{
    int exponent;
    struct scaled all;
    if (!seventeen_digits(magnitude, &all, &exponent)) return NULL;
    for (int precision = 15; precision < 17; precision++) {
        uint64_t unit = decimal_tens[17 - precision], cut = all.digits % unit;
        bool middle = cut == unit / 2;
        uint64_t digits = all.digits / unit + (middle ? all.rest > 0 : cut > unit / 2);
        double back;
        if ((middle && !all.rest) || !decimal_nearest(digits, exponent - precision + 1, false, &back))
            return NULL;
        if (back != magnitude) continue;
        return lay_out(out, digits, exponent + (digits == decimal_tens[precision]), precision);
    }
    return lay_out(out, all.digits, exponent, 17);
}

char *decimal_write(char *out, double value)
{
    double magnitude = fabs(value);
    bool normal = magnitude >= DBL_MIN && magnitude <= DBL_MAX;
    if (normal && magnitude < WHOLE && magnitude == floor(magnitude))
        return decimal_write_integer(out, (int64_t)value);
    if (normal) {
        char *first = out, *end;
        if (value < 0) *first++ = '-';
        end = magnitude >= 1e-4 ? write_short(first, magnitude) : NULL;
        if (!end) end = write_long(first, magnitude);
        if (end) return end;
    }
    if (value == 0 && !signbit(value)) {
        *out = '0';
        return out + 1;
    }
    return out + strlen(format_exact(out, DECIMAL_BYTES, value));
}
