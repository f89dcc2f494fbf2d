/* Patterns derived from a matrix and shown as separate matrices: a part of the entries, or the rows in
 * another order. They have no values. */
#ifndef SPARSIGHT_ANALYSIS_DERIVE_H
#define SPARSIGHT_ANALYSIS_DERIVE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/pyramid.h"
#include "analysis/tiles.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* *rest becomes the entries of `a` after the k-th of their row, which HYB stores as COO (Bell and Garland,
 * "Implementing sparse matrix-vector multiplication on throughput-oriented processors", SC 2009). It has as
 * many rows and columns; rest->val is NULL. Parallel; O(rows + entries left). The caller frees it with
 * csr_free; on failure it is {0}. */
enum status derive_rest(const struct csr *a, int64_t k, struct progress *progress, struct csr *rest,
                        struct error *error);

/* *out becomes the matrix whose row p is row order[p] of `a`; out->val is NULL. Parallel, O(rows + nnz). The
 * caller frees it with csr_free; on failure it is {0}. */
enum status derive_order(const struct csr *a, const int32_t *order, struct progress *progress,
                         struct csr *out, struct error *error);

/* The entries that remain: real values below 0, or entries (i, j) of a square matrix without an entry (j,
 * i). */
enum derive_which { DERIVE_BELOW_0, DERIVE_WITHOUT_MIRROR };

/* A derived pattern with the data to draw it. Start with {0}. */
struct derived {
    struct csr csr;         /* without values */
    struct pyramid pyramid; /* with cells as large as those of the matrix */
    struct tiles tiles;     /* of these cells; {0} if there are none */
    int32_t *order;         /* the row at each position; NULL if rows stand in their own order */
    int32_t *position;      /* the position of each row; NULL if rows stand in their own order */
};

/* Derive the entries after the k-th of each row; or the rows by length within windows of `window` rows
 * (sort_rows: all rows for JDS, sigma for SELL-C-sigma). `like` is the pyramid of `a`. STATUS_LIMIT, before
 * anything is allocated, if it would take more than memory_limit(limit). The caller frees *derived with
 * derived_free, also after failure. */
enum status derived_rest(const struct csr *a, const struct pyramid *like, int64_t k, size_t limit,
                         struct progress *progress, struct derived *derived, struct error *error);
enum status derived_by_length(const struct csr *a, const struct pyramid *like, int64_t window, size_t limit,
                              struct progress *progress, struct derived *derived, struct error *error);

/* Derive the entries that `which` selects. A complex matrix has no values below 0. The entries of a matrix
 * that is not square have no mirror images. Parallel; O(rows + nnz), for mirror images O(nnz log len).
 * STATUS_LIMIT, before they are allocated, as above. */
enum status derived_some(const struct csr *a, const struct pyramid *like, enum derive_which which,
                         size_t limit, struct progress *progress, struct derived *derived,
                         struct error *error);
void derived_free(struct derived *derived);

#endif
