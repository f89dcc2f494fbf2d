/* SSS: symmetric sparse skyline, the diagonal and the strictly lower triangle (Saad, SPARSKIT: a basic tool
 * kit for sparse matrix computations, version 2, 1994; in OSKI and CSB, too). */
#ifndef SPARSIGHT_FORMATS_SSS_H
#define SPARSIGHT_FORMATS_SSS_H

#include "formats/format.h"

/* The arrays: row i has elements row_ptr[i] .. row_ptr[i+1]-1 of col and val, whose columns ascend and are
 * less than i; diag[i] is the entry (i, i). Part 0 of the storage is the diagonal, part 1 the triangle. */
enum { SSS_ROW_PTR, SSS_COL, SSS_VAL, SSS_DIAG };

extern const struct format format_sss;

#endif
