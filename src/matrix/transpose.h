/* The transposed matrix: of the arrays alone, and of a loaded matrix with its metadata. */
#ifndef SPARSIGHT_MATRIX_TRANSPOSE_H
#define SPARSIGHT_MATRIX_TRANSPOSE_H

#include "base/job.h"
#include "matrix/csr.h"

struct matrix;

/* Make *out the transposed matrix, in which entry (j, i) is entry (i, j) of `a`, not conjugated if that is
 * complex. It takes csr_bytes(a->cols, nnz, complex), which the caller frees with csr_free. Gustavson's
 * counting sort (matrix/build.h) by one thread; O(nnz + rows + cols). STATUS_MEMORY, STATUS_CANCELLED; on
 * failure *out is {0}. */
enum status csr_transpose(const struct csr *a, struct progress *progress, struct csr *out,
                          struct error *error);

/* Replace a loaded matrix by its transpose: "^T" is appended to its name. Its symmetry stays the same, since
 * A^T of a skew-symmetric or Hermitian matrix has the same symmetry; nothing is conjugated. A symmetric
 * matrix is its own transpose, and takes no time. Others temporarily need memory for both matrices, within
 * `limit` bytes; 0: the default of memory_check. STATUS_LIMIT, STATUS_MEMORY, STATUS_CANCELLED; on failure
 * the matrix is unchanged. */
enum status matrix_transpose(struct matrix *matrix, size_t limit, struct progress *progress,
                             struct error *error);

#endif
