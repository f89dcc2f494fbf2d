/* The conclusions of bench_gpu from its figures. Expected values by hand. */
#include <math.h>
#include <string.h>

#include "gpu/aims.h"
#include "support/cmocka.h"

/* 1000 bytes at 100 bytes/s of copying: a product of 10 s has a share of 1. */
static const struct figures several[] = {
    {KIND_STENCIL, 27, 1000, 100, 12, 10, 1000, 20, 4, 30, 8, 12, INFINITY},
    {KIND_BANDED, 7, 1000, 100, 10, 12.5, 1000, 5, 8, 40, 8, 10,
     16}, /* short rows, compared with the model */
    {KIND_ELEMENTS, 50, 1000, 100, 40, 20, 1000, 25, 4, 20, 8, 60, 40},
    {KIND_CIRCUIT, 5, 1000, 100, 20, 40, 1000, INFINITY, NAN, INFINITY, 8, 20, 25},
    {KIND_LP, 20, 1000, 100, 20, 10, 1000, INFINITY, NAN, INFINITY, 8, INFINITY, INFINITY},
    {KIND_RMAT, 16, 1000, 100, 30, 25, 1000, INFINITY, NAN, INFINITY, 8, INFINITY, 30},
    {KIND_PERMUTATION, 1, 1000, 100, 400, 400, 1000, 10, 16, 20, 4, 400, 400},
    {KIND_OTHER, 100, 1000, 100, INFINITY, INFINITY, NAN, 10, 4, 10, 8, INFINITY,
     INFINITY}, /* too long, and nothing else timed */
};

#define SEVERAL (sizeof several / sizeof *several)

static const struct aim *aim_of(const struct aim aims[AIMS], const char *part)
{
    for (int k = 0; k < AIMS; k++)
        if (strstr(aims[k].what, part)) return &aims[k];
    fail_msg("no aim of %s", part);
    return NULL;
}

static void expect(const struct aim aims[AIMS], const char *part, double value, int count, bool reached)
{
    const struct aim *aim = aim_of(aims, part);
    if (fabs(aim->value - value) > 1e-12 || aim->count != count || aim_reached(aim) != reached)
        fail_msg("%s: %g by %d, wanted %g by %d", aim->what, aim->value, aim->count, value, count);
}

static void matrices_count_where_they_belong(void **state)
{
    struct aim aims[AIMS];
    aims_judge(several, SEVERAL, aims);
    /* ratios 1.2, 0.8, 2, 0.5, 2, 1.2, 1 */
    expect(aims, "best own, geometric mean", pow(1.2 * 0.8 * 2 * 0.5 * 2 * 1.2, 1.0 / 7), 7, false);
    expect(aims, "best own, min", 0.5, 7, false);
    /* shares 1, 0.8, 0.5, 0.25, 1, 0.4 */
    expect(aims, "bands, min", 0.8, 2, false);
    expect(aims, "LP, geometric mean", cbrt(0.5 * 0.25 * 1), 3, false);
    expect(aims, "LP, min", 0.25, 3, false);
    expect(aims, "R-MAT, min", 0.4, 1, true);
    expect(aims, "CMRS", sqrt(1.5 * 0.8), 2, true);
    /* gains of 8 and 2; by 128 bytes a row of 7 doubles takes 1.375 transactions and 8 of them take 4.4375, a
     * row of one float 1 and 16 of them 1.46875; by 32 bytes 2.5, 14.75, 1 and 2.875 */
    double lines[] = {8 / (8 * 1.375 / 4.4375), 2 / (16 / 1.46875)},
           sectors[] = {8 / (8 * 2.5 / 14.75), 2 / (16 / 2.875)};
    expect(aims, "128 bytes, mean < 10, geometric", sqrt(lines[0] * lines[1]), 2, true);
    expect(aims, "128 bytes, mean < 10, min", lines[1], 2, false);
    expect(aims, "32 bytes, mean < 10, geometric", sqrt(sectors[0] * sectors[1]), 2, true);
    expect(aims, "32 bytes, mean < 10, min", sectors[1], 2, false);
    /* 10, 12.5, 20, 40, 10 seconds for as many bytes: the median is 12.5 */
    expect(aims, "longest time", 40 / 12.5, 5, false);
}

/* Times of the other algorithms over those of SpMVOp: 10 / 16, 60 / 40, 20 / 25 and 400 / 400. */
static void spmvop_is_compared_where_both_were_timed(void **state)
{
    double mean;
    int ahead;
    assert_int_equal(figures_op(several, SEVERAL, &mean, &ahead), 4);
    assert_int_equal(ahead, 1);
    if (fabs(mean - pow(0.625 * 1.5 * 0.8, 0.25)) > 1e-12) fail_msg("%g", mean);
    assert_int_equal(figures_op(several, 1, &mean, &ahead), 0);
    assert_int_equal(ahead, 0);
    assert_true(isnan(mean));
}

static void untimed_kernels_are_not_judged(void **state)
{
    struct aim aims[AIMS];
    for (size_t count = 0; count < 2; count++) {
        aims_judge(&several[SEVERAL - 1], count, aims);
        for (int k = 0; k < AIMS; k++)
            if (aims[k].count != 0 || !isnan(aims[k].value) || aim_reached(&aims[k]))
                fail_msg("%s: %g", aims[k].what, aims[k].value);
    }
}

/* An even number: the median lies in the middle of two. */
static void cliffs_are_told_by_bytes(void **state)
{
    const struct figures figures[] = {
        {KIND_OTHER, 10, 1000, 100, 1, 10, 1000, INFINITY, NAN, INFINITY, 8},
        {KIND_OTHER, 10, 4000, 100, 1, 80, 4000, INFINITY, NAN, INFINITY, 8},
    };
    struct aim aims[AIMS];
    aims_judge(figures, 2, aims);
    expect(aims, "longest time", 0.02 / 0.015, 2, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_count_where_they_belong),
        cmocka_unit_test(spmvop_is_compared_where_both_were_timed),
        cmocka_unit_test(untimed_kernels_are_not_judged),
        cmocka_unit_test(cliffs_are_told_by_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
