/* Pseudo-random numbers, the same in each run (Marsaglia, "Xorshift RNGs", J. Stat. Softw. 8(14), 2003). */
#ifndef SPARSIGHT_TESTS_SUPPORT_CHANCE_H
#define SPARSIGHT_TESTS_SUPPORT_CHANCE_H

#include <stdint.h>

/* A seed for tests that need no specific sequence. */
#define CHANCE_SEED 0x9e3779b97f4a7c15u

/* Return the next 64 bits; *state is the seed, and not 0. */
static inline uint64_t chance_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
