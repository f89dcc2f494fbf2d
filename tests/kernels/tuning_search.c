/* kernels/tuning/search: each measured point is the one with the largest expected improvement, which is
 * computed here from the inverse of the covariances. */
#include "kernels/tuning/search.h"

#include <math.h>
#include <string.h>

#include "support/kernels.h"
#include "support/unit.h"

#define RUNS 12
#define POINTS_MAX 1024

/* A search whose choices are compared. */
struct hunt {
    const struct tuning_space *space;
    const double *forecast;
    double trust;
    int at[RUNS], count;
    double y[RUNS]; /* log of seconds */
};

static bool is_known(const struct hunt *hunt, int p)
{
    return hunt->forecast && hunt->forecast[p] > 0 && isfinite(hunt->forecast[p]);
}

static double trend(const struct hunt *hunt, int p)
{
    double sum = 0;
    int known = 0;
    if (is_known(hunt, p)) return hunt->trust * log(hunt->forecast[p]);
    for (int q = 0; q < hunt->space->points; q++)
        if (is_known(hunt, q)) {
            sum += hunt->trust * log(hunt->forecast[q]);
            known++;
        }
    return known ? sum / known : 0;
}

/* Matern's covariance with exponent 3/2, of deviation 0.6 and length 1 on axes from 0 to 1. */
static double covariance(const struct hunt *hunt, int p, int q)
{
    double square = 0;
    for (int k = 0; k < hunt->space->axis_count; k++) {
        const double far = (double)(tuning_value(hunt->space, p, k) - tuning_value(hunt->space, q, k));
        square += pow(far / (hunt->space->axes[k].count - 1), 2);
    }
    return 0.36 * (1 + sqrt(3 * square)) * exp(-sqrt(3 * square));
}

/* x = K^-1 b by elimination, K having noise of 0.04 on its diagonal. */
static void solve(const struct hunt *hunt, const double *b, double *x)
{
    const int n = hunt->count;
    double k[RUNS][RUNS];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            k[i][j] = covariance(hunt, hunt->at[i], hunt->at[j]) + (i == j ? 0.0016 : 0);
        x[i] = b[i];
    }
    for (int c = 0; c < n; c++)
        for (int i = 0; i < n; i++) {
            if (i == c) continue;
            const double factor = k[i][c] / k[c][c];
            for (int j = c; j < n; j++)
                k[i][j] -= factor * k[c][j];
            x[i] -= factor * x[c];
        }
    for (int i = 0; i < n; i++)
        x[i] /= k[i][i];
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Kriging with an unknown mean (Jones and others 1998, equations 7 to 9, and 15). */
static double improvement(const struct hunt *hunt, int p)
{
    const int n = hunt->count;
    double one[RUNS], z[RUNS], k[RUNS], inverse_one[RUNS], inverse_z[RUNS], inverse_k[RUNS], best = INFINITY;
    for (int j = 0; j < n; j++) {
        one[j] = 1;
        z[j] = hunt->y[j] - trend(hunt, hunt->at[j]);
        k[j] = covariance(hunt, p, hunt->at[j]);
        best = fmin(best, hunt->y[j]);
    }
    solve(hunt, one, inverse_one);
    solve(hunt, z, inverse_z);
    solve(hunt, k, inverse_k);
    const double mu = dot(one, inverse_z, n) / dot(one, inverse_one, n);
    const double mean = trend(hunt, p) + mu + dot(k, inverse_z, n) - mu * dot(k, inverse_one, n);
    const double variance =
        0.36 - dot(k, inverse_k, n) + pow(1 - dot(k, inverse_one, n), 2) / dot(one, inverse_one, n);
    const double s = sqrt(variance), u = (best - mean) / s;
    return (best - mean) * 0.5 * (1 + erf(u / sqrt(2))) + s * exp(-u * u / 2) / sqrt(2 * M_PI);
}

static bool was_tried(const struct hunt *hunt, int p)
{
    for (int k = 0; k < hunt->count; k++)
        if (hunt->at[k] == p) return true;
    return false;
}

static void compare_choice(const struct hunt *hunt, int point)
{
    double most = 0;
    assert_false(was_tried(hunt, point));
    assert_true(tuning_suits(hunt->space, point));
    if (hunt->count == 0 && hunt->space->start >= 0) {
        assert_int_equal(point, hunt->space->start);
        return;
    }
    for (int p = 0; p < hunt->space->points; p++) {
        if (was_tried(hunt, p) || !tuning_suits(hunt->space, p)) continue;
        if (hunt->count < 2)
            assert_true(trend(hunt, point) <= trend(hunt, p) + 1e-12);
        else
            most = fmax(most, improvement(hunt, p));
    }
    if (hunt->count >= 2 && fabs(improvement(hunt, point) - most) > 1e-7 * most)
        fail_msg("run %d: point %d improves by %g, another one by %g", hunt->count, point,
                 improvement(hunt, point), most);
}

/* Smooth; its minimum differs from the forecast's. */
static double seconds_of(const struct tuning_space *space, int p)
{
    double sum = 0;
    for (int k = 0; k < space->axis_count; k++)
        sum += pow((double)tuning_value(space, p, k) / (space->axes[k].count - 1) - 0.3 - 0.1 * k, 2);
    return 1e-5 * (1 + sum + 0.1 * (p * 7 % 11) / 11.0);
}

static enum status measure(void *argument, int point, double *seconds, struct error *error)
{
    struct hunt *hunt = argument;
    compare_choice(hunt, point);
    *seconds = seconds_of(hunt->space, point);
    hunt->at[hunt->count] = point;
    hunt->y[hunt->count++] = log(*seconds);
    return STATUS_OK;
}

static void compare_search(const struct tuning_space *space, const double *forecast, double trust)
{
    double seconds[POINTS_MAX];
    struct hunt hunt = {.space = space, .forecast = forecast, .trust = trust};
    const struct tuning_search search = {.space = space,
                                         .forecast = forecast,
                                         .trust = trust,
                                         .measure = measure,
                                         .argument = &hunt,
                                         .most = RUNS};
    assert_in_range(space->points, RUNS + 1, POINTS_MAX);
    assert_int_equal(tuning_search(&search, seconds, NULL), STATUS_OK);
    assert_int_equal(hunt.count, RUNS);
    for (int p = 0; p < space->points; p++)
        if (was_tried(&hunt, p))
            assert_true(seconds[p] == seconds_of(space, p));
        else
            assert_true(isnan(seconds[p]));
    int best = 0;
    for (int p = 1; p < space->points; p++)
        if (isfinite(seconds[p]) && !(seconds[p] >= seconds[best])) best = p;
    assert_int_equal(tuning_best(space, seconds), best);
}

static const struct kernel *find_kernel(const char *backend, const char *name)
{
    for (int k = 0; kernels[k]; k++)
        if (strcmp(kernels[k]->backend->name, backend) == 0 && strcmp(kernels[k]->name, name) == 0)
            return kernels[k];
    fail_msg("no kernel %s/%s", backend, name);
    return NULL;
}

TEST(the_largest_expected_improvement_is_measured_next)
{
    static const char *const names[][3] = {{"cpu", "cmrs-omp", "packed=1"}, {"cuda", "cmrs", ""}};
    int64_t row_ptr[11] = {0, 1, 2, 3, 5, 7, 10, 13, 16, 19, 59};
    const struct csr a = {.rows = 10, .cols = 50, .row_ptr = row_ptr};
    for (int k = 0; k < 2; k++) {
        struct kernel_choice base;
        struct tuning_space space;
        double forecast[POINTS_MAX];
        assert_int_equal(kernel_choice_read(find_kernel(names[k][0], names[k][1]), names[k][2], &base, NULL),
                         STATUS_OK);
        struct kernel_choice resolved = base;
        if (k == 0) resolved.format.values.number[0] = 8;
        assert_int_equal(tuning_space_make(&space, &a, &base, &resolved, NULL), STATUS_OK);
        for (int p = 0; p < space.points; p++)
            forecast[p] = p % 13 == 5 ? NAN : p % 17 == 3 ? 0 : 2e-5 * (1 + 0.3 * sin(p)) * (1 + 0.01 * p);
        compare_search(&space, NULL, 1);
        compare_search(&space, forecast, 1);
        compare_search(&space, forecast, 0.5);
    }
}

/* A variant that takes no time, a negative time or none at all was not run, and is never the best. */
struct odd_hunt {
    const struct tuning_space *space;
    int at[3 * RUNS], count;
    double seconds[3 * RUNS];
};

static enum status measure_odd(void *argument, int point, double *seconds, struct error *error)
{
    struct odd_hunt *hunt = argument;
    const double odd[] = {0, -1e-5, NAN, INFINITY, -INFINITY};
    assert_in_range(hunt->count, 0, 3 * RUNS - 1);
    hunt->at[hunt->count] = point;
    *seconds = hunt->count % 3 == 1 ? odd[hunt->count / 3 % 5] : seconds_of(hunt->space, point);
    hunt->seconds[hunt->count++] = *seconds;
    return STATUS_OK;
}

TEST(odd_times_are_none)
{
    int64_t row_ptr[11] = {0, 1, 2, 3, 5, 7, 10, 13, 16, 19, 59};
    const struct csr a = {.rows = 10, .cols = 50, .row_ptr = row_ptr};
    struct kernel_choice base;
    struct tuning_space space;
    double seconds[POINTS_MAX];
    assert_int_equal(kernel_choice_read(find_kernel("cuda", "cmrs"), "", &base, NULL), STATUS_OK);
    assert_int_equal(tuning_space_make(&space, &a, &base, &base, NULL), STATUS_OK);
    struct odd_hunt hunt = {.space = &space};
    const struct tuning_search search = {
        .space = &space, .measure = measure_odd, .argument = &hunt, .most = RUNS};
    assert_int_equal(tuning_search(&search, seconds, NULL), STATUS_OK);
    assert_int_equal(hunt.count, RUNS + 6); /* those that were not run do not count */
    int best = -1;
    for (int k = 0; k < hunt.count; k++) {
        const int p = hunt.at[k];
        if (k % 3 == 1) {
            assert_true(isinf(seconds[p]) && seconds[p] > 0);
            continue;
        }
        assert_true(seconds[p] == hunt.seconds[k]);
        if (best < 0 || seconds[p] < seconds[best]) best = p;
    }
    assert_int_equal(tuning_best(&space, seconds), best);
}
