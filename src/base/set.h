/* Sets of whole numbers 0..n-1, a bit each, that several threads may add to. */
#ifndef SPARSIGHT_BASE_SET_H
#define SPARSIGHT_BASE_SET_H

#include <stdint.h>

#include "base/error.h"

/* An empty set of numbers below n, freed with free(); NULL without memory. */
uint64_t *set_new(int64_t n, struct error *error);

/* Add k. From any thread. */
static inline void set_add(uint64_t *set, int64_t k)
{
    uint64_t bit = (uint64_t)1 << (k & 63);
    if (!(__atomic_load_n(&set[k >> 6], __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(&set[k >> 6], bit, __ATOMIC_RELAXED);
}

/* How many numbers it has. Parallel. */
int64_t set_count(const uint64_t *set, int64_t n);

/* Its least number that is at least k, or n. Cost: the distance / 64. */
int64_t set_next(const uint64_t *set, int64_t n, int64_t k);

#endif
