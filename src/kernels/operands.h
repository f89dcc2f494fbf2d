/* The vectors of one precision that products are run on, and what the products should be. Only for timing
 * (kernels/bench.c, kernels/rounds.c). */
#ifndef SPARSIGHT_KERNELS_OPERANDS_H
#define SPARSIGHT_KERNELS_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "kernels/check.h"
#include "kernels/kernel.h"

/* Start with {0}; free with operands_free. */
struct operands {
    bool ready;
    enum precision precision;
    int64_t rows, cols;
    bool accumulate; /* products are y += A x */
    void *x, *y;
    void *start;   /* what y holds before a product that is added to it; NULL unless accumulate */
    int64_t added; /* products added to y since it was `start` */
    struct reference reference;
};

/* Make them, once: x is `x`, or random numbers of magnitude 1/2 to 1 that follow from the seed (so small that
 * nothing overflows, so large that no entry goes unnoticed because of its x); `start` likewise.
 * STATUS_MEMORY, STATUS_LIMIT, STATUS_CANCELLED, or STATUS_UNAVAILABLE for an x that is no number in this
 * precision; nothing is kept then. O(nnz), parallel. */
enum status operands_make(struct operands *operands, const struct csr *a, enum precision precision,
                          bool accumulate, const double *x, uint64_t seed, struct progress *progress,
                          struct error *error);

/* Make y ready for a product that will be checked: NaN everywhere, which no row is left with, or `start`. */
void operands_poison(struct operands *operands);

/* What is added up without end would leave the numbers that are usual: once in some hundred products y
 * becomes `start` again. To be called before what is timed. */
void operands_settle(struct operands *operands);

/* Run so many products; returns the seconds that one took. */
double operands_run(struct operands *operands, struct launch *launch, int products);

/* Hold y, after one product from a poisoned y, against the reference. */
enum status operands_check(const struct operands *operands, double *max_error, struct error *error);

/* max abs(A x - b) / max abs(b), A x being computed by this kernel; just max abs(A x) if b is 0, and infinite
 * if A x is not finite. b has `rows` elements. One product. */
double operands_residual(struct operands *operands, struct launch *launch, const double *b);

void operands_free(struct operands *operands);

#endif
