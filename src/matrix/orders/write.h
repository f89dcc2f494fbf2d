/* Writing a matrix, or the permutation that brings it into its order, to a stream. */
#ifndef SPARSIGHT_MATRIX_ORDERS_WRITE_H
#define SPARSIGHT_MATRIX_ORDERS_WRITE_H

#include <stdio.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/reader.h"
#include "matrix/matrix.h"
#include "matrix/orders/permute.h"

/* The data to write, owned by the caller. */
struct writing {
    const struct matrix *matrix;
    const struct permutation *permutation; /* NULL: write the matrix */
    const char *comment;                   /* may be NULL */
    const struct reader *writer;           /* the format of the matrix; permutations are Matrix Market
                                              vectors */
};

/* Write it to `file`, compressed by the ending of `path` (compressor_open); `path` may be NULL. Fails as the
 * writer does, and with STATUS_USAGE for the ending of an archive, STATUS_IO, STATUS_CANCELLED. */
enum status writing_run(const struct writing *writing, FILE *file, const char *path,
                        struct progress *progress, struct error *error);

#endif
