#include "kernels/prediction.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Words for terms on a GPU, and on a processor where they differ. */
struct bound_names {
    const char *key, *words, *term;
};

static const struct bound_names on_gpu[BOUNDS] = {
    [BOUND_LAUNCH] = {"launch", "launch overhead", "launch overhead"},
    [BOUND_LONGEST] = {"longest", "its longest warp", "its longest warp"},
    [BOUND_LATENCY] = {"latency", "the latency of loads", "the latency of its loads"},
    [BOUND_SHARED] = {"shared", "shared memory", "its use of shared memory"},
    [BOUND_L1] = {"l1", "the bandwidth of L1", "its traffic through L1"},
    [BOUND_L2] = {"l2", "the bandwidth of L2", "its traffic through L2"},
    [BOUND_DRAM] = {"dram", "the bandwidth of memory", "its traffic with memory"},
    [BOUND_REDUCTIONS] = {"reductions", "atomic additions to y", "its atomic additions to y"},
    [BOUND_HOTTEST] = {"hottest", "atomic additions to the most contended line of y",
                       "atomic additions to the most contended line of y"},
    [BOUND_ARITHMETIC] = {"arithmetic", "instructions", "its instructions"},
    [BOUND_HOST] = {"host", "the part that the host computes", "the part that the host computes"},
};

static const struct bound_names on_processor[BOUNDS] = {
    [BOUND_LAUNCH] = {"launch", "starting threads", "starting its threads"},
    [BOUND_LONGEST] = {"longest", "its busiest thread", "its busiest thread"},
    [BOUND_LATENCY] = {"latency", "the latency of scattered loads", "the latency of scattered loads"},
    [BOUND_L2] = {"l2", "the bandwidth of caches", "its traffic through the caches"},
};

/* Words that are the same on both are only in the GPU's list. */
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

const char *prediction_term_words(const struct prediction *prediction, enum bound bound)
{
    return names_of(prediction, bound)->term;
}

void prediction_bound(struct prediction *prediction)
{
    prediction->bound = BOUND_LAUNCH;
    for (int b = 0; b < BOUNDS; b++)
        if (prediction->term[b] > prediction->term[prediction->bound]) prediction->bound = (enum bound)b;
}

double combination_slopes(const struct combination *combination, const double term[BOUNDS],
                          double slope[BOUNDS])
{
    double sum[BOUNDS] = {0}, powers = 0;
    for (int b = 0; b < BOUNDS; b++)
        sum[combination->group[b]] += term[b];
    for (int g = 1; g < BOUNDS; g++)
        powers += pow(sum[g], combination->q);
    const double together = pow(powers, 1 / combination->q);
    for (int b = 0; b < BOUNDS; b++) {
        int g = combination->group[b];
        slope[b] = g == 0 ? 1 : together == 0 ? 0 : pow(sum[g] / together, combination->q - 1);
    }
    return sum[0] + together;
}

double combination_seconds(const struct combination *combination, const double term[BOUNDS])
{
    double slope[BOUNDS];
    return combination_slopes(combination, term, slope);
}
