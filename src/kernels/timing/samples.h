/* Summaries of timed samples: their median with its confidence interval, or the number of a source's
 * protocol. */
#ifndef SPARSIGHT_KERNELS_TIMING_SAMPLES_H
#define SPARSIGHT_KERNELS_TIMING_SAMPLES_H

#include <stdbool.h>

/* A protocol defines how samples are taken, and the reported time of a product. */
enum protocol {
    PROTOCOL_MEDIAN,    /* our own: the median, with its confidence interval */
    PROTOCOL_CRANFIELD, /* the Cranfield report on OpenMP and CUDA: the mean of 20 runs without the first */
    PROTOCOL_CMRS, /* Koza et al., section 6: mean and standard deviation of 11 runs without the slowest */
};

/* The name that users know: "median", "cranfield", "cmrs". */
const char *protocol_name(enum protocol protocol);

/* Find the protocol with this name; returns false if there is none. */
bool protocol_find(const char *name, enum protocol *protocol);

/* Returns the number of products per sample if one takes this number of seconds: short ones are timed several
 * at a time, for at least 20 us. */
int sample_products(double seconds);

/* Statistics of samples t[0..count-1]; all but count are in seconds, and NaN while count is 0. */
struct samples {
    int count; /* the samples that the protocol has not dropped */
    double median;
    double low, high; /* the confidence interval of the median, to at least 95% (median_interval); with fewer
                         than 6 samples, which cannot reach that, min and max */
    double min, mean;
    double stddev; /* sqrt(sum (t - mean)^2 / (count - 1)); 0 if count is 1 */
    double time;   /* the reported time of a product: the median or the mean */
};

/* Sum up `count` samples, which come in the order they were taken; `seconds` is sorted afterwards. */
void samples_of(enum protocol protocol, double *seconds, int count, struct samples *samples);

/* Two kernels tie if the confidence intervals of their medians overlap: the samples do not tell which of them
 * is faster. */
bool samples_tie(const struct samples *a, const struct samples *b);

/* Find the indices low and high, counted from 0, of a confidence interval of the median among the sorted
 * samples t[0] <= t[1] <= ... <= t[count-1]. With a probability of at least 95%, t[low] <= M <= t[high] for
 * the median M of the distribution that they come from, for any distribution (David and Nagaraja, Order
 * Statistics, section 7.1).
 *
 * Each sample lies below M with probability 1/2, so that the number B of samples below M is binomial:
 *
 *     P(B = k) = C(count, k) / 2^count
 *
 *     t[low] < M < t[high]   <=>   at least low + 1 samples, and at most `high`, lie below M
 *     P(t[low] < M < t[high])   =  P(low < B <= high)
 *
 * The interval is symmetric, high = count - 1 - low, and so are its two tails: P(B <= low) = P(B > high).
 * `low` is the largest with P(B <= low) <= 2.5%. Below 6 samples even P(B = 0) is more than that, and the
 * interval is that of all samples. */
void median_interval(int count, int *low, int *high);

#endif
