#include "config.h"

#include "base/placement.h"

#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __linux__

void processors_here(struct processors *here)
{
    cpu_set_t set;
    *here = (struct processors){0};
    if (sched_getaffinity(0, sizeof set, &set) != 0) return;
    for (int cpu = 0; cpu < TOPOLOGY_UNITS_MAX && cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set)) here->bits[cpu / 8] |= (unsigned char)(1U << cpu % 8);
}

static void go_to(const struct processors *where)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int cpu = 0; cpu < TOPOLOGY_UNITS_MAX && cpu < CPU_SETSIZE; cpu++)
        if (where->bits[cpu / 8] >> cpu % 8 & 1) CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set); /* if that fails, the thread runs anywhere, as before */
}

#else

void processors_here(struct processors *here)
{
    memset(here, 0xff, sizeof *here);
}

static void go_to(const struct processors *where)
{
}

#endif

static void allow(const struct topology *topology, const struct processors *some, bool *allowed)
{
    for (int u = 0; u < topology->units; u++) {
        int cpu = topology->unit[u].cpu;
        allowed[u] = cpu < TOPOLOGY_UNITS_MAX && (some->bits[cpu / 8] >> cpu % 8 & 1);
    }
}

enum placement_rule placement_rule(void)
{
    if (omp_get_proc_bind() != omp_proc_bind_false) return PLACEMENT_OPENMP;
    const struct topology *topology = topology_here();
    return topology->here && topology_divided(topology) ? PLACEMENT_OWN : PLACEMENT_SYSTEM;
}

const char *placement_words(enum placement_rule rule)
{
    return rule == PLACEMENT_OPENMP ? "bound by OpenMP (OMP_PROC_BIND)"
           : rule == PLACEMENT_OWN  ? "pinned to cores, spread over all memory nodes"
                                    : "not pinned";
}

void placement_begin(struct placement *placement, int threads)
{
    placement->threads = 0;
    if (placement_rule() == PLACEMENT_OWN) placement_on(placement, topology_here(), threads);
}

void placement_on(struct placement *placement, const struct topology *topology, int threads)
{
    bool allowed[TOPOLOGY_UNITS_MAX] = {0};
    processors_here(&placement->before);
    allow(topology, &placement->before, allowed);
    placement->threads = topology_cores(topology, allowed) > 0 ? threads : 0;
    if (placement->threads == 0) return;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
        struct processors one = {0};
        int cpu = topology->unit[topology_place(topology, allowed, t, threads)].cpu;
        one.bits[cpu / 8] = (unsigned char)(1U << cpu % 8);
        go_to(&one);
    }
}

void placement_over(struct placement *placement, const struct processors *where, int threads)
{
    placement->threads = 0;
    if (placement_rule() == PLACEMENT_OPENMP) return;
    processors_here(&placement->before);
    placement->threads = threads;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++)
        go_to(where);
}

void placement_end(struct placement *placement)
{
    if (placement->threads == 0) return;
#pragma omp parallel for schedule(static, 1) num_threads(placement->threads)
    for (int t = 0; t < placement->threads; t++)
        go_to(&placement->before);
    placement->threads = 0;
}

/* Return false if the system reports that no core has several active hardware threads. */
static bool may_share_cores(void)
{
    FILE *file = fopen("/sys/devices/system/cpu/smt/active", "r");
    int first = file ? getc(file) : '1';
    if (file) fclose(file);
    return first != '0';
}

/* Return the number of cores of these `count` processors. */
static int cores_of(const struct processors *some, int count)
{
    bool allowed[TOPOLOGY_UNITS_MAX] = {0};
    if (!may_share_cores()) return count; /* all, without reading the topology, which takes time */
    const struct topology *topology = topology_here();
    allow(topology, some, allowed);
    int cores = topology->here ? topology_cores(topology, allowed) : 0;
    return cores > 0 && cores < count ? cores : count;
}

static int count_of(const struct processors *some)
{
    int count = 0;
    for (int cpu = 0; cpu < TOPOLOGY_UNITS_MAX; cpu++)
        count += some->bits[cpu / 8] >> cpu % 8 & 1;
    return count;
}

int processors_cores(const struct processors *some)
{
    return cores_of(some, count_of(some));
}

/* LLVM's OpenMP counts the processors only once, when it starts, even if the process is later restricted. */
int placement_threads(void)
{
    struct processors here;
    int known = omp_get_num_procs();
    processors_here(&here);
    int count = count_of(&here);
    return cores_of(&here, count > 0 && count < known ? count : known);
}
