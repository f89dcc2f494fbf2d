/* matrix/decimal: every value has the bits that strtod gives. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "matrix/files/decimal.h"
#include "matrix/files/decimal_write.h"
#include "support/chance.h"
#include "support/cmocka.h"

static uint64_t chance(void)
{
    static uint64_t state = CHANCE_SEED;
    return chance_next(&state);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* text must have DECIMAL_PADDING bytes of room after it. */
static void same_as_strtod(const char *text)
{
    double value = 0, in_line = 0;
    char *expected_end;
    double expected = strtod(text, &expected_end);
    const char *end = decimal_double(text, &value);
    if (decimal_value(text, &in_line) != end || bits_of(value) != bits_of(in_line))
        fail_msg("'%s': %a, and in line %a", text, value, in_line);
    if (expected_end == text) {
        if (end) fail_msg("'%s' was read though strtod reads nothing", text);
        return;
    }
    if (end != expected_end || bits_of(value) != bits_of(expected))
        fail_msg("'%s': %a up to '%s', strtod %a up to '%s'", text, value, end ? end : "(nothing)", expected,
                 expected_end);
}

static void check(const char *text)
{
    char padded[2048];
    memset(padded, 0, sizeof padded);
    snprintf(padded, sizeof padded - DECIMAL_PADDING, "%s", text);
    same_as_strtod(padded);
}

static int start(void **state)
{
    return decimal_start(NULL) == STATUS_OK ? 0 : -1;
}

static void written_cases_agree(void **state)
{
    static const char *const cases[] = {
        "0",
        "-0",
        "+0",
        "0.0",
        "-0.0e5",
        "0e999999999999999999999",
        "1",
        "-1",
        "+1",
        ".5",
        "5.",
        "-.5",
        "+.5e1",
        "1e3",
        "1E3",
        "1e+3",
        "1e-3",
        "1e",
        "1e+",
        "1e-",
        "1ex",
        "1.5e3.2",
        "1..2",
        ".",
        "-",
        "+",
        "",
        "e5",
        "-.e5",
        "--1",
        "+-1",
        "- 1",
        "abc",
        "0x",
        "0x1p3",
        "-0X1.8P-1",
        "0xg",
        "12x",
        "1x5",
        "00x5",
        "0x1p3 4",
        "inf",
        "-inf",
        "INF",
        "Infinity",
        "-infinity",
        "infinit",
        "in",
        "nan",
        "-nan",
        "NaN",
        "nan(123)",
        "nan(",
        "na",
        "1e22",
        "1e23",
        "1e-22",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993e1",
        "9007199254740993.0000000000000000000000000000000000000000000000001",
        "9007199254740992.9999999999999999999999999999999999999999999999999",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551617",
        "9999999999999999999",
        "99999999999999999999",
        "100000000000000000000",
        "1000000000000000000000000000000",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1.8e308",
        "1e309",
        "1e400",
        "-1e999",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.5e-324",
        "1e-324",
        "1e-400",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.225073858507201e-308",
        "0.000000000000000000000000000000000000000000000000000000000000000123456789012345678e60",
        "0000000000000000000000000000000000000000000000000000000000000000000001.5",
        "0.00000000000000000000",
        "00000000000000000000000",
        "00000000000000000000000.",
        "1234567890123456789.",
        "12345678901234567890.",
        "0.1234567890123456789",
        "0.12345678901234567891",
        "7.2057594037927933e16",
        "6.9294956446009195e15",
        "3.0e-324 7",
        "1\t2",
        "1,5",
        "1_000",
        "8.5302223666259765625e-1",
        "0.500000000000000166533453693773481063544750213623046875",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check(cases[k]);
}

static void the_letter_d_stands_for_e(void **state)
{
    static const char text[64] = "1.5d3";
    static const char capital[64] = "-2.5D-2";
    static const char digits[64] = "9007199254740993.00000000000000000001d0";
    double value;
    assert_ptr_equal(decimal_double(text, &value), text + 5);
    assert_true(value == 1500);
    assert_ptr_equal(decimal_double(capital, &value), capital + 7);
    assert_true(value == -0.025);
    decimal_double(digits, &value);
    assert_true(value == 9007199254740994.0);
}

static void random_reals_agree(void **state)
{
    static const char *const formats[] = {"%.17g", "%.16g", "%.15g", "%.6g",
                                          "%.17e", "%.18e", "%.25g", "%.3f"};
    char text[512] = {0};
    for (int k = 0; k < 400000; k++) {
        double uniform = (double)(int64_t)chance() / 9.3e18;
        snprintf(text, 480, formats[k % 8], uniform * pow(10, (double)(chance() % 13) - 6));
        same_as_strtod(text);
    }
}

static void random_bits_agree(void **state)
{
    char text[512] = {0};
    for (int k = 0; k < 300000; k++) {
        double value = double_of(chance());
        if (k % 4 == 0) value = double_of(chance() >> 12); /* subnormal */
        if (!isfinite(value)) continue;
        snprintf(text, 480, k % 3 ? "%.17g" : "%.20e", value);
        same_as_strtod(text);
    }
}

static void random_digits_agree(void **state)
{
    char text[512] = {0};
    for (int k = 0; k < 300000; k++) {
        int used = 0, digits = 1 + (int)(chance() % 40), point = (int)(chance() % 45);
        for (int d = 0; d < digits; d++) {
            if (d == point) text[used++] = '.';
            text[used++] = chance() % 3 ? (char)('0' + chance() % 10) : '0';
        }
        if (chance() % 2)
            snprintf(text + used, 64, "e%d", (int)(chance() % 720) - 360);
        else
            text[used] = 0;
        same_as_strtod(text);
    }
}

/* The decimal expansion halfway between two doubles is exact in %.*e with enough digits: below it, on it, and
 * above it by one in a far digit. */
static void halfway_cases_agree(void **state)
{
    char text[2048] = {0};
    for (int k = 0; k < 20000; k++) {
        uint64_t bits = chance() & ~((uint64_t)1 << 63);
        if (k % 4 == 0) bits >>= 12;
        if (k % 4 == 1) bits = bits_of((double)(chance() >> 11)) + (uint64_t)(chance() % 64 << 52);
        double low = double_of(bits), high = double_of(bits + 1);
        if (!isfinite(high)) continue;
#if LDBL_MANT_DIG >= 64
        long double half = ((long double)low + (long double)high) / 2;
        snprintf(text, sizeof text - 64, "%.*Le", 780, half);
#else
        snprintf(text, sizeof text - 64, "%.*e", 780, low);
#endif
        same_as_strtod(text);
        char *letter = strchr(text, 'e'), exponent[16];
        snprintf(exponent, sizeof exponent, "%s", letter);
        memset(letter, '0', 300);
        snprintf(letter + 300, 32, "1%s", exponent); /* a bit above */
        same_as_strtod(text);
        for (char *c = letter + 300; c > text; c--) { /* a bit below */
            if (*c == '.') continue;
            if (*c != '0') {
                --*c;
                break;
            }
            *c = '9';
        }
        same_as_strtod(text);
    }
}

static void short_halfway_cases_agree(void **state)
{
    char text[128] = {0};
    for (int k = 0; k < 200000; k++) {
        uint64_t odd = (chance() >> 10) | 1; /* 54 bits: halfway between two doubles */
        snprintf(text, 100, "%" PRIu64 "%s", odd | (uint64_t)1 << 53,
                 k % 2 ? "" : ".000000000000000000000000");
        same_as_strtod(text);
        snprintf(text, 100, "%.1f", (double)(odd >> 2) + 0.5);
        same_as_strtod(text);
    }
}

static void integers_are_read_and_clamped(void **state)
{
    static const struct {
        const char text[32];
        int length; /* -1: none */
        int64_t value;
    } cases[] = {
        {"0", 1, 0},
        {"-0", 2, 0},
        {"+7 ", 2, 7},
        {"12345678", 8, 12345678},
        {"123456789x", 9, 123456789},
        {"9223372036854775807", 19, INT64_MAX},
        {"9223372036854775808", 19, INT64_MAX},
        {"-9223372036854775808", 20, INT64_MIN},
        {"-9223372036854775809", 20, INT64_MIN},
        {"99999999999999999999999", 23, INT64_MAX},
        {"1.5", 1, 1},
        {"", -1, 0},
        {"-", -1, 0},
        {"x", -1, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t value = 0;
        const char *end = decimal_integer(cases[k].text, &value);
        if (cases[k].length < 0) {
            assert_null(end);
            continue;
        }
        assert_ptr_equal(end, cases[k].text + cases[k].length);
        assert_int_equal(value, cases[k].value);
    }
}

static void eight_digits_at_a_time_count_right(void **state)
{
    static const char followers[] = " \t\n\r./:;eE-+%\0\x7f\xff\xb0\xb9";
    char text[DECIMAL_PADDING + 16] = {0};
    for (unsigned n = 0; n <= 8; n++)
        for (size_t f = 0; f < sizeof followers; f++) {
            uint64_t expected = 0;
            memset(text, '7', sizeof text);
            for (unsigned d = 0; d < n; d++) {
                text[d] = (char)('0' + chance() % 10);
                expected = expected * 10 + (uint64_t)(text[d] - '0');
            }
            text[n] = followers[f];
            unsigned count;
            assert_int_equal(decimal_eight(text, &count), expected);
            assert_int_equal(count, n);
        }
}

static void check_written(double value)
{
    char text[DECIMAL_BYTES + 1] = "", expected[40];
    *decimal_write(text, value) = 0;
    if (strcmp(text, format_exact(expected, sizeof expected, value)) != 0)
        fail_msg("%a is written %s and not %s", value, text, expected);
}

/* format_exact tries printf's digits one number after the other. */
static void reals_are_written_as_printf_has_them(void **state)
{
    static const double some[] = {0,
                                  -0.,
                                  1,
                                  -1,
                                  0.1,
                                  1e15,
                                  1e16,
                                  123456789012345678.,
                                  1e-4,
                                  1e-5,
                                  0.00012,
                                  9.5e-5,
                                  1e22,
                                  1e23,
                                  1e300,
                                  1e-300,
                                  DBL_MIN,
                                  DBL_MAX,
                                  DBL_EPSILON,
                                  5e-324,
                                  2.5e-310,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  0.5,
                                  1. / 3,
                                  2. / 3,
                                  -1e-7,
                                  9007199254740993.,
                                  999999999999999.9,
                                  0.9999999999999999,
                                  9.999999999999999e22,
                                  1234567.125,
                                  0.000123456};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++)
        check_written(some[k]);
    for (int k = 0; k < 40000; k++) {
        uint64_t bits = chance();
        double value, power = 1;
        memcpy(&value, &bits, sizeof value);
        if (!isnan(value)) check_written(value);
        check_written((double)(chance() >> 11) * 0x1p-53); /* as generators draw them */
        check_written(
            ldexp((double)(chance() % 100000), (int)(chance() % 60) - 30)); /* halves in the 17th digit */
        for (uint64_t digits = chance() % 12; digits; digits--)
            power *= 10;
        check_written((double)(chance() % 10000000) / power);
        check_written(-(double)(chance() % 1000000000000000) / power);
    }
}

static void integers_are_written(void **state)
{
    static const int64_t some[] = {0, 1, -1, 9, 10, 123456789, INT64_MAX, INT64_MIN};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        char text[DECIMAL_BYTES + 1] = "", expected[40];
        *decimal_write_integer(text, some[k]) = 0;
        snprintf(expected, sizeof expected, "%" PRId64, some[k]);
        assert_string_equal(text, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_cases_agree),
        cmocka_unit_test(the_letter_d_stands_for_e),
        cmocka_unit_test(random_reals_agree),
        cmocka_unit_test(random_bits_agree),
        cmocka_unit_test(random_digits_agree),
        cmocka_unit_test(halfway_cases_agree),
        cmocka_unit_test(short_halfway_cases_agree),
        cmocka_unit_test(integers_are_read_and_clamped),
        cmocka_unit_test(eight_digits_at_a_time_count_right),
        cmocka_unit_test(reals_are_written_as_printf_has_them),
        cmocka_unit_test(integers_are_written),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
