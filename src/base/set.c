#include "base/set.h"

#include "base/memory.h"
#include "base/threads.h"

size_t set_bytes(int64_t n)
{
    return ((size_t)n / 64 + 1) * sizeof(uint64_t);
}

uint64_t *set_new(int64_t n, struct error *error)
{
    return memory_zeroed(set_bytes(n), 1, error);
}

int64_t set_count(const uint64_t *set, int64_t n)
{
    int64_t count = 0;
#pragma omp parallel for reduction(+ : count) if (n / 64 > PARALLEL_MIN)
    for (int64_t k = 0; k < n / 64 + 1; k++)
        count += __builtin_popcountll(set[k]);
    return count;
}

int64_t set_next(const uint64_t *set, int64_t n, int64_t k)
{
    if (k >= n) return n;
    int64_t word = k >> 6;
    uint64_t bits = set[word] & (UINT64_MAX << (k & 63));
    while (bits == 0) {
        if (++word > (n - 1) >> 6) return n;
        bits = set[word];
    }
    return word * 64 + __builtin_ctzll(bits);
}
