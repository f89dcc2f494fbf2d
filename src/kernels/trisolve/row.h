/* The sum of a row that is solved. Only for kernels of this folder: all of them add the terms of a row in the
 * same order. */
#ifndef SPARSIGHT_KERNELS_TRISOLVE_ROW_H
#define SPARSIGHT_KERNELS_TRISOLVE_ROW_H

#include "kernels/trisolve/trisolve.h"

/* Return the sum of val[k] x[col[k]] over row r. Four partial sums are independent of each other. The entry
 * next to the diagonal comes last, since its x is the newest: it is the last entry of a row of L, and the
 * first of U. */
static inline double trisolve_row_sum(const struct trisolve_triangle *triangle, enum triangle which,
                                      int64_t r, const double *x)
{
    const int64_t first = triangle->row_ptr[r], end = triangle->row_ptr[r + 1];
    const int32_t *col = triangle->col;
    const double *val = triangle->val;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int64_t k = first + (which == TRIANGLE_UPPER);
    for (; k + 4 <= end; k += 4) {
        s0 += val[k] * x[col[k]];
        s1 += val[k + 1] * x[col[k + 1]];
        s2 += val[k + 2] * x[col[k + 2]];
        s3 += val[k + 3] * x[col[k + 3]];
    }
    for (; k < end; k++)
        s0 += val[k] * x[col[k]];
    const double sum = (s0 + s1) + (s2 + s3);
    return which == TRIANGLE_UPPER && end > first ? sum + val[first] * x[col[first]] : sum;
}

#endif
