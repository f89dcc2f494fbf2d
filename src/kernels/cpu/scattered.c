#include "kernels/cpu/scattered.h"

#include "base/range.h"

/* The smallest x, in bytes, for which prefetching pays. Parts of a smaller one that are not in a core's
 * private caches come fast enough from the shared cache, so that a prefetch costs about as much as it
 * saves. */
#define SCATTERED_BYTES ((int64_t)16 << 20)

/* Prefetching requires more than one miss in this number of entries. */
#define SCATTERED_SHARE 20

/* The samples are STRETCHES stretches of up to STRETCH entries in order, spread evenly over all entries. In
 * each, the first half fills the cache and the second half is counted. */
#define STRETCHES 4
#define STRETCH ((int64_t)1 << 18)

/* The model of a core's caches: LINES lines of 64 bytes, 512 KiB, direct-mapped, so that a line of x has one
 * slot, and is evicted by another line in this slot. */
#define LINE 64
#define LINES 8192

/* The slot of a line is a hash of its number, as if addresses were random; otherwise a matrix whose columns
 * are a power of two apart would use few slots. Knuth's multiplicative hash takes the upper bits of the
 * product with a prime near 2^32 / golden ratio; 13 of them, since LINES = 2^13. */
static uint32_t place_of(uint32_t line)
{
    return line * UINT32_C(2654435761) >> 19;
}

/* Count the misses of the second half of a stretch. A line whose predecessor is in the cache is no miss,
 * since processors prefetch the next line. Lines are numbered from 1, since 0 is an empty slot. */
static int64_t misses(uint32_t *cache, const int32_t *col, int64_t count, size_t size)
{
    int64_t missed = 0;
    for (int64_t k = 0; k < count; k++) {
        uint32_t line = (uint32_t)((uint64_t)col[k] * size / LINE) + 1;
        uint32_t *held = &cache[place_of(line)];
        bool follows = cache[place_of(line - 1)] == line - 1;
        missed += k >= count / 2 && *held != line && !follows;
        *held = line;
    }
    return missed;
}

bool columns_scattered(const int32_t *col, int64_t count, int64_t cols, size_t size)
{
    uint32_t cache[LINES] = {0};
    int64_t length = min(STRETCH, count / STRETCHES), missed = 0;
    if (cols < SCATTERED_BYTES / (int64_t)size) return false;
    for (int64_t s = 0; s < STRETCHES; s++)
        missed += misses(cache, col + (count - length) / (STRETCHES - 1) * s, length, size);
    return missed > STRETCHES * (length / 2) / SCATTERED_SHARE;
}
