/* How reductions and atomics of a warp are counted. Only for kernels/trace.c. */
#ifndef SPARSIGHT_KERNELS_GPU_TURNS_H
#define SPARSIGHT_KERNELS_GPU_TURNS_H

#include <stdint.h>

#include "kernels/gpu/trace.h"

/* Lanes of one address wait for each other, so that a request is counted turn by turn. A turn goes to the
 * line of the lowest lane that waits. It takes each lane that waits for this line, unless a lower lane waits
 * for the same bytes of the line, or of another line of the same part of the memory; it counts one line, and
 * the distinct sectors of the lanes that it took. Found by experiment on an H200 (data/measured/gpu-rules).
 *
 * Add the sectors and lines of `count` active lanes in their order, which have elements index[0], ... of
 * `size` bytes. O(count) if the indices ascend, else O(count^2) a turn. */
void trace_turns(const int64_t *index, int count, int size, struct trace_counts *sum);

#endif
