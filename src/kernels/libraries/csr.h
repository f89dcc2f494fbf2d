/* The skeleton of the kernels of libraries: the matrix and the product as libraries with 32-bit integers take
 * them, and products that a library cannot be asked for or fails at. */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_CSR_H
#define SPARSIGHT_KERNELS_LIBRARIES_CSR_H

#include "kernels/kernel.h"
#include "kernels/libraries/library.h"

/* The matrix of a launch. The arrays are the storage's; libraries that do not copy them read them in place,
 * and none writes to them. */
struct library_csr {
    int rows, cols, entries;
    int *row_ptr, *col;
    void *val;    /* float or double, as the product's `single` says */
    size_t limit; /* the bytes that the library's own arrays may take */
};

/* The product of a launch: Y = beta Y + A X, or A^T X. */
struct library_product {
    bool single; /* the precision: float or double */
    bool transposed, by_rows;
    int columns;            /* at least 1 */
    int x_stride, y_stride; /* the leading dimensions of X and Y: elements from vector to vector, or from row
                               to row if `by_rows`; at least 1 */
    int64_t x_size, y_size; /* the elements of one vector */
    int beta;               /* 1 if the product is added to Y, 0 if it replaces Y */
    const void *one_at, *beta_at; /* 1 and beta in this precision */
    const void *x;                /* NULL while the library makes its matrix, as y is */
    void *y;
};

/* `prepare`, `run` and `release` of the kernels of libraries, which ask the library of the kernel's backend
 * with as many threads as the launch has, and set what was set before again. A matrix without entries has no
 * handles and is not handed on: libraries refuse it, or leave y as it is. Preparing fails with
 * STATUS_UNAVAILABLE if the library cannot be used, or if offsets have 64 bits: the functions called are
 * those for 32-bit integers. A product that fails, which run cannot say, becomes NaN in all of y, so that the
 * check tells. */
enum status library_prepare(struct launch *launch, struct error *error);
void library_run(const struct launch *launch);
void library_release(struct launch *launch);

/* The table of parameters of a kernel that has none of its own. */
extern const struct parameter library_parameters[];

/* The members that the kernels of all libraries have alike; `key` is the name of the backend. */
#define LIBRARY_KERNEL(key)                                                                            \
    .name = "csr", .backend = &backend_##key, .format = &format_csr, .parameters = library_parameters, \
    .prepare = library_prepare, .run = library_run, .release = library_release

#endif
