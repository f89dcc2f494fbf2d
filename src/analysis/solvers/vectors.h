/* Operations on dense vectors whose results do not depend on the number of threads. */
#ifndef SPARSIGHT_ANALYSIS_SOLVERS_VECTORS_H
#define SPARSIGHT_ANALYSIS_SOLVERS_VECTORS_H

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

#endif
