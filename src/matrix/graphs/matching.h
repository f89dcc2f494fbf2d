/* Matching: a largest set of entries of which no two share a row or a column. */
#ifndef SPARSIGHT_MATRIX_GRAPHS_MATCHING_H
#define SPARSIGHT_MATRIX_GRAPHS_MATCHING_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* Row i is matched with column col_of[i], column j with row row_of[j]; -1 stands for none. Owned;
 * matching_free takes {0}. */
struct matching {
    int32_t *col_of, *row_of;
    int64_t size; /* entries of the matching: the structural rank */
};

/* Find a largest matching: each row takes its first free column; then the matching is extended along shortest
 * augmenting paths until none is left (Hopcroft and Karp, SIAM J. Comput. 2, 1973). One thread; O(nnz
 * sqrt(rows + cols)) at worst. STATUS_MEMORY, STATUS_CANCELLED; on failure *matching is {0}. */
enum status matching_find(const struct csr *a, struct progress *progress, struct matching *matching,
                          struct error *error);

/* Return the bytes that matching_find takes, with the matching. */
size_t matching_bytes(const struct csr *a);

void matching_free(struct matching *matching);

#endif
