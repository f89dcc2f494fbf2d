/* Random numbers by position: each is a hash of (seed, stream, i, j), so that any part of a matrix can be
 * produced by any thread at any time, and twice. The mixing function is the finaliser of SplitMix64 (Steele,
 * Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). */
#ifndef SPARSIGHT_MATRIX_GENERATORS_HASH_H
#define SPARSIGHT_MATRIX_GENERATORS_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_STEP 0x9e3779b97f4a7c15u /* 2^64 / golden ratio, odd */

static inline uint64_t hash_mix(uint64_t h)
{
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

/* What a random number is for; numbers of different streams are independent. */
enum hash_stream { HASH_VALUE, HASH_LENGTH, HASH_PLACE, HASH_ROUND };

/* The key of position i in a stream. */
static inline uint64_t hash_key(uint64_t seed, enum hash_stream stream, int64_t i)
{
    return hash_mix(hash_mix(seed + ((uint64_t)stream + 1) * HASH_STEP) + ((uint64_t)i + 1) * HASH_STEP);
}

/* Number j under a key. */
static inline uint64_t hash_at(uint64_t key, int64_t j)
{
    return hash_mix(key + ((uint64_t)j + 1) * HASH_STEP);
}

/* Uniform in [0, 1), 53 bits. */
static inline double hash_unit(uint64_t h)
{
    return (double)(h >> 11) * 0x1p-53;
}

/* Uniform in (-1, 1), symmetric about 0 and never 0: an odd multiple of 2^-52. */
static inline double hash_value(uint64_t h)
{
    return (double)(2 * (h >> 12) + 1) * 0x1p-52 - 1;
}

/* Uniform in 0 .. bound-1 (Lemire, "Fast random integer generation in an interval", 2019, without its
 * rejection: the bias is below bound / 2^64). */
static inline int64_t hash_below(uint64_t h, int64_t bound)
{
    return (int64_t)(((unsigned __int128)h * (uint64_t)bound) >> 64);
}

/* An integer with the expectation `mean` + (a uniform number in -spread..spread), rounded up or down at
 * random, so that the mean over many keys is `mean` exactly; clipped to 0 .. max. */
int64_t hash_length(uint64_t key, double mean, double spread, int64_t max);

/* `count` distinct numbers out of 0 .. bound-1, every such set equally likely, ascending in items.
 * scratch: hash_subset_scratch(count) bytes, aligned as malloc does; items points into it.
 * Cost O(count log count). */
const int32_t *hash_subset(uint64_t key, int64_t bound, int64_t count, void *scratch);
size_t hash_subset_scratch(int64_t count);

#define HASH_ROUNDS 6

/* A permutation of 0 .. n-1 that follows from a seed and takes no memory: a Feistel network on numbers of
 * `bits` bits, walked until it comes back into the range (Black and Rogaway, "Ciphers with arbitrary finite
 * domains", CT-RSA 2002). */
struct hash_permutation {
    int64_t n;
    int bits;
    uint64_t key[HASH_ROUNDS];
};
struct hash_permutation hash_permutation(uint64_t seed, int64_t n);

/* The image of i, 0 <= i < n. Less than two steps on average, but for n below 4. */
int64_t hash_image(const struct hash_permutation *permutation, int64_t i);

#endif
