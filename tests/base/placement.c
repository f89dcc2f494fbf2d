/* base/placement.c: threads stay where they are put, and run where they might before afterwards. */
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

#include "base/placement.h"
#include "base/threads.h"

#define THREADS 5

/* The processors that each thread of a team may run on. */
static void masks(int threads, cpu_set_t *mask)
{
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++)
        sched_getaffinity(0, sizeof mask[t], &mask[t]);
}

static void threads_stay_and_are_let_go(void **state)
{
    const struct topology *here = topology_here();
    struct placement placement;
    cpu_set_t before, now[THREADS];
    if (!here->here) skip();
    sched_getaffinity(0, sizeof before, &before);
    bool allowed[TOPOLOGY_UNITS_MAX] = {0};
    for (int u = 0; u < here->units; u++)
        allowed[u] = CPU_ISSET(here->unit[u].cpu, &before);
    for (int threads = 1; threads <= THREADS; threads++) {
        placement_on(&placement, here, threads);
        assert_int_equal(placement.threads, threads);
        masks(threads, now);
        for (int t = 0; t < threads; t++) {
            assert_int_equal(CPU_COUNT(&now[t]), 1);
            int unit = topology_place(here, allowed, t, threads);
            assert_true(CPU_ISSET(here->unit[unit].cpu, &now[t]));
        }
        placement_end(&placement);
        placement_end(&placement); /* has no effect the second time */
        masks(threads, now);
        for (int t = 0; t < threads; t++)
            assert_true(CPU_EQUAL(&now[t], &before));
    }
}

/* If the process may run on none of the machine's processors, that is another machine. */
static void other_machines_are_left_alone(void **state)
{
    struct topology other = {.source = "", .packages = 2, .nodes = 2, .cores = 2, .units = 2};
    struct placement placement;
    cpu_set_t before, now[2];
    other.unit[0] = (struct topology_unit){TOPOLOGY_UNITS_MAX - 1, 0, 0, 0};
    other.unit[1] = (struct topology_unit){TOPOLOGY_UNITS_MAX - 2, 1, 1, 1};
    sched_getaffinity(0, sizeof before, &before);
    placement_on(&placement, &other, 2);
    assert_int_equal(placement.threads, 0);
    masks(2, now);
    assert_true(CPU_EQUAL(&now[0], &before) && CPU_EQUAL(&now[1], &before));
    placement_end(&placement);
}

/* A process that is bound to one processor lets a team run on all that it might run on before, for a while.
 */
static void threads_run_over_more_than_their_own(void **state)
{
    struct processors all, one = {0};
    struct placement placement;
    cpu_set_t before, alone, now[THREADS];
    if (omp_get_proc_bind() != omp_proc_bind_false) skip();
    sched_getaffinity(0, sizeof before, &before);
    processors_here(&all);
    CPU_ZERO(&alone);
    for (int cpu = 0; CPU_COUNT(&alone) == 0; cpu++)
        if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &alone);
    sched_setaffinity(0, sizeof alone, &alone);
    processors_here(&one);
    assert_int_equal(processors_cores(&one), 1);
    for (int threads = 1; threads <= THREADS; threads += 2) {
        placement_over(&placement, &all, threads);
        masks(threads, now);
        for (int t = 0; t < threads; t++)
            assert_true(CPU_EQUAL(&now[t], &before));
        placement_end(&placement);
        masks(threads, now);
        for (int t = 0; t < threads; t++)
            assert_true(CPU_EQUAL(&now[t], &alone));
    }
    sched_setaffinity(0, sizeof before, &before);
    assert_int_equal(processors_cores(&all), placement_threads());
}

static void the_rule_follows_the_machine(void **state)
{
    const struct topology *here = topology_here();
    struct placement placement;
    if (omp_get_proc_bind() != omp_proc_bind_false) skip();
    bool own = here->here && topology_divided(here);
    assert_int_equal(placement_rule(), own ? PLACEMENT_OWN : PLACEMENT_SYSTEM);
    placement_begin(&placement, 2);
    assert_int_equal(placement.threads, own ? 2 : 0);
    placement_end(&placement);
}

/* No more threads than processors, and one for each core where these are known. */
static void threads_suit_the_process(void **state)
{
    const struct topology *here = topology_here();
    cpu_set_t before, one;
    sched_getaffinity(0, sizeof before, &before);
    if (here->here && CPU_COUNT(&before) == here->units) assert_int_equal(placement_threads(), here->cores);
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    int alone = placement_threads();
    threads_set(0);
    int count = threads_count();
    sched_setaffinity(0, sizeof before, &before);
    assert_int_equal(alone, 1);
    assert_int_equal(count, 1);
    threads_set(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_stay_and_are_let_go),
        cmocka_unit_test(other_machines_are_left_alone),
        cmocka_unit_test(threads_run_over_more_than_their_own),
        cmocka_unit_test(the_rule_follows_the_machine),
        cmocka_unit_test(threads_suit_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
