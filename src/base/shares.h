/* Blocks of work in shares: each thread has a separate share, far from those of others. */
#ifndef SPARSIGHT_BASE_SHARES_H
#define SPARSIGHT_BASE_SHARES_H

#include <stdatomic.h>
#include <stdint.h>

#define SHARES_MAX 256

/* The blocks next .. end-1 with which a thread begins. Entries of neighbouring blocks mostly lie in the same
 * rows. Threads with neighbouring blocks would therefore compete for cache lines, and both would clear the
 * same new pages. A thread that has finished its share helps with those of others. */
struct share {
    _Alignas(64) _Atomic int64_t next;
    int64_t end;
};

/* Cut the blocks 0 .. blocks-1 into shares of about the same size. Returns their number: the threads of the
 * next parallel region, but at most SHARES_MAX and at most the number of blocks. */
int shares_make(struct share shares[SHARES_MAX], int64_t blocks);

/* Return the next block for the thread `mine` of `threads`, one for each share; -1 if there is none left. */
int64_t shares_take(struct share *shares, int threads, int mine);

#endif
