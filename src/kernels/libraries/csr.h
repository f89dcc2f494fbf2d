/* Shared by the kernels of libraries: matrix and product for libraries with 32-bit integers, and the handling
 * of unsupported and failed products. */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_CSR_H
#define SPARSIGHT_KERNELS_LIBRARIES_CSR_H

#include "kernels/kernel.h"
#include "kernels/libraries/library.h"

/* The matrix of a launch. The arrays are the storage's; libraries may read them in place, and do not write to
 * them. */
struct library_csr {
    int rows, cols, entries;
    int *row_ptr, *col;
    void *val;      /* float or double, as the product's `single` says */
    size_t limit;   /* maximum bytes of the library's own arrays */
    bool symmetric; /* only the entries on the diagonal and below it are given */
};

/* The product of a launch: Y = beta Y + A X, or A^T X. */
struct library_product {
    bool single;    /* the precision: float or double */
    bool symmetric; /* as the matrix */
    bool transposed, by_rows;
    int columns;            /* at least 1 */
    int x_stride, y_stride; /* the leading dimensions of X and Y: elements from vector to vector, or from row
                               to row if `by_rows`; at least 1 */
    int64_t x_size, y_size; /* the elements of one vector */
    int beta;               /* 1 if the product is added to Y, 0 if it replaces Y */
    const void *one_at, *beta_at; /* 1 and beta in this precision */
    const void *x;                /* NULL while the library makes its matrix, like y */
    void *y;
};

/* `prepare`, `run` and `release` of the kernels of libraries, which call the library of the kernel's backend
 * with the launch's number of threads, and restore the previous number. A matrix without entries has no
 * handles and is not passed on: libraries refuse it, or leave y unchanged. Preparing fails with
 * STATUS_UNAVAILABLE if the library cannot be used, or if offsets have 64 bits: the functions called are
 * those for 32-bit integers. run cannot return an error: a product that fails sets all of y to NaN, so that
 * the check notices. Of a matrix that is stored by half (formats/sss.h) `prepare` makes the CSR
 * of its entries on the diagonal and below it, which stays until `release`. */
enum status library_prepare(struct launch *launch, struct error *error);
void library_run(const struct launch *launch);
void library_release(struct launch *launch);

/* The empty table of parameters. */
extern const struct parameter library_parameters[];

/* The members common to the kernels of all libraries; `key` is the name of the backend. */
#define LIBRARY_KERNEL(key)                                                                            \
    .name = "csr", .backend = &backend_##key, .format = &format_csr, .parameters = library_parameters, \
    .prepare = library_prepare, .run = library_run, .release = library_release

#endif
