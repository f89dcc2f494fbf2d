/* Telling an observer the sectors of a request (`sectors` of struct tracer). For trace.c. */
#ifndef SPARSIGHT_KERNELS_GPU_TELL_H
#define SPARSIGHT_KERNELS_GPU_TELL_H

#include <stdint.h>

#include "kernels/gpu/trace.h"

/* Tell the sectors of the elements first, first + 1, ... last. */
void trace_tell_line(const struct tracer *tracer, const struct ask *ask, int64_t first, int64_t last);

/* Tell the sectors of the elements of the active lanes. */
void trace_tell_lanes(const struct tracer *tracer, const struct ask *ask, uint32_t active,
                      const int64_t index[TRACE_LANES]);

#endif
