#include "analysis/solvers/vectors.h"

#include "base/range.h"

int64_t vector_stretches(int64_t n)
{
    return divide_up(n, VECTOR_STRETCH);
}

double vector_dot(int64_t n, const double *x, const double *y, double *sums)
{
    const int64_t stretches = vector_stretches(n);
    double all = 0;
#pragma omp parallel for schedule(static) if (n > VECTOR_SHARED)
    for (int64_t s = 0; s < stretches; s++) {
        const int64_t end = min(n, (s + 1) * VECTOR_STRETCH);
        double sum = 0;
        for (int64_t i = s * VECTOR_STRETCH; i < end; i++)
            sum += x[i] * y[i];
        sums[s] = sum;
    }
    for (int64_t s = 0; s < stretches; s++)
        all += sums[s];
    return all;
}

void vector_add(int64_t n, double scale, const double *x, double *y)
{
#pragma omp parallel for schedule(static) if (n > VECTOR_SHARED)
    for (int64_t i = 0; i < n; i++)
        y[i] += scale * x[i];
}

void vector_add_to(int64_t n, const double *x, double scale, double *y)
{
#pragma omp parallel for schedule(static) if (n > VECTOR_SHARED)
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + scale * y[i];
}

void vector_scale(int64_t n, double scale, const double *x, double *y)
{
#pragma omp parallel for schedule(static) if (n > VECTOR_SHARED)
    for (int64_t i = 0; i < n; i++)
        y[i] = scale * x[i];
}

double vector_cross(int64_t n, const double *x, const double *y, double *sums)
{
    const int64_t stretches = vector_stretches(n);
    double all = 0;
#pragma omp parallel for schedule(static) if (n > VECTOR_SHARED)
    for (int64_t s = 0; s < stretches; s++) {
        const int64_t end = min(n, (s + 1) * VECTOR_STRETCH);
        double sum = 0;
        for (int64_t i = s * VECTOR_STRETCH; i < end; i += 2)
            sum += x[i] * y[i + 1] - x[i + 1] * y[i];
        sums[s] = sum;
    }
    for (int64_t s = 0; s < stretches; s++)
        all += sums[s];
    return all;
}

void vector_add_scaled(int64_t n, struct scalar scale, const double *x, double *y)
{
    if (scale.im == 0) {
        vector_add(n, scale.re, x, y);
        return;
    }
#pragma omp parallel for schedule(static) if (n > VECTOR_SHARED)
    for (int64_t i = 0; i < n; i += 2) {
        y[i] += scale.re * x[i] - scale.im * x[i + 1];
        y[i + 1] += scale.re * x[i + 1] + scale.im * x[i];
    }
}

void vector_add_to_scaled(int64_t n, const double *x, struct scalar scale, double *y)
{
    if (scale.im == 0) {
        vector_add_to(n, x, scale.re, y);
        return;
    }
#pragma omp parallel for schedule(static) if (n > VECTOR_SHARED)
    for (int64_t i = 0; i < n; i += 2) {
        const double real = y[i];
        y[i] = x[i] + (scale.re * real - scale.im * y[i + 1]);
        y[i + 1] = x[i + 1] + (scale.re * y[i + 1] + scale.im * real);
    }
}
