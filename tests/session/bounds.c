/* Analyses of a matrix and forecasts read and write only elements of their arrays, and read none that was
 * never written: memory blocks have inaccessible pages before or after them (support/guard.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/threads.h"
#include "kernels/list.h"
#include "session/distribution.h"
#include "session/session.h"
#include "support/allocations.h"
#include "support/guard.h"

static const char *const names[] = {"gen:laplace2d,n=7",
                                    "gen:random,m=61,mean=3,seed=5",
                                    "gen:random,m=40,n=71,mean=3",
                                    "gen:random,m=70,n=31,mean=2",
                                    "gen:arrow,n=40",
                                    "gen:dense,m=1,n=9",
                                    "gen:dense,m=9,n=1",
                                    "gen:dense,m=1,n=1",
                                    "gen:blocks,n=50,size=5,mean=2",
                                    "gen:powerlaw,scale=6"};

static void need(struct session *session, unsigned parts)
{
    struct error error = {0};
    const enum status status = session_need(session, NULL, parts, NULL, &error);
    if (status != STATUS_OK && status != STATUS_UNAVAILABLE) fail_msg("%s", error.message);
}

static const struct product products[] = {{0}, {.columns = 4}, {.transposed = true, .accumulate = true}};

/* Forecast all kernels. */
static void foresee(struct session *session, struct product product)
{
    struct kernel_list list = {0};
    struct results results = {0};
    struct error error = {0};
    assert_int_equal(kernel_list_add(&list, "all", NULL), STATUS_OK);
    for (int k = 0; k < list.count; k++)
        assert_int_equal(results_want(&results, &list.choices[k], NULL), STATUS_OK);
    if (session_foresee(session, NULL, &results, product, 0, NULL, NULL, &error))
        fail_msg("%s", error.message);
    kernel_list_free(&list);
    results_free(&results);
}

/* All results for a matrix in any order, and the partitions of its rows. */
static void analyse(const char *name)
{
    struct session session = {0};
    const struct load_options options = {0};
    struct error error = {0};
    if (session_load(&session, name, &options, NULL, &error)) fail_msg("%s: %s", name, error.message);
    session.hasty = true;
    assert_int_equal(conversions_want_all(&session.shown->conversions, PRECISION_F64, NULL), STATUS_OK);
    for (unsigned part = 1; part < SESSION_ENTRIES; part <<= 1)
        need(&session, part);
    for (int p = 0; p < 3; p++)
        foresee(&session, products[p]);
    const struct distribution_request request = {.parts = {2, 3, 64}, .count = 3, .sketched = true};
    struct distribution found;
    assert_int_equal(distribution_make(&session.shown->matrix, &request, 0, NULL, &found, &error), STATUS_OK);
    distribution_predict(&found, 100, false, "cpu/csr-omp", 8, NULL);
    distribution_free(&found);
    session_free(&session);
}

static void no_analysis_reaches_beyond_its_arrays(void **state)
{
    for (enum guard guard = GUARD_BEHIND; guard <= GUARD_BEFORE; guard++) {
        threads_set(2);
        guard_blocks(guard);
        analyse(names[0]); /* allocations that the process keeps come before the count */
        allocations_begin();
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            analyse(names[k]);
        guard_blocks(GUARD_NONE);
        threads_set(0);
        assert_int_equal(allocations_now().guarded, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_analysis_reaches_beyond_its_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
