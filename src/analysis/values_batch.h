/* Taking many real values at once, without what one value after the other costs. Only values.c uses this. */
#ifndef SPARSIGHT_ANALYSIS_VALUES_BATCH_H
#define SPARSIGHT_ANALYSIS_VALUES_BATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "analysis/values.h"

/* So many values at most are taken at once. */
#define VALUES_BATCH 1024

/* Return the decade of a finite value above 0. From one power of two to the next there is at most one power
 * of ten, but below the normal numbers. */
static inline int decade_of(const struct powers *powers, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int d = powers->decade[bits >> 52];
    if (bits >> 52) return d + (powers->power[d + 1] <= value);
    while (powers->power[d + 1] <= value)
        d++;
    return d;
}

/* Take `count` values as values_take does, and return true; or return false and leave the part as it is,
 * since some are not finite. */
bool values_take_batch(const struct powers *powers, const double *val, int64_t count,
                       struct values_part *part);

#endif
