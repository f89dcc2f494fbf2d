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

/* Of lanes first .. first + count - 1, lanes l and l ^ apart, if both are active, have one address. */
static int paired(const struct request *request, int first, int count, int apart)
{
    for (int lane = first; lane < first + count; lane++) {
        int other = lane ^ apart;
        if ((request->active >> lane & 1) && (request->active >> other & 1) &&
            request->address[lane] != request->address[other])
            return 0;
    }
    return 1;
}

/* Whether the counter takes lanes first .. first + count - 1 together, twice as many as are usually served
 * together: all lanes of a load of 8 bytes, each half of one of 16 bytes. If some lane is not active, it
 * takes the lower half together for any pairs, but never if lane 31 is active (rule 8 of
 * data/measured/gpu-rules). */
static int together(const struct request *request, int first, int count)
{
    const int half = count < TRACE_LANES, last = (int)(request->active >> (TRACE_LANES - 1));
    if (half && first == 0 && request->active != UINT32_MAX)
        return !last && passes(request, first, count) <= 1;
    return (paired(request, first, count, 1) || paired(request, first, count, 2)) &&
           passes(request, first, count) <= 1;
}

/* The passes of lanes first .. first + count - 1, which are served together. */
static int group(const struct request *request, int first, int count)
{
    const int found = passes(request, first, count);
    return request->ask->access == ACCESS_ATOMIC ? (found ? 2 : 0) : found;
}

int wavefronts(const struct request *request)
{
    const struct ask *ask = request->ask;
    const int count = ask->size <= WORD ? TRACE_LANES : TRACE_LANES * WORD / ask->size;
    const int step = count < TRACE_LANES && ask->access == ACCESS_LOAD ? 2 * count : count;
    int sum = 0;
    for (int first = 0; first < TRACE_LANES; first += step) {
        if (step == count)
            sum += group(request, first, count);
        else if (together(request, first, step))
            sum += passes(request, first, step);
        else
            sum += group(request, first, count) + group(request, first + count, count);
    }
    return sum;
}
