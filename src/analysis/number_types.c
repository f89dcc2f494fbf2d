#include "analysis/number_types.h"

/* f32 has numbers below 2^128. Scaled values of all types but fp16 are below 2^96, so that f32 can add up
 * 2^31 of them. */
const struct number_type number_types[NUMBER_TYPES] = {
    {.name = "f64",
     .words = "as it is",
     .source = "IEEE 754, binary64",
     .parts = 1,
     .bytes = 8,
     .bits = 53,
     .least = -1074,
     .most = 1024,
     .scaled = 96},
    {.name = "f32",
     .words = "single precision",
     .source = "IEEE 754, binary32",
     .parts = 1,
     .bytes = 4,
     .bits = 24,
     .least = -149,
     .most = 128,
     .scaled = 96,
     .sums_f32 = true},
    {.name = "bf16",
     .words = "upper half of f32",
     .source = "Henry, Tang, Heinecke, ARITH 2019",
     .parts = 1,
     .bytes = 2,
     .bits = 8,
     .least = -133,
     .most = 128,
     .scaled = 96,
     .sums_f32 = true},
    {.name = "fp16",
     .words = "half precision",
     .source = "IEEE 754, binary16",
     .parts = 1,
     .bytes = 2,
     .bits = 11,
     .least = -24,
     .most = 16,
     .scaled = 15,
     .sums_f32 = true},
    {.name = "f32x2",
     .words = "sum of two f32",
     .source = "Dekker, Numer. Math. 18, 1971",
     .parts = 2,
     .bytes = 4,
     .bits = 24,
     .least = -149,
     .most = 128,
     .scaled = 96,
     .sums_f32 = true},
    {.name = "bf16x2",
     .words = "sum of two bf16",
     .source = "Henry, Tang, Heinecke, ARITH 2019",
     .parts = 2,
     .bytes = 2,
     .bits = 8,
     .least = -133,
     .most = 128,
     .scaled = 96,
     .sums_f32 = true},
    {.name = "bf16x3",
     .words = "sum of three bf16",
     .source = "Henry, Tang, Heinecke, ARITH 2019",
     .parts = 3,
     .bytes = 2,
     .bits = 8,
     .least = -133,
     .most = 128,
     .scaled = 96,
     .sums_f32 = true},
};

struct rounding number_rounding(const struct number_type *type)
{
    int dropped = 53 - type->bits;
    return (struct rounding){
        .dropped = dropped,
        .half = dropped > 0 ? ((uint64_t)1 << (dropped - 1)) - 1 : 0,
        .odd = dropped > 0,
        .kept = ~(((uint64_t)1 << dropped) - 1),
        .normal = ldexp(1, type->least + type->bits - 1),
        .shift = ldexp(1, type->least + 52),
        .largest = ldexp(1 - ldexp(1, -type->bits), type->most),
    };
}

/* Without the sign, the bits are an integer that counts the numbers from 0 on. There are 2^(bits-1) numbers
 * from 2^e to 2^(e+1), and as many from 0 to the smallest normal number. */
uint64_t number_encode(const struct number_type *type, double part)
{
    const struct rounding rounding = number_rounding(type);
    const int fraction = type->bits - 1, smallest = type->least + fraction;
    const uint64_t sign = (uint64_t)(signbit(part) != 0) << (8 * type->bytes - 1);
    const uint64_t infinite = (uint64_t)(type->most - smallest + 1) << fraction;
    if (isnan(part)) return sign | infinite | (uint64_t)1 << (fraction - 1);
    double size = fabs(number_round(&rounding, part));
    if (isinf(size)) return sign | infinite;
    if (size < rounding.normal) return sign | (uint64_t)ldexp(size, -type->least);
    int exponent = ilogb(size);
    return sign |
           (((uint64_t)(exponent - smallest) << fraction) + (uint64_t)ldexp(size, fraction - exponent));
}

double number_decode(const struct number_type *type, uint64_t bits)
{
    const int fraction = type->bits - 1, smallest = type->least + fraction;
    const uint64_t sign = (uint64_t)1 << (8 * type->bytes - 1), one = (uint64_t)1 << fraction;
    uint64_t mantissa = bits & (one - 1), exponent = (bits & (sign - 1)) >> fraction;
    double size;
    if (exponent == (uint64_t)(type->most - smallest + 1))
        size = mantissa ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        size = ldexp((double)mantissa, type->least);
    else
        size = ldexp((double)(mantissa + one), type->least + (int)exponent - 1);
    return bits & sign ? -size : size;
}
