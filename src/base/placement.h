/* Where threads run on a machine of several packages or memory nodes: thread t of a team stays on one
 * hardware thread (topology_place) while something is timed or memory is touched first, so that its data is
 * near. On other machines, and where OpenMP was told to bind threads (OMP_PROC_BIND, OMP_PLACES), nothing is
 * done. */
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
    int threads; /* those that are pinned; 0 for none */
    struct processors before;
};

/* The rule for where the threads of kernels run. */
enum placement_rule {
    PLACEMENT_SYSTEM, /* the operating system: all memory is as near to each processor */
    PLACEMENT_OPENMP, /* OpenMP, which was told to bind threads */
    PLACEMENT_OWN,    /* placement_begin */
};
enum placement_rule placement_rule(void);

/* Return the rule in a few words. */
const char *placement_words(enum placement_rule rule);

/* Pin the next team of this number of threads if the rule is PLACEMENT_OWN. placement_end has to follow from
 * the same thread: until then teams of other sizes, and threads that are started, would begin where this
 * thread stays. */
void placement_begin(struct placement *placement, int threads);

/* Do the same on this topology, for any rule. */
void placement_on(struct placement *placement, const struct topology *topology, int threads);

/* Let the next team of this number of threads run anywhere on these processors, unless OpenMP was told to
 * bind threads. placement_end has to follow as above. */
void placement_over(struct placement *placement, const struct processors *where, int threads);

/* Let the threads run where they might before. */
void placement_end(struct placement *placement);

/* Return the number of threads that suits this process: one for each core that it may run on. The threads of
 * a core share its caches, its load units and its path to memory, which limit sparse products; Intel's MKL
 * also uses one thread per core (Developer Guide, "Improving Performance with Threading"). */
int placement_threads(void);

#endif
