/* Ranks that share a node share the bandwidth of its memory. So a rank computes slower than its share of the
 * time of one rank alone, or faster if its part fits in caches. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_CROWD_H
#define SPARSIGHT_ANALYSIS_PARTS_CROWD_H

#include <stdint.h>

#include "kernels/prediction.h"
#include "kernels/timing/processor.h"

/* The product of one rank that has its node for itself. {0}: unknown. It owns nothing. */
struct crowd {
    const struct processor *processor; /* the profile of the node's processors; NULL: none */
    const struct loop_pace *loop;      /* the pace of the kernel on these processors */
    double term[BOUNDS];               /* the terms of the product's forecast (analysis/forecast/cpu.h) */
    double bytes;                      /* bytes of the storage, x and y */
    int threads;                       /* threads of the rank */
};

/* The time of a rank that has one of `parts` equal parts, while `ranks` ranks of its node compute, as a
 * multiple of 1 / parts of the time of the product of one rank alone. By the terms of its forecast, with T
 * threads and B bytes for one rank:
 *
 *     arithmetic  in proportion to the entries
 *     dram, l2    the same bytes at the bandwidth of `ranks` T threads for ranks B / parts bytes together
 *     latency     random loads of `ranks` T threads
 *
 * The terms are combined as in that forecast. 1 if the crowd is unknown, or if the profile has fewer
 * threads. */
double crowd_pace(const struct crowd *crowd, int64_t parts, int ranks);

#endif
