#include "gpu/wavefronts.h"

#define BANKS 32
#define WORD 4

/* The most distinct words of a bank, of lanes first .. first + count - 1. */
static int passes(const struct request *request, int first, int count)
{
    uint64_t word[TRACE_LANES * 4];
    int found = 0, max = 0, of_bank[BANKS] = {0};
    for (int lane = first; lane < first + count; lane++) {
        for (int part = 0; part < (request->ask->size + WORD - 1) / WORD && (request->active >> lane & 1);
             part++) {
            uint64_t own = request->address[lane] / WORD + (uint64_t)part;
            int k = 0;
            while (k < found && word[k] != own)
                k++;
            if (k < found) continue;
            word[found++] = own;
            if (++of_bank[own % BANKS] > max) max = of_bank[own % BANKS];
        }
    }
    return max;
}

/* Lanes l and l ^ apart, if both are active, have one address. */
static int paired(const struct request *request, int apart)
{
    for (int lane = 0; lane < TRACE_LANES; lane++) {
        int other = lane ^ apart;
        if ((request->active >> lane & 1) && (request->active >> other & 1) &&
            request->address[lane] != request->address[other])
            return 0;
    }
    return 1;
}

int wavefronts(const struct request *request)
{
    const struct ask *ask = request->ask;
    int count = ask->size <= WORD ? TRACE_LANES : TRACE_LANES * WORD / ask->size, sum = 0;
    int twice =
        count < TRACE_LANES && ask->access == ACCESS_LOAD && (paired(request, 1) || paired(request, 2));
    for (int first = 0; first < TRACE_LANES; first += twice ? 2 * count : count) {
        if (ask->access == ACCESS_ATOMIC)
            sum += passes(request, first, count) ? 2 : 0;
        else if (twice && passes(request, first, 2 * count) > 1)
            sum += passes(request, first, count) + passes(request, first + count, count);
        else
            sum += passes(request, first, twice ? 2 * count : count);
    }
    return sum;
}
