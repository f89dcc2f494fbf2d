/* analysis/exact: exact sums against long sums of integers by hand, and their rounding. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/exact.h"
#include "support/cmocka.h"
#include "support/support.h"

static struct exact *sum_of(const double *sizes, int count, int from)
{
    struct exact *sums = calloc(1, sizeof *sums);
    for (int k = 0; k < count; k++)
        exact_add(sums, sizes[(from + k) % count]);
    return sums;
}

static void check(const double *sizes, int count, double expected)
{
    struct exact *sums = sum_of(sizes, count, 0);
    const struct exact_number number = exact_sizes(sums);
    double value = ldexp(number.mantissa, number.exponent);
    if (value != expected) fail_msg("%a is not %a", value, expected);
    free(sums);
}

/* Sums with a known exact value: halves are rounded to even, everything below them counts, and nothing is
 * lost between the smallest number and the largest. */
static void sums_are_rounded_once(void **state)
{
    check((double[]){1, 0x1p-53}, 2, 1);
    check((double[]){1, 0x1p-53, 0x1p-1074}, 3, 1 + 0x1p-52);
    check((double[]){1 + 0x1p-52, 0x1p-53}, 2, 1 + 0x1p-51);
    check((double[]){0x1p-53, 1, 0x1p-53}, 3, 1 + 0x1p-52);
    check((double[]){0x1.fffffffffffffp0, 0x1p-53}, 2, 2);
    check((double[]){0x1p-1074, 0x3p-1074}, 2, 0x1p-1072);
    check((double[]){DBL_MAX, 0x1p-1074}, 2, DBL_MAX);
    check((double[]){0x1p-1022, 0x1p-1074}, 2, 0x1.0000000000001p-1022);
    check((double[]){0x1p63, 0x1p63, 0x1p11, 1}, 4, 0x1p64 + 0x1p12);
    double many[1 << 12]; /* the mantissas carry into the next word */
    for (int k = 0; k < 1 << 12; k++)
        many[k] = DBL_MAX / (1 << 12);
    check(many, 1 << 12, DBL_MAX);
}

/* 3 x 2^1023 is no double, but its mantissa and exponent are there. */
static void sums_may_be_larger_than_any_number(void **state)
{
    struct exact *sums = sum_of((double[]){0x1p1023, 0x1p1023, 0x1p1023}, 3, 0);
    const struct exact_number number = exact_sizes(sums), squares = exact_squares(sums);
    assert_true(number.mantissa == 0.75 && number.exponent == 1025);
    assert_true(squares.mantissa == 0.75 && squares.exponent == 2048);
    free(sums);
    sums = sum_of((double[]){0x3p-1074, 0x4p-1074}, 2, 0);
    const struct exact_number small = exact_squares(sums);
    assert_true(small.mantissa == 25.0 / 32 && small.exponent == 5 - 2148);
    free(sums);
}

/* In any order and from any parts, and compared with sums of long doubles. */
static void the_order_makes_no_difference(void **state)
{
    enum { COUNT = 3000 };
    static double sizes[COUNT];
    long double all = 0, squares = 0;
    uint64_t seed = 5;
    for (int k = 0; k < COUNT; k++) {
        sizes[k] = (1 + support_random(&seed, 1000003)) * ldexp(1, (int)support_random(&seed, 60) - 30);
        all += sizes[k];
        squares += (long double)sizes[k] * sizes[k];
    }
    struct exact *once = sum_of(sizes, COUNT, 0), *other = sum_of(sizes, COUNT, 1234);
    struct exact *parts = sum_of(sizes, 1000, 0), *rest = sum_of(sizes + 1000, COUNT - 1000, 7);
    exact_join(parts, rest);
    assert_memory_equal(once, other, sizeof *once);
    assert_memory_equal(once, parts, sizeof *once);
    const struct exact_number a = exact_sizes(once), b = exact_squares(once);
    assert_true(fabsl(ldexpl(a.mantissa, a.exponent) - all) <= 1e-16L * all);
    assert_true(fabsl(ldexpl(b.mantissa, b.exponent) - squares) <= 1.2e-16L * squares);
    free(once);
    free(other);
    free(parts);
    free(rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_rounded_once),
        cmocka_unit_test(sums_may_be_larger_than_any_number),
        cmocka_unit_test(the_order_makes_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
