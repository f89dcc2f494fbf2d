/* The analyses of a stream of entries: columns, cells, runs of rows and exact sums of many values at once,
 * compared with counts and sums by hand. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/exact.h"
#include "analysis/pyramid_counted.h"
#include "analysis/streamed_parts.h"
#include "analysis/values.h"
#include "base/memory.h"
#include "support/cmocka.h"
#include "support/support.h"

static uint64_t next_random(uint64_t *state)
{
    uint64_t high = support_random(state, UINT32_MAX);
    return high << 32 | support_random(state, UINT32_MAX);
}

/* --- exact sums --- */

#define LIMBS 140

/* Add a number times 2^shift to a long number of 32-bit limbs. */
static void add_long(uint64_t *limbs, exact_integer number, int shift)
{
    int limb = shift / 32;
    exact_integer carry = 0;
    for (int part = 0; part < 4; part++, limb++) {
        uint64_t bits = (uint64_t)(uint32_t)(number >> 32 * part) << shift % 32;
        carry += (exact_integer)limbs[limb] + (uint32_t)bits;
        limbs[limb] = (uint32_t)carry;
        carry = (carry >> 32) + (bits >> 32);
    }
    for (; carry; limb++) {
        carry += limbs[limb];
        limbs[limb] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* Compare the sums as long numbers, since the same sum can be spread over the parts in several ways. */
static void assert_same_sums(const struct exact *a, const struct exact *b)
{
    static uint64_t limbs[4][2 * LIMBS];
    memset(limbs, 0, sizeof limbs);
    for (int k = 0; k < EXACT_EXPONENTS; k++) {
        add_long(limbs[0], a->part[k].sizes, k);
        add_long(limbs[1], b->part[k].sizes, k);
        add_long(limbs[2], a->part[k].squares, 2 * k);
        add_long(limbs[3], b->part[k].squares, 2 * k);
    }
    assert_memory_equal(limbs[0], limbs[1], sizeof limbs[0]);
    assert_memory_equal(limbs[2], limbs[3], sizeof limbs[2]);
}

/* Random values whose exponents are `least` to `least` + spread - 1, both of which occur; one in `zeros` is
 * 0. */
static void draw(double *val, int count, int least, int spread, int zeros, uint64_t *random)
{
    for (int k = 0; k < count; k++) {
        int exponent = k == 0 ? 0 : k == 1 ? spread - 1 : (int)(next_random(random) % (uint64_t)spread);
        double mantissa = 1 + (double)(next_random(random) >> 12) * 0x1p-52;
        val[k] = ldexp(next_random(random) & 1 ? mantissa : -mantissa, least + exponent);
        if (zeros && k > 1 && k % zeros == 0) val[k] = k & 1 ? 0.0 : -0.0;
    }
}

static bool add_both(const double *val, int count, struct exact *batch, struct exact *each)
{
    double least = INFINITY, most = 0;
    for (int k = 0; k < count; k++) {
        if (val[k] == 0) continue;
        least = fmin(least, fabs(val[k]));
        most = fmax(most, fabs(val[k]));
        exact_add(each, fabs(val[k]));
    }
    return exact_add_batch(batch, val, count, least, most);
}

static void values_are_added_at_once(void **state)
{
    static const int counts[] = {2, 3, 7, 8, 9, 64, 1000, 1023, EXACT_BATCH};
    static const int leasts[] = {-399, -60, -1, 0, 17, 380};
    struct exact *batch = calloc(1, sizeof *batch), *each = calloc(1, sizeof *each);
    double val[EXACT_BATCH];
    uint64_t random = 88172645463325252u;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t l = 0; l < sizeof leasts / sizeof *leasts; l++)
            for (int spread = 1; spread <= 16; spread++) {
                draw(val, counts[c], leasts[l], spread, spread % 3 ? 0 : 5, &random);
                assert_true(add_both(val, counts[c], batch, each));
                assert_same_sums(batch, each);
            }
    free(batch);
    free(each);
}

/* All mantissas full, or all but their last bit empty: the largest sums, and rests of all sizes. */
static void extreme_values_are_added_at_once(void **state)
{
    static const double extremes[] = {0x1.fffffffffffffp0, 0x1.0000000000001p0, 1,
                                      0x1.5555555555555p0, 0x1.6a09e667f3bcdp0, 0x1.000001p0};
    struct exact *batch = calloc(1, sizeof *batch), *each = calloc(1, sizeof *each);
    double val[EXACT_BATCH];
    for (size_t e = 0; e < sizeof extremes / sizeof *extremes; e++)
        for (int apart = 0; apart < 16; apart++) {
            for (int k = 0; k < EXACT_BATCH; k++)
                val[k] = ldexp(extremes[e], k % 100 ? 0 : -apart);
            assert_true(add_both(val, EXACT_BATCH, batch, each));
            assert_same_sums(batch, each);
        }
    free(batch);
    free(each);
}

/* A batch that cannot be added leaves the sums unchanged. */
static void values_too_far_apart_are_left(void **state)
{
    static const double pairs[][2] = {{1, 0x1p-16}, {1, 0x1p-60}, {0x1p400, 1},       {0x1p-400, 0x1p-401},
                                      {1, 5e-324},  {DBL_MAX, 1}, {0x1p401, 0x1p400}, {0x1p-1060, 0x1p-1061}};
    struct exact *batch = calloc(1, sizeof *batch), *none = calloc(1, sizeof *none);
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        assert_false(exact_add_batch(batch, pairs[p], 2, pairs[p][1], pairs[p][0]));
    assert_memory_equal(batch, none, sizeof *none);
    free(batch);
    free(none);
}

/* --- values --- */

/* The results for values, all of which are inspected together. */
struct expected {
    double val[4];
    int count;
    double min, max, min_abs, max_abs;
};

static void ranges_of_values_are_found(void **state)
{
    static const struct expected cases[] = {
        {{-3, -1, -2}, 3, -3, -1, 1, 3},
        {{-3, 0, -1}, 3, -3, 0, 1, 3},
        {{3, 1}, 2, 1, 3, 1, 3},
        {{3, 0, 1}, 3, 0, 3, 1, 3},
        {{-5, 4}, 2, -5, 4, 4, 5},
        {{0}, 1, 0, 0, NAN, 0},
        {{5e-324, -1}, 2, -1, 5e-324, 5e-324, 1},
        {{DBL_MAX}, 1, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX},
    };
    struct powers powers;
    struct values_part *part = malloc(sizeof *part);
    struct values values;
    values_powers(&powers);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct expected *e = &cases[c];
        values_start(part);
        values_take(&powers, e->val, NULL, e->count, part);
        values_finish(part, false, 0, &values);
        assert_true(values.min == e->min && values.max == e->max && values.max_abs == e->max_abs);
        assert_true(values.min_abs == e->min_abs || (isnan(values.min_abs) && isnan(e->min_abs)));
    }
    free(part);
}

static void values_that_are_not_finite_are_found(void **state)
{
    const double strange[] = {INFINITY, -INFINITY, NAN, -NAN};
    struct powers powers;
    struct values_part *part = malloc(sizeof *part);
    values_powers(&powers);
    for (int s = 0; s < 4; s++) {
        values_start(part);
        values_take(&powers, (const double[]){1, -2, strange[s], 4}, NULL, 4, part);
        assert_int_equal(part->finite, 3);
        assert_int_equal(part->values.infinite, s < 2);
        assert_int_equal(part->values.nan, s >= 2);
        assert_true(part->values.max_abs == 4 && part->values.min_abs == 1);
    }
    free(part);
}

/* --- columns --- */

static void start(struct streamed_columns *columns, int64_t count)
{
    assert_int_equal(streamed_columns_start(count, true, columns, NULL), STATUS_OK);
}

static void assert_most(const double *val, const int32_t *col, int count, double expected)
{
    struct streamed_columns columns;
    uint32_t *lengths;
    start(&columns, 4);
    streamed_columns_take(&columns, col, val, count);
    double most = streamed_columns_most(&columns);
    if (!(most == expected)) fail_msg("%a is not %a", most, expected);
    streamed_columns_end(&columns, &lengths);
    free(lengths);
}

/* Sums that are known: also where the unit changes in between, and where values are below it. */
static void sums_of_columns_are_known(void **state)
{
    static const int32_t zero[8] = {0}, apart[] = {0, 1, 2, 3, 0, 1, 2, 3};
    assert_most((double[]){1, -2, 4}, zero, 3, 7);
    assert_most((double[]){1, -2, 4, 8, 16, 32}, apart, 6, 34);
    assert_most((double[]){0x1p-30, 0x1p10}, zero, 2, 0x1p10 + 0x1p-30);
    assert_most((double[]){1, 0x1p-200}, zero, 2, 1);
    assert_most((double[]){1, NAN, INFINITY, -INFINITY, 2}, zero, 5, 3);
    assert_most((double[]){NAN}, zero, 1, 0);
    assert_most((double[]){0, -0.0}, zero, 2, 0);
    assert_most((double[]){5e-324, 5e-324, 5e-324}, zero, 3, 1.5e-323);
    assert_most((double[]){0x1p-1022, 5e-324}, zero, 2, 0x1p-1022 + 5e-324);
    assert_most((double[]){DBL_MAX, DBL_MAX}, zero, 2, INFINITY);
    assert_most((double[]){1, 0x1p-53, 0x1p-60}, zero, 3, 1 + 0x1p-52);
    assert_most((double[]){1, 0x1p-53}, zero, 2, 1);
}

/* Each batch has larger values than those before, so that the unit rises again and again. */
static void the_unit_rises_between_batches(void **state)
{
    static const int steps[] = {1, 3, 4, 5, 20, 43, 64, 100, 127, 128, 129, 400};
    static const int32_t zero[1] = {0};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        struct streamed_columns columns;
        double expected = 0;
        start(&columns, 1);
        for (int k = 0; k < 5; k++) {
            double value = ldexp(1, -900 + k * steps[s]);
            streamed_columns_take(&columns, zero, &value, 1);
            expected += value;
        }
        assert_true(streamed_columns_most(&columns) == expected);
        streamed_columns_free(&columns);
    }
}

/* Many entries, in columns near to each other and far apart; whole numbers, which doubles add up exactly. */
static void many_columns_are_summed(void **state)
{
    enum { COLS = 100000, ENTRIES = 5003 };
    static int32_t col[ENTRIES];
    static double val[ENTRIES], sums[COLS];
    static uint32_t counts[COLS];
    uint64_t random = 1;
    for (int range = 10; range <= COLS; range *= 10) {
        struct streamed_columns columns;
        uint32_t *lengths;
        double most = 0;
        start(&columns, COLS);
        memset(sums, 0, sizeof sums);
        memset(counts, 0, sizeof counts);
        for (int k = 0; k < ENTRIES; k++) {
            col[k] = COLS - 1 - (int32_t)(next_random(&random) % (uint64_t)range);
            val[k] = (double)(next_random(&random) >> 24) * (k & 1 ? 0x1p-7 : -0x1p-9);
            sums[col[k]] += fabs(val[k]);
            counts[col[k]]++;
            most = fmax(most, sums[col[k]]);
        }
        streamed_columns_take(&columns, col, val, 7);
        streamed_columns_take(&columns, col + 7, val + 7, ENTRIES - 7);
        assert_true(streamed_columns_most(&columns) == most);
        streamed_columns_end(&columns, &lengths);
        assert_memory_equal(lengths, counts, sizeof counts);
        free(lengths);
    }
}

static void lengths_alone_are_counted(void **state)
{
    static const int32_t col[] = {2, 0, 2, 2, 1};
    static const uint32_t expected[] = {1, 1, 3, 0};
    struct streamed_columns columns;
    uint32_t *lengths;
    assert_int_equal(streamed_columns_start(4, false, &columns, NULL), STATUS_OK);
    streamed_columns_take(&columns, col, NULL, 5);
    assert_true(streamed_columns_most(&columns) == 0);
    streamed_columns_end(&columns, &lengths);
    assert_memory_equal(lengths, expected, sizeof expected);
    free(lengths);
    memory_fail_after(0);
    assert_int_equal(streamed_columns_start(4, true, &columns, NULL), STATUS_MEMORY);
    memory_fail_after(-1);
    streamed_columns_free(&columns);
}

/* --- runs --- */

static void runs_of_ascending_lines_end(void **state)
{
    int32_t line[64];
    for (int before = 0; before < 4; before++)
        for (int size = 1; size <= 40; size++)
            for (int behind = 0; behind < 20; behind++) {
                for (int k = 0; k < before + size + behind; k++)
                    line[k] = k < before ? 1 : k < before + size ? 5 : 6;
                assert_int_equal(streamed_lines_run(line, before, before + size + behind), before + size);
            }
}

/* The results for ascending rows equal those for rows whose order is not known. A row comes in several
 * pieces. */
static void ascending_rows_are_like_others(void **state)
{
    enum { ROWS = 60 };
    static int32_t row[4 * STREAMED_BATCH], col[4 * STREAMED_BATCH];
    static double size[4 * STREAMED_BATCH];
    uint64_t random = 7;
    int count = 0;
    for (int i = 0; i < ROWS; i += 1 + i % 2)
        for (int j = 0; j < i * i % 97 + (i == 31 ? 900 : 0); j++, count++) {
            row[count] = i;
            col[count] = 3 * j + i;
            size[count] = (double)(next_random(&random) >> 11) * 0x1p-30;
        }
    assert_true(count > STREAMED_BATCH);
    uint32_t lengths[2][ROWS] = {{0}};
    int32_t first[2][ROWS];
    struct sum sums[2][ROWS] = {{{0, 0}}};
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < ROWS; i++)
            first[t][i] = INT32_MAX;
        const struct streamed_lines lines = {lengths[t], first[t], sums[t]};
        for (int from = 0, some; from < count; from += some) {
            some = count - from < 1000 ? count - from : 1000;
            streamed_lines_take(&lines, row + from, col + from, size + from, some, t == 1);
        }
    }
    for (int i = 0; i < ROWS; i++) {
        long double sum = 0;
        uint32_t length = 0;
        for (int k = 0; k < count; k++) {
            sum += row[k] == i ? size[k] : 0;
            length += row[k] == i;
        }
        assert_int_equal(lengths[1][i], length);
        assert_int_equal(first[1][i], length ? i : INT32_MAX);
        assert_true(sum_of(sums[1][i]) == (double)sum);
        assert_true(sum_of(sums[0][i]) == (double)sum);
    }
}

/* --- cells --- */

/* Many or few of the entries lie in the same cell as the one before. Sums have 32 or 64 bits. */
static void cells_are_counted(void **state)
{
    enum { ROWS = 9000, COLS = 5000, ENTRIES = 3000 };
    static int32_t row[ENTRIES], col[ENTRIES];
    uint64_t random = 3;
    for (int near = 0; near < 2; near++)
        for (int wide = 0; wide < 2; wide++) {
            struct pyramid p;
            assert_int_equal(pyramid_counted_begin(ROWS, COLS, (size_t)1 << 20, &p, NULL), STATUS_OK);
            for (int k = 0; k < ENTRIES; k++) {
                row[k] = near ? k * 3 : (int32_t)(next_random(&random) % ROWS);
                col[k] = near ? k / 2 + k % 7 : (int32_t)(next_random(&random) % COLS);
            }
            int64_t before = wide ? UINT32_MAX : 0;
            assert_int_equal(pyramid_count_entries(&p, before, row, col, ENTRIES, NULL), STATUS_OK);
            assert_int_equal(p.wide, wide);
            pyramid_end(&p);
            for (int64_t r = 0; r < p.grid_rows; r++)
                for (int64_t c = 0; c < p.grid_cols; c += 1 + (r & 3)) {
                    int64_t expected = 0;
                    if (pyramid_cells(&p, r, r + 1, c, c + 1) == 0 && (r * 31 + c) % 16) continue;
                    for (int k = 0; k < ENTRIES; k++)
                        expected += row[k] / p.row_step == r && col[k] / p.col_step == c;
                    assert_int_equal(pyramid_cells(&p, r, r + 1, c, c + 1), expected);
                }
            assert_int_equal(pyramid_cells(&p, 0, p.grid_rows, 0, p.grid_cols), ENTRIES);
            pyramid_free(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_added_at_once),
        cmocka_unit_test(extreme_values_are_added_at_once),
        cmocka_unit_test(values_too_far_apart_are_left),
        cmocka_unit_test(ranges_of_values_are_found),
        cmocka_unit_test(values_that_are_not_finite_are_found),
        cmocka_unit_test(sums_of_columns_are_known),
        cmocka_unit_test(the_unit_rises_between_batches),
        cmocka_unit_test(many_columns_are_summed),
        cmocka_unit_test(lengths_alone_are_counted),
        cmocka_unit_test(runs_of_ascending_lines_end),
        cmocka_unit_test(ascending_rows_are_like_others),
        cmocka_unit_test(cells_are_counted),
    };
    return cmocka_run_group_tests_name("streamed", tests, NULL, NULL);
}
