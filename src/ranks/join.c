#include "ranks/join.h"

#include "base/range.h"

#define TAG_PAIR 11
#define ROUND_WORDS ((int64_t)1 << 15)

void ranks_combine(const struct ranks *ranks, void *mine, void *scratch, size_t bytes,
                   void (*join)(void *to, const void *from))
{
    for (int step = 1; step < ranks->count; step *= 2) {
        if (ranks->rank % (2 * step) == step) {
            ranks_send(ranks, mine, bytes, ranks->rank - step, TAG_PAIR);
            return;
        }
        if (ranks->rank + step >= ranks->count) continue;
        ranks_receive(ranks, scratch, bytes, ranks->rank + step, TAG_PAIR);
        join(mine, scratch);
    }
}

void ranks_unite(const struct ranks *ranks, uint64_t *set, int64_t words)
{
    struct flight flight;
    flight_begin(&flight, ranks, ROUNDS_AHEAD);
    for (int64_t k = 0; k < words; k += ROUND_WORDS) {
        int round = (int)min(words - k, ROUND_WORDS);
        MPI_Ireduce(ranks->rank ? (void *)(set + k) : MPI_IN_PLACE, set + k, round, MPI_UINT64_T, MPI_BOR, 0,
                    ranks->all, flight_next(&flight));
    }
    flight_end(&flight);
}
