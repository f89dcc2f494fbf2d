/* The transposed matrix. */
#ifndef SPARSIGHT_MATRIX_TRANSPOSE_H
#define SPARSIGHT_MATRIX_TRANSPOSE_H

#include "base/job.h"
#include "matrix/csr.h"

/* Make *out the transposed matrix, in which entry (j, i) is entry (i, j) of `a`, not conjugated if that is
 * complex. It takes csr_bytes(a->cols, nnz, complex), which the caller frees with csr_free. Gustavson's
 * counting sort (matrix/build.h) by one thread; O(nnz + rows + cols). STATUS_MEMORY, STATUS_CANCELLED; on
 * failure *out is {0}. */
enum status csr_transpose(const struct csr *a, struct progress *progress, struct csr *out,
                          struct error *error);

#endif
