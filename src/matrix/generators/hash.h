/* Random numbers by position: each is a hash of (seed, stream, i, j), so that any thread can compute any
 * entries of a matrix at any time, and again:
 *
 *     number = mix(key + (j + 1) step),  key = mix(mix(seed + (stream + 1) step) + (i + 1) step)
 *
 * SplitMix64 draws mix(s + step), mix(s + 2 step), ... from a state s; so the numbers j = 0, 1, ... of one
 * key are its sequence. `step` is odd, so that the sequence has all 2^64 states (Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014). */
#ifndef SPARSIGHT_MATRIX_GENERATORS_HASH_H
#define SPARSIGHT_MATRIX_GENERATORS_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_STEP 0x9e3779b97f4a7c15u /* the odd number next to 2^64 / golden ratio */

/* Apply the last step of SplitMix64, a bijection of 64-bit numbers, called mix above. */
static inline uint64_t hash_mix(uint64_t h)
{
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

/* The use of a random number. Numbers of different streams are independent. */
enum hash_stream { HASH_VALUE, HASH_LENGTH, HASH_PLACE, HASH_ROUND };

/* Return the key of position i of a stream. */
static inline uint64_t hash_key(uint64_t seed, enum hash_stream stream, int64_t i)
{
    return hash_mix(hash_mix(seed + ((uint64_t)stream + 1) * HASH_STEP) + ((uint64_t)i + 1) * HASH_STEP);
}

/* Returns random number j of the sequence that belongs to a key. */
static inline uint64_t hash_at(uint64_t key, int64_t j)
{
    return hash_mix(key + ((uint64_t)j + 1) * HASH_STEP);
}

/* Returns a number uniform in [0, 1), a multiple of 2^-53, made from the upper 53 bits of a random number. */
static inline double hash_unit(uint64_t h)
{
    return (double)(h >> 11) * 0x1p-53;
}

/* Return a number uniform in (-1, 1), symmetric about 0 and never 0: (2 t + 1) 2^-52 - 1, where t is one of
 * 0 .. 2^52 - 1. */
static inline double hash_value(uint64_t h)
{
    return (double)(2 * (h >> 12) + 1) * 0x1p-52 - 1;
}

/* Return a number uniform in 0 .. bound-1: floor(h bound / 2^64) (Lemire, "Fast random integer generation in
 * an interval", ACM Trans. Model. Comput. Simul. 29, 2019). His rejection is left out, so that some numbers
 * are more probable than others, by a factor of about 1 + bound / 2^64 at most. */
static inline int64_t hash_below(uint64_t h, int64_t bound)
{
    return (int64_t)(((unsigned __int128)h * (uint64_t)bound) >> 64);
}

/* Return floor(mean + spread u + v), held within 0 .. max, with u uniform in [-1, 1) and v in [0, 1). Since
 * floor(t + v) has the expectation t, the mean over many keys is `mean`. */
int64_t hash_length(uint64_t key, double mean, double spread, int64_t max);

/* Return `count` distinct numbers out of 0 .. bound-1, ascending; every such set is equally probable. They
 * lie within `scratch`, which has hash_subset_scratch(count) bytes, aligned as malloc does. O(count log
 * count). */
const int32_t *hash_subset(uint64_t key, int64_t bound, int64_t count, void *scratch);
size_t hash_subset_scratch(int64_t count);

#define HASH_ROUNDS 6

/* A permutation of 0 .. n-1 computed from a seed without memory. A Feistel network permutes the numbers of
 * `bits` bits, 2^bits >= n. The network is applied to an image >= n again, until the image is below n. Each
 * cycle of the network thereby loses its numbers >= n, and what remains is a permutation (Black and Rogaway,
 * "Ciphers with arbitrary finite domains", CT-RSA 2002). */
struct hash_permutation {
    int64_t n;
    int bits;
    uint64_t key[HASH_ROUNDS];
};
struct hash_permutation hash_permutation(uint64_t seed, int64_t n);

/* Return the image of i, 0 <= i < n. It takes fewer than two steps in the mean, since 2^bits < 2 n; more only
 * for n below 3. */
int64_t hash_image(const struct hash_permutation *permutation, int64_t i);

#endif
