/* analysis/cmrs_model compared with counting: a run is put at every offset, and the transactions that contain
 * its bytes are counted. */
#include <math.h>

#include "analysis/cmrs_model.h"
#include "support/cmocka.h"

static int common_divisor(int a, int b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Transactions that the bytes from `first` to `first + bytes - 1` lie in. */
static int touched(int first, int bytes, int lambda)
{
    int count = 0;
    for (int byte = first; byte < first + bytes; byte++)
        count += byte == first || byte % lambda == 0;
    return count;
}

/* The mean over all offsets at which an element can begin: they repeat after lambda elements. */
static double mean_touched(int elements, int value, int lambda)
{
    int64_t sum = 0;
    for (int place = 0; place < lambda; place++)
        sum += touched(place * value, elements * value, lambda);
    return (double)sum / lambda;
}

static void expect(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-12 * fabs(wanted))) fail_msg("%.17g, wanted %.17g", value, wanted);
}

static void f_is_what_counting_gives(void **state)
{
    for (int lambda = 32; lambda <= 256; lambda *= 2)
        for (int value = 4; value <= 16; value *= 2)
            for (int height = 1; height <= 16; height++)
                for (int mean = 1; mean <= 12; mean++) {
                    int elements = height * mean;
                    double moved = lambda * mean_touched(elements, value, lambda);
                    expect(cmrs_model_f(height, mean, value, lambda), moved / (elements * value));
                }
}

static void a_is_moved_bytes_of_rows_over_those_of_strips(void **state)
{
    for (int lambda = 32; lambda <= 128; lambda *= 4)
        for (int value = 4; value <= 8; value *= 2)
            for (int height = 1; height <= 16; height++)
                for (int mean = 1; mean <= 12; mean++) {
                    double rows = height * mean_touched(mean, value, lambda),
                           strip = mean_touched(height * mean, value, lambda);
                    expect(cmrs_model_a(height, mean, value, lambda), rows / strip);
                }
}

/* The header's statement on a lambda that is no whole number of elements. */
static void elements_across_transactions(void **state)
{
    static const int cases[][2] = {{8, 12}, {8, 20}, {8, 36}, {12, 32}, {12, 128}, {6, 9}, {7, 32}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int elements = 1; elements <= 60; elements++) {
            int value = cases[c][0], lambda = cases[c][1], g = common_divisor(value, lambda);
            double counted = mean_touched(elements, value, lambda),
                   model = elements * value * cmrs_model_f(1, elements, value, lambda) / lambda;
            expect(counted - model, (double)(value - g) / lambda);
        }
}

static void between_whole_numbers(void **state)
{
    /* 3 rows of 2.5 elements: half of the strips have 7 and half have 8 */
    double moved = 128 * (mean_touched(7, 8, 128) + mean_touched(8, 8, 128)) / 2;
    expect(cmrs_model_f(3, 2.5, 8, 128), moved / (7.5 * 8));
    /* by hand: 5 elements of 8 bytes take 1 + 32/128 transactions, 40 of them 1 + 312/128 */
    expect(cmrs_model_a(8, 5, 8, 128), 8 * 1.25 / 3.4375);
}

/* The figures of the paper's section 5: single precision, rows of two entries. */
static void the_paper_s_figures(void **state)
{
    expect(cmrs_model_f(1, 2, 4, 128), 16.5);
    expect(cmrs_model_f(16, 2, 4, 128), 1.96875); /* "about 2" */
    expect(cmrs_model_a(16, 2, 4, 128), 16.5 / 1.96875);
    expect(cmrs_model_a_approximate(16, 2, 4, 128), 8.5);
    expect(cmrs_model_a_approximate(4, 5, 8, 128), 1 + 3 / 2.25);
}

/* a is 1 + (h - 1) / (1 + h mu b / (lambda - b)): with lambda instead of lambda - b, as in the paper, it is
 * more, by less and less for larger lambda. */
static void the_approximation_is_above_and_close(void **state)
{
    for (int height = 2; height <= 16; height++)
        for (int mean = 1; mean <= 12; mean++) {
            double distance = INFINITY;
            for (int lambda = 32; lambda <= 1024; lambda *= 2) {
                double a = cmrs_model_a(height, mean, 8, lambda),
                       approximate = cmrs_model_a_approximate(height, mean, 8, lambda);
                expect(a, 1 + (height - 1) / (1 + height * mean * 8. / (lambda - 8)));
                assert_true(approximate > a && approximate / a - 1 < distance);
                distance = approximate / a - 1;
            }
            assert_true(distance < 8. / 1024);
            expect(cmrs_model_a_approximate(1, mean, 8, 128), 1);
        }
}

/* 10 rows in strips of 4 are three strips, each with a pointer of 4 bytes; columns of 4 bytes. */
static void bytes_by_hand(void **state)
{
    struct kernel_bytes bytes = cmrs_model_bytes(10, 7, 23, 4, 8);
    expect(bytes.plus, 23 * (8 + 4) + 3 * 4 + 8 * (7 + 10));
    expect(bytes.minus, 23 * (8 + 4) + 3 * 4 + 8 * (23 + 10));
    expect(cmrs_model_bytes(8, 7, 23, 4, 4).plus, 23 * (4 + 4) + 2 * 4 + 4 * (7 + 8));
}

static void nothing_to_model(void **state)
{
    assert_true(isnan(cmrs_model_f(2, 0.4, 8, 128)));
    assert_true(isnan(cmrs_model_f(2, 5, 0, 128)));
    assert_true(isnan(cmrs_model_f(2, 5, 8, 0)));
    assert_true(isnan(cmrs_model_f(NAN, 5, 8, 128)));
    assert_true(isnan(cmrs_model_a(4, 0.5, 8, 128)));
    assert_true(isnan(cmrs_model_a(0.9, 5, 8, 128)));
    expect(cmrs_model_f(1, 1, 8, 32), 4);
    assert_true(isnan(cmrs_model_a_approximate(4, 0.5, 8, 128)));
    assert_true(isnan(cmrs_model_a_approximate(0.9, 5, 8, 128)));
    assert_true(isnan(cmrs_model_a_approximate(4, 5, 0, 128)));
    assert_true(isnan(cmrs_model_a_approximate(4, 5, 8, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f_is_what_counting_gives),
        cmocka_unit_test(a_is_moved_bytes_of_rows_over_those_of_strips),
        cmocka_unit_test(elements_across_transactions),
        cmocka_unit_test(between_whole_numbers),
        cmocka_unit_test(the_paper_s_figures),
        cmocka_unit_test(the_approximation_is_above_and_close),
        cmocka_unit_test(bytes_by_hand),
        cmocka_unit_test(nothing_to_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
