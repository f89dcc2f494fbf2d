/* Sets of whole numbers 0..n-1 that several threads may add to at the same time; each number is a bit. */
#ifndef SPARSIGHT_BASE_SET_H
#define SPARSIGHT_BASE_SET_H

#include <stdint.h>

#include "base/error.h"

/* An empty set of numbers below n; NULL without memory. Free it with free(). */
uint64_t *set_new(int64_t n, struct error *error);

/* Add k. The bit is read first, since even an atomic operation that changes nothing takes the cache line from
 * other threads. */
static inline void set_add(uint64_t *set, int64_t k)
{
    uint64_t bit = (uint64_t)1 << (k & 63);
    if (!(__atomic_load_n(&set[k >> 6], __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(&set[k >> 6], bit, __ATOMIC_RELAXED);
}

/* While no other thread adds to the set: return 1 if k is not in it, or else 0; add k. */
static inline int set_lacks(const uint64_t *set, int64_t k)
{
    return (int)(~set[k >> 6] >> (k & 63) & 1);
}

static inline void set_add_alone(uint64_t *set, int64_t k)
{
    set[k >> 6] |= (uint64_t)1 << (k & 63);
}

/* The bytes of a set of numbers below n. */
size_t set_bytes(int64_t n);

/* The size of the set. Parallel. */
int64_t set_count(const uint64_t *set, int64_t n);

/* The smallest number of the set that is k or larger; n if there is none. Takes time proportional to the
 * distance / 64. */
int64_t set_next(const uint64_t *set, int64_t n, int64_t k);

#endif
