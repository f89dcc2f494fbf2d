/* The product that a kernel computes with a matrix A of m rows and n columns. C and C++ include this header.
 */
#ifndef SPARSIGHT_KERNELS_PRODUCT_H
#define SPARSIGHT_KERNELS_PRODUCT_H

#include <stdbool.h>

/* X and Y hold `columns` vectors each, side by side. Those of X have n elements (m if A is transposed), those
 * of Y m elements (n if A is transposed):
 *
 *                    not transposed    transposed
 *     Y is replaced  Y = A X           Y = A^T X
 *     accumulate     Y = Y + A X       Y = Y + A^T X
 *
 * {0} is y = A x. A kernel's descriptor (struct kernel) says which of these products it can compute. */
struct product {
    bool accumulate;
    bool transposed;
    int columns; /* 0 stands for 1 */
};

/* The number of vectors of X, which is that of Y; it is at least 1. */
static inline int product_columns(struct product product)
{
    return product.columns > 1 ? product.columns : 1;
}

#endif
