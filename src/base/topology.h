/* The machine's topology: packages, memory nodes, cores, hardware threads and caches, by hwloc; without hwloc
 * only the number of processors. It also assigns each thread of a team to a hardware thread. */
#ifndef SPARSIGHT_BASE_TOPOLOGY_H
#define SPARSIGHT_BASE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Hardware threads beyond this number are ignored. */
#define TOPOLOGY_UNITS_MAX 1024
#define TOPOLOGY_CACHES_MAX 12

/* A hardware thread: its number in the system, and its core, memory node and package, each counted from 0 in
 * the order of the units. */
struct topology_unit {
    int cpu, core, node, package;
};

/* `count` equal caches, each shared by this number of hardware threads. */
struct topology_cache {
    int level;  /* 1 is the nearest */
    char kind;  /* 'd' for data, 'i' for instructions, 'u' for both */
    long bytes; /* bytes of one cache */
    int threads, count;
};

struct topology {
    const char *source; /* "hwloc", or "" if only the number of processors is known */
    bool here; /* it is this machine's; false for one that HWLOC_SYNTHETIC or HWLOC_XMLFILE describes */
    int packages, nodes, cores, units, caches;
    struct topology_unit unit[TOPOLOGY_UNITS_MAX];    /* units near each other are neighbours in the list */
    struct topology_cache cache[TOPOLOGY_CACHES_MAX]; /* by level, and data before instructions */
};

/* Ask hwloc, which heeds HWLOC_SYNTHETIC and HWLOC_XMLFILE. Returns false, and leaves *topology undefined, if
 * the program was built without it or it fails. */
bool topology_of_hwloc(struct topology *topology);

/* Return the topology of this machine. The first call finds it by hwloc, and the process keeps it. Without
 * hwloc each processor counts as a core, all in one package and memory node, and the source is empty. */
const struct topology *topology_here(void);

/* True if some processors are nearer to some memory than others, so that the placement of threads matters. */
bool topology_divided(const struct topology *topology);

/* Return the number of cores with a unit u for which allowed[u] is true; NULL allows all units. */
int topology_cores(const struct topology *topology, const bool *allowed);

/* Return the unit for thread t of `threads` among those with allowed[u] (NULL: all); -1 if there is none. Up
 * to the number of cores, each thread has a separate core, and the threads spread evenly over all cores in
 * their order: with C cores, thread t has core t C / threads. Further threads spread over the hardware
 * threads in the same way. So the t-th part of an array and the t-th part of the work are near each other for
 * any number of threads. */
int topology_place(const struct topology *topology, const bool *allowed, int t, int threads);

/* Append "2 packages, 4 memory nodes, 8 cores, 16 threads". */
void topology_write(const struct topology *topology, struct text *text);

/* Append "L1d 48 KiB a core, L2 2 MiB a core, L3 64 MiB for 16 threads"; nothing if no caches are known. */
void topology_write_caches(const struct topology *topology, struct text *text);

#endif
