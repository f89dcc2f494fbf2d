/* The block triangular form of a matrix (Dulmage and Mendelsohn, Canadian J. Math. 10, 1958; Pothen and Fan,
 * ACM TOMS 16, 1990). Rows and columns can be permuted so that A becomes
 *
 *     [ H  *  * ]   H: more columns than rows, all of which are matched: underdetermined
 *     [    S  * ]   S: square, with a full diagonal, in turn block upper triangular
 *     [       V ]   V: more rows than columns, all of which are matched: overdetermined
 *
 * and no permutation makes the diagonal blocks of S smaller. */
#ifndef SPARSIGHT_MATRIX_GRAPHS_TRIANGULAR_H
#define SPARSIGHT_MATRIX_GRAPHS_TRIANGULAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

struct triangular {
    int64_t rank;           /* the structural rank: entries of a largest matching */
    int64_t h_rows, h_cols; /* of H: lines on alternating paths from free columns */
    int64_t square;         /* rows, and columns, of S */
    int64_t v_rows, v_cols; /* of V: lines on alternating paths from free rows */
    int64_t blocks;         /* diagonal blocks of S: strongly connected components */
    int64_t largest;        /* rows of the largest of them */
};

/* The block of each line. H is block 0 if it has a line, the diagonal blocks of S follow from the upper left
 * to the lower right, and V is the last block if it has a line. Owned; triangular_lines_free takes {0}. */
struct triangular_lines {
    int64_t blocks;     /* number of blocks, with H and V */
    bool under, over;   /* H is not empty; V is not empty */
    int32_t *row, *col; /* the blocks of rows and columns; an entry (i, j) has row[i] <= col[j] */
    int32_t *col_of;    /* the column that is matched with each row, or -1; both are in the same block */
};

/* Find the form from a largest matching (matrix/graphs/matching.h); and the block of each line, unless
 * `lines` is NULL. One thread; O(nnz sqrt(rows + cols)) at worst. STATUS_MEMORY, STATUS_CANCELLED; on failure
 * *lines is {0}. */
enum status triangular_find(const struct csr *a, struct progress *progress, struct triangular *triangular,
                            struct triangular_lines *lines, struct error *error);
void triangular_lines_free(struct triangular_lines *lines);

/* Return the temporary bytes of triangular_find, without its result in `lines`. */
size_t triangular_bytes(const struct csr *a);

#endif
