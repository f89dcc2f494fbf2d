#include "kernels/tuning/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* The parameters of the Gaussian process of log T, where axes have length 1. On the tables of
 * tests/kernels/tuning.c these values lose least. REACH from 0.35 to 1 and DEVIATION from 0.4 to 0.8 lose
 * hardly more. */
#define REACH 1.0
#define DEVIATION 0.6
#define NOISE 0.04

/* Some variants turn out not to run. This number of variants may be tried for each run. */
#define TRIES 3

/* The state of a search. Measured point number i is at[i]. */
struct hunt {
    const struct tuning_search *search;
    double *trend;  /* for each point trust log(forecast); owned, like the following arrays */
    double *coords; /* for each point its position on each axis, 0 to 1 */
    double *seconds;
    int *at;
    double *lower;        /* L of K = L L^T, row by row; K has the covariances of the measured points */
    double *level, *ones; /* L^-1 y and L^-1 1 */
    double *weight;       /* for the point that is examined: L^-1 k */
    int count, most, tries;
    double mu, information; /* the mean, and 1^T K^-1 1 */
};

int tuning_budget(const struct tuning_space *space)
{
    int count = tuning_count(space), budget = (count + 9) / 10;
    if (budget < TUNING_RUNS_MIN) budget = TUNING_RUNS_MIN;
    if (budget > TUNING_RUNS_MAX) budget = TUNING_RUNS_MAX;
    return budget < count ? budget : count;
}

int tuning_best(const struct tuning_space *space, const double *seconds)
{
    int best = -1;
    for (int p = 0; p < space->points; p++)
        if (isfinite(seconds[p]) && (best < 0 || seconds[p] < seconds[best])) best = p;
    return best;
}

/* The covariance of Z at two points: Matern's with exponent 3/2, (1 + r) exp(-r), r being sqrt(3) times their
 * distance over REACH. */
static double covariance(const struct hunt *hunt, int p, int q)
{
    int axes = hunt->search->space->axis_count;
    const double *a = &hunt->coords[p * axes], *b = &hunt->coords[q * axes];
    double square = 0;
    for (int k = 0; k < axes; k++)
        square += (a[k] - b[k]) * (a[k] - b[k]);
    double r = sqrt(3 * square) / REACH;
    return DEVIATION * DEVIATION * (1 + r) * exp(-r);
}

/* L x = b for the first `count` rows of L, with x in place of b. */
static void solve(const struct hunt *hunt, double *b, int count)
{
    for (int i = 0; i < count; i++) {
        const double *row = &hunt->lower[i * hunt->most];
        for (int j = 0; j < i; j++)
            b[i] -= row[j] * b[j];
        b[i] /= row[i];
    }
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Add the measurement of point p: a new row of L, and the mean by generalised least squares. */
static void learn(struct hunt *hunt, int p)
{
    int n = hunt->count;
    double *row = &hunt->lower[n * hunt->most];
    for (int j = 0; j < n; j++)
        row[j] = covariance(hunt, p, hunt->at[j]);
    solve(hunt, row, n);
    row[n] = sqrt(covariance(hunt, p, p) + NOISE * NOISE - dot(row, row, n));
    hunt->level[n] = (log(hunt->seconds[p]) - hunt->trend[p] - dot(row, hunt->level, n)) / row[n];
    hunt->ones[n] = (1 - dot(row, hunt->ones, n)) / row[n];
    hunt->at[n] = p;
    hunt->count = ++n;
    hunt->information = dot(hunt->ones, hunt->ones, n);
    hunt->mu = dot(hunt->ones, hunt->level, n) / hunt->information;
}

/* The expected improvement of log T over `best` at point p: s (z Phi(z) + phi(z)) with z = (best - m) / s,
 * where m and s are the conditional mean and deviation. */
static double improvement(struct hunt *hunt, int p, double best)
{
    int n = hunt->count;
    double *w = hunt->weight;
    for (int j = 0; j < n; j++)
        w[j] = covariance(hunt, p, hunt->at[j]);
    solve(hunt, w, n);
    double known = dot(w, hunt->ones, n), mean = hunt->trend[p] + hunt->mu;
    mean += dot(w, hunt->level, n) - hunt->mu * known;
    double variance = covariance(hunt, p, p) - dot(w, w, n);
    variance += (1 - known) * (1 - known) / hunt->information;
    double s = sqrt(fmax(variance, 1e-12)), z = (best - mean) / s;
    return s * (z * 0.5 * erfc(-z / sqrt(2)) + exp(-z * z / 2) / sqrt(2 * M_PI));
}

static bool is_open(const struct hunt *hunt, int p)
{
    return isnan(hunt->seconds[p]) && tuning_suits(hunt->search->space, p);
}

/* The untried point with the best forecast; -1 if there is none. */
static int by_forecast(const struct hunt *hunt)
{
    int best = -1;
    for (int p = 0; p < hunt->search->space->points; p++)
        if (is_open(hunt, p) && (best < 0 || hunt->trend[p] < hunt->trend[best])) best = p;
    return best;
}

static int next_point(struct hunt *hunt)
{
    const struct tuning_space *space = hunt->search->space;
    int next = -1;
    double most = 0;
    if (space->start >= 0 && is_open(hunt, space->start)) return space->start;
    if (hunt->count < 2) return by_forecast(hunt);
    double best = log(hunt->seconds[tuning_best(space, hunt->seconds)]);
    for (int p = 0; p < space->points; p++) {
        double gain = is_open(hunt, p) ? improvement(hunt, p, best) : -1;
        if (gain < 0 || (next >= 0 && gain <= most)) continue;
        next = p;
        most = gain;
    }
    return next;
}

/* Make the trend. Points without a forecast get the mean of the others. */
static void set_trend(struct hunt *hunt)
{
    const struct tuning_search *search = hunt->search;
    double sum = 0;
    int known = 0;
    for (int p = 0; p < search->space->points; p++) {
        bool there = search->forecast && search->forecast[p] > 0 && isfinite(search->forecast[p]);
        hunt->trend[p] = there ? search->trust * log(search->forecast[p]) : NAN;
        if (there) sum += hunt->trend[p];
        known += there;
    }
    for (int p = 0; p < search->space->points; p++)
        if (isnan(hunt->trend[p])) hunt->trend[p] = known ? sum / known : 0;
}

static void set_coords(struct hunt *hunt)
{
    const struct tuning_space *space = hunt->search->space;
    for (int p = 0; p < space->points; p++)
        for (int k = 0; k < space->axis_count; k++)
            hunt->coords[p * space->axis_count + k] =
                (double)tuning_value(space, p, k) / (space->axes[k].count - 1);
}

static enum status run(struct hunt *hunt, struct error *error)
{
    enum status status = STATUS_OK;
    for (int left = hunt->tries; left > 0 && hunt->count < hunt->most && status == STATUS_OK; left--) {
        int p = next_point(hunt);
        double seconds = INFINITY;
        if (p < 0) break;
        status = hunt->search->measure(hunt->search->argument, p, &seconds, error);
        hunt->seconds[p] = isfinite(seconds) && seconds > 0 ? seconds : INFINITY;
        if (status == STATUS_OK && isfinite(hunt->seconds[p])) learn(hunt, p);
    }
    return status;
}

enum status tuning_search(const struct tuning_search *search, double *seconds, struct error *error)
{
    const struct tuning_space *space = search->space;
    struct hunt hunt = {.search = search, .seconds = seconds};
    hunt.most = search->most > 0 ? search->most : tuning_budget(space);
    hunt.tries = TRIES * hunt.most;
    size_t points = (size_t)space->points, most = (size_t)hunt.most;
    enum status status = STATUS_MEMORY;
    hunt.trend = memory_array(points, sizeof *hunt.trend, error);
    hunt.coords = memory_array(points * TUNING_AXES, sizeof *hunt.coords, error);
    hunt.at = memory_array(most, sizeof *hunt.at, error);
    hunt.lower = memory_array(most * most, sizeof *hunt.lower, error);
    hunt.level = memory_array(3 * most, sizeof *hunt.level, error);
    if (hunt.trend && hunt.coords && hunt.at && hunt.lower && hunt.level) {
        hunt.ones = hunt.level + most;
        hunt.weight = hunt.ones + most;
        for (int p = 0; p < space->points; p++)
            seconds[p] = NAN;
        set_trend(&hunt);
        set_coords(&hunt);
        status = run(&hunt, error);
    }
    free(hunt.trend);
    free(hunt.coords);
    free(hunt.at);
    free(hunt.lower);
    free(hunt.level);
    return status;
}
