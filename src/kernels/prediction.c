#include "kernels/prediction.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The sources of constants. */
#define OF_GPU                                                                             \
    "Constants: the GPU's profile, measured by sparsight kernels --calibrate or derived, " \
    "and factors fitted to measured times."
#define OF_PROCESSOR "Constants: this machine's profile, measured with the kernels themselves or assumed."

/* The words for terms on a GPU, and on a processor where they differ. */
static const struct bound_words on_gpu[BOUNDS] = {
    [BOUND_LAUNCH] = {"launch", "launch", "launch overhead", "launch overhead",
                      "The time of a product without entries: its launches, and the kernel's own start, such "
                      "as clearing y.",
                      "Counted: the launches of the kernel. " OF_GPU, '.'},
    [BOUND_LONGEST] = {"longest", "longest warp", "its longest warp", "its longest warp",
                       "The requests of the longest warp, one after the other. A long row makes a long warp.",
                       "Counted: the requests of replayed warps. " OF_GPU, 'w'},
    [BOUND_LATENCY] =
        {"latency", "latency", "the latency of loads", "the latency of its loads",
         "The waiting of all warps for their loads, divided by the warps that run at a time.",
         "Counted: the requests of replayed warps, and the warps that fit on a multiprocessor. " OF_GPU, '~'},
    [BOUND_SHARED] = {"shared", "shared memory", "shared memory", "its use of shared memory",
                      "The waiting of all warps for shared memory, divided by the warps that run at a time.",
                      "Counted: the requests of replayed warps. " OF_GPU, '%'},
    [BOUND_L1] = {"l1", "L1", "the bandwidth of L1", "its traffic through L1",
                  "The 32-byte sectors and the lines of all loads, at the bandwidth of L1.",
                  "Counted: the sectors of replayed warps. " OF_GPU, '1'},
    [BOUND_L2] = {"l2", "L2", "the bandwidth of L2", "its traffic through L2",
                  "The sectors that miss L1, at the bandwidth of L2.",
                  "Counted: a replay of the L1 of a few multiprocessors. " OF_GPU, '2'},
    [BOUND_DRAM] = {"dram", "memory", "the bandwidth of memory", "its traffic with memory",
                    "The bytes that L2 does not hold, at the bandwidths of reading and writing the GPU's "
                    "memory.",
                    "Counted: how soon memory is touched again, and so what L2 serves. " OF_GPU, '='},
    [BOUND_REDUCTIONS] = {"reductions", "atomics", "atomic additions to y", "its atomic additions to y",
                          "The sectors of y to which atomic operations add, at their bandwidth.",
                          "Counted: the reductions of replayed warps. " OF_GPU, '+'},
    [BOUND_HOTTEST] =
        {"hottest", "contended line", "atomic additions to the most contended line of y",
         "atomic additions to the most contended line of y",
         "The atomic additions to the most contended 128-byte line of y, one after the other.",
         "Counted: additions of replayed warps to the same line at about the same time. " OF_GPU, '*'},
    [BOUND_ARITHMETIC] = {"arithmetic", "instructions", "instructions", "its instructions",
                          "A multiplication and an addition for each slot, padding included, and the passes "
                          "of shared memory.",
                          "Counted: the slots of the format. Constants: CUDA C++ Programming Guide, "
                          "\"Throughput of Native Arithmetic Instructions\".",
                          '#'},
    [BOUND_HOST] = {"host", "host", "the part that the host computes", "the part that the host computes",
                    "The part of the product that the host computes, and the copies between the two.",
                    "Counted: the entries of the host's part. " OF_PROCESSOR, 'h'},
};

static const struct bound_words on_processor[BOUNDS] = {
    [BOUND_LAUNCH] = {"launch", "threads", "starting threads", "starting its threads",
                      "The time to wake all threads, and to wait for them between two parts of a product.",
                      "Counted: the parallel regions of the kernel. " OF_PROCESSOR, '.'},
    [BOUND_LONGEST] = {"longest", "busiest thread", "its busiest thread", "its busiest thread",
                       "The excess of the thread with the most instructions over the mean of all threads.",
                       "Counted: the kernel's division of rows and entries among threads. " OF_PROCESSOR,
                       'w'},
    [BOUND_LATENCY] = {"latency", "latency", "the latency of scattered loads",
                       "the latency of scattered loads",
                       "The waiting for loads of x, or additions to y, that are far from the previous ones.",
                       "Counted: footprints between two loads of a line (Xiang, Ding, Luo and Bao, HOTL, "
                       "ASPLOS 2013). " OF_PROCESSOR,
                       '~'},
    [BOUND_L2] = {"l2", "caches", "the bandwidth of caches", "its traffic through the caches",
                  "The bytes read and written in order, if the caches hold the product's data, at the "
                  "bandwidth of these caches.",
                  "Counted: the arrays of the format, x and y. " OF_PROCESSOR, '2'},
    [BOUND_DRAM] = {"dram", "memory", "the bandwidth of memory", "its traffic with memory",
                    "The bytes read and written in order, at the bandwidth of memory for this number of "
                    "threads.",
                    "Counted: the arrays of the format, x and y. " OF_PROCESSOR, '='},
    [BOUND_ARITHMETIC] = {"arithmetic", "instructions", "instructions", "its instructions",
                          "The time of the kernel's own loop in a core's caches, by the lengths of the rows; "
                          "padding counts like entries.",
                          "Counted: the rows of each length. " OF_PROCESSOR, '#'},
};

const struct bound_words *bound_explained(enum bound bound, bool processor)
{
    return processor && on_processor[bound].key ? &on_processor[bound] : &on_gpu[bound];
}

bool prediction_on_processor(const struct prediction *prediction)
{
    return strcmp(prediction->machine, "cpu") == 0;
}

static const struct bound_words *words_of(const struct prediction *prediction, enum bound bound)
{
    return bound_explained(bound, prediction_on_processor(prediction));
}

const char *bound_key(enum bound bound)
{
    return on_gpu[bound].key;
}

const char *prediction_bound_words(const struct prediction *prediction)
{
    return words_of(prediction, prediction->bound)->bound;
}

const char *prediction_bound_label(const struct prediction *prediction)
{
    return words_of(prediction, prediction->bound)->label;
}

const char *prediction_term_words(const struct prediction *prediction, enum bound bound)
{
    return words_of(prediction, bound)->cause;
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
