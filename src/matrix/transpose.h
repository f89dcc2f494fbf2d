/* The transposed matrix: of the arrays alone, and of all that was loaded. */
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

/* Replace a loaded matrix by its transposed one: "^T" follows its name, and its symmetry stays, since A^T of
 * a skew-symmetric or Hermitian matrix is one as well; nothing is conjugated. A symmetric matrix is its own
 * transposed one, and takes no time. Others are held twice meanwhile, within `limit` bytes together; 0: what
 * memory_check allows. STATUS_LIMIT, STATUS_MEMORY, STATUS_CANCELLED; on failure the matrix is as it was. */
enum status matrix_transpose(struct matrix *matrix, size_t limit, struct progress *progress,
                             struct error *error);

#endif
