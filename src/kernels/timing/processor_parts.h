/* What the files that measure the processors share (processor.h). */
#ifndef SPARSIGHT_KERNELS_TIMING_PROCESSOR_PARTS_H
#define SPARSIGHT_KERNELS_TIMING_PROCESSOR_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/timing/processor.h"

/* What is being measured. */
struct measuring {
    struct processor *processor;
    bool completely;
    size_t limit;
    struct progress *progress;
    double *x, *y; /* as long as the largest matrix needs */
};

/* Fill in `read` and `far` of the processor that is being measured. STATUS_CANCELLED, STATUS_MEMORY. */
enum status processor_measure_memory(const struct measuring *measuring, struct error *error);

/* Return the seconds of a parallel region of so many threads that does nothing. */
double processor_region_seconds(int threads);

#endif
