#include "matrix/generators/hash.h"

#include <stdbool.h>
#include <string.h>

int64_t hash_length(uint64_t key, double mean, double spread, int64_t max)
{
    double target = mean + spread * (2 * hash_unit(hash_at(key, 0)) - 1);
    double length = target + hash_unit(hash_at(key, 1));
    return length < 1 ? 0 : length >= (double)max ? max : (int64_t)length;
}

/* Return true if one number in 32 is chosen, or more. A bit for each number then takes at most the memory of
 * the chosen ones, and scanning the bits is cheaper than sorting. */
static bool use_marks(int64_t bound, int64_t count)
{
    return bound <= 32 * count;
}

size_t hash_subset_scratch(int64_t count)
{
    return ((size_t)count + 2) * sizeof(int32_t) + ((size_t)count / 2 + 2) * sizeof(uint64_t);
}

static void insertion_sort(int32_t *items, int64_t count)
{
    for (int64_t k = 1; k < count; k++) {
        int32_t item = items[k];
        int64_t at = k;
        for (; at > 0 && items[at - 1] > item; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Quicksort with the middle element as pivot. Items are random, except that a beginning may be sorted
 * already. */
static void sort(int32_t *items, int64_t count)
{
    while (count > 32) {
        int32_t pivot = items[count / 2];
        int64_t low = 0, high = count - 1;
        while (low <= high) {
            while (items[low] < pivot)
                low++;
            while (items[high] > pivot)
                high--;
            if (low > high) break;
            int32_t item = items[low];
            items[low++] = items[high];
            items[high--] = item;
        }
        if (high + 1 < count - low) {
            sort(items, high + 1);
            items += low;
            count -= low;
        } else {
            sort(items + low, count - low);
            count = high + 1;
        }
    }
    insertion_sort(items, count);
}

static int64_t drop_repeats(int32_t *items, int64_t count)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++)
        if (k == 0 || items[k] != items[k - 1]) items[kept++] = items[k];
    return kept;
}

/* Draw `count` numbers, sort them, drop duplicates, draw replacements, and repeat until all are distinct. */
static void choose_sorted(uint64_t key, int64_t bound, int64_t count, int32_t *items)
{
    int64_t draw = 0;
    for (int64_t have = 0; have < count; have = drop_repeats(items, count)) {
        for (int64_t k = have; k < count; k++)
            items[k] = (int32_t)hash_below(hash_at(key, draw++), bound);
        sort(items, count);
    }
}

/* Draw numbers and mark them until enough are marked: the chosen ones, or if these are more than half, the
 * others. Then list the chosen ones. */
static void choose_marked(uint64_t key, int64_t bound, int64_t count, uint64_t *marks, int32_t *items)
{
    bool invert = count > bound - count;
    int64_t wanted = invert ? bound - count : count, draw = 0, kept = 0;
    memset(marks, 0, (size_t)(bound / 64 + 1) * sizeof *marks);
    for (int64_t have = 0; have < wanted;) {
        int64_t item = hash_below(hash_at(key, draw++), bound);
        uint64_t bit = (uint64_t)1 << (item % 64);
        have += !(marks[item / 64] & bit);
        marks[item / 64] |= bit;
    }
    for (int64_t first = 0; first < bound; first += 64) {
        uint64_t word = invert ? ~marks[first / 64] : marks[first / 64];
        if (bound - first < 64) word &= ((uint64_t)1 << (bound - first)) - 1;
        for (; word; word &= word - 1)
            items[kept++] = (int32_t)(first + __builtin_ctzll(word));
    }
}

const int32_t *hash_subset(uint64_t key, int64_t bound, int64_t count, void *scratch)
{
    uint64_t *marks = scratch;
    int32_t *items = (int32_t *)(marks + count / 2 + 2);
    if (use_marks(bound, count))
        choose_marked(key, bound, count, marks, items);
    else
        choose_sorted(key, bound, count, items);
    return items;
}

/* Return a hash of `half` with `bits` bits. It takes two products: with one alone the permutations of small n
 * are not equally probable. */
static inline uint64_t mixed_half(uint64_t key, uint64_t half, int bits)
{
    uint64_t h = (half ^ key) * HASH_STEP;
    return (h ^ h >> 32) * HASH_STEP >> (64 - bits);
}

/* Apply a Feistel network, a bijection of the numbers of `bits` bits, bits >= 2. A number is cut into a left
 * and a right half, and each round makes of them
 *
 *     left, right   ->   right, left xor hash(right),
 *
 * which can be undone whatever the hash is. If `bits` is odd, one half has a bit more than the other; `low`
 * and `high` are the bits of the right and of the left one. */
static inline uint64_t feistel(const struct hash_permutation *permutation, uint64_t number)
{
    int low = permutation->bits / 2, high = permutation->bits - low;
    uint64_t right = number & (((uint64_t)1 << low) - 1), left = number >> low;
    for (int round = 0; round < HASH_ROUNDS; round++) {
        uint64_t mixed = left ^ mixed_half(permutation->key[round], right, high);
        int wide = low;
        left = right;
        right = mixed;
        low = high;
        high = wide;
    }
    return left << low | right;
}

struct hash_permutation hash_permutation(uint64_t seed, int64_t n)
{
    struct hash_permutation permutation = {.n = n, .bits = n > 4 ? 64 - __builtin_clzll((uint64_t)n - 1) : 2};
    for (int round = 0; round < HASH_ROUNDS; round++)
        permutation.key[round] = hash_key(seed, HASH_ROUND, round);
    return permutation;
}

int64_t hash_image(const struct hash_permutation *permutation, int64_t i)
{
    uint64_t image = (uint64_t)i;
    do
        image = feistel(permutation, image);
    while (image >= (uint64_t)permutation->n);
    return (int64_t)image;
}
