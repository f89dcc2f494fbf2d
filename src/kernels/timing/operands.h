/* The vectors of one precision that products are run on, on the host and on a device, and what the products
 * should be. Only for timing (kernels/bench.c, kernels/rounds.c), and for the tests of devices. */
#ifndef SPARSIGHT_KERNELS_TIMING_OPERANDS_H
#define SPARSIGHT_KERNELS_TIMING_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/device.h"
#include "kernels/kernel.h"
#include "kernels/timing/check.h"

/* The vectors in the memory of a device. */
struct placed {
    struct device *device; /* NULL: they are not there */
    void *x, *y;
    void *start;   /* NULL unless products are added to y */
    void *fetched; /* y, copied to the host */
    int64_t added; /* as in struct operands */
};

/* Start with {0}; free with operands_free, before the device is closed. What is done with them is done on the
 * device of the launch: NULL is the host. On a device everything can fail, with the reason that the device
 * gives. */
struct operands {
    bool ready;
    enum precision precision;
    int64_t rows, cols;
    struct product product;
    void *x, *y;
    void *start;   /* what y holds before a product that is added to it; else NULL */
    int64_t added; /* products added to y since it was `start` */
    struct reference reference;
    struct placed placed;
};

struct operands_options {
    struct product product;
    const double *x; /* cols elements, all finite; or NULL: random */
    uint64_t seed;   /* of random vectors; 0: 1 */
};

/* Make them, once, for the product of these options: x is options->x, or random numbers of magnitude 1/2 to 1
 * that follow from the seed (so small that nothing overflows, so large that no entry goes unnoticed because
 * of its x); `start` likewise.
 * STATUS_MEMORY, STATUS_LIMIT, STATUS_CANCELLED, or STATUS_UNAVAILABLE for an x that is no number in this
 * precision; nothing is kept then. O(nnz), parallel. */
enum status operands_make(struct operands *operands, const struct csr *a, enum precision precision,
                          const struct operands_options *options, struct progress *progress,
                          struct error *error);

/* Copy them to the device, once. STATUS_LIMIT if they do not fit there, or what else the device says. */
enum status operands_place(struct operands *operands, struct device *device, struct error *error);

/* Free what lies on the device. */
void operands_displace(struct operands *operands);

/* Make y ready for a product that will be checked: NaN everywhere, which no row is left with, or `start`. */
enum status operands_poison(struct operands *operands, struct device *device, struct error *error);

/* What is added up without end would leave the numbers that are usual: once in some hundred products y
 * becomes `start` again. To be called before what is timed. */
enum status operands_settle(struct operands *operands, struct device *device, struct error *error);

/* Run so many products; *seconds: that one took. */
enum status operands_run(struct operands *operands, struct launch *launch, int products, double *seconds,
                         struct error *error);

/* Hold y, after one product from a poisoned y, against the reference. */
enum status operands_check(const struct operands *operands, struct device *device, double *max_error,
                           struct error *error);

/* *residual = max abs(A x - b) / max abs(b), A x being computed by this kernel; just max abs(A x) if b is 0,
 * and infinite if A x is not finite. b has `rows` elements. One product. */
enum status operands_residual(struct operands *operands, struct launch *launch, const double *b,
                              double *residual, struct error *error);

void operands_free(struct operands *operands);

#endif
