/* The time of a part of a solve, from the times of its calls. Another program may take the processor during a
 * call, for longer than all calls of a small matrix together. */
#ifndef SPARSIGHT_ANALYSIS_SOLVERS_PACE_H
#define SPARSIGHT_ANALYSIS_SOLVERS_PACE_H

#include <stdint.h>

#define PACE_KEPT 512
#define PACE_OUTLIER 3.0 /* times the median */

/* The times of calls, of which every `every`-th is kept. Start with {0}. */
struct pace {
    int64_t calls, every;
    int kept;
    double seconds[PACE_KEPT];
};

void pace_add(struct pace *pace, double seconds);

/* Return the seconds of all calls: their number times the mean of those kept, where a time of more than
 * PACE_OUTLIER times the median counts as the median. */
double pace_total(const struct pace *pace);

#endif
