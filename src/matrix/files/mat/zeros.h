/* Explicit zeros that stand apart from a matrix. Only files/mat uses this. */
#ifndef SPARSIGHT_MATRIX_FILES_MAT_ZEROS_H
#define SPARSIGHT_MATRIX_FILES_MAT_ZEROS_H

#include <stddef.h>

#include "base/error.h"
#include "matrix/csr.h"

/* Give matrix `a` an entry of value 0 wherever `pattern`, of the same size, has one and `a` has none. *added
 * becomes how many there are. STATUS_LIMIT, STATUS_MEMORY; then `a` is as it was. O(entries + rows). */
enum status zeros_add(struct csr *a, const struct csr *pattern, size_t limit, int64_t *added,
                      struct error *error);

#endif
