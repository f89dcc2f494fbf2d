/* Fill by the order of the columns: the entries of R in A = Q R, which bound those of L and U in P A = L U,
 * from the pattern alone. */
#ifndef SPARSIGHT_ANALYSIS_COLUMN_FILL_H
#define SPARSIGHT_ANALYSIS_COLUMN_FILL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* Of an m x n matrix A in the given order of its columns, if no entry cancels. All are upper bounds for the
 * factors of any A with this pattern. They are reached by QR, and are the least possible ones for LU, if A
 * has the strong Hall property (Coleman, Edenbrandt and Gilbert, J. ACM 33, 1986; Gilbert and Ng 1993). */
struct column_fill {
    int64_t entries;     /* of L^T in A^T A + I = L L^T, with the diagonal: a bound of R of QR, and of U of LU
                            with partial pivoting, whichever rows that chooses (George and Ng, SIAM J. Sci.
                            Statist. Comput. 6, 1985) */
    double flops;        /* of this Cholesky factor: sum over its columns of (entries)^2 */
    int64_t householder; /* entries of the Householder vectors of QR, which bound L of LU if A is square with
                            a diagonal without zeros (George and Ng, SIAM J. Sci. Statist. Comput. 8, 1987) */
    int64_t lacking;     /* columns for which elimination leaves no row to pivot on. If there are any, such as
                            if n > m, A has no full column rank: R then has at most n - lacking rows, and the
                            bounds are less sharp */
};

/* Compute all for a matrix whose columns are in memory (csr_here); values are not read. A^T A is not formed:
 * row i of A, whose first column is f, is replaced by the edges from f to the row's other columns.
 * Eliminating f joins all of these, so that the Cholesky factor is the same (Gilbert, Li, Ng and Peyton, BIT
 * 41, 2001). The entries of the factor are counted as fill_predict does. One thread; almost O(nnz), whatever
 * the size of R. STATUS_MEMORY, STATUS_CANCELLED; on failure *fill is {0}. */
enum status column_fill_predict(const struct csr *a, struct progress *progress, struct column_fill *fill,
                                struct error *error);

/* Return the most bytes that column_fill_predict allocates and frees again. */
size_t column_fill_bytes(const struct csr *a);

#endif
