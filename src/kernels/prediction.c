#include "kernels/prediction.h"

static const struct {
    const char *key, *words;
} bounds[BOUNDS] = {
    [BOUND_LAUNCH] = {"launch", "launching"},
    [BOUND_LONGEST] = {"longest", "its longest piece of work"},
    [BOUND_LATENCY] = {"latency", "the latency of loads"},
    [BOUND_SHARED] = {"shared", "shared memory"},
    [BOUND_L1] = {"l1", "the bandwidth of L1"},
    [BOUND_L2] = {"l2", "the bandwidth of caches"},
    [BOUND_DRAM] = {"dram", "the bandwidth of memory"},
    [BOUND_REDUCTIONS] = {"reductions", "additions to y by atomic operations"},
    [BOUND_HOTTEST] = {"hottest", "additions that meet in one place of y"},
    [BOUND_ARITHMETIC] = {"arithmetic", "instructions"},
    [BOUND_HOST] = {"host", "what the host does of it"},
};

const char *bound_key(enum bound bound)
{
    return bounds[bound].key;
}

const char *bound_words(enum bound bound)
{
    return bounds[bound].words;
}

void prediction_bound(struct prediction *prediction)
{
    prediction->bound = BOUND_LAUNCH;
    for (int b = 0; b < BOUNDS; b++)
        if (prediction->term[b] > prediction->term[prediction->bound]) prediction->bound = (enum bound)b;
}
