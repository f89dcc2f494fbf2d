/* What a kernel computes with a matrix A of m rows and n columns. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_PRODUCT_H
#define SPARSIGHT_KERNELS_PRODUCT_H

#include <stdbool.h>

/* With X and Y of `columns` vectors side by side, each of X's as long as A has columns (rows if A is
 * transposed) and each of Y's as long as A has rows (columns):
 *
 *                    not transposed    transposed
 *     Y is replaced  Y = A X           Y = A^T X
 *     accumulate     Y = Y + A X       Y = Y + A^T X
 *
 * {0} is y = A x. What of this a kernel can do stands in its descriptor (struct kernel). */
struct product {
    bool accumulate;
    bool transposed;
    int columns; /* 0: 1 */
};

/* The vectors of X, and of Y: at least one. */
static inline int product_columns(struct product product)
{
    return product.columns > 1 ? product.columns : 1;
}

#endif
