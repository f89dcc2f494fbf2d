#include "kernels/trisolve/check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define ROUNDOFF (DBL_EPSILON / 2)

/* Return the product of row i and x. Add the sum of the terms' absolute values to *magnitude. */
static double dot(const struct trisolve_triangle *triangle, int64_t i, const double *x, double *magnitude)
{
    double sum = 0;
    for (int64_t k = triangle->row_ptr[i]; k < triangle->row_ptr[i + 1]; k++) {
        const double term = triangle->val[k] * x[triangle->col[k]];
        sum += term;
        *magnitude += fabs(term);
    }
    return sum;
}

static int64_t terms(const struct trisolve_triangle *triangle, int64_t i)
{
    return triangle->row_ptr[i + 1] - triangle->row_ptr[i];
}

/* Return a bound of the rounding errors of n terms, in the result and in this check, and of errors by
 * underflow. */
static double slack(int64_t n, double magnitude)
{
    return 2 * (double)(n + 8) * (ROUNDOFF * magnitude + DBL_MIN);
}

/* Solve row i of T x = right. bound[i] becomes a bound of the error of x[i] from rounding and from the errors
 * of other x. */
static void solve_row(const struct trisolve_parts *parts, enum triangle t, int64_t i, double right,
                      double magnitude, int64_t more, double *x, double *bound)
{
    const struct trisolve_triangle *triangle = &parts->triangle[t];
    const double size = fabs(parts->diagonal[i]);
    double spread = 0;
    right -= dot(triangle, i, x, &magnitude);
    for (int64_t k = triangle->row_ptr[i]; k < triangle->row_ptr[i + 1]; k++)
        spread += fabs(triangle->val[k]) * bound[triangle->col[k]];
    x[i] = right / parts->diagonal[i];
    magnitude += size * fabs(x[i]);
    bound[i] = (slack(terms(triangle, i) + more, magnitude) + spread) / size;
}

/* Compute the expected Gauss-Seidel step. `middle` becomes x1, and `error` the bound of its error. */
static void expect(struct trisolve_check *check, const double *start, double *middle, double *error)
{
    const struct trisolve_parts *parts = check->parts;
    const struct trisolve_triangle *lower = &parts->triangle[TRIANGLE_LOWER];
    const struct trisolve_triangle *upper = &parts->triangle[TRIANGLE_UPPER];
    for (int64_t i = 0; i < parts->rows; i++) {
        double magnitude = fabs(check->b[i]);
        const double right = check->b[i] - dot(upper, i, start, &magnitude);
        solve_row(parts, TRIANGLE_LOWER, i, right, magnitude, terms(upper, i), middle, error);
    }
    for (int64_t i = parts->rows - 1; i >= 0; i--) {
        /* A kernel may compute b - L x1 as U x0 + D x1, so these terms count, too. */
        double magnitude = fabs(check->b[i]) + fabs(parts->diagonal[i] * middle[i]), spread = 0;
        dot(upper, i, start, &magnitude);
        const double right = check->b[i] - dot(lower, i, middle, &magnitude);
        for (int64_t k = lower->row_ptr[i]; k < lower->row_ptr[i + 1]; k++)
            spread += fabs(lower->val[k]) * error[lower->col[k]];
        solve_row(parts, TRIANGLE_UPPER, i, right, magnitude, terms(lower, i) + terms(upper, i), check->x,
                  check->bound);
        /* the error of x1 affects this row's right side */
        check->bound[i] += spread / fabs(parts->diagonal[i]);
    }
}

static void judge(struct trisolve_check *check)
{
    double largest = 0, widest = 0;
    for (int64_t i = 0; i < check->parts->rows; i++) {
        largest = fmax(largest, fabs(check->x[i]));
        widest = isnan(check->bound[i]) ? INFINITY : fmax(widest, check->bound[i]);
    }
    check->loose = !(widest <= TRISOLVE_BOUND_MAX * largest);
}

enum status trisolve_check_make(const struct trisolve_parts *parts, enum trisolve_operation operation,
                                const double *b, const double *start, struct trisolve_check *check,
                                struct error *error)
{
    const size_t rows = (size_t)parts->rows;
    *check = (struct trisolve_check){.parts = parts, .operation = operation, .b = b};
    if (operation != TRISOLVE_SYMGS) return STATUS_OK;
    check->x = memory_array(rows, sizeof *check->x, error);
    check->bound = memory_array(rows, sizeof *check->bound, error);
    double *middle = memory_array(rows, sizeof *middle, error);
    double *spread = memory_array(rows, sizeof *spread, error);
    const bool all = check->x && check->bound && middle && spread;
    if (all) expect(check, start, middle, spread);
    if (all) judge(check);
    free(middle);
    free(spread);
    return all ? STATUS_OK : STATUS_MEMORY;
}

void trisolve_check_free(struct trisolve_check *check)
{
    free(check->x);
    free(check->bound);
    *check = (struct trisolve_check){0};
}

static enum status refuse(int64_t i, double found, double expected, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "wrong in row %lld: %g instead of %g", (long long)i + 1,
                     found, expected);
}

static enum status check_solve(const struct trisolve_check *check, const double *x, struct error *error)
{
    const struct trisolve_parts *parts = check->parts;
    const enum triangle t = check->operation == TRISOLVE_UPPER ? TRIANGLE_UPPER : TRIANGLE_LOWER;
    const struct trisolve_triangle *triangle = &parts->triangle[t];
    for (int64_t i = 0; i < parts->rows; i++) {
        const double own = parts->diagonal[i] * x[i];
        double magnitude = fabs(check->b[i]) + fabs(own);
        const double right = check->b[i] - dot(triangle, i, x, &magnitude);
        if (isinf(x[i]) || isinf(magnitude))
            return error_set(error, STATUS_UNAVAILABLE, "x overflows in row %lld", (long long)i + 1);
        if (!(fabs(right - own) <= slack(terms(triangle, i), magnitude)))
            return refuse(i, x[i], right / parts->diagonal[i], error);
    }
    return STATUS_OK;
}

enum status trisolve_check_result(const struct trisolve_check *check, const double *x, struct error *error)
{
    if (check->operation != TRISOLVE_SYMGS) return check_solve(check, x, error);
    for (int64_t i = 0; i < check->parts->rows && !check->loose; i++)
        if (!(fabs(x[i] - check->x[i]) <= check->bound[i])) return refuse(i, x[i], check->x[i], error);
    return STATUS_OK;
}
