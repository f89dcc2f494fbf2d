/* The placement of threads on a machine of several packages or memory nodes. Thread t of a team stays on one
 * hardware thread (topology_place) during timing and the first touch of memory, so that its data is near. On
 * other machines, and if OpenMP was told to bind threads (OMP_PROC_BIND, OMP_PLACES), threads are not
 * pinned. */
#ifndef SPARSIGHT_BASE_PLACEMENT_H
#define SPARSIGHT_BASE_PLACEMENT_H

#include <stdbool.h>

#include "base/topology.h"

/* Processors of the system: number p is among them if bit p % 8 of byte p / 8 is set. */
struct processors {
    unsigned char bits[TOPOLOGY_UNITS_MAX / 8];
};

/* Find those that the calling thread may run on. */
void processors_here(struct processors *here);

/* Return the number of cores that these are on. */
int processors_cores(const struct processors *some);

/* The saved affinity of the team's first thread: the processors on which it might run before. {0}: the
 * threads are not pinned. */
struct placement {
    int threads; /* the number of pinned threads; 0: none */
    struct processors before;
};

/* The rule that places the threads of kernels. */
enum placement_rule {
    PLACEMENT_SYSTEM, /* the operating system: all memory is equally near to each processor */
    PLACEMENT_OPENMP, /* OpenMP, which was told to bind threads */
    PLACEMENT_OWN,    /* placement_begin */
};
enum placement_rule placement_rule(void);

/* Return a short description of the rule. */
const char *placement_words(enum placement_rule rule);

/* Pin the next team of this number of threads if the rule is PLACEMENT_OWN. The same thread must call
 * placement_end afterwards. Before that, teams of other sizes, and new threads, would inherit the pinning of
 * this thread. */
void placement_begin(struct placement *placement, int threads);

/* Do the same on this topology, for any rule. */
void placement_on(struct placement *placement, const struct topology *topology, int threads);

/* Let the next team of this number of threads run anywhere on these processors, unless OpenMP was told to
 * bind threads. placement_end has to follow as above. */
void placement_over(struct placement *placement, const struct processors *where, int threads);

/* Restore the saved affinity. */
void placement_end(struct placement *placement);

/* Return the number of threads that suits this process: one for each core that it may run on. The threads of
 * a core share its caches, its load units and its path to memory, which limit sparse products; Intel's MKL
 * also uses one thread per core (Developer Guide, "Improving Performance with Threading"). */
int placement_threads(void);

#endif
