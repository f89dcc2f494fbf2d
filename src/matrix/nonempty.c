#include "matrix/nonempty.h"

#include "base/range.h"
#include "base/threads.h"

/* Lines that threads take at a time. */
#define STRETCH 65536

int64_t nonempty_beyond(const int64_t *offsets, int64_t first, int64_t end)
{
    const int64_t entry = offsets[first];
    int64_t low = first, step = 1; /* offsets[low] == entry */
    while (step < end - low && offsets[low + step] == entry) {
        low += step;
        step *= 2;
    }
    int64_t high = min(low + step, end); /* offsets[high] > entry, or high == end */
    BISECT(low, high, offsets[middle] == entry);
    /* Line `low` - 1 is the last that begins at the entry: it contains the entry, or is the last of all. */
    return offsets[low] > entry ? low - 1 : end;
}

int64_t nonempty_count(const int64_t *offsets, int64_t n)
{
    int64_t count = 0, stretches = n / STRETCH + 1;
#pragma omp parallel for schedule(dynamic) reduction(+ : count) if (n > PARALLEL_MIN)
    for (int64_t s = 0; s < stretches; s++) {
        const int64_t end = min((s + 1) * STRETCH, n);
        for (int64_t i = nonempty_from(offsets, s * STRETCH, end); i < end;
             i = nonempty_from(offsets, i + 1, end))
            count++;
    }
    return count;
}
