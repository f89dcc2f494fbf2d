/* The processor time and the wall clock time of the parts of a piece of work. */
#ifndef SPARSIGHT_BASE_COST_H
#define SPARSIGHT_BASE_COST_H

/* The maximum number of parts; further ones are ignored. */
#define COSTS_MAX 24

struct cost {
    const char *name; /* static */
    double cpu;  /* seconds of all threads of the process, and of the children that ended (base/apart.h) */
    double wall; /* seconds */
};

/* The parts in the order of their first beginning. Start with {0}. One thread at a time may use it. */
struct costs {
    struct cost items[COSTS_MAX];
    int count;
};

/* The clocks when a part began. Its name is NULL. */
struct cost cost_begin(void);

/* Add times to the part of their name. */
void cost_add(struct costs *costs, const struct cost *added);

/* Add the time since `begun` to the part of this name. */
void cost_end(struct costs *costs, const char *name, const struct cost *begun);

#endif
