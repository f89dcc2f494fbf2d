/* Patterns derived from a matrix, to be looked at as if they were matrices of their own: the entries that a
 * cut leaves over, and the rows in another order. Only where the entries are is derived: the values stay with
 * the matrix. */
#ifndef SPARSIGHT_ANALYSIS_DERIVE_H
#define SPARSIGHT_ANALYSIS_DERIVE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/pyramid.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* The entries of `a` beyond the k-th of their row: what HYB stores as COO (Bell and Garland, "Implementing
 * sparse matrix-vector multiplication on throughput-oriented processors", SC 2009). Same rows and columns;
 * rest->val is NULL. Parallel; O(rows + entries left). The caller frees with csr_free, which on failure has
 * nothing to do. */
enum status derive_rest(const struct csr *a, int64_t k, struct progress *progress, struct csr *rest,
                        struct error *error);

/* The matrix whose row p is row order[p] of `a`; out->val is NULL. Parallel, O(rows + nnz). The caller frees
 * with csr_free. */
enum status derive_order(const struct csr *a, const int32_t *order, struct progress *progress,
                         struct csr *out, struct error *error);

/* A derived pattern with what is needed to draw it. Start with {0}. */
struct derived {
    struct csr csr;         /* without values */
    struct pyramid pyramid; /* with cells like those of the matrix's own */
    int32_t *order;         /* the row at each position, and */
    int32_t *position;      /* the position of each row; both NULL if the rows stand in their own order */
};

/* The entries beyond k, and the rows by length within windows of `window` rows (see sort_rows: all rows for
 * JDS, sigma for SELL-C-sigma), each with its pyramid. `like` is the pyramid of `a`. STATUS_LIMIT, and
 * nothing allocated, if it would take more than memory_limit(limit). The caller frees with derived_free, also
 * after failure. */
enum status derived_rest(const struct csr *a, const struct pyramid *like, int64_t k, size_t limit,
                         struct progress *progress, struct derived *derived, struct error *error);
enum status derived_by_length(const struct csr *a, const struct pyramid *like, int64_t window, size_t limit,
                              struct progress *progress, struct derived *derived, struct error *error);
void derived_free(struct derived *derived);

#endif
