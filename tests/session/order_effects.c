/* The effects of orders: measured or forecast times, ratios to the natural order, break-even, and
 * sentences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/order_effects.h"
#include "support/advising.h"
#include "support/kernels.h"
#include "support/support.h"
#include "support/unit.h"

static const struct advice_question question = {.precision = PRECISION_F64, .product = {.columns = 1}};

static struct matrix_case *reorder(struct session *session)
{
    struct matrix_case *reordered = advising_reorder(session);
    reordered->reordering.order_seconds = 3e-3;
    reordered->reordering.reorder_seconds = 1e-3;
    reordered->reordering.permute_seconds = 3e-6;
    return reordered;
}

static struct order_effects find(struct session *session)
{
    struct order_effects effects;
    assert_int_equal(order_effects_find(session, question, ADVICE_CPU, &effects, NULL), STATUS_OK);
    return effects;
}

static void expect_sentence(const struct order_effect *effect, const char *expected)
{
    char sentence[ORDER_SENTENCE];
    assert_string_equal(order_effect_say(effect, sentence), expected);
}

/* A measured time is not compared with a forecast. If both orders have forecasts, these are compared, and if
 * both were measured, the measurements. */
TEST(effects_have_times_of_one_kind)
{
    FREED(session_free) struct session session;
    advising_load(&session, ADVISING_MATRIX);
    struct matrix_case *reordered = reorder(&session);
    struct result *here = advising_add(&session.shown->results, &kernel_cpu_csr_seq, ADVISING_CSR);
    struct result *there = advising_add(&reordered->results, &kernel_cpu_csr_seq, ADVISING_CSR);
    int64_t before = order_effects_state(&session, question);
    advising_time(here, 10e-6, 0.1e-6, 0);
    advising_forecast(there, 8e-6, BOUND_DRAM);
    struct order_effects effects = find(&session);
    assert_int_equal(effects.count, 2);
    assert_true(effects.items[0].natural && !effects.items[1].natural);
    assert_true(isnan(effects.items[1].times));
    expect_sentence(&effects.items[1], "rcm: not comparable with the natural order.");
    expect_sentence(&effects.items[0], "");
    advising_forecast(here, 10e-6, BOUND_DRAM);
    effects = find(&session);
    for (int k = 0; k < 2; k++)
        assert_true(effects.items[k].there && !effects.items[k].measured);
    assert_string_equal(effects.items[1].kernel, "cpu/csr-seq");
    assert_float_equal(1e6 * effects.items[0].seconds, 10, 1e-6);
    assert_float_equal(1e6 * effects.items[1].seconds, 8, 1e-6);
    assert_float_equal(effects.items[0].times, 1, 1e-9);
    assert_float_equal(effects.items[1].times, 0.8, 1e-9);
    /* 4 ms / 2 us; permuting x and y takes longer than the order saves. */
    assert_int_equal(effects.items[1].break_even, 2000);
    expect_sentence(&effects.items[1], "rcm: 20% faster, worth it only if x and y stay permuted. Reordering "
                                       "takes 4.00 ms and pays off after 2,000 products.");
    advising_time(there, 5e-6, 0.1e-6, 0);
    effects = find(&session);
    assert_true(effects.items[0].measured && effects.items[1].measured);
    assert_float_equal(effects.items[1].times, 0.5, 1e-9);
    assert_int_equal(effects.items[1].break_even, 800);
    expect_sentence(&effects.items[1],
                    "rcm: 50% faster, even if x and y are permuted for each product (3.00 us). "
                    "Reordering takes 4.00 ms and pays off after 800 products.");
    assert_int_equal(order_effects_state(&session, question), before); /* results are not runs */
}

/* An order that is slower, as fast, or unknown. */
TEST(other_sentences)
{
    struct matrix_case of = {.order = "amd"};
    struct order_effect effect = {
        .of = &of, .there = true, .seconds = 1.12e-6, .times = 1.12, .break_even = -1};
    expect_sentence(&effect, "amd: 12% slower.");
    effect.times = 0.996;
    expect_sentence(&effect, "amd: as fast as the natural order.");
    effect.there = false;
    expect_sentence(&effect, "amd: not measured and not forecast yet.");
}

/* Numbers of the structure are there once they were computed. */
TEST(structure_comes_later)
{
    FREED(session_free) struct session session;
    advising_load(&session, ADVISING_MATRIX);
    const int64_t before = order_effects_state(&session, question);
    struct order_effects effects = find(&session);
    assert_int_equal(effects.count, 1);
    assert_false(effects.items[0].there);
    assert_int_equal(effects.items[0].bandwidth, -1);
    assert_int_equal(session_need(&session, NULL, SESSION_STRUCTURE, NULL, NULL), STATUS_OK);
    assert_int_not_equal(order_effects_state(&session, question), before);
    effects = find(&session);
    assert_int_equal(effects.items[0].bandwidth, 1);
    assert_int_equal(effects.items[0].profile, 999);
}

TESTS_BETWEEN(unit_without_cache, NULL)

/* The bandwidth of an order is that of its wider side; without the structure it is unknown. */
TEST(bandwidths_are_of_the_wider_side)
{
    FREED(session_free) struct session session;
    advising_load(&session, ADVISING_MATRIX);
    struct matrix_case *reordered = reorder(&session);
    struct structure *structure = &reordered->structure;
    for (int k = 0; k < 3; k++) {
        *structure =
            (struct structure){.lower_bandwidth = 5 + (k == 1) * 8, .upper_bandwidth = 11, .profile = 77 + k};
        if (k < 2) case_know(reordered, SESSION_STRUCTURE);
        const struct order_effects effects = find(&session);
        assert_int_equal(effects.items[1].bandwidth, k == 1 ? 13 : 11);
        assert_int_equal(effects.items[1].profile, 77 + k);
    }
}
