/* The conclusions from a table of partitions, with times by hand. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/apart.h"
#include "config.h"
#include "support/unit.h"

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

/* The exchange of "b" takes longer than computing from 8 parts on, that of "a" never. The refused row would
 * be the fastest. */
TEST(the_fastest_and_the_crossing_are_found)
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
    rows[4].scaling.exchange_us = 12; /* equal times are no crossing */
    assert_int_equal(distribution_crossing(&table, 4), 16);
    table.single_us = NAN;
    assert_int_equal(distribution_fastest(&table), -1);
    assert_int_equal(distribution_crossing(&table, 4), 0);
}

static enum verdict die(const void *argument, int32_t *from, int64_t count)
{
    raise(SIGKILL); /* as the kernel ends a process that takes too much memory */
    return VERDICT_DONE;
}

static enum status compute_killed(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                                  struct error *error)
{
    return apart_fill(die, NULL, "the library", owner, partitioning->a->rows, NULL, error);
}

/* A partition whose library is killed is refused; those before and after it are there. */
TEST(a_library_that_is_killed_costs_its_partition)
{
    static const struct parameter none[] = {{0}};
    const struct partitioner killed = {.name = "killed", .parameters = none, .compute = compute_killed};
    struct partition_choice choices[3] = {{0}};
    FREED(matrix_free) struct matrix matrix;
    struct error error = {0};
    struct load_options options = {0};
    struct distribution found;
    assert_int_equal(partition_choice_read("natural", &choices[0], &error), STATUS_OK);
    choices[1].partitioner = &killed;
    assert_int_equal(partition_choice_read("entries", &choices[2], &error), STATUS_OK);
    assert_int_equal(matrix_load("gen:laplace2d,n=5", &options, NULL, &matrix, &error), STATUS_OK);
    const struct distribution_request request = {.parts = {2, 3}, .count = 2, .partitions = {choices, 3}};
    assert_int_equal(distribution_make(&matrix, &request, 0, NULL, &found, &error), STATUS_OK);
    assert_int_equal(found.count, 6);
    for (int k = 0; k < 6; k++) {
        const struct distributed *division = &found.items[k];
        assert_int_equal(division->status, k / 2 == 1 ? STATUS_LIMIT : STATUS_OK);
        if (k / 2 == 1) assert_says(division->refusal.message, "the library was killed");
    }
    distribution_free(&found);
    partition_choice_free(&choices[0]);
    partition_choice_free(&choices[2]);
}

/* The default partitions need no file, no ranks and no absent library, and have the table's order. They
 * belong to one request: each has a row for each number of parts. */
TEST(usual_partitions_need_nothing)
{
    const char *expected[] = {
        "natural", "entries", "blocks",
#ifdef HAVE_METIS
        "metis",
#endif
#ifdef HAVE_SCOTCH
        "scotch",
#endif
    };
    const int count = sizeof expected / sizeof *expected;
    struct partition_list list = {0};
    struct distribution found;
    FREED(matrix_free) struct matrix matrix;
    assert_int_equal(distribution_usual(&list, NULL), STATUS_OK);
    assert_int_equal(list.count, count);
    for (int k = 0; k < count; k++)
        assert_string_equal(list.choices[k].partitioner->name, expected[k]);
    assert_int_equal(matrix_load("gen:laplace2d,n=6", &(struct load_options){0}, NULL, &matrix, NULL),
                     STATUS_OK);
    const struct distribution_request request = {.parts = {2, 3}, .count = 2, .partitions = list};
    assert_int_equal(distribution_make(&matrix, &request, 0, NULL, &found, NULL), STATUS_OK);
    assert_int_equal(found.count, 2 * count);
    for (int k = 0; k < found.count; k++) {
        assert_int_equal(found.items[k].status, STATUS_OK);
        assert_int_equal(found.items[k].parts, 2 + k % 2);
        assert_true(strncmp(found.items[k].name, expected[k / 2], strlen(expected[k / 2])) == 0);
    }
    distribution_free(&found);
    partition_list_free(&list);
}
