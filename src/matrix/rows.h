/* Bringing freshly placed rows into canonical order: sorting, then merging duplicates. Only build.c uses
 * this.
 */
#ifndef SPARSIGHT_MATRIX_ROWS_H
#define SPARSIGHT_MATRIX_ROWS_H

#include "matrix/build.h"
#include "matrix/csr.h"
#include "matrix/mirrors.h"

/* Sort the entries of every row by column, in place. Parallel. For a row of len entries O(len) time if it is
 * already sorted, else O(len log len), or O(len^2) comparisons for 16 to 64 entries. Progress counts rows. */
enum status rows_sort(struct csr *a, struct progress *progress, struct error *error);

/* Merge entries with the same column in a row, by source->duplicates, close the gaps, and shrink the arrays.
 * Fills in result->duplicates and result->agreeing_mirrors, and lists the positions of summed duplicates if
 * the source has a list for them; STATUS_MEMORY if that cannot grow. If there is a duplicate, one thread
 * moves the entries within the same arrays, in O(nnz) time. */
enum status rows_merge(struct csr *a, const struct source *source, const struct mirrors *mirrors,
                       struct build_result *result, struct error *error);

#endif
