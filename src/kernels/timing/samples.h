/* Timed samples and what is said of them. */
#ifndef SPARSIGHT_KERNELS_TIMING_SAMPLES_H
#define SPARSIGHT_KERNELS_TIMING_SAMPLES_H

#include <stdbool.h>

/* How samples are taken and summed up. */
enum protocol {
    PROTOCOL_MEDIAN,    /* the median with its interval: our own */
    PROTOCOL_CRANFIELD, /* 20 runs, the first dropped, their mean: the Cranfield report on OpenMP and CUDA */
    PROTOCOL_CMRS, /* 11 runs, the slowest dropped, mean and standard deviation: Koza et al., section 6 */
};

/* "median", "cranfield", "cmrs". */
const char *protocol_name(enum protocol protocol);

/* The protocol called so into *protocol; false if there is none. */
bool protocol_find(const char *name, enum protocol *protocol);

/* All in seconds; NaN while there is no sample. */
struct samples {
    int count; /* that the numbers are made from: after dropping */
    double median;
    double low,
        high; /* order statistics that hold the true median with at least 95%; the extremes below 6 samples */
    double min, mean;
    double stddev; /* of the sample: divided by count - 1; 0 for one */
    double time;   /* what the protocol reports as the time of a product: median or mean */
};

/* Sum up `count` samples in the order they were taken; `seconds` is sorted afterwards. */
void samples_of(enum protocol protocol, double *seconds, int count, struct samples *samples);

/* A tie: the intervals of the medians overlap. */
bool samples_tie(const struct samples *a, const struct samples *b);

/* Order statistics low and high, counted from 0, of an interval that holds the median of a continuous
 * distribution with a probability of at least 95%: P(low < B <= high) for B binomial (count, 1/2) (David and
 * Nagaraja, Order Statistics, section 7.1). */
void median_interval(int count, int *low, int *high);

#endif
