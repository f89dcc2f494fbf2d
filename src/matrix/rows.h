/* Bringing freshly placed rows into canonical order: sorting, then merging duplicates. Used by build.c only.
 */
#ifndef SPARSIGHT_MATRIX_ROWS_H
#define SPARSIGHT_MATRIX_ROWS_H

#include "matrix/build.h"
#include "matrix/csr.h"
#include "matrix/mirrors.h"

/* Sort every row by column, in place. Parallel; O(nnz) if sorted already, else O(len log len) a row. Progress
 * counts rows. */
enum status rows_sort(struct csr *a, struct progress *progress, struct error *error);

/* Make one entry of those with the same column in a row, as source->duplicates says, and close the gaps.
 * Fills in result->duplicates and agreeing_mirrors. The arrays shrink. O(nnz) once a duplicate exists, and at
 * one thread, since entries move within the same arrays. */
void rows_merge(struct csr *a, const struct source *source, const struct mirrors *mirrors,
                struct build_result *result);

#endif
