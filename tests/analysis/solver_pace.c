/* analysis/solvers/pace: the time of a part of a solve, by sums that are computed by hand. */
#include <math.h>

#include "analysis/solvers/pace.h"
#include "support/unit.h"

TEST(a_part_without_calls_takes_no_time)
{
    const struct pace pace = {0};
    assert_true(pace_total(&pace) == 0);
}

/* 1, 2, 3 and 4 have the median 2; none is more than three times as large. */
TEST(calls_alike_are_added)
{
    struct pace pace = {0};
    for (int k = 1; k <= 4; k++)
        pace_add(&pace, k);
    assert_true(fabs(pace_total(&pace) - 10) < 1e-12);
}

/* 6 is three times the median and counts; 6.5 counts as the median. */
TEST(calls_that_another_program_lengthened_count_as_the_median)
{
    struct pace pace = {0};
    const double seconds[] = {2, 500, 2, 6, 2, 6.5, 2};
    for (int k = 0; k < 7; k++)
        pace_add(&pace, seconds[k]);
    assert_true(fabs(pace_total(&pace) - 18) < 1e-12);
}

/* Of 3000 calls every fourth or eighth is kept, evenly: half of the time they take 1, then 2. */
TEST(many_calls_are_represented_by_some)
{
    struct pace pace = {0};
    for (int k = 0; k < 3000; k++)
        pace_add(&pace, k < 1500 ? 1 : 2);
    assert_int_equal(pace.calls, 3000);
    assert_true(pace.kept <= PACE_KEPT && pace.kept >= PACE_KEPT / 2);
    assert_true(fabs(pace_total(&pace) - 4500) < 20);
}
