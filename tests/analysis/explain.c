/* The division of a difference among terms: closed forms, other arithmetic, and impossible divisions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/forecast/cpu.h"
#include "analysis/forecast/explain.h"
#include "analysis/forecast/time.h"
#include "support/cmocka.h"

/* The time that the headers of the two models state, written down once more. */
static double time_of(const double *term, bool processor)
{
    if (processor)
        return term[BOUND_LAUNCH] + term[BOUND_LONGEST] +
               cbrt(pow(term[BOUND_ARITHMETIC], 3) +
                    pow(term[BOUND_DRAM] + term[BOUND_L2] + term[BOUND_LATENCY], 3));
    double q = time_constants.overlap, sum = pow(term[BOUND_LATENCY] + term[BOUND_SHARED], q);
    for (int b = 0; b < BOUNDS; b++)
        if (b != BOUND_LAUNCH && b != BOUND_LATENCY && b != BOUND_SHARED) sum += pow(term[b], q);
    return term[BOUND_LAUNCH] + pow(sum, 1 / q);
}

static struct prediction predict(const double *term, bool processor)
{
    struct prediction prediction = {.there = true, .seconds = time_of(term, processor)};
    memcpy(prediction.term, term, sizeof prediction.term);
    snprintf(prediction.machine, sizeof prediction.machine, "%s", processor ? "cpu" : "h200");
    return prediction;
}

static struct explanation divide(const double *u, const double *v, bool processor)
{
    struct prediction base = predict(u, processor), other = predict(v, processor);
    struct explanation explanation;
    assert_true(explain(&base, &other, &explanation));
    return explanation;
}

/* Numbers from 0 to 1, of which a third is 0; the same in each run. */
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    double number = (double)(*state >> 11) * 0x1p-53;
    return number < 1. / 3 ? 0 : number;
}

static void draw_terms(uint64_t *state, bool processor, double term[BOUNDS])
{
    for (int b = 0; b < BOUNDS; b++)
        term[b] = 1e-6 * draw(state);
    if (processor)
        term[BOUND_SHARED] = term[BOUND_L1] = term[BOUND_REDUCTIONS] = term[BOUND_HOTTEST] =
            term[BOUND_HOST] = 0;
    term[BOUND_LAUNCH] += 1e-6;
    term[BOUND_DRAM] += 1e-8;
}

/* The shares sum up to the difference. A term that is equal in both has no share. Exchanging the two
 * forecasts changes the sign of all shares. */
static void shares_add_up(void **state)
{
    uint64_t seed = 29;
    for (int k = 0; k < 400; k++) {
        bool processor = k % 2;
        double u[BOUNDS], v[BOUNDS], sum = 0;
        draw_terms(&seed, processor, u);
        draw_terms(&seed, processor, v);
        v[BOUND_DRAM] = u[BOUND_DRAM];
        struct explanation one = divide(u, v, processor), back = divide(v, u, processor);
        for (int b = 0; b < BOUNDS; b++) {
            sum += one.share[b];
            assert_true(fabs(one.share[b] + back.share[b]) < 1e-20);
            if (u[b] == v[b])
                assert_true(one.share[b] == 0);
            else
                assert_true(one.share[b] * (v[b] - u[b]) >= 0);
        }
        assert_true(fabs(one.difference - (time_of(v, processor) - time_of(u, processor))) < 1e-20);
        assert_true(fabs(sum - one.difference) < 1e-9 * time_of(v, processor));
        assert_true(fabs(one.rest - (one.difference - sum)) < 1e-20);
    }
}

/* The shares of one forecast sum up to it, and equal those of its difference from no time at all. Where the
 * dominant term overlaps another one, that has less than its own seconds. */
static void shares_of_one_forecast_add_up(void **state)
{
    uint64_t seed = 31;
    for (int k = 0; k < 200; k++) {
        bool processor = k % 2;
        double term[BOUNDS], share[BOUNDS], sum = 0;
        const double none[BOUNDS] = {0};
        draw_terms(&seed, processor, term);
        struct prediction prediction = predict(term, processor);
        const struct explanation all = divide(none, term, processor);
        assert_true(fabs(explain_whole(&prediction, share)) < 1e-12 * prediction.seconds);
        for (int b = 0; b < BOUNDS; b++) {
            sum += share[b];
            assert_true(share[b] >= 0 && share[b] <= term[b] * (1 + 1e-12));
            assert_true(fabs(share[b] - all.share[b]) < 1e-8 * prediction.seconds);
        }
        assert_true(fabs(sum / prediction.seconds - 1) < 1e-12);
        /* The terms do not explain half of this time, which no share contains. */
        prediction.seconds *= 2;
        assert_true(fabs(explain_whole(&prediction, share) / sum - 1) < 1e-12);
    }
}

/* Shares by differences of the time in many small steps, instead of by slopes. In each step a term's share is
 * the change of the time if that term alone changes. In the limit both are the same. */
static void shares_are_those_of_small_steps(void **state)
{
    enum { STEPS = 20000 };
    uint64_t seed = 7;
    for (int k = 0; k < 6; k++) {
        bool processor = k % 2;
        double u[BOUNDS], v[BOUNDS], share[BOUNDS] = {0};
        draw_terms(&seed, processor, u);
        draw_terms(&seed, processor, v);
        struct explanation explanation = divide(u, v, processor);
        for (int s = 0; s < STEPS; s++)
            for (int b = 0; b < BOUNDS; b++) {
                double low[BOUNDS], high[BOUNDS];
                for (int c = 0; c < BOUNDS; c++)
                    low[c] = high[c] = u[c] + (s + 0.5) / STEPS * (v[c] - u[c]);
                low[b] -= 0.5 / STEPS * (v[b] - u[b]);
                high[b] += 0.5 / STEPS * (v[b] - u[b]);
                share[b] += time_of(high, processor) - time_of(low, processor);
            }
        for (int b = 0; b < BOUNDS; b++)
            assert_true(fabs(explanation.share[b] - share[b]) < 1e-13);
    }
}

/* If a term is unknown, the time is, too. */
static void unknown_terms_are_no_zeros(void **state)
{
    double term[BOUNDS] = {[BOUND_LAUNCH] = 1, [BOUND_LATENCY] = NAN, [BOUND_L2] = 1};
    const struct combination gpu = time_combination(1), processor = cpu_combination();
    assert_true(isnan(combination_seconds(&gpu, term)));
    assert_true(isnan(combination_seconds(&processor, term)));
}

/* If all terms grow by the same factor, the slope is constant and the shares have a closed form. A single
 * growing term has the whole difference. Two equal terms that grow equally have half each. */
static void closed_forms(void **state)
{
    double u[BOUNDS] = {[BOUND_LAUNCH] = 2, [BOUND_DRAM] = 3, [BOUND_L2] = 4}, v[BOUNDS];
    double q = time_constants.overlap, norm = pow(pow(3, q) + pow(4, q), 1 / q);
    for (int b = 0; b < BOUNDS; b++)
        v[b] = 2.5 * u[b];
    struct explanation all = divide(u, v, false);
    assert_float_equal(all.share[BOUND_LAUNCH], 3, 1e-12);
    assert_float_equal(all.share[BOUND_DRAM], 4.5 * pow(3 / norm, q - 1), 1e-12);
    assert_float_equal(all.share[BOUND_L2], 6 * pow(4 / norm, q - 1), 1e-12);
    memcpy(v, u, sizeof v);
    v[BOUND_DRAM] = 9;
    struct explanation one = divide(u, v, false);
    assert_float_equal(one.share[BOUND_DRAM], pow(pow(9, q) + pow(4, q), 1 / q) - norm, 1e-9);
    double even[BOUNDS] = {[BOUND_DRAM] = 1, [BOUND_L2] = 1},
           more[BOUNDS] = {[BOUND_DRAM] = 5, [BOUND_L2] = 5};
    /* One of two groups vanishes at the end of the line, where rounding must not make it negative. */
    double gone[BOUNDS] = {[BOUND_LATENCY] = 0.3, [BOUND_L2] = 1}, left[BOUNDS] = {[BOUND_L2] = 1};
    struct explanation less = divide(gone, left, false);
    assert_float_equal(less.share[BOUND_LATENCY], 1 - pow(1 + pow(0.3, q), 1 / q), 1e-6);
    struct explanation half = divide(even, more, false);
    assert_float_equal(half.share[BOUND_DRAM], half.share[BOUND_L2], 1e-12);
    /* On a processor the two terms do not overlap. */
    half = divide(even, more, true);
    assert_float_equal(half.share[BOUND_DRAM], 4, 1e-12);
}

/* The terms that are not named sum up to at most a third of the difference, also in absolute values. Each
 * named term is needed for that. */
static void names_stand_for_two_thirds(void **state)
{
    uint64_t seed = 3;
    int most = 0;
    for (int k = 0; k < 2000; k++) {
        bool processor = k % 2;
        double u[BOUNDS], v[BOUNDS], sum = 0, all = 0, last = 0;
        enum bound named[BOUNDS];
        draw_terms(&seed, processor, u);
        draw_terms(&seed, processor, v);
        struct explanation one = divide(u, v, processor);
        int count = explanation_name(&one, one.difference, named);
        assert_true(count > 0);
        for (int n = 0; n < count; n++) {
            sum += one.share[named[n]];
            last = fabs(one.share[named[n]]);
            all -= last;
        }
        for (int b = 0; b < BOUNDS; b++)
            all += fabs(one.share[b]);
        assert_true(fabs(one.difference - sum) <= fabs(one.difference) / 3 * (1 + 1e-6));
        assert_true(all <= fabs(one.difference) / 3 * (1 + 1e-6));
        assert_true(all + last > fabs(one.difference) / 3 * (1 - 1e-6));
        if (count > most) most = count;
    }
    assert_in_range(most, 3, BOUNDS);
}

/* A difference of 0.08 us explains neither a measured one of 0.75 us nor one of the opposite sign. Forecasts
 * of two machines, or a missing one, are not compared. */
static void unexplained_differences(void **state)
{
    double u[BOUNDS] = {[BOUND_DRAM] = 2e-6}, v[BOUNDS] = {[BOUND_DRAM] = 2.08e-6};
    enum bound named[BOUNDS];
    struct explanation explanation = divide(u, v, false);
    assert_int_equal(explanation_name(&explanation, 0.08e-6, named), 1);
    assert_int_equal(named[0], BOUND_DRAM);
    assert_int_equal(explanation_name(&explanation, 0.11e-6, named), 1);
    assert_int_equal(explanation_name(&explanation, 0.75e-6, named), 0);
    assert_int_equal(explanation_name(&explanation, 0.05e-6, named), 0);
    assert_int_equal(explanation_name(&explanation, -0.08e-6, named), 0);
    struct prediction base = predict(u, false), other = predict(v, false);
    other.seconds = 2.75e-6; /* made by another model */
    assert_true(explain(&base, &other, &explanation));
    assert_float_equal(explanation.rest, 0.67e-6, 1e-12);
    assert_int_equal(explanation_name(&explanation, explanation.difference, named), 0);
    /* The rest counts once: beside 0.68 of 1, 0.32 is left, less than a third. */
    const struct explanation mostly = {
        .difference = 1, .share = {[BOUND_DRAM] = 0.68, [BOUND_L2] = 0.02}, .rest = 0.3};
    assert_int_equal(explanation_name(&mostly, 1, named), 1);
    assert_int_equal(named[0], BOUND_DRAM);
    snprintf(other.machine, sizeof other.machine, "h100");
    assert_false(explain(&base, &other, &explanation));
    snprintf(other.machine, sizeof other.machine, "h200");
    other.there = false;
    assert_false(explain(&base, &other, &explanation));
    assert_false(explain(NULL, &base, &explanation));
}

/* Two kernels with the same terms, one of which overlaps them better and so takes less time. Each term has a
 * part of the difference. */
static void a_better_overlap_is_divided_too(void **state)
{
    struct prediction base = {.there = true, .overlap = 1, .machine = "h200"}, other;
    base.term[BOUND_L2] = 4e-6;
    base.term[BOUND_DRAM] = 3e-6;
    base.term[BOUND_LAUNCH] = 2e-6;
    other = base;
    other.overlap = 1.5;
    const struct combination one = time_combination(1), two = time_combination(1.5);
    base.seconds = combination_seconds(&one, base.term);
    other.seconds = combination_seconds(&two, other.term);
    struct explanation explanation;
    assert_true(explain(&base, &other, &explanation));
    assert_true(explanation.difference < 0 && fabs(explanation.rest) < 1e-12);
    assert_true(explanation.share[BOUND_L2] < 0 && explanation.share[BOUND_DRAM] < 0);
    assert_true(explanation.share[BOUND_LAUNCH] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_better_overlap_is_divided_too), cmocka_unit_test(shares_add_up),
        cmocka_unit_test(shares_of_one_forecast_add_up),   cmocka_unit_test(shares_are_those_of_small_steps),
        cmocka_unit_test(unknown_terms_are_no_zeros),      cmocka_unit_test(closed_forms),
        cmocka_unit_test(names_stand_for_two_thirds),      cmocka_unit_test(unexplained_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
