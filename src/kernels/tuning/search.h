/* The search for the fastest variant of a kernel that runs only some of them. */
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
    const double *forecast; /* for each point its expected time, in seconds or in any unit that grows with it;
                               NaN or not positive: unknown. NULL: none is known */
    double trust; /* the power of the forecast that times are thought to follow: 1 if it is a time, less if it
                     is only related to it, as the bytes of the storage are */
    /* Measure a point, in seconds; INFINITY if the variant cannot be run. Fails if the search is to end. */
    enum status (*measure)(void *argument, int point, double *seconds, struct error *error);
    void *argument;
    int most; /* points are measured; 0: tuning_budget */
};

/* How many points are measured of a space: a tenth, rounded up, but at least TUNING_RUNS_MIN, at most
 * TUNING_RUNS_MAX, and never more than there are. */
int tuning_budget(const struct tuning_space *space);

/* Search. seconds[p] becomes the measured time of point p, or NaN. It has space->points elements.
 *
 * The logarithm of a point's time is taken for a Gaussian process about the forecast:
 *
 *     log T(p) = mu + trust log(forecast(p)) + Z(p) + e
 *
 * Z varies from point to point by some 60%, and the less the nearer they are to each other on the axes; e is
 * the noise of measuring, 4%. Each measurement tells what Z is near it (kriging), and the next point is the
 * one that may be expected to improve the best time most: where a short time is predicted, or where little is
 * known yet. The first point is that of `base`, so that what is found is never slower than it, then the one
 * with the best forecast. Where no forecast is known, all points are the same before the first measurement.
 *
 * O(points runs^2) beside the measurements, and for the space's points and runs some memory. Source: Jones,
 * Schonlau, Welch, "Efficient global optimization of expensive black-box functions", J. Global Optimization
 * 13, 1998. Fails as `measure` does, and with STATUS_MEMORY. */
enum status tuning_search(const struct tuning_search *search, double *seconds, struct error *error);

/* The point with the shortest of these times; -1 if there is none. */
int tuning_best(const struct tuning_space *space, const double *seconds);

#endif
