/* What bench_gpu concludes from its figures. Expected values by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "gpu/aims.h"

/* 1000 bytes at 100 bytes/s of copying: a product of 10 s has a share of 1. */
static const struct figures several[] = {
    {KIND_STENCIL, 27, 1000, 100, 12, 10, 1000, 20, 30},
    {KIND_BANDED, 7, 1000, 100, 10, 12.5, 1000, 5, 40}, /* too short for CMRS */
    {KIND_ELEMENTS, 50, 1000, 100, 40, 20, 1000, 25, 20},
    {KIND_CIRCUIT, 5, 1000, 100, 20, 40, 1000, INFINITY, INFINITY},
    {KIND_LP, 20, 1000, 100, 20, 10, 1000, INFINITY, INFINITY},
    {KIND_RMAT, 16, 1000, 100, 30, 25, 1000, INFINITY, INFINITY},
    {KIND_PERMUTATION, 1, 1000, 100, 400, 400, 1000, INFINITY, INFINITY},
    {KIND_OTHER, 100, 1000, 100, INFINITY, INFINITY, NAN, 10, 10}, /* too long, and nothing else was timed */
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
    (void)state;
    aims_judge(several, SEVERAL, aims);
    /* ratios 1.2, 0.8, 2, 0.5, 2, 1.2, 1 */
    expect(aims, "best own, geometric mean", pow(1.2 * 0.8 * 2 * 0.5 * 2 * 1.2, 1.0 / 7), 7, false);
    expect(aims, "best own, least", 0.5, 7, false);
    /* shares 1, 0.8, 0.5, 0.25, 1, 0.4 */
    expect(aims, "bands, least", 0.8, 2, false);
    expect(aims, "LP, geometric mean", cbrt(0.5 * 0.25 * 1), 3, false);
    expect(aims, "LP, least", 0.25, 3, false);
    expect(aims, "R-MAT, least", 0.4, 1, true);
    expect(aims, "CMRS", sqrt(1.5 * 0.8), 2, true);
    /* 10, 12.5, 20, 40, 10 seconds for as many bytes: the median is 12.5 */
    expect(aims, "longest time", 40 / 12.5, 5, false);
}

static void what_was_not_timed_is_not_judged(void **state)
{
    struct aim aims[AIMS];
    (void)state;
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
        {KIND_OTHER, 10, 1000, 100, 1, 10, 1000, INFINITY, INFINITY},
        {KIND_OTHER, 10, 4000, 100, 1, 80, 4000, INFINITY, INFINITY},
    };
    struct aim aims[AIMS];
    (void)state;
    aims_judge(figures, 2, aims);
    expect(aims, "longest time", 0.02 / 0.015, 2, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_count_where_they_belong),
        cmocka_unit_test(what_was_not_timed_is_not_judged),
        cmocka_unit_test(cliffs_are_told_by_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
