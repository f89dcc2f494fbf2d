/* The product that a kernel computes with a matrix A of m rows and n columns. C and C++ include this header.
 */
#ifndef SPARSIGHT_KERNELS_PRODUCT_H
#define SPARSIGHT_KERNELS_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

/* X and Y hold `columns` vectors each. Those of X have n elements (m if A is transposed), those of Y m
 * elements (n if A is transposed):
 *
 *                    not transposed    transposed
 *     Y is replaced  Y = A X           Y = A^T X
 *     accumulate     Y = Y + A X       Y = Y + A^T X
 *
 * A complex matrix is transposed, not conjugated. X and Y are dense, without gaps, and both have the same
 * layout. If vectors have `size` elements, element i of vector c has the index
 *
 *     column by column (column-major)   c size + i
 *     row by row (row-major)            i columns + c
 *
 * {0} is y = A x. A kernel's descriptor (struct kernel) says which of these products it can compute; a kernel
 * that can multiply several vectors takes both layouts. */
struct product {
    bool accumulate;
    bool transposed;
    bool by_rows; /* X and Y are stored row by row */
    int columns;  /* number of vectors; 0 means 1 */
};

/* The number of vectors of X, which is that of Y; it is at least 1. */
static inline int product_columns(struct product product)
{
    return product.columns > 1 ? product.columns : 1;
}

/* Returns true if the product has a single vector and is not transposed: y = A x or y = y + A x. */
static inline bool product_plain(struct product product)
{
    return !product.transposed && product.columns <= 1;
}

/* Returns true if both are the same product. The layout of a single vector makes no difference. */
static inline bool product_same(struct product a, struct product b)
{
    return a.accumulate == b.accumulate && a.transposed == b.transposed &&
           product_columns(a) == product_columns(b) && (a.by_rows == b.by_rows || product_columns(a) == 1);
}

/* The elements of one vector of X and of one of Y, for a matrix of this number of rows and columns. */
static inline int64_t product_x_size(struct product product, int64_t rows, int64_t cols)
{
    return product.transposed ? rows : cols;
}

static inline int64_t product_y_size(struct product product, int64_t rows, int64_t cols)
{
    return product.transposed ? cols : rows;
}

/* The index of element i of vector c if vectors have `size` elements. */
static inline int64_t product_place(struct product product, int64_t size, int64_t i, int c)
{
    return product.by_rows ? i * product_columns(product) + c : c * size + i;
}

/* Maximum number of vectors that a kernel multiplies at once. */
#define PRODUCT_COLUMNS_MAX 64

/* The bytes that product_write and product_equation need at most. */
#define PRODUCT_TEXT 64

/* Write the product as an equation, "y = A x", "y += A^T x", or "Y = A X" for several vectors. Returns out,
 * which has PRODUCT_TEXT bytes. */
char *product_equation(struct product product, char *out);

/* Write the equation and, for several vectors, their number and layout: "Y = A^T X, 8 columns, row-major".
 * Returns out, which has PRODUCT_TEXT bytes. */
char *product_write(struct product product, char *out);

#endif
