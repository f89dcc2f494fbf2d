#include "kernels/cpu/scattered.h"

#include "base/range.h"

/* Bytes of x from which on asking for it pays: below, what a core's own caches do not hold comes soon enough
 * from the shared one, while each request costs about as much as it saves. */
#define SCATTERED_BYTES ((int64_t)16 << 20)

/* One entry in so many has to miss. */
#define SCATTERED_SHARE 20

/* Samples: stretches of entries that follow each other, of which the first half fills the cache. */
#define STRETCHES 4
#define STRETCH ((int64_t)1 << 18)

/* A cache of lines of 64 bytes, each line with one place: 512 KiB. */
#define LINE 64
#define LINES 8192

static uint32_t place_of(uint32_t line)
{
    return line * UINT32_C(2654435761) >> 19; /* Knuth's multiplicative hash, 13 bits */
}

/* Misses in the second half of a stretch. */
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
