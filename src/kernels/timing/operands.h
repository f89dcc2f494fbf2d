/* Operands are the vectors of products, in one precision, on the host and on a device, together with the
 * expected results. Timing uses them (bench.c, rounds.c), and so do the tests of devices. */
#ifndef SPARSIGHT_KERNELS_TIMING_OPERANDS_H
#define SPARSIGHT_KERNELS_TIMING_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/device.h"
#include "kernels/kernel.h"
#include "kernels/timing/check.h"
#include "matrix/orders/permute.h"
#include "matrix/vector.h"

/* The vectors in the memory of a device. */
struct placed {
    struct device *device; /* NULL if the vectors are not on a device */
    void *x, *y;
    void *start;   /* NULL unless products are added to y */
    void *fetched; /* the host's copy of y */
    int64_t added; /* as in struct operands */
};

/* Over several processes each has its own operands (src/ranks/product/vectors.h).
 *
 * Start with {0}; free with operands_free, before the device is closed. The functions that take a device, or
 * a launch with one, work on that device, and on the host if it is NULL. On a device each of them can fail,
 * with the reason that the device gives. */
struct operands {
    bool ready;
    bool complex; /* as the matrix: elements are then pairs of numbers */
    enum precision precision;
    int64_t rows,
        cols; /* of the matrix; over processes the numbers of this process's elements of y and of x */
    struct product product;
    void *x, *y;   /* all vectors, as kernels/product.h lays them out; so is `start` */
    void *start;   /* y before a product is added to it; NULL if products replace y */
    int64_t added; /* number of products added to y since it was `start` */
    struct reference reference;
    struct placed placed;
};

struct operands_options {
    struct product product;
    const struct vector *x; /* product_x_size finite elements, real if the matrix is; NULL for random ones,
                               and always with several vectors */
    const struct natural *natural; /* the natural matrix, whose products are compared with those of this
                                      reordered one. NULL if it is in its natural order */
    uint64_t seed;                 /* the seed of random vectors; 0 means 1 */
    size_t
        limit; /* limit in bytes for the operands and the expected result; 0: the default of memory_check */
};

/* Make the operands for a product, unless they were made before. x is options->x or random, and `start` is
 * random. Random elements, and both parts of complex ones, have magnitudes from 1/2 to 1: sums of them do not
 * overflow, and no missing entry goes undetected because its element of x is small (kernels/timing/check.h).
 * They are determined by the seed, and are the same in both layouts of several vectors.
 *
 * Fails with STATUS_MEMORY, STATUS_LIMIT, STATUS_CANCELLED, or with STATUS_UNAVAILABLE if an element of x is
 * too large for the precision; the operands are {0} then. O(nnz columns), parallel except for the serial
 * parts of reference_make. */
enum status operands_make(struct operands *operands, const struct csr *a, enum precision precision,
                          const struct operands_options *options, struct progress *progress,
                          struct error *error);

/* Copy the vectors to the device, unless they are there. Fails with STATUS_LIMIT if they do not fit, and as
 * the device does. */
enum status operands_place(struct operands *operands, struct device *device, struct error *error);

/* Free the vectors on the device. */
void operands_displace(struct operands *operands);

/* Prepare y for a product that will be checked. If products are added to y, it becomes `start`; else it
 * becomes NaN everywhere, so that a row that the product does not write stays NaN. */
enum status operands_poison(struct operands *operands, struct device *device, struct error *error);

/* If products are added to y, make y `start` again after some hundred products: growing sums would leave the
 * range of real products. Call this before timing. */
enum status operands_settle(struct operands *operands, struct device *device, struct error *error);

/* Run this number of products. *seconds becomes the time of one of them. */
enum status operands_run(struct operands *operands, struct launch *launch, int products, double *seconds,
                         struct error *error);

/* Run this number of products without timing them, on a device without waiting before the first. */
enum status operands_repeat(struct operands *operands, struct launch *launch, int products,
                            struct error *error);

/* Time this number of products in a graph of them (time_graph of kernels/gpu/device.h). */
enum status operands_run_graph(struct operands *operands, struct launch *launch, int products,
                               double *seconds, struct error *error);

/* Compare y with the reference, after one product from a poisoned y (reference_check). */
enum status operands_check(const struct operands *operands, struct device *device, double *max_error,
                           struct error *error);

/* Run a product of a single vector by this kernel, and find *residual = max abs(A x - b) / max abs(b), with
 * A^T for A in a transposed one, where b has as many elements as y; abs is the modulus of a complex number.
 * If b is 0 it is max abs(A x), and if A x is not finite it is infinite. */
enum status operands_residual(struct operands *operands, struct launch *launch, const struct vector *b,
                              double *residual, struct error *error);

void operands_free(struct operands *operands);

/* Random elements of X, or of `start`, determined by a seed: from vectors with n elements, element first + i
 * for each i, or col[i] if there is a list. It goes to position at + i of vectors with `size` elements. */
struct operands_draw {
    bool y; /* of `start` */
    uint64_t seed;
    int64_t n, first, at, size;
    const int32_t *col;
};

/* Draw `count` elements of each vector into `data`. An element does not depend on which others are drawn. */
void operands_draw(const struct operands *operands, const struct operands_draw *draw, int64_t count,
                   void *data);

#endif
