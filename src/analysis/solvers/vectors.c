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
