/* Operations on dense vectors whose results do not depend on the number of threads. */
#ifndef SPARSIGHT_ANALYSIS_SOLVERS_VECTORS_H
#define SPARSIGHT_ANALYSIS_SOLVERS_VECTORS_H

#include <math.h>
#include <stdint.h>

/* Elements that a dot product adds one after another, before these sums are added in their order. */
#define VECTOR_STRETCH 4096

/* From this number of elements on, threads share a vector: starting a parallel region then takes at most a
 * tenth of the time.
 */
#define VECTOR_SHARED 131072

/* Return the number of sums that a dot product of n elements has. */
int64_t vector_stretches(int64_t n);

/* Return the sum over i of x_i y_i. `sums` has room for vector_stretches(n) numbers. */
double vector_dot(int64_t n, const double *x, const double *y, double *sums);

/* y += scale x */
void vector_add(int64_t n, double scale, const double *x, double *y);

/* y = x + scale y */
void vector_add_to(int64_t n, const double *x, double scale, double *y);

/* y = scale x; x may be y. */
void vector_scale(int64_t n, double scale, const double *x, double *y);

/* Complex vectors are pairs of numbers, and n counts numbers. */

/* A complex number; `im` is 0 with real vectors. */
struct scalar {
    double re, im;
};

static inline struct scalar scalar_negative(struct scalar a)
{
    return (struct scalar){-a.re, -a.im};
}

static inline struct scalar scalar_conjugate(struct scalar a)
{
    return (struct scalar){a.re, -a.im};
}

static inline double scalar_size(struct scalar a)
{
    return a.im == 0 ? fabs(a.re) : hypot(a.re, a.im);
}

/* Real numbers are multiplied and divided as such, to the same bits. */
static inline struct scalar scalar_product(struct scalar a, struct scalar b)
{
    if (a.im == 0 && b.im == 0) return (struct scalar){a.re * b.re, 0};
    return (struct scalar){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline struct scalar scalar_quotient(struct scalar a, struct scalar b)
{
    if (a.im == 0 && b.im == 0) return (struct scalar){a.re / b.re, 0};
    const double size = scalar_size(b);
    const struct scalar turned =
        scalar_product(a, (struct scalar){b.re / size, -b.im / size}); /* without overflow of size^2 */
    return (struct scalar){turned.re / size, turned.im / size};
}

/* Return the imaginary part of x^H y; vector_dot returns the real part. */
double vector_cross(int64_t n, const double *x, const double *y, double *sums);

/* y += scale x, and y = x + scale y. */
void vector_add_scaled(int64_t n, struct scalar scale, const double *x, double *y);
void vector_add_to_scaled(int64_t n, const double *x, struct scalar scale, double *y);

#endif
