/* base/placement.c where OpenMP binds the threads itself: they are left where they are. The program runs
 * itself again with OMP_PROC_BIND, which is read when a program starts. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/placement.h"

#define THREADS 3

static void masks(cpu_set_t *mask)
{
#pragma omp parallel for schedule(static, 1) num_threads(THREADS)
    for (int t = 0; t < THREADS; t++)
        sched_getaffinity(0, sizeof mask[t], &mask[t]);
}

/* Beginning changes no binding, and ending has nothing to restore. */
static void bound_threads_are_left_alone(void **state)
{
    struct processors all;
    cpu_set_t before[THREADS], now[THREADS];
    if (omp_get_proc_bind() == omp_proc_bind_false) skip(); /* OpenMP does not bind */
    assert_int_equal(placement_rule(), PLACEMENT_OPENMP);
    processors_here(&all);
    for (int over = 0; over < 2; over++) {
        struct placement placement;
        memset(&placement, 0, sizeof placement);
        placement.threads = THREADS; /* as an earlier use left it */
        masks(before);
        if (over)
            placement_over(&placement, &all, THREADS);
        else
            placement_begin(&placement, THREADS);
        assert_int_equal(placement.threads, 0);
        masks(now);
        for (int t = 0; t < THREADS; t++)
            assert_true(CPU_EQUAL(&now[t], &before[t]));
        placement_end(&placement);
        masks(now);
        for (int t = 0; t < THREADS; t++)
            assert_true(CPU_EQUAL(&now[t], &before[t]));
    }
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bound_threads_are_left_alone)};
    if (!getenv("OMP_PROC_BIND")) {
        setenv("OMP_PROC_BIND", "true", 1);
        execv(arguments[0], arguments);
        return 1;
    }
    return cmocka_run_group_tests_name("bound threads", tests, NULL, NULL);
}
