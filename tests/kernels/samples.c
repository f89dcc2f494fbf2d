/* Timed samples: the interval of the median, and the results of the sources' protocols for the same
 * samples. */
#include "kernels/timing/samples.h"
#include "support/cmocka.h"
#include <math.h>

/* Ranks for 95%, counted from 1, as tables of nonparametric intervals of the median have them (David and
 * Nagaraja). */
static void intervals_are_those_of_the_tables(void **state)
{
    static const struct {
        int count, low, high;
    } cases[] = {{6, 1, 6},   {7, 1, 7},   {8, 1, 8},   {9, 2, 8},    {10, 2, 9},   {12, 3, 10},
                 {15, 4, 12}, {20, 6, 15}, {25, 8, 18}, {30, 10, 21}, {50, 18, 33}, {100, 40, 61}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int low, high;
        median_interval(cases[k].count, &low, &high);
        assert_int_equal(low + 1, cases[k].low);
        assert_int_equal(high + 1, cases[k].high);
    }
}

static void few_samples_give_their_extremes(void **state)
{
    double seconds[] = {3, 1, 2};
    struct samples s;
    samples_of(PROTOCOL_MEDIAN, seconds, 3, &s);
    assert_int_equal(s.count, 3);
    assert_true(s.low == 1 && s.high == 3 && s.median == 2 && s.min == 1 && s.mean == 2 && s.time == 2);
    assert_true(s.stddev == 1);
    samples_of(PROTOCOL_MEDIAN, seconds, 0, &s);
    assert_true(s.count == 0 && isnan(s.median) && isnan(s.time));
}

/* Of an even number the median is the mean of the two in the middle: of 1, 2, 4 and 9 it is 3. */
static void the_median_of_an_even_number_lies_between_two(void **state)
{
    double seconds[] = {9, 1, 4, 2};
    struct samples s;
    samples_of(PROTOCOL_MEDIAN, seconds, 4, &s);
    assert_true(s.count == 4 && s.median == 3 && s.time == 3 && s.mean == 4);
}

static void sources_drop_a_sample_and_take_the_mean(void **state)
{
    double first[] = {9, 1, 2, 3}, slowest[] = {1, 9, 2, 3};
    struct samples s;
    samples_of(PROTOCOL_CRANFIELD, first, 4, &s);
    assert_true(s.count == 3 && s.time == 2 && s.mean == 2);
    samples_of(PROTOCOL_CMRS, slowest, 4, &s);
    assert_true(s.count == 3 && s.time == 2 && s.stddev == 1);
}

/* A sample lasts longer than 20 us: of products of 6 us it takes four. */
static void a_sample_has_as_many_products_as_it_takes(void **state)
{
    assert_int_equal(sample_products(21e-6), 1);
    assert_int_equal(sample_products(20e-6), 1);
    assert_int_equal(sample_products(12e-6), 2);
    assert_int_equal(sample_products(6e-6), 4);
    assert_int_equal(sample_products(1e-6 * 20 / 99.5), 100);
    assert_in_range(sample_products(0), 2000, 2001);
}

static void a_tie_is_an_overlap(void **state)
{
    struct samples a = {.count = 9, .low = 1, .high = 2}, b = {.count = 9, .low = 2, .high = 3},
                   c = {.count = 9, .low = 2.5, .high = 3}, none = {.count = 0, .low = 1, .high = 2};
    assert_true(samples_tie(&a, &b) && samples_tie(&b, &a));
    assert_false(samples_tie(&a, &c));
    assert_false(samples_tie(&a, &none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_those_of_the_tables),
        cmocka_unit_test(few_samples_give_their_extremes),
        cmocka_unit_test(the_median_of_an_even_number_lies_between_two),
        cmocka_unit_test(sources_drop_a_sample_and_take_the_mean),
        cmocka_unit_test(a_sample_has_as_many_products_as_it_takes),
        cmocka_unit_test(a_tie_is_an_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
