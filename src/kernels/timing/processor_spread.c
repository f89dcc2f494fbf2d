/* The repeatability of times. */
#include <math.h>
#include <stdlib.h>

#include "base/range.h"
#include "kernels/timing/processor_parts.h"

#define MOST 0.9 /* the result is this quantile of the shares */

void spreads_add(struct spreads *spreads, double best, double next)
{
    if (spreads->count < PROCESSOR_SPREADS && best > 0 && isfinite(next))
        spreads->share[spreads->count++] = next / best - 1;
}

double spreads_most(struct spreads *spreads)
{
    if (spreads->count == 0) return NAN;
    qsort(spreads->share, (size_t)spreads->count, sizeof *spreads->share, compare_doubles);
    return spreads->share[(int)(MOST * (spreads->count - 1))];
}
