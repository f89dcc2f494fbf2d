#include "base/shares.h"

#include "base/threads.h"

int shares_make(struct share shares[SHARES_MAX], int64_t blocks)
{
    int threads = threads_count() < SHARES_MAX ? threads_count() : SHARES_MAX;
    if (threads > blocks) threads = blocks > 0 ? (int)blocks : 1;
    for (int t = 0; t < threads; t++) {
        atomic_init(&shares[t].next, blocks / threads * t);
        shares[t].end = t + 1 < threads ? blocks / threads * (t + 1) : blocks;
    }
    return threads;
}

int64_t shares_take(struct share *shares, int threads, int mine)
{
    for (int t = 0; t < threads; t++) {
        struct share *share = &shares[(mine + t) % threads];
        if (atomic_load_explicit(&share->next, memory_order_relaxed) >= share->end) continue;
        int64_t k = atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed);
        if (k < share->end) return k;
    }
    return -1;
}
