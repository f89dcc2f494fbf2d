/* Plausibility of measured constants: it rejects numbers that were measured while others used the GPU or its
 * host. */
#ifndef SPARSIGHT_KERNELS_GPU_PLAUSIBLE_H
#define SPARSIGHT_KERNELS_GPU_PLAUSIBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/gpu/profile.h"

/* A number of a pace, and its bounds for all GPUs. */
struct pace_bound {
    const char *name; /* as profiles call it */
    size_t offset;    /* in struct gpu_pace */
    bool more;        /* more of it is better: a bandwidth */
    double least, most;
    const char *reason; /* of the bound that a busy machine goes beyond */
};

#define PACE_NUMBERS 13
extern const struct pace_bound pace_bounds[PACE_NUMBERS];

/* Return the number of a pace that a bound is of. */
double *pace_number(struct gpu_pace *pace, const struct pace_bound *bound);

/* Write which number of the pace no GPU has, with this bandwidth of its memory by its vendor (0: unknown),
 * and why. Returns true if there is one. */
#define PLAUSIBLE_WORDS 256
bool pace_implausible(const struct gpu_pace *pace, double vendor, char out[PLAUSIBLE_WORDS]);

#endif
