/* The fill of a Cholesky factorisation of a case's matrix. Only case.c uses this. */
#ifndef SPARSIGHT_SESSION_FILLS_H
#define SPARSIGHT_SESSION_FILLS_H

#include <stdbool.h>

#include "analysis/fill.h"
#include "matrix/matrix.h"

struct fills {
    int64_t lower;   /* entries of the lower triangle of A + A^T + I; 0 if the matrix is not square */
    struct fill own; /* in the order of the case */
    struct fill amd; /* after ordering by AMD; {0} without that library, or if AMD cannot order the matrix */
};

/* Compute both, or nothing if the matrix is not square. The order is AMD's with its defaults
 * (matrix/orders/amd.c), which takes more than linear time. Lack of AMD or of its memory is not a failure.
 * STATUS_MEMORY, STATUS_CANCELLED. */
enum status fills_of(const struct matrix *matrix, size_t limit, struct progress *progress,
                     struct fills *fills, struct error *error);

/* Return the bytes that fills_of takes for a while, without those of AMD. */
size_t fills_bytes(const struct matrix *matrix);

#endif
