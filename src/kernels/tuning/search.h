/* The search for the fastest variant of a kernel, which runs only some of the variants. */
#ifndef SPARSIGHT_KERNELS_TUNING_SEARCH_H
#define SPARSIGHT_KERNELS_TUNING_SEARCH_H

#include "base/error.h"
#include "kernels/tuning/space.h"

/* A search runs a tenth of the points of a space, but at least this number, since a tenth of a small space
 * would be a guess. */
#define TUNING_RUNS_MIN 8
#define TUNING_RUNS_MAX 96

/* How a space is searched. */
struct tuning_search {
    const struct tuning_space *space;
    const double *forecast; /* for each point its expected time, in seconds or any proportional unit; NaN or
                               <= 0: unknown. NULL: all unknown */
    double trust; /* the power of the forecast that times are assumed to follow: 1 if it is a time, less for a
                     related number such as the bytes of the storage */
    /* Measure a point, in seconds; INFINITY if the variant cannot be run. Fails to end the search. */
    enum status (*measure)(void *argument, int point, double *seconds, struct error *error);
    void *argument;
    int most; /* points are measured; 0: tuning_budget */
};

/* The number of points to measure: a tenth of the space, rounded up, but at least TUNING_RUNS_MIN, at most
 * TUNING_RUNS_MAX, and at most all points. */
int tuning_budget(const struct tuning_space *space);

/* Search. seconds[p] becomes the measured time of point p, or NaN; it has space->points elements.
 *
 * The logarithm of a point's time is modelled as a Gaussian process about the forecast:
 *
 *     log T(p) = mu + trust log(forecast(p)) + Z(p) + e
 *
 * Z varies by some 60% between distant points, and less between points close to each other on the axes; e is
 * the noise of a measurement, 4%. Each measurement determines Z near it (kriging). The next point is the one
 * with the largest expected improvement of the best time: it has a short predicted time, or a large
 * uncertainty. The first point is `base`, so that the result is never slower than it; the second has the best
 * forecast. Without forecasts, all points are equal before the first measurement.
 *
 * O(points runs^2) beside the measurements, and memory proportional to the points and to runs^2. Source:
 * Jones, Schonlau, Welch, "Efficient global optimization of expensive black-box functions", J. Global
 * Optimization 13, 1998. Fails as `measure` does, and with STATUS_MEMORY. */
enum status tuning_search(const struct tuning_search *search, double *seconds, struct error *error);

/* The point with the shortest of these times; -1 if there is none. */
int tuning_best(const struct tuning_space *space, const double *seconds);

#endif
