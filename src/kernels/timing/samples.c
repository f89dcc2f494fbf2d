#include "kernels/timing/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/range.h"

#define SAMPLE_SECONDS 20e-6 /* minimum time of a sample: shorter products are timed several at a time */

static const char *const names[] = {
    [PROTOCOL_MEDIAN] = "median", [PROTOCOL_CRANFIELD] = "cranfield", [PROTOCOL_CMRS] = "cmrs"};

const char *protocol_name(enum protocol protocol)
{
    return names[protocol];
}

bool protocol_find(const char *name, enum protocol *protocol)
{
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(names[k], name) != 0) continue;
        *protocol = (enum protocol)k;
        return true;
    }
    return false;
}

/* Add up P(B = k) from k = 0 until the sum exceeds 2.5%: `low` is that k minus 1. The terms are computed by
 * their logarithms, since 2^-count underflows for a thousand samples and C(count, k) overflows. */
void median_interval(int count, int *low, int *high)
{
    double below = 0;
    int k = 0;
    for (; k < count / 2; k++) {
        double log_term = lgamma(count + 1.0) - lgamma(k + 1.0) - lgamma(count - k + 1.0) - count * log(2.0);
        below += exp(log_term);
        if (below > 0.025) break;
    }
    *low = k > 0 ? k - 1 : 0;
    *high = count - 1 - *low;
}

/* Remove sample `at`; the others keep their order. */
static void drop(double *seconds, int *count, int at)
{
    memmove(seconds + at, seconds + at + 1, (size_t)(*count - at - 1) * sizeof *seconds);
    (*count)--;
}

int sample_products(double seconds)
{
    return seconds < SAMPLE_SECONDS ? (int)(SAMPLE_SECONDS / fmax(seconds, 1e-8)) + 1 : 1;
}

void samples_of(enum protocol protocol, double *seconds, int count, struct samples *samples)
{
    int low, high;
    *samples = (struct samples){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (protocol == PROTOCOL_CRANFIELD && count > 1) drop(seconds, &count, 0);
    if (count == 0) return;
    qsort(seconds, (size_t)count, sizeof *seconds, compare_doubles);
    if (protocol == PROTOCOL_CMRS && count > 1) drop(seconds, &count, count - 1);
    double sum = 0, squares = 0;
    for (int k = 0; k < count; k++)
        sum += seconds[k];
    double mean = sum / count;
    for (int k = 0; k < count; k++)
        squares += (seconds[k] - mean) * (seconds[k] - mean);
    median_interval(count, &low, &high);
    samples->count = count;
    samples->median = (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
    samples->low = seconds[low];
    samples->high = seconds[high];
    samples->min = seconds[0];
    samples->mean = mean;
    samples->stddev = count > 1 ? sqrt(squares / (count - 1)) : 0;
    samples->time = protocol == PROTOCOL_MEDIAN ? samples->median : mean;
}

bool samples_tie(const struct samples *a, const struct samples *b)
{
    return a->count > 0 && b->count > 0 && a->low <= b->high && b->low <= a->high;
}
