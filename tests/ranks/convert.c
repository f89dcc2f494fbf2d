/* ranks/convert, run by any number of ranks: each rank builds its rows with the parameters of the whole
 * matrix. The requests of reports are in ranks.bats. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/list.h"
#include "ranks/convert.h"
#include "ranks/tests.h"
#include "session/conversions.h"
#include "support/cmocka.h"

static struct ranks ranks;

static void load(const char *name, struct share *share)
{
    const struct load_options options = {0};
    struct matrix whole;
    struct error error = {0};
    assert_int_equal(matrix_load(name, &options, NULL, &whole, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, &whole, share, &error), STATUS_OK);
    matrix_free(&whole);
}

/* Let rank 0 know each listed format as planned, with these values of its first parameter; NaN: the format
 * chooses. */
static void plan(const struct format_list *list, double first, const struct error *refusal,
                 struct matrix_case *shown)
{
    struct error error = {0};
    *shown = (struct matrix_case){0};
    for (int k = 0; k < list->count; k++) {
        struct known_conversion known = {
            .resolved = list->choices[k], .seconds = NAN, .refusal = k == 0 ? refusal : NULL};
        if (!isnan(first)) known.resolved.values.number[0] = first;
        assert_int_equal(conversions_know(&shown->conversions, &list->choices[k], false, &known, &error),
                         STATUS_OK);
    }
}

static enum status run(const char *matrix, const char *list, double first, size_t limit,
                       struct matrix_case *shown, const struct error *refusal, struct error *error)
{
    struct report_request request = {0};
    struct share share;
    load(matrix, &share);
    assert_int_equal(format_list_add(&request.convert, list, error), STATUS_OK);
    if (ranks.rank == 0) plan(&request.convert, first, refusal, shown);
    const enum status status =
        ranks_convert(&ranks, &share, &request, limit, ranks.rank == 0 ? shown : NULL, error);
    report_request_free(&request);
    share_free(&share);
    return status;
}

/* What was planned has a time; what was refused for the whole matrix is not built. */
static void test_times(void **state)
{
    const struct error refused = {.status = STATUS_LIMIT, .message = "too large"};
    struct matrix_case shown = {0};
    struct error error = {0};
    assert_int_equal(run("gen:random,m=900,n=700,mean=5", "ell sell hyb", NAN, 0, &shown, &refused, &error),
                     STATUS_OK);
    if (ranks.rank != 0) return;
    for (int k = 0; k < 3; k++) {
        const struct conversion *conversion = shown.conversions.items[k];
        assert_int_equal(conversion_state(conversion), k == 0 ? CONVERSION_REFUSED : CONVERSION_PLANNED);
        assert_true(k == 0 ? isnan(conversion->seconds) : conversion->seconds > 0);
    }
    assert_string_equal(shown.conversions.items[0]->refusal.message, "too large");
    conversions_free(&shown.conversions);
}

/* All entries are in one row: the time of the rank that has it counts, which is not always the first, and not
 * that of ranks without entries. */
static void test_slowest(void **state)
{
    struct matrix_case shown = {0};
    struct error error = {0};
    assert_int_equal(
        run("gen:random,m=1,n=400000,mean=400000,spread=0", "sell", NAN, 0, &shown, NULL, &error), STATUS_OK);
    if (ranks.rank != 0) return;
    assert_true(shown.conversions.items[0]->seconds > 1e-4); /* 400,000 entries; none takes microseconds */
    conversions_free(&shown.conversions);
}

/* A parameter that was chosen for the whole matrix makes each rank's storage as large as it says. */
static void test_parameters(void **state)
{
    struct matrix_case shown = {0};
    struct error error = {0};
    /* Blocks of 8 x 8 have one entry each, and pass the limit; the format itself would choose smaller ones.
     */
    assert_int_equal(run("gen:random,m=4000,mean=8", "bsr", NAN, (size_t)2 << 20, &shown, NULL, &error),
                     STATUS_OK);
    if (ranks.rank == 0) {
        assert_int_equal(conversion_state(shown.conversions.items[0]), CONVERSION_PLANNED);
        conversions_free(&shown.conversions);
    }
    assert_int_equal(run("gen:random,m=4000,mean=8", "bsr", 8, (size_t)2 << 20, &shown, NULL, &error),
                     STATUS_OK);
    if (ranks.rank != 0) return;
    assert_int_equal(conversion_state(shown.conversions.items[0]), CONVERSION_REFUSED);
    assert_non_null(strstr(shown.conversions.items[0]->refusal.message, "rank 0: "));
    conversions_free(&shown.conversions);
}

/* Let allocation k of one rank fail. Then the format is refused, with the rank; nobody waits for another. */
static bool fail_once(int victim, int k)
{
    const char *const name = "gen:random,m=200,n=100,mean=5";
    struct report_request request = {0};
    struct matrix_case shown = {0};
    struct share share;
    struct error error = {0};
    char says[32];
    load(name, &share);
    assert_int_equal(format_list_add(&request.convert, "hyb", &error), STATUS_OK);
    if (ranks.rank == 0) plan(&request.convert, 2, NULL, &shown);
    if (ranks.rank == victim) memory_fail_after(k);
    const enum status status =
        ranks_convert(&ranks, &share, &request, 0, ranks.rank == 0 ? &shown : NULL, &error);
    int64_t failed = memory_failures();
    memory_fail_after(-1);
    ranks_max(&ranks, &failed, 1);
    assert_int_equal(status, STATUS_OK);
    if (ranks.rank == 0) {
        const struct conversion *conversion = shown.conversions.items[0];
        assert_int_equal(conversion_state(conversion), failed ? CONVERSION_REFUSED : CONVERSION_PLANNED);
        snprintf(says, sizeof says, "rank %d: ", victim);
        if (failed) assert_ptr_equal(strstr(conversion->refusal.message, says), conversion->refusal.message);
        conversions_free(&shown.conversions);
    }
    report_request_free(&request);
    share_free(&share);
    return failed;
}

static void test_failing_allocations(void **state)
{
    for (int victim = 0; victim<ranks.count; victim += ranks.count> 1 ? ranks.count - 1 : 1) {
        int k = 0;
        while (fail_once(victim, k))
            k++;
        assert_true(k >= 4);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_times), cmocka_unit_test(test_slowest),
                                       cmocka_unit_test(test_parameters),
                                       cmocka_unit_test(test_failing_allocations)};
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    threads_set(1); /* the ranks share the processors */
    return ranks_run_tests(&ranks, "ranks/convert", tests, sizeof tests / sizeof *tests);
}
