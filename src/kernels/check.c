#include "kernels/check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"

static inline double real_at(const void *array, enum precision precision, int64_t e)
{
    return precision == PRECISION_F32 ? ((const float *)array)[e] : ((const double *)array)[e];
}

static inline double rounded(double value, enum precision precision)
{
    return precision == PRECISION_F32 ? (double)(float)value : value;
}

/* Error of n rounded operations, relative to the sum of magnitudes: gamma_n = n u / (1 - n u) (Higham,
 * Accuracy and Stability of Numerical Algorithms, section 3.1), and what underflow may add. */
static double rounding(int64_t n, double magnitude, enum precision precision)
{
    double u = precision == PRECISION_F32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
    double tiny = precision == PRECISION_F32 ? FLT_MIN : DBL_MIN, nu = (double)n * u;
    return (nu < 0.5 ? nu / (1 - nu) : 1) * magnitude + (double)n * tiny;
}

/* Row i by Dot2: `sum` is rounded, `lost` what was lost on the way. A float product is exact in double. */
static void refer(const struct csr *a, const void *x, const void *start, int64_t i,
                  struct reference *reference)
{
    enum precision precision = reference->precision;
    double sum = start ? real_at(start, precision, i) : 0, lost = 0, magnitude = fabs(sum);
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
        double value = rounded(a->val[k], precision), element = real_at(x, precision, a->col[k]);
        double product = value * element, product_lost = fma(value, element, -product);
        double next = sum + product, part = next - sum;
        lost += (sum - (next - part)) + (product - part) + product_lost;
        magnitude += fabs(product);
        sum = next;
    }
    int64_t n = a->row_ptr[i + 1] - a->row_ptr[i] + (start ? 1 : 0);
    reference->y[i] = isfinite(sum) ? sum + lost : sum;
    reference->magnitude[i] = magnitude;
    reference->bound[i] = rounding(n + 1, magnitude, precision);
}

enum status reference_make(const struct csr *a, enum precision precision, const void *x, const void *start,
                           struct reference *reference, struct error *error)
{
    *reference = (struct reference){.precision = precision, .rows = a->rows};
    reference->y = memory_array((size_t)a->rows, sizeof(double), error);
    reference->magnitude = memory_array((size_t)a->rows, sizeof(double), error);
    reference->bound = memory_array((size_t)a->rows, sizeof(double), error);
    if (!reference->y || !reference->magnitude || !reference->bound) {
        reference_free(reference);
        return STATUS_MEMORY;
    }
#pragma omp parallel for schedule(dynamic, 4096) if (csr_nnz(a) > THREADS_LEAST)
    for (int64_t i = 0; i < a->rows; i++)
        refer(a, x, start, i, reference);
    return STATUS_OK;
}

void reference_free(struct reference *reference)
{
    free(reference->y);
    free(reference->magnitude);
    free(reference->bound);
    *reference = (struct reference){0};
}

static enum status wrong_row(const struct reference *reference, int64_t i, double computed,
                             struct error *error)
{
    if (isnan(computed) && !isnan(reference->y[i]))
        return error_set(error, STATUS_INPUT, "row %lld is NaN, as before the kernel ran; it should be %.9g",
                         (long long)i + 1, reference->y[i]);
    return error_set(error, STATUS_INPUT,
                     "row %lld is %.9g; it should be %.9g, and rounding explains no more than %.2g",
                     (long long)i + 1, computed, reference->y[i], reference->bound[i]);
}

/* The first row that is wrong if abs(y - ref) > bound is; rows if none is. y(i) is read by real_at. */
enum status reference_check(const struct reference *reference, const void *y, double *max_error,
                            struct error *error)
{
    int64_t worst = reference->rows;
    double largest = 0;
#pragma omp parallel for reduction(min : worst) reduction(max : largest) if (reference->rows > THREADS_LEAST)
    for (int64_t i = 0; i < reference->rows; i++) {
        double computed = real_at(y, reference->precision, i), right = reference->y[i];
        double difference = fabs(computed - right);
        if (!isfinite(right) || !isfinite(rounded(right, reference->precision))) {
            if (isfinite(computed) && i < worst) worst = i;
            continue;
        }
        if (!(difference <= reference->bound[i]) && i < worst) worst = i;
        if (difference > 0 && difference / reference->magnitude[i] > largest)
            largest = difference / reference->magnitude[i];
    }
    *max_error = largest;
    if (worst == reference->rows) return STATUS_OK;
    return wrong_row(reference, worst, real_at(y, reference->precision, worst), error);
}
