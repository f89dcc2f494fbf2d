/* Taking many real values at once, which is faster than one by one. Only values.c uses this. */
#ifndef SPARSIGHT_ANALYSIS_VALUES_BATCH_H
#define SPARSIGHT_ANALYSIS_VALUES_BATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "analysis/values.h"

/* Maximum number of values in one call. */
#define VALUES_BATCH 1024

/* Return the decade of a finite value above 0. Between two powers of two lies at most one power of ten,
 * except below the normal numbers. */
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

/* Take `count` values as values_take does, and return true; or return false and leave the part unchanged if
 * some value is not finite. */
bool values_take_batch(const struct powers *powers, const double *val, int64_t count,
                       struct values_part *part);

#endif
