/* The errors of forecasts: the interval of each, and of the ratio of two. Both come from comparisons with
 * measured times, which data/README.md lists; `make fit-intervals` writes the table again.
 *
 * The interval of a forecast is that of its errors: of all rows of the same kernel and the same largest term,
 * measured / forecast has the 10% and the 90% quantile `low` and `high`. A cell of the table with few rows
 * leans on its neighbours: rows of the same kernel with other bounds, and rows of other kernels with the same
 * bound, weigh as much as INTERVAL_POOLED rows in all (tests/forecast/spreads.py). An interval always has its
 * forecast inside. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_INTERVAL_H
#define SPARSIGHT_ANALYSIS_FORECAST_INTERVAL_H

#include <stdbool.h>

#include "kernels/kernel.h"
#include "kernels/prediction.h"

/* A cell of the table. */
struct interval_spread {
    const char *kernel; /* "cuda/hyb"; "cuda/" and "cpu/" for all kernels of the backend without a row */
    int bound;          /* enum bound, or BOUNDS for all that have no row */
    double low, high;   /* times the forecast */
};

/* The correlation of the errors of two forecasts for one matrix. */
struct interval_common {
    double together; /* which have the same bound, */
    double apart;    /* or different ones */
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
 * library's. Of a kernel without a row, whose backend has none either, the interval is that of all own
 * kernels on its kind of machine. Does nothing if there is no prediction. O(rows of the table). */
void interval_set(const struct kernel *kernel, struct prediction *prediction);

/* Set *low and *high to the 80% interval of (time of a) / (time of b), of two products with the same matrix.
 *
 * Errors of two kernels on one matrix have much in common: the same x, the same caches, the same launch. So
 * the interval of the ratio is narrower than two independent errors would make it. With a = ln(high /
 * seconds) and so on, of independent errors the logarithm of the ratio would reach sqrt(a^2 + b^2) above its
 * forecast; of correlated ones it reaches
 *
 *     sqrt(a^2 + b^2 - 2 r a b)
 *
 * where r is fitted to all pairs of kernels on the same matrix whose forecasts are within a factor of 2 of
 * each other, so that of these 80% lie inside: for pairs with the same largest term, and for others. Two
 * machines have nothing in common: r = 0. a comes from the side to which the one errs, b from the opposite
 * side of the other. */
void interval_of_ratio(const struct prediction *a, const struct prediction *b, double *low, double *high);

/* True if nothing says which of the two takes longer: 1 lies inside the interval of their ratio. */
bool interval_tied(const struct prediction *a, const struct prediction *b);

/* Note that a forecast has the pace of another kernel (kernel_paced): its constants are derived. Nothing is
 * noted if `of` is the kernel itself. */
void prediction_borrows(struct prediction *prediction, const struct kernel *kernel, const struct kernel *of);

#endif
