#include "config.h"

#include "base/placement.h"

#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __linux__

/* Mark the processors that the calling thread may run on. */
static void read_mask(unsigned char *mask)
{
    cpu_set_t set;
    memset(mask, 0, TOPOLOGY_UNITS_MAX / 8);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return;
    for (int cpu = 0; cpu < TOPOLOGY_UNITS_MAX && cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set)) mask[cpu / 8] |= (unsigned char)(1U << cpu % 8);
}

static void set_mask(const unsigned char *mask)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int cpu = 0; cpu < TOPOLOGY_UNITS_MAX && cpu < CPU_SETSIZE; cpu++)
        if (mask[cpu / 8] >> cpu % 8 & 1) CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set); /* if that fails, the thread runs anywhere, as before */
}

#else

static void read_mask(unsigned char *mask)
{
    memset(mask, 0xff, TOPOLOGY_UNITS_MAX / 8);
}

static void set_mask(const unsigned char *mask)
{
    (void)mask;
}

#endif

static void allow(const struct topology *topology, const unsigned char *mask, bool *allowed)
{
    for (int u = 0; u < topology->units; u++) {
        int cpu = topology->unit[u].cpu;
        allowed[u] = cpu < TOPOLOGY_UNITS_MAX && (mask[cpu / 8] >> cpu % 8 & 1);
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
    read_mask(placement->before);
    allow(topology, placement->before, allowed);
    placement->threads = topology_cores(topology, allowed) > 0 ? threads : 0;
    if (placement->threads == 0) return;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
        unsigned char mask[TOPOLOGY_UNITS_MAX / 8] = {0};
        int cpu = topology->unit[topology_place(topology, allowed, t, threads)].cpu;
        mask[cpu / 8] = (unsigned char)(1U << cpu % 8);
        set_mask(mask);
    }
}

void placement_end(struct placement *placement)
{
    if (placement->threads == 0) return;
#pragma omp parallel for schedule(static, 1) num_threads(placement->threads)
    for (int t = 0; t < placement->threads; t++)
        set_mask(placement->before);
    placement->threads = 0;
}

/* Return false if the system says that no core has several hardware threads at work. */
static bool may_share_cores(void)
{
    FILE *file = fopen("/sys/devices/system/cpu/smt/active", "r");
    int first = file ? getc(file) : '1';
    if (file) fclose(file);
    return first != '0';
}

int placement_threads(void)
{
    bool allowed[TOPOLOGY_UNITS_MAX] = {0};
    unsigned char mask[TOPOLOGY_UNITS_MAX / 8];
    int processors = omp_get_num_procs();
    if (!may_share_cores()) return processors; /* all without asking for the topology, which takes a while */
    const struct topology *topology = topology_here();
    read_mask(mask);
    allow(topology, mask, allowed);
    int cores = topology->here ? topology_cores(topology, allowed) : 0;
    return cores > 0 && cores < processors ? cores : processors;
}
