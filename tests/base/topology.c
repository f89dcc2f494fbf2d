/* base/topology.c: the parts of a machine. hwloc makes machines of several packages from a description
 * (HWLOC_SYNTHETIC); expected numbers are products of the description's by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/topology.h"
#include "config.h"
#include "support/files.h"

static void holds(const struct topology *topology, const char *counts, const char *caches)
{
    struct text text = {0};
    topology_write(topology, &text);
    assert_string_equal(text.data, counts);
    text_free(&text);
    topology_write_caches(topology, &text);
    assert_string_equal(text.data ? text.data : "", caches);
    text_free(&text);
}

static void hwloc_describes_machines(void **state)
{
#ifndef HAVE_HWLOC
    skip();
#endif
    static const struct {
        const char *machine, *counts, *caches;
        bool divided;
    } cases[] = {
        {"pack:1 numa:1 core:3 pu:1", "1 package, 1 memory node, 3 cores, 3 hardware threads", "", false},
        {"pack:2 numa:1 l3:1(size=33554432) core:4 l2:1(size=1048576) l1d:1(size=49152) pu:2",
         "2 packages, 2 memory nodes, 8 cores, 16 hardware threads",
         "L1d 48 KiB a core, L2 1 MiB a core, L3 32 MiB for 8 threads", true},
        {"pack:2 numa:2 l3:2(size=16777216) core:2 l1i:1(size=32768) pu:1",
         "2 packages, 4 memory nodes, 16 cores, 16 hardware threads",
         "L1i 32 KiB a core, L3 16 MiB for 2 threads", true},
        {"pack:1 numa:2 core:2 pu:1", "1 package, 2 memory nodes, 4 cores, 4 hardware threads", "", true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct topology topology;
        setenv("HWLOC_SYNTHETIC", cases[k].machine, 1);
        assert_true(topology_of_hwloc(&topology));
        assert_false(topology.here);
        assert_string_equal(topology.source, "hwloc");
        holds(&topology, cases[k].counts, cases[k].caches);
        assert_int_equal(topology_divided(&topology), cases[k].divided);
    }
    unsetenv("HWLOC_SYNTHETIC");
}

/* With two packages of two nodes of three cores of two threads, the units come in this order. */
static void hwloc_tells_where_units_are(void **state)
{
#ifndef HAVE_HWLOC
    skip();
#endif
    struct topology topology;
    setenv("HWLOC_SYNTHETIC", "pack:2 numa:2 core:3 pu:2", 1);
    assert_true(topology_of_hwloc(&topology));
    unsetenv("HWLOC_SYNTHETIC");
    assert_int_equal(topology.units, 24);
    for (int u = 0; u < 24; u++) {
        assert_int_equal(topology.unit[u].cpu, u);
        assert_int_equal(topology.unit[u].core, u / 2);
        assert_int_equal(topology.unit[u].node, u / 6);
        assert_int_equal(topology.unit[u].package, u / 12);
    }
}

/* Linux numbers the processors of servers in this way: first one thread of each core, the packages in turn.
 * Near units stand beside each other all the same. */
static void hwloc_tells_of_numbers_in_another_order(void **state)
{
#ifndef HAVE_HWLOC
    skip();
#endif
    static const struct topology_unit units[8] = {
        {0, 0, 0, 0}, {4, 0, 0, 0}, {2, 1, 0, 0}, {6, 1, 0, 0},
        {1, 2, 1, 1}, {5, 2, 1, 1}, {3, 3, 1, 1}, {7, 3, 1, 1},
    };
    struct topology topology;
    setenv("HWLOC_SYNTHETIC", "pack:2 numa:1 core:2 pu:2(indexes=0,4,2,6,1,5,3,7)", 1);
    assert_true(topology_of_hwloc(&topology));
    unsetenv("HWLOC_SYNTHETIC");
    assert_int_equal(topology.units, 8);
    assert_memory_equal(topology.unit, units, sizeof units);
}

static void this_machine_has_processors(void **state)
{
    const struct topology *here = topology_here();
    assert_true(here == topology_here());
    assert_true(here->units >= 1 && here->cores >= 1 && here->packages >= 1 && here->nodes >= 1);
    assert_true(here->cores <= here->units && here->packages <= here->cores);
#ifndef HAVE_HWLOC
    assert_string_equal(here->source, "");
    assert_int_equal(here->cores, here->units);
    assert_int_equal(here->caches, 0);
    assert_false(topology_divided(here));
#endif
}

/* Three packages of two cores of two threads: unit u is thread u % 2 of core u / 2. */
static struct topology example(void)
{
    struct topology topology = {.source = "", .packages = 3, .nodes = 3, .cores = 6, .units = 12};
    for (int u = 0; u < 12; u++)
        topology.unit[u] = (struct topology_unit){u, u / 2, u / 4, u / 4};
    return topology;
}

static void threads_spread_over_cores(void **state)
{
    static const struct {
        int threads, unit[14];
    } cases[] = {
        {1, {0}},
        {2, {0, 6}},
        {3, {0, 4, 8}},
        {4, {0, 2, 6, 8}},
        {6, {0, 2, 4, 6, 8, 10}},
        {8, {0, 1, 3, 4, 6, 7, 9, 10}},
        {12, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
        {14, {0, 0, 1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11}},
    };
    const struct topology topology = example();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int t = 0; t < cases[k].threads; t++)
            assert_int_equal(topology_place(&topology, NULL, t, cases[k].threads), cases[k].unit[t]);
}

/* A batch system leaves cores 1 and 4, and one thread of core 5. */
static void threads_keep_to_what_is_allowed(void **state)
{
    bool allowed[TOPOLOGY_UNITS_MAX] = {[2] = true, [3] = true, [8] = true, [9] = true, [11] = true};
    bool none[TOPOLOGY_UNITS_MAX] = {0};
    const struct topology topology = example();
    assert_int_equal(topology_cores(&topology, NULL), 6);
    assert_int_equal(topology_cores(&topology, allowed), 3);
    static const int three[] = {2, 8, 11}, five[] = {2, 3, 8, 9, 11};
    for (int t = 0; t < 3; t++)
        assert_int_equal(topology_place(&topology, allowed, t, 3), three[t]);
    for (int t = 0; t < 5; t++)
        assert_int_equal(topology_place(&topology, allowed, t, 5), five[t]);
    assert_int_equal(topology_place(&topology, allowed, 1, 2), 8);
    assert_int_equal(topology_place(&topology, none, 0, 1), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hwloc_describes_machines),
        cmocka_unit_test(hwloc_tells_where_units_are),
        cmocka_unit_test(hwloc_tells_of_numbers_in_another_order),

        cmocka_unit_test(this_machine_has_processors),
        cmocka_unit_test(threads_spread_over_cores),
        cmocka_unit_test(threads_keep_to_what_is_allowed),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
