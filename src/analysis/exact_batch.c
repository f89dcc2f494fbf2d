#include "analysis/exact.h"

#include <math.h>

#include "base/wide.h"

/* Number of sums computed side by side, which the compiler puts into vector registers. */
#define LANES 8

/* A batch is accepted if its exponents are in this range and differ by less than SPREAD. Squares and their
 * rounding errors then stay normal numbers. */
#define EXPONENT_LIMIT 400
#define SPREAD 16

#define MANTISSA_BITS 52
#define BIAS 1023

__extension__ typedef __int128 signed_integer;

/* A number 0 <= p < 2^e is cut in two by adding and subtracting 2^(e + 10) (Rump, Ogita and Oishi, "Accurate
 * floating-point summation", SIAM J. Sci. Comput. 31, 2008): `high` is a multiple of 2^(e + 10 - 52), and
 * small enough that 1024 of them add up without rounding. `low` is the rest: less than 2^(e + 10 - 52), and a
 * multiple of the last bit of any p. As long as that bit is at least 2^-85 of the largest p, 1024 of these
 * add up without rounding, too. */
struct cut {
    double high[LANES], low[LANES];
};

struct batch {
    struct cut sizes, squares;
    double rests[LANES]; /* rounding errors of squares, down to the last bit that exact_add keeps */
};

static inline void cut(double power, double p, int l, struct cut *sum)
{
    double high = (power + p) - power;
    sum->high[l] += high;
    sum->low[l] += p - high;
}

static inline double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Return x^2 - square, which is a double, by splitting x in halves (Dekker, Numer. Math. 18, 1971). */
static inline double rest_of(double x, double square)
{
    uint64_t half = (uint64_t)1 << 26;
    double head = from_bits((bits_of(x) + half) & ~(2 * half - 1)), tail = x - head;
    return ((head * head - square) + 2 * head * tail) + tail * tail;
}

/* Round a rest to the nearest multiple of 2^(2 (e - 52) + EXACT_DROPPED), where 2^e <= x < 2^(e + 1), by
 * adding and subtracting 1.5 x 2^52 of these units. No tie occurs, since the square of an integer does not
 * end in an odd number of zero bits. */
static inline double keep(double rest, double x)
{
    uint64_t exponent = bits_of(x) >> MANTISSA_BITS;
    uint64_t wanted = 2 * exponent - BIAS - MANTISSA_BITS + EXACT_DROPPED;
    double power = from_bits(wanted << MANTISSA_BITS | (uint64_t)1 << (MANTISSA_BITS - 1));
    return (rest + power) - power;
}

static inline void add(double value, int l, double power, double square_power, struct batch *sums)
{
    double x = fabs(value), square = x * x;
    cut(power, x, l, &sums->sizes);
    cut(square_power, square, l, &sums->squares);
    sums->rests[l] += keep(rest_of(x, square), x);
}

WIDE static void add_all(const double *val, int64_t count, int most_exponent, struct batch *sums)
{
    double power = from_bits((uint64_t)(most_exponent + 11) << MANTISSA_BITS);
    double square_power = from_bits((uint64_t)(2 * most_exponent - BIAS + 12) << MANTISSA_BITS);
    struct batch lanes;
    int64_t k = 0;
    for (int l = 0; l < LANES; l++) {
        lanes.sizes.high[l] = lanes.sizes.low[l] = lanes.rests[l] = 0;
        lanes.squares.high[l] = lanes.squares.low[l] = 0;
    }
    for (; k + LANES <= count; k += LANES)
        for (int l = 0; l < LANES; l++)
            add(val[k + l], l, power, square_power, &lanes);
    for (; k < count; k++)
        add(val[k], 0, power, square_power, &lanes);
    *sums = lanes;
}

/* Return the sum of a few numbers that are multiples of 2^unit, in these units. */
static signed_integer units_of(const double *lanes, int unit)
{
    double sum = 0;
    for (int l = 0; l < LANES; l++)
        sum += lanes[l];
    return (signed_integer)ldexp(sum, -unit);
}

/* Add high x 2^apart + low >= 0, in units of *to_low. `low` may be negative. */
static void put(signed_integer high, signed_integer low, int apart, exact_integer *to_high,
                exact_integer *to_low)
{
    signed_integer carry = low >> apart;
    *to_high += (exact_integer)(high + carry);
    *to_low += (exact_integer)(low - carry * ((signed_integer)1 << apart));
}

bool exact_add_batch(struct exact *sums, const double *val, int64_t count, double least, double most)
{
    uint64_t mantissa;
    struct batch batch;
    if (!(least > ldexp(1, -EXPONENT_LIMIT) && most < ldexp(1, EXPONENT_LIMIT))) return false;
    int low = (int)(bits_of(least) >> MANTISSA_BITS), high = (int)(bits_of(most) >> MANTISSA_BITS);
    int apart = high - low;
    if (apart >= SPREAD) return false;
    add_all(val, count, high, &batch);
    struct exact_part *to_low = &sums->part[exact_split(least, &mantissa)], *to_high = to_low + apart;
    int low_unit = low - BIAS - MANTISSA_BITS, high_unit = low_unit + apart;
    put(units_of(batch.sizes.high, high_unit), units_of(batch.sizes.low, low_unit), apart, &to_high->sizes,
        &to_low->sizes);
    low_unit = 2 * low_unit + EXACT_DROPPED;
    high_unit = 2 * high_unit + EXACT_DROPPED;
    put(units_of(batch.squares.high, high_unit),
        units_of(batch.squares.low, low_unit) + units_of(batch.rests, low_unit), 2 * apart, &to_high->squares,
        &to_low->squares);
    return true;
}
