#include "analysis/solvers/pace.h"

#include <stdlib.h>
#include <string.h>

void pace_add(struct pace *pace, double seconds)
{
    if (pace->every == 0) pace->every = 1;
    if (pace->calls++ % pace->every != 0) return;
    if (pace->kept == PACE_KEPT) { /* keep half of the times, and every second call from now on */
        for (int k = 0; k < PACE_KEPT / 2; k++)
            pace->seconds[k] = pace->seconds[2 * k];
        pace->kept = PACE_KEPT / 2;
        pace->every *= 2;
    }
    pace->seconds[pace->kept++] = seconds;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double pace_total(const struct pace *pace)
{
    double sorted[PACE_KEPT], sum = 0;
    if (pace->kept == 0) return 0;
    memcpy(sorted, pace->seconds, (size_t)pace->kept * sizeof *sorted);
    qsort(sorted, (size_t)pace->kept, sizeof *sorted, by_size);
    const double median = sorted[(pace->kept - 1) / 2];
    for (int k = 0; k < pace->kept; k++)
        sum += sorted[k] > PACE_OUTLIER * median ? median : sorted[k];
    return sum * ((double)pace->calls / pace->kept);
}
