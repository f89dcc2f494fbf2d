#include "kernels/prediction.h"

#include <stdbool.h>
#include <string.h>

/* Words for what happens on a GPU, and on a processor where they differ. */
struct bound_names {
    const char *key, *words, *cost;
};

static const struct bound_names on_gpu[BOUNDS] = {
    [BOUND_LAUNCH] = {"launch", "launching", "launching takes"},
    [BOUND_LONGEST] = {"longest", "its longest warp", "its longest warp runs for"},
    [BOUND_LATENCY] = {"latency", "the latency of loads", "waiting for loads takes"},
    [BOUND_SHARED] = {"shared", "shared memory", "its accesses to shared memory take"},
    [BOUND_L1] = {"l1", "the bandwidth of L1", "its traffic through L1 takes"},
    [BOUND_L2] = {"l2", "the bandwidth of L2", "its traffic through L2 takes"},
    [BOUND_DRAM] = {"dram", "the bandwidth of memory", "its traffic with memory takes"},
    [BOUND_REDUCTIONS] = {"reductions", "atomic additions to y", "its atomic additions to y take"},
    [BOUND_HOTTEST] = {"hottest", "additions that meet in one element of y",
                       "its additions to one element of y, one after the other, take"},
    [BOUND_ARITHMETIC] = {"arithmetic", "instructions", "its instructions take"},
    [BOUND_HOST] = {"host", "the part that the host computes", "the part that the host computes takes"},
};

static const struct bound_names on_processor[BOUNDS] = {
    [BOUND_LAUNCH] = {"launch", "starting threads", "starting its threads takes"},
    [BOUND_LONGEST] = {"longest", "its busiest thread", "waiting for its busiest thread takes"},
    [BOUND_LATENCY] = {"latency", "the latency of scattered loads", "waiting for scattered loads takes"},
    [BOUND_L2] = {"l2", "the bandwidth of caches", "its traffic through the caches takes"},
};

/* What is the same on both stands with the GPU's. */
static const struct bound_names *names_of(const struct prediction *prediction, enum bound bound)
{
    bool processor = strcmp(prediction->machine, "cpu") == 0;
    return processor && on_processor[bound].key ? &on_processor[bound] : &on_gpu[bound];
}

const char *bound_key(enum bound bound)
{
    return on_gpu[bound].key;
}

const char *prediction_bound_words(const struct prediction *prediction)
{
    return names_of(prediction, prediction->bound)->words;
}

const char *prediction_cost_words(const struct prediction *prediction, enum bound bound)
{
    return names_of(prediction, bound)->cost;
}

void prediction_bound(struct prediction *prediction)
{
    prediction->bound = BOUND_LAUNCH;
    for (int b = 0; b < BOUNDS; b++)
        if (prediction->term[b] > prediction->term[prediction->bound]) prediction->bound = (enum bound)b;
}
