/* The forecast time of one product: made by analysis/forecast for GPUs and for processors, stored with the
 * result of the kernel (kernels/timing/bench.h). */
#ifndef SPARSIGHT_KERNELS_PREDICTION_H
#define SPARSIGHT_KERNELS_PREDICTION_H

#include <stdbool.h>

/* The terms of the forecast time of a product, in seconds; their names in reports are those of bound_key. */
enum bound {
    BOUND_LAUNCH, /* launches on a GPU, waking threads on a processor; the time of a kernel without entries */
    BOUND_LONGEST,    /* the longest warp, or the extra work of the thread with most work */
    BOUND_LATENCY,    /* latency of loads, divided by the warps or threads that run at a time */
    BOUND_SHARED,     /* the same of shared memory */
    BOUND_L1,         /* bytes through L1 */
    BOUND_L2,         /* bytes through L2 (on a processor: all caches except L1) */
    BOUND_DRAM,       /* bytes between L2 and memory */
    BOUND_REDUCTIONS, /* additions to y by reductions and atomic operations */
    BOUND_HOTTEST,    /* additions to one element, one after the other */
    BOUND_ARITHMETIC, /* multiplications and additions, and the instructions of the loop */
    BOUND_HOST,       /* the host's part of a GPU's product, and copies between the two */
    BOUNDS
};

/* The forecast of one product. */
struct prediction {
    bool there;       /* false if there is none; the other members are then undefined */
    double seconds;   /* of a product */
    double low, high; /* its 80% interval: eight of ten products like this one take a time within it
                         (analysis/forecast/interval.h) */
    bool derived; /* for a GPU whose constants were not all measured (kernels/gpu/profile.h), or with the pace
                     of another kernel (kernel_paced) */
    double term[BOUNDS]; /* the seconds that each term alone would take; 0 if the product does not need it */
    enum bound bound;    /* the largest term */
    double overlap;      /* of the kernel, on a GPU (struct kernel_pace); 0: unknown, as in saved reports */
    double aside;        /* bytes of the columns that a processor kernel derives from its format and keeps
                            beside it; 0: none, or unknown, as in saved reports */
    char machine[32];    /* the GPU's profile, or "cpu" */
    char like[48]; /* the full name of the own kernel from which a library's kernel is forecast, or whose pace
                      is borrowed; "" if there is none */
};

/* The combination of the terms of a forecast to its time:
 *
 *     T = sum of the terms of group 0 + (sum over the groups g > 0 of (sum of the terms of g)^q)^(1/q)
 *
 * Terms of group 0 run after everything else, terms of one group run one after the other, and groups
 * overlap. */
struct combination {
    double q;
    unsigned char group[BOUNDS]; /* below BOUNDS */
};

/* The combined seconds of the terms. */
double combination_seconds(const struct combination *combination, const double term[BOUNDS]);

/* The same, and in slope[] its derivative by each term: 1 in group 0, (s_g / N)^(q - 1) in the others, with
 * s_g the sum of the group and N the norm of all groups; 0 if N is 0. */
double combination_slopes(const struct combination *combination, const double term[BOUNDS],
                          double slope[BOUNDS]);
/* The share of times within the intervals of their forecasts. */
#define PREDICTION_SHARE 0.8

/* The word for a term in reports: "dram", of predicted.dram_us. */
const char *bound_key(enum bound bound);

/* The bound of a product, in words that follow "bound by": "the bandwidth of memory". The words for a GPU
 * name warps and launches, those for a processor threads. */
const char *prediction_bound_words(const struct prediction *prediction);

/* The bound in one to three words, for legends: "memory". */
const char *prediction_bound_label(const struct prediction *prediction);

/* The cause of a term's time, as a noun: "traffic through L1". */
const char *prediction_term_words(const struct prediction *prediction, enum bound bound);

/* A term of the forecasts for a kind of machine, explained. */
struct bound_words {
    const char *key;    /* of its name in reports */
    const char *label;  /* one to three words, for legends: "memory" */
    const char *bound;  /* the words after "bound by": "the bandwidth of memory" */
    const char *cause;  /* the cause of its time, as a noun: "its traffic with memory" */
    const char *help;   /* its meaning, a sentence */
    const char *source; /* the sources of its counts and of its constants, sentences */
    char fill;          /* the ASCII character of its part of a bar */
};

/* The words for a term of a forecast for a GPU, or for a processor. */
const struct bound_words *bound_explained(enum bound bound, bool processor);

/* True if a forecast is for a processor. */
bool prediction_on_processor(const struct prediction *prediction);

/* Set `bound` to the largest term. */
void prediction_bound(struct prediction *prediction);

#endif
