/* The sums of a row that is solved. Only for kernels of this folder: all of them add the terms of a row in
 * the same order. */
#ifndef SPARSIGHT_KERNELS_TRISOLVE_ROW_H
#define SPARSIGHT_KERNELS_TRISOLVE_ROW_H

#include "kernels/trisolve/trisolve.h"

/* A call for each row would cost as much as a short row. */
#define ROW_INLINE static inline __attribute__((always_inline))

/* Return the sum of val[k] x[col[k]] over `number` entries. Four partial sums are independent of each other.
 */
ROW_INLINE double trisolve_sum(const int32_t *col, const double *val, int64_t number, const double *x)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int64_t k = 0;
    for (; k + 4 <= number; k += 4) {
        s0 += val[k] * x[col[k]];
        s1 += val[k + 1] * x[col[k + 1]];
        s2 += val[k + 2] * x[col[k + 2]];
        s3 += val[k + 3] * x[col[k + 3]];
    }
    for (; k < number; k++)
        s0 += val[k] * x[col[k]];
    return (s0 + s1) + (s2 + s3);
}

/* Return the sum of val[k] x[col[k]] over row r. */
ROW_INLINE double trisolve_row_sum(const struct trisolve_triangle *triangle, int64_t r, const double *x)
{
    const int64_t first = triangle->row_ptr[r];
    return trisolve_sum(triangle->col + first, triangle->val + first, triangle->row_ptr[r + 1] - first, x);
}

/* Return `right` minus the sum of val[k] x[col[k]] over row r. The entry next to the diagonal comes last,
 * since its x is the newest: it is the last entry of a row of L, and the first of U. From this x to the next
 * one, a processor waits for two multiplications and a subtraction. */
ROW_INLINE double trisolve_row_rest(const struct trisolve_triangle *triangle, enum triangle which, int64_t r,
                                    double right, const double *x)
{
    const int64_t first = triangle->row_ptr[r], number = triangle->row_ptr[r + 1] - first;
    const int32_t *col = triangle->col + first;
    const double *val = triangle->val + first;
    if (number == 0) return right;
    const int64_t others = which == TRIANGLE_UPPER, nearest = which == TRIANGLE_UPPER ? 0 : number - 1;
    return (right - trisolve_sum(col + others, val + others, number - 1, x)) - val[nearest] * x[col[nearest]];
}

#endif
