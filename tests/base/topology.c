/* base/topology.c: what a machine consists of. Machines of several packages are those that hwloc makes from a
 * description (HWLOC_SYNTHETIC), and folders as Linux would show them; expected numbers are products of the
 * description's by hand. */
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

/* Write a line into a file below the folder `root`, with the folders that it is in. */
static void put(const char *root, const char *text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void put(const char *root, const char *text, const char *format, ...)
{
    char whole[512];
    va_list arguments;
    int length = snprintf(whole, sizeof whole, "%s/sys/devices/system/", root);
    va_start(arguments, format);
    vsnprintf(whole + length, sizeof whole - (size_t)length, format, arguments);
    va_end(arguments);
    mkdir(root, 0755);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(whole, 0755);
        *slash = '/';
    }
    files_write(whole, text, strlen(text));
}

static void put_cache(const char *root, int cpu, int index, const char *level, const char *type,
                      const char *size, const char *shared)
{
    put(root, level, "cpu/cpu%d/cache/index%d/level", cpu, index);
    put(root, type, "cpu/cpu%d/cache/index%d/type", cpu, index);
    put(root, size, "cpu/cpu%d/cache/index%d/size", cpu, index);
    put(root, shared, "cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, index);
}

/* Two packages of two cores of two threads, numbered as Linux does on servers: first one thread of each core,
 * the packages in turn. Processor 5, a second thread, is switched off. */
static void linux_describes_a_server(void **state)
{
    static const int package[8] = {0, 1, 0, 1, 0, 1, 0, 1};
    static const char *const siblings[8] = {"0,4\n", "1\n", "2,6\n", "3,7\n", "0,4\n", "", "2,6\n", "3,7\n"};
    static const char *const of_package[2] = {"0,2,4,6\n", "1,3,7\n"};
    struct topology topology;
    put("server", "0-4,6-7\n", "cpu/online");
    for (int cpu = 0; cpu < 8; cpu++) {
        if (cpu == 5) continue;
        put("server", package[cpu] ? "1\n" : "0\n", "cpu/cpu%d/topology/physical_package_id", cpu);
        put("server", siblings[cpu], "cpu/cpu%d/topology/thread_siblings_list", cpu);
        put_cache("server", cpu, 0, "1\n", "Data\n", "48K\n", siblings[cpu]);
        put_cache("server", cpu, 1, "1\n", "Instruction\n", "32K\n", siblings[cpu]);
        put_cache("server", cpu, 2, "2\n", "Unified\n", "2048K\n", siblings[cpu]);
        put_cache("server", cpu, 3, "3\n", "Unified\n", "30M\n", of_package[package[cpu]]);
    }
    put("server", "0-1\n", "node/online");
    put("server", of_package[0], "node/node0/cpulist");
    put("server", of_package[1], "node/node1/cpulist");
    assert_true(topology_of_system("server", &topology));
    assert_true(topology.here);
    holds(&topology, "2 packages, 2 memory nodes, 4 cores, 7 hardware threads",
          "L1d 48 KiB for 2 threads, L1d 48 KiB for 1 thread, L1i 32 KiB for 2 threads, L1i 32 KiB for 1 "
          "thread, L2 2 MiB for 2 threads, L2 2 MiB for 1 thread, L3 30 MiB for 4 threads, L3 30 MiB for 3 "
          "threads");
    assert_int_equal(topology.cache[0].count, 3);
    static const struct topology_unit units[7] = {
        {0, 0, 0, 0}, {4, 0, 0, 0}, {2, 1, 0, 0}, {6, 1, 0, 0}, {1, 2, 1, 1}, {3, 3, 1, 1}, {7, 3, 1, 1},
    };
    assert_memory_equal(topology.unit, units, sizeof units);
}

/* Where a container hides the rest, a processor is a core, and all are in one package. */
static void little_is_told(void **state)
{
    struct topology topology;
    put("hidden", "0-2\n", "cpu/online");
    assert_true(topology_of_system("hidden", &topology));
    holds(&topology, "1 package, 1 memory node, 3 cores, 3 hardware threads", "");
    assert_false(topology_divided(&topology));
    assert_false(topology_of_system("nowhere", &topology));
    put("wrong", "none\n", "cpu/online");
    assert_false(topology_of_system("wrong", &topology));
    put("huge", "1020-70000000\n", "cpu/online");
    assert_true(topology_of_system("huge", &topology));
    assert_int_equal(topology.units, 4);
}

static void this_machine_has_processors(void **state)
{
    const struct topology *here = topology_here();
    assert_true(here == topology_here());
    assert_true(here->units >= 1 && here->cores >= 1 && here->packages >= 1 && here->nodes >= 1);
    assert_true(here->cores <= here->units && here->packages <= here->cores);
}

/* Where hwloc sees all processors, it tells of this machine what Linux does. */
static void both_tell_the_same(void **state)
{
    struct topology one, other;
    if (!topology_of_hwloc(&one) || !topology_of_system("", &other) || one.units != other.units) skip();
    assert_int_equal(one.cores, other.cores);
    assert_int_equal(one.packages, other.packages);
    assert_int_equal(one.nodes, other.nodes);
    assert_int_equal(one.caches, other.caches);
    for (int k = 0; k < one.caches; k++) {
        assert_int_equal(one.cache[k].bytes, other.cache[k].bytes);
        assert_int_equal(one.cache[k].threads, other.cache[k].threads);
        assert_int_equal(one.cache[k].count, other.cache[k].count);
    }
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
        cmocka_unit_test(hwloc_describes_machines),    cmocka_unit_test(hwloc_tells_where_units_are),
        cmocka_unit_test(linux_describes_a_server),    cmocka_unit_test(little_is_told),
        cmocka_unit_test(this_machine_has_processors), cmocka_unit_test(both_tell_the_same),
        cmocka_unit_test(threads_spread_over_cores),   cmocka_unit_test(threads_keep_to_what_is_allowed),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
