/* The block triangular form of a matrix (Dulmage and Mendelsohn, Canadian J. Math. 10, 1958; Pothen and Fan,
 * ACM TOMS 16, 1990). Rows and columns can be permuted so that A becomes
 *
 *     [ H  *  * ]   H: more columns than rows, all of which are matched: underdetermined
 *     [    S  * ]   S: square, with a full diagonal, in turn block upper triangular
 *     [       V ]   V: more rows than columns, all of which are matched: overdetermined
 *
 * and no permutation makes the diagonal blocks of S smaller. */
#ifndef SPARSIGHT_ANALYSIS_TRIANGULAR_H
#define SPARSIGHT_ANALYSIS_TRIANGULAR_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

struct triangular {
    int64_t rank;           /* the structural rank: entries of a largest matching */
    int64_t h_rows, h_cols; /* of H: what can be reached from free columns by alternating paths */
    int64_t square;         /* rows, and columns, of S */
    int64_t v_rows, v_cols; /* of V: what can be reached from free rows */
    int64_t blocks;         /* diagonal blocks of S: strongly connected components */
    int64_t largest;        /* rows of the largest of them */
};

/* Find it from a largest matching (analysis/matching.h). One thread; O(nnz sqrt(rows + cols)) at worst.
 * STATUS_MEMORY, STATUS_CANCELLED. */
enum status triangular_find(const struct csr *a, struct progress *progress, struct triangular *triangular,
                            struct error *error);

/* Return the bytes that triangular_find takes for a while. */
size_t triangular_bytes(const struct csr *a);

#endif
