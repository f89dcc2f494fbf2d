/* analysis/spgemm_sample: the choice of rows, and an estimate by hand. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/spgemm_sample.h"
#include "base/memory.h"
#include "base/range.h"
#include "support/unit.h"

#define ROWS 6000

/* The multiplications and offsets of rows of two entries. */
struct rows {
    int64_t work[ROWS], ptr[ROWS + 1];
};

static struct row_product product_of(struct rows *rows, int64_t count, int64_t cols)
{
    struct row_product product = {.rows = count, .cols = cols, .left.ptr = rows->ptr, .work = rows->work};
    for (int64_t i = 0; i < count; i++) {
        rows->ptr[i + 1] = rows->ptr[i] + 2;
        product.most = max(product.most, rows->work[i]);
    }
    return product;
}

/* Each row is drawn at most once, the groups cover all rows, and the cost is at most the budget and four
 * rows. */
static void check_sample(const struct row_product *product, const struct spgemm_sample *sample,
                         int64_t budget)
{
    int64_t drawn = 0, covered = 0, cost = 0;
    bool *taken = memory_zeroed((size_t)product->rows, sizeof *taken, NULL);
    for (int g = 0; g < sample->groups; g++) {
        const struct spgemm_group *group = &sample->group[g];
        assert_int_equal(group->first, covered);
        covered += group->count;
        drawn += group->strata ? 2 * group->strata : group->count;
        assert_true(2 * group->strata < group->count);
    }
    assert_int_equal(covered, product->rows);
    assert_int_equal(drawn, sample->count);
    for (int64_t q = 0; q < sample->count; q++) {
        assert_in_range(sample->rows[q], 0, product->rows - 1);
        assert_false(taken[sample->rows[q]]);
        taken[sample->rows[q]] = true;
        cost += product->work[sample->rows[q]];
    }
    assert_true(cost <= budget + 4 * product->most);
    free(taken);
}

TEST(rows_with_many_multiplications_are_drawn_with_certainty)
{
    static struct rows rows;
    for (int64_t i = 0; i < ROWS; i++)
        rows.work[i] = i % 1000 == 7 ? 100000 + i : 20 + i % 30;
    struct row_product product = product_of(&rows, ROWS, 1000000);
    struct spgemm_sample sample;
    assert_int_equal(spgemm_sample_draw(&product, 660000, 1, NULL, &sample, NULL), STATUS_OK);
    check_sample(&product, &sample, 660000);
    int64_t heavy = 0;
    for (int64_t q = 0; q < sample.count; q++)
        heavy += sample.rows[q] % 1000 == 7;
    assert_int_equal(heavy, 6);
    assert_true(sample.count > 100 && sample.count < ROWS / 2);
    assert_int_equal(sample.group[0].strata, 0);
    assert_int_equal(sample.group[0].most, 105007);
    spgemm_sample_free(&sample);
}

TEST(samples_stay_within_the_budget)
{
    static struct rows rows;
    uint64_t random = 1;
    for (int64_t i = 0; i < ROWS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        rows.work[i] = 1 + (int64_t)exp((double)(random >> 40) * 0x1p-24 * 12);
    }
    struct row_product product = product_of(&rows, ROWS, 50000);
    for (int64_t budget = 200000; budget < 400000000; budget *= 3)
        for (uint64_t seed = 0; seed < 5; seed++) {
            struct spgemm_sample sample;
            assert_int_equal(spgemm_sample_draw(&product, budget, seed, NULL, &sample, NULL), STATUS_OK);
            check_sample(&product, &sample, budget);
            spgemm_sample_free(&sample);
        }
}

/* All rows of a stratum are equally likely. 12 rows make 2 strata of 6: a row is drawn with probability 1/3,
 * and both rows of a pair with probability 1/15. Over 3000 seeds the standard deviations are 26 and 14. */
TEST(rows_of_a_stratum_are_equally_likely)
{
    static struct rows rows;
    int drawn[12] = {0}, pairs = 0;
    for (int64_t i = 0; i < 12; i++)
        rows.work[i] = 100;
    struct row_product product = product_of(&rows, 12, 1000000);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct spgemm_sample sample;
        assert_int_equal(spgemm_sample_draw(&product, 800, seed, NULL, &sample, NULL), STATUS_OK);
        assert_int_equal(sample.count, 4);
        assert_int_equal(sample.group[0].strata, 2);
        for (int q = 0; q < 4; q++) {
            drawn[sample.rows[q]]++;
            assert_int_equal(sample.rows[q] / 6, q / 2);
        }
        pairs += sample.rows[0] + sample.rows[1] == 1;
        spgemm_sample_free(&sample);
    }
    for (int i = 0; i < 12; i++)
        assert_in_range(drawn[i], 1000 - 100, 1000 + 100);
    assert_in_range(pairs, 200 - 56, 200 + 56);
}

/* If all rows are drawn, each class has its own group. All numbers are below 2^13, and from a power of two to
 * the next there are 8 classes. */
TEST(rows_of_a_class_differ_by_less_than_an_eighth)
{
    static struct rows rows;
    for (int64_t i = 0; i < ROWS; i++)
        rows.work[i] = 1 + i * 7 % ROWS; /* each number once */
    struct row_product product = product_of(&rows, ROWS, 1000000);
    struct spgemm_sample sample;
    assert_int_equal(spgemm_sample_draw(&product, (int64_t)1 << 40, 0, NULL, &sample, NULL), STATUS_OK);
    check_sample(&product, &sample, (int64_t)1 << 40);
    assert_in_range(sample.groups, 60, 8 * 13);
    for (int g = 0; g < sample.groups; g++) {
        const struct spgemm_group *group = &sample.group[g];
        for (int64_t q = group->first; q < group->first + group->count; q++) {
            int64_t work = rows.work[sample.rows[q]];
            assert_true(work <= group->most && 9 * work > 8 * group->most);
            assert_true(g == 0 || work < rows.work[sample.rows[group->first - 1]]);
        }
    }
    spgemm_sample_free(&sample);
}

TEST(short_rows_are_known)
{
    static struct rows rows;
    for (int64_t i = 0; i < 9; i++)
        rows.work[i] = i;
    struct row_product product = product_of(&rows, 9, 100);
    for (int64_t i = 4; i < 9; i++) /* rows 4 to 8 have one entry */
        rows.ptr[i + 1] = rows.ptr[i] + 1;
    struct spgemm_sample sample;
    assert_int_equal(spgemm_sample_draw(&product, 1000, 0, NULL, &sample, NULL), STATUS_OK);
    assert_int_equal(sample.known, 4 + 5 + 6 + 7 + 8);
    assert_int_equal(sample.longest, 8);
    assert_int_equal(sample.count, 3); /* row 0 has no multiplications */
    spgemm_sample_free(&sample);
}

/* 5 known, 7 + 8 counted, strata of 3 and 4 rows with the lengths 2, 6 and 4, 5:
 * 5 + 15 + 3 (2 + 6) / 2 + 4 (4 + 5) / 2 = 50, error^2 = 3 (1) 16 / 4 + 4 (2) 1 / 4 = 14. */
TEST(the_estimate_by_hand)
{
    const struct spgemm_sample sample = {
        .group = {{.count = 2}, {.first = 2, .count = 7, .strata = 2}}, .groups = 2, .known = 5};
    const int32_t lengths[] = {7, 8, 2, 6, 4, 5};
    double estimate, error;
    spgemm_sample_estimate(&sample, lengths, &estimate, &error);
    assert_true(estimate == 50);
    assert_true(error == sqrt(14));
}
