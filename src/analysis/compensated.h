/* Compensated sums in double precision: the rounding errors are summed beside them (Neumaier, ZAMM 54,
 * 1974). */
#ifndef SPARSIGHT_ANALYSIS_COMPENSATED_H
#define SPARSIGHT_ANALYSIS_COMPENSATED_H

#include <math.h>

/* A sum and its rounding error. {0} is an empty sum. */
struct sum {
    double sum, rest;
};

static inline void sum_add(struct sum *sum, double value)
{
    double next = sum->sum + value, part = next - sum->sum;
    sum->rest += (sum->sum - (next - part)) + (value - part);
    sum->sum = next;
}

/* After an overflow the compensation is NaN. */
static inline double sum_of(struct sum sum)
{
    return isfinite(sum.sum) ? sum.sum + sum.rest : sum.sum;
}

#endif
