/* What a table of partitions says as a whole, with times by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "session/distribution.h"

#define ROWS 6

static struct distributed row(const char *name, int64_t parts, double compute, double exchange)
{
    struct distributed division = {
        .parts = parts,
        .scaling = {.compute_us = compute, .exchange_us = exchange, .total_us = compute + exchange}};
    snprintf(division.name, sizeof division.name, "%s", name);
    return division;
}

/* Of "b" the exchange takes longer from 8 parts on, of "a" never; the row that was refused would be the
 * fastest. */
static void the_fastest_and_the_crossing_are_found(void **state)
{
    struct distributed rows[ROWS] = {row("a", 2, 50, 1), row("a", 4, 25, 2),  row("b", 16, 6, 40),
                                     row("b", 2, 50, 3), row("b", 8, 12, 13), row("b", 4, 1, 0)};
    struct distribution table = {.items = rows, .count = ROWS, .single_us = 100};
    rows[5].status = STATUS_LIMIT;
    assert_int_equal(distribution_fastest(&table), 4);
    assert_int_equal(distribution_best(&table, 0), 1);
    assert_int_equal(distribution_crossing(&table, 4), 8);
    assert_int_equal(distribution_crossing(&table, 2), 8);
    assert_int_equal(distribution_crossing(&table, 0), 0);
    rows[4].scaling.exchange_us = 12; /* as long is not longer */
    assert_int_equal(distribution_crossing(&table, 4), 16);
    table.single_us = NAN;
    assert_int_equal(distribution_fastest(&table), -1);
    assert_int_equal(distribution_crossing(&table, 4), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_and_the_crossing_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
