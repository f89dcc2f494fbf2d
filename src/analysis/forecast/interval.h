/* The errors of forecasts: the interval of each, and of the ratio of two. Both come from comparisons with
 * measured times, which data/README.md lists; `make fit-intervals` updates the table.
 *
 * The interval of a forecast comes from errors: `low` and `high` are the 10% and 90% quantiles of measured /
 * forecast over all rows of the same kernel and the same largest term. A cell of the table with few rows also
 * uses its neighbours: rows of the same kernel with other bounds, and rows of other kernels with the same
 * bound, together weigh as much as 32 rows (tests/forecast/intervals.py). An interval always
 * contains its forecast. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_INTERVAL_H
#define SPARSIGHT_ANALYSIS_FORECAST_INTERVAL_H

#include <stdbool.h>

#include "kernels/kernel.h"
#include "kernels/prediction.h"

/* A cell of the table. */
struct interval_spread {
    const char *kernel; /* "cuda/hyb"; "cuda/" and "cpu/" for all kernels of the backend without a row */
    int bound;          /* enum bound, or BOUNDS for all bounds without a row */
    double low, high;   /* multiples of the forecast */
};

/* The correlation of the errors of two forecasts for one matrix. */
struct interval_common {
    double together; /* if both have the same bound */
    double apart;    /* if they have different bounds */
};

/* Further fitted constants. */
struct interval_constants {
    struct interval_common gpu, cpu;
    double derived; /* factor of the width of intervals, in logarithms, for a GPU with derived constants: at
                       least 1; from a GPU of the measured generation (data/README.md) */
};

extern const struct interval_spread interval_spreads[]; /* the last has a NULL kernel */
extern const struct interval_constants interval_constants;

/* Set prediction->low and high from its seconds, its bound and `derived`, for this kernel, which may be a
 * library's. If neither a kernel nor its backend has a row, the interval is that of all own kernels on its
 * kind of machine. Does nothing if there is no prediction. O(rows of the table). */
void interval_set(const struct kernel *kernel, struct prediction *prediction);

/* Set *low and *high to the 80% interval of (time of a) / (time of b), of two products with the same matrix.
 *
 * Errors of two kernels on one matrix are correlated: the same x, the same caches, the same launch. So the
 * interval of the ratio is narrower than with independent errors. With a = ln(high / seconds) and so on,
 * independent errors would give sqrt(a^2 + b^2) as the distance of its end from the forecast, in logarithms;
 * correlated ones give
 *
 *     sqrt(a^2 + b^2 - 2 r a b)
 *
 * where r is fitted to all pairs of kernels on the same matrix whose forecasts are within a factor of 2 of
 * each other, so that 80% of these lie inside: once for pairs with the same largest term, and once for
 * others. For two machines r = 0. a is from one side of the first interval, b from the opposite side of the
 * second. */
void interval_of_ratio(const struct prediction *a, const struct prediction *b, double *low, double *high);

/* Return the smallest lower end / forecast of all intervals of this kernel, whatever bounds its time. */
double interval_least(const struct kernel *kernel);

/* True if the forecasts do not tell which product takes longer: 1 lies inside the interval of their ratio. */
bool interval_tied(const struct prediction *a, const struct prediction *b);

/* Mark a forecast as made with the pace of another kernel (kernel_paced): its constants are derived. Does
 * nothing if `of` is the kernel itself. */
void prediction_borrows(struct prediction *prediction, const struct kernel *kernel, const struct kernel *of);

#endif
