/* Counting the reductions and atomics of a warp. Only gpu/trace.c uses this. */
#ifndef SPARSIGHT_KERNELS_GPU_TURNS_H
#define SPARSIGHT_KERNELS_GPU_TURNS_H

#include <stdint.h>

#include "kernels/gpu/trace.h"

/* Add the sectors and lines of a reduction or atomic to *sum. Its `count` active lanes, in their order, have
 * elements index[0], index[1], ... of `size` bytes.
 *
 * Lanes with the same element wait for each other, so a request is counted turn by turn:
 *
 * 1. A turn goes to the line of the lowest lane that waits.
 * 2. It takes each lane that waits for this line, unless a lower lane waits for the same offset in the line,
 * or in another line of the same quarter of the memory. 3. It counts one line, and the distinct sectors of
 * the lanes that it has taken.
 *
 * For elements of 8 bytes, 4 in a sector and 16 in a line:
 *
 *     lane      0  1  2  3  4
 *     element   5  5  6 20  5
 *     turn 1    *     *          line 0; element 5 and 6 lie in the same sector: 1 sector
 *     turn 2       *             line 0: 1 sector
 *     turn 3             *       line 1: 1 sector
 *     turn 4                *    line 0: 1 sector         in all 4 lines and 4 sectors
 *
 * Returns the lanes with which a sector of a turn is counted, one for each: bit k stands for index[k].
 *
 * The rules were found by experiment on an H200 (data/measured/gpu-rules). O(count) if the elements do not
 * descend, else O(count^2) a turn. */
uint32_t trace_turns(const int64_t *index, int count, int size, struct trace_counts *sum);

#endif
