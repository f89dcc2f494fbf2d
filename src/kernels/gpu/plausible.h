/* Plausibility of measured constants: rejects numbers measured while other work used the GPU or its host. */
#ifndef SPARSIGHT_KERNELS_GPU_PLAUSIBLE_H
#define SPARSIGHT_KERNELS_GPU_PLAUSIBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/gpu/profile.h"

/* A number of a pace, and its bounds for all GPUs. */
struct pace_bound {
    const char *name; /* as profiles call it */
    size_t offset;    /* in struct gpu_pace */
    bool more;        /* higher is better: a bandwidth */
    double least, most;
    const char *reason; /* the reason for the bound that a busy machine exceeds */
};

#define PACE_NUMBERS 13
extern const struct pace_bound pace_bounds[PACE_NUMBERS];

/* Return the number of a pace that a bound applies to. */
double *pace_number(struct gpu_pace *pace, const struct pace_bound *bound);

/* Write the implausible number of the pace and the reason, given the vendor's bandwidth of the memory (0:
 * unknown). Returns true if there is one. */
#define PLAUSIBLE_WORDS 256
bool pace_implausible(const struct gpu_pace *pace, double vendor, char out[PLAUSIBLE_WORDS]);

#endif
