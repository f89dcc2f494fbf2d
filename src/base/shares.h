/* Blocks of work in shares: each thread has a separate share, far from those of others. */
#ifndef SPARSIGHT_BASE_SHARES_H
#define SPARSIGHT_BASE_SHARES_H

#include <stdatomic.h>
#include <stdint.h>

#define SHARES_MAX 256

/* The blocks next .. end-1 that a thread begins with. Entries of neighbouring blocks mostly lie in the same
 * rows, so that threads which took neighbouring blocks would take each other's cache lines all the time, and
 * each clear the page of memory that both come to first. When a thread is through with its share, it helps
 * with those of others. */
struct share {
    _Alignas(64) _Atomic int64_t next;
    int64_t end;
};

/* Cut the blocks 0 .. blocks-1 into shares of about the same size. Returns how many those are: as many as the
 * next parallel region has threads, but at most SHARES_MAX, and as many as there are blocks. */
int shares_make(struct share shares[SHARES_MAX], int64_t blocks);

/* Return the next block for the thread `mine` of `threads`, one for each share; -1 if there is none left. */
int64_t shares_take(struct share *shares, int threads, int mine);

#endif
