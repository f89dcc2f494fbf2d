#include "analysis/forecast/interval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The relevance of a row of the table for a kernel: 2 for its own row, 1 for its backend's, else 0. */
static int worth_of(const struct interval_spread *spread, const char *backend, const char *name)
{
    const char *of = strchr(spread->kernel, '/') + 1;
    const size_t length = (size_t)(of - spread->kernel) - 1;
    if (strlen(backend) != length || strncmp(spread->kernel, backend, length) != 0) return 0;
    return !*of ? 1 : strcmp(of, name) == 0 ? 2 : 0;
}

/* Return the most relevant row. A kernel's own row comes before its backend's, and a row for this bound
 * before one for all bounds. NULL if there is none. */
static const struct interval_spread *find(const char *backend, const char *name, enum bound bound)
{
    const struct interval_spread *found = NULL;
    int best = 0;
    for (const struct interval_spread *spread = interval_spreads; spread->kernel; spread++) {
        bool exact = spread->bound == (int)bound;
        if (!exact && spread->bound != BOUNDS) continue;
        int of = worth_of(spread, backend, name), worth = of ? 2 * of + exact : 0;
        if (worth <= best) continue;
        found = spread;
        best = worth;
    }
    return found;
}

void prediction_borrows(struct prediction *prediction, const struct kernel *kernel, const struct kernel *of)
{
    if (!prediction->there || of == kernel) return;
    prediction->derived = true;
    snprintf(prediction->like, sizeof prediction->like, "%s/%s", of->backend->name, of->name);
}

double interval_least(const struct kernel *kernel)
{
    const char *own = kernel->backend->devices ? "cuda" : "cpu";
    double least = 1;
    for (int b = 0; b < BOUNDS; b++) {
        const struct interval_spread *spread = find(kernel->backend->name, kernel->name, (enum bound)b);
        if (!spread) spread = find(own, "", (enum bound)b);
        least = fmin(least, spread->low);
    }
    return pow(least, interval_constants.derived);
}

void interval_set(const struct kernel *kernel, struct prediction *prediction)
{
    const char *own = strcmp(prediction->machine, "cpu") == 0 ? "cpu" : "cuda";
    const char *backend = kernel->backend ? kernel->backend->name : own;
    if (!prediction->there) return;
    const struct interval_spread *spread = find(backend, kernel->name, prediction->bound);
    if (!spread) spread = find(own, "", prediction->bound);
    const double wider = prediction->derived ? interval_constants.derived : 1;
    prediction->low = prediction->seconds * pow(spread->low, wider);
    prediction->high = prediction->seconds * pow(spread->high, wider);
}

/* The half width of the interval of a ratio's logarithm on one side, from the half widths of two errors. */
static double reach(double one, double other, double correlation)
{
    return sqrt(fmax(0, one * one + other * other - 2 * correlation * one * other));
}

void interval_of_ratio(const struct prediction *a, const struct prediction *b, double *low, double *high)
{
    const struct interval_common *common =
        strcmp(a->machine, "cpu") == 0 ? &interval_constants.cpu : &interval_constants.gpu;
    const double correlation = strcmp(a->machine, b->machine) != 0 ? 0
                               : a->bound == b->bound              ? common->together
                                                                   : common->apart;
    const double ratio = a->seconds / b->seconds;
    *low = ratio * exp(-reach(log(a->seconds / a->low), log(b->high / b->seconds), correlation));
    *high = ratio * exp(reach(log(a->high / a->seconds), log(b->seconds / b->low), correlation));
}

bool interval_tied(const struct prediction *a, const struct prediction *b)
{
    double low, high;
    interval_of_ratio(a, b, &low, &high);
    return low <= 1 && high >= 1;
}
