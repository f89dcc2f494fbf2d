/* analysis/number_types: rounding against numpy and ml_dtypes, against all patterns of 16 bits, and against
 * the compiler's own conversion to f32. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "analysis/number_types.h"
#include "support/cmocka.h"
#include "support/support.h"

/* number_encode rounds a part and returns the bits of the result; bits beyond 8 `bytes` are 0. A NaN becomes
 * the quiet NaN of the same sign without a payload. number_decode returns the number that has these bits. */

/* Without the sign, the bits are an integer that counts the numbers from 0 on. There are 2^(bits-1) numbers
 * from 2^e to 2^(e+1), and as many from 0 to the smallest normal number. */
static uint64_t number_encode(const struct number_type *type, double part)
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

static double number_decode(const struct number_type *type, uint64_t bits)
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

static const struct number_type *type_of(const char *name)
{
    for (int t = 0; t < NUMBER_TYPES; t++)
        if (strcmp(number_types[t].name, name) == 0) return &number_types[t];
    fail_msg("there is no type %s", name);
    return NULL;
}

/* The bytes of values, and of entries with their columns. */
static void the_table_is_complete(void **state)
{
    static const struct {
        const char *name;
        int bytes, parts;
    } expected[] = {{"f64", 8, 1},   {"f32", 4, 1},    {"bf16", 2, 1},  {"fp16", 2, 1},
                    {"f32x2", 8, 2}, {"bf16x2", 4, 2}, {"bf16x3", 6, 3}};
    assert_int_equal(sizeof expected / sizeof *expected, NUMBER_TYPES);
    for (int t = 0; t < NUMBER_TYPES; t++) {
        const struct number_type *type = type_of(expected[t].name);
        assert_ptr_equal(type, &number_types[t]);
        assert_true(type->words[0] && type->source[0]);
        assert_int_equal(type->parts, expected[t].parts);
        assert_true(type->parts <= NUMBER_PARTS_MAX);
        assert_int_equal(number_bytes(type, false), expected[t].bytes);
        assert_int_equal(number_bytes(type, true), 2 * expected[t].bytes);
        assert_int_equal(number_csr_bytes(type, false), expected[t].bytes + 4);
        assert_int_equal(number_csr_bytes(type, true), 2 * expected[t].bytes + 4);
        assert_true(type->scaled < type->most);
    }
}

/* The bits of numpy.float16(a), and of ml_dtypes.bfloat16 of a rounded to odd in f32, which avoids a second
 * rounding. There are ties, numbers near ties that would be ties if a were rounded to f32 first, subnormal
 * numbers, and the ends of the ranges. */
static void values_are_rounded_as_numpy_does(void **state)
{
    static const struct {
        double value;
        uint64_t fp16, bf16;
    } cases[] = {
        {0x1.5555555555555p-2, 0x3555, 0x3eab},
        {0x1p0, 0x3c00, 0x3f80},
        {-0x0p0, 0x8000, 0x8000},
        {0x1.002p0, 0x3c00, 0x3f80},
        {0x1.0020000001p0, 0x3c01, 0x3f80},
        {0x1.006p0, 0x3c02, 0x3f80},
        {0x1.ffcp15, 0x7bff, 0x4780},
        {0x1.ffdfffffffffp15, 0x7bff, 0x4780},
        {0x1.ffep15, 0x7c00, 0x4780},
        {-0x1.8p16, 0xfc00, 0xc7c0},
        {0x1p-24, 0x0001, 0x3380},
        {0x1p-25, 0x0000, 0x3300},
        {0x1.0000000000001p-25, 0x0001, 0x3300},
        {0x1.8p-24, 0x0002, 0x33c0},
        {0x1.ff8p-15, 0x03ff, 0x3880},
        {0x1.ffep-15, 0x0400, 0x3880},
        {0x1.ffdp-15, 0x0400, 0x3880},
        {0x1p-14, 0x0400, 0x3880},
        {0x1.921fb54442d18p1, 0x4248, 0x4049},
        {0x1.01p0, 0x3c04, 0x3f80},
        {0x1.010000000001p0, 0x3c04, 0x3f81},
        {0x1.03p0, 0x3c0c, 0x3f82},
        {0x1.fefffffffffffp127, 0x7c00, 0x7f7f},
        {0x1.ffp127, 0x7c00, 0x7f80},
        {0x1.fep127, 0x7c00, 0x7f7f},
        {0x1p-133, 0x0000, 0x0001},
        {0x1p-134, 0x0000, 0x0000},
        {0x1.0000000000001p-134, 0x0000, 0x0001},
        {0x1.8p-133, 0x0000, 0x0002},
        {-0x1.fdp-127, 0x8000, 0x807f},
        {0x1.ffp-127, 0x0000, 0x0080},
        {0x1p-126, 0x0000, 0x0080},
        {0x1p1000, 0x7c00, 0x7f80},
        {-0x1p-1000, 0x8000, 0x8000},
        {INFINITY, 0x7c00, 0x7f80},
        {-INFINITY, 0xfc00, 0xff80},
        {NAN, 0x7e00, 0x7fc0},
    };
    const struct number_type *fp16 = type_of("fp16"), *bf16 = type_of("bf16");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint64_t f = number_encode(fp16, cases[k].value), b = number_encode(bf16, cases[k].value);
        if (f != cases[k].fp16 || b != cases[k].bf16)
            fail_msg("%a is 0x%04x in fp16 and 0x%04x in bf16", cases[k].value, (unsigned)f, (unsigned)b);
    }
}

/* Return the number with these bits by the definition of the type: its fraction has `fraction` bits, and
 * exponents begin with `smallest`. */
static double value_of(unsigned bits, int fraction, int smallest)
{
    unsigned field = (bits & 0x7fff) >> fraction, one = 1U << fraction, mantissa = bits & (one - 1);
    double size = field ? ldexp(mantissa + one, (int)field - 1 + smallest - fraction)
                        : ldexp(mantissa, smallest - fraction);
    return bits & 0x8000 ? -size : size;
}

static void round_to(const struct number_type *type, double value, unsigned bits)
{
    const struct rounding rounding = number_rounding(type);
    double rounded = number_round(&rounding, value), expected = number_decode(type, bits);
    if (number_encode(type, value) != bits)
        fail_msg("%a is 0x%04x, not 0x%04x", value, (unsigned)number_encode(type, value), bits);
    if (memcmp(&rounded, &expected, sizeof rounded) != 0) fail_msg("%a is not %a", rounded, expected);
}

/* Each number is rounded to itself. Between two neighbours the middle is rounded to the even one, and all
 * else to the nearer one. The number after the largest one counts as a neighbour; its bits are those of
 * infinity. */
static void check_patterns(const char *name, int fraction, int smallest)
{
    const struct number_type *type = type_of(name);
    const unsigned infinite = 0x8000 - (1U << fraction);
    for (unsigned bits = 0; bits < 65536; bits++) {
        unsigned size = bits & 0x7fff;
        double value = value_of(bits, fraction, smallest), decoded = number_decode(type, bits);
        if (size > infinite) {
            assert_true(isnan(decoded));
            continue;
        }
        if (size == infinite) {
            assert_true(isinf(decoded) && (decoded < 0) == (bits >> 15));
            continue;
        }
        assert_memory_equal(&value, &decoded, sizeof value);
        round_to(type, value, bits);
        double half = value + (value_of(bits + 1, fraction, smallest) - value) / 2;
        round_to(type, half, bits + bits % 2);
        round_to(type, nextafter(half, value), bits);
        round_to(type, nextafter(half, 2 * half), bits + 1);
    }
}

static void all_patterns_of_16_bits(void **state)
{
    check_patterns("fp16", 10, -14);
    check_patterns("bf16", 7, -126);
}

/* A double with random bits and an exponent from `low` to `high`. */
static double random_double(uint64_t *seed, int low, int high)
{
    double fraction =
        1 + ldexp(support_random(seed, 1U << 26), -26) + ldexp(support_random(seed, 1U << 26), -52);
    double value = ldexp(fraction, low + (int)support_random(seed, (uint32_t)(high - low + 1)));
    return support_random(seed, 2) ? -value : value;
}

static void f32_is_the_float_of_the_compiler(void **state)
{
    const struct number_type *f32 = type_of("f32");
    const struct rounding rounding = number_rounding(f32);
    uint64_t seed = 3;
    for (int k = 0; k < 200000; k++) {
        double value = random_double(&seed, -160, 130);
        if (k % 3 == 0) value = (double)(float)value * (1 + 0x1p-24); /* a tie, or near one */
        float expected = (float)value;
        double rounded = number_round(&rounding, value);
        uint32_t bits;
        memcpy(&bits, &expected, sizeof bits);
        if (rounded != (double)expected || number_encode(f32, value) != bits)
            fail_msg("%a is %a, not %a", value, rounded, (double)expected);
        assert_true(number_decode(f32, bits) == (double)expected);
    }
}

static void f64_stays_as_it_is(void **state)
{
    const struct rounding rounding = number_rounding(&number_types[0]);
    const double ends[] = {0, -0.0, 0x1p-1074, DBL_MIN, DBL_MAX, -DBL_MAX, 0x1.fffffffffffffp-1023};
    uint64_t seed = 4;
    for (int k = 0; k < 10000; k++) {
        double value = k < 7 ? ends[k] : random_double(&seed, -1070, 1023);
        double rounded = number_round(&rounding, value);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        assert_memory_equal(&rounded, &value, sizeof value);
        assert_true(number_encode(&number_types[0], value) == bits);
        double decoded = number_decode(&number_types[0], bits);
        assert_memory_equal(&decoded, &value, sizeof value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_complete),   cmocka_unit_test(values_are_rounded_as_numpy_does),
        cmocka_unit_test(all_patterns_of_16_bits), cmocka_unit_test(f32_is_the_float_of_the_compiler),
        cmocka_unit_test(f64_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
