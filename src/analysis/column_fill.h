/* Bounds of the factors of QR and LU for a given order of the columns, from the pattern alone. A = Q R and P
 * A = L U. */
#ifndef SPARSIGHT_ANALYSIS_COLUMN_FILL_H
#define SPARSIGHT_ANALYSIS_COLUMN_FILL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* Numbers for an m x n matrix A in the given order of its columns. They are upper bounds for the factors of
 * any A with this pattern. If A has the strong Hall property and no entry cancels, QR reaches them. Then no
 * smaller pattern for LU holds for all values (Coleman, Edenbrandt and Gilbert, J. ACM 33, 1986; Gilbert and
 * Ng 1993). */
struct column_fill {
    int64_t entries; /* of L^T in A^T A + I = L L^T, with the diagonal. They bound R of QR, and U of LU with
                        partial pivoting for any choice of pivots (George and Ng, SIAM J. Sci. Statist.
                        Comput. 6, 1985) */
    double flops;    /* of this Cholesky factor: sum over its columns of (entries)^2 */
    int64_t householder; /* entries of the Householder vectors of QR, which bound L of LU if A is square and
                            has all diagonal entries (George and Ng, SIAM J. Sci. Statist. Comput. 8, 1987) */
    int64_t lacking;     /* number of columns for which elimination leaves no pivot row, such as if n > m. If
                            there are any, A has no full column rank: R has at most n - lacking rows, and the
                            bounds are less sharp */
};

/* Compute all members for a matrix whose columns are in memory (csr_here); values are not read. Neither A^T A
 * nor its graph is formed (fill_predict_rows). Row i with the first column f stands for edges from f to its
 * other columns: eliminating f makes a clique of these columns, so that the Cholesky factor is the same
 * (Gilbert, Li, Ng and Peyton, BIT 41, 2001). One thread; almost O(nnz), whatever the
 * size of R. STATUS_MEMORY, STATUS_CANCELLED; on failure *fill is {0}. */
enum status column_fill_predict(const struct csr *a, struct progress *progress, struct column_fill *fill,
                                struct error *error);

/* Return the largest number of bytes that column_fill_predict allocates temporarily. */
size_t column_fill_bytes(const struct csr *a);

#endif
