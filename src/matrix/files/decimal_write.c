#include "matrix/files/decimal_write.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "matrix/files/decimal.h"

/* All integers below are written with 15 digits, without an exponent. */
#define WHOLE 1e15

/* Powers of ten up to which a short fraction is looked for. */
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

/* As %g writes it: d.ddd x 10^exponent, of which `precision` digits count. */
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

/* A fraction of few digits: m / 10^k is correctly rounded where both are exact (Clinger 1990), and there is
 * only one decimal of 15 digits that reads as a double. NULL if it is not one. */
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

/* digits = magnitude x 10^-q rounded to an integer; `rest` is the sign of what rounding took away, 0 if that
 * is too little to tell. */
struct scaled {
    uint64_t digits;
    int rest;
};

/* magnitude = m 2^e, and 10^-q = 5^-q 2^-q with the leading 128 bits of 5^-q, which are off by at most one:
 * the leading 128 bits of the product are off by less than two. False if that leaves the rounding open. */
static bool scale(double magnitude, int q, struct scaled *scaled)
{
    int e, power = -q;
    uint64_t m = (uint64_t)ldexp(frexp(magnitude, &e), 53);
    e -= 53;
    if (power < DECIMAL_POWER_MIN || power > DECIMAL_POWER_MAX) return false;
    const struct decimal_power *five = &decimal_powers[power - DECIMAL_POWER_MIN];
    uint128 product = (uint128)m * five->high;
    product += (uint64_t)((uint128)m * five->low >> 64);
    /* floor(power log2(10)) - 127 is the exponent of the last of the 128 bits, 2^power included */
    int shift = -(e + ((217706 * power) >> 16) - 127) - 64;
    if (shift < 8 || shift > 120) return false;
    const uint128 half = (uint128)1 << (shift - 1), part = product & (2 * half - 1);
    if (part + 2 >= half && part <= half + 2) return false;
    scaled->digits = (uint64_t)(product >> shift) + (part > half);
    scaled->rest = part <= 2 || part >= 2 * half - 2 ? 0 : part > half ? -1 : 1;
    return true;
}

/* 17 digits, correctly rounded: magnitude is about digits x 10^(exponent - 16). */
static bool seventeen_digits(double magnitude, struct scaled *scaled, int *exponent)
{
    *exponent = (int)floor((double)ilogb(magnitude) * 0.30102999566398119521);
    if (!scale(magnitude, *exponent - 16, scaled)) return false;
    if (scaled->digits < 10 * decimal_tens[16]) return true;
    ++*exponent; /* 2^k and the number above it may have a power of ten between them */
    return scale(magnitude, *exponent - 16, scaled);
}

/* Fewer digits come from the 17 ones, and what is cut off decides where they are just in the middle. NULL if
 * something is too close to call. */
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
