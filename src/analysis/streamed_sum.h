/* Compensated sums of many sizes, |a|, that come one after the other. */
#ifndef SPARSIGHT_ANALYSIS_STREAMED_SUM_H
#define SPARSIGHT_ANALYSIS_STREAMED_SUM_H

#include <stdint.h>

#include "analysis/compensated.h"

/* Sums that are computed side by side, since each addition waits for the one before it; and the run from
 * which on that pays. */
#define LANES 4
#define LANES_MIN 16

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef double lanes_anywhere
    __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

static inline void sum_in_lanes(const double *sizes, int64_t count, struct sum *total)
{
    lanes sum = {0}, rest = {0};
    int64_t k = 0;
    for (; k + LANES <= count; k += LANES) {
        lanes value = *(const lanes_anywhere *)(const void *)(sizes + k);
        lanes next = sum + value, part = next - sum;
        rest += (sum - (next - part)) + (value - part);
        sum = next;
    }
    for (; k < count; k++)
        sum_add(total, sizes[k]);
    for (int l = 0; l < LANES; l++) {
        sum_add(total, sum[l]);
        total->rest += rest[l];
    }
}

/* Add `count` sizes. */
static inline void streamed_sum(const double *sizes, int64_t count, struct sum *sum)
{
    struct sum total = *sum;
    if (count >= LANES_MIN)
        sum_in_lanes(sizes, count, &total);
    else
        for (int64_t k = 0; k < count; k++)
            sum_add(&total, sizes[k]);
    *sum = total;
}

/* The smallest of `least` and these indices. */
static inline int32_t streamed_least(const int32_t *across, int64_t count, int32_t least)
{
    for (int64_t k = 0; k < count; k++)
        least = across[k] < least ? across[k] : least;
    return least;
}

#endif
