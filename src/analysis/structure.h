/* Structure: bandwidths, profile, symmetry, diagonals. */
#ifndef SPARSIGHT_ANALYSIS_STRUCTURE_H
#define SPARSIGHT_ANALYSIS_STRUCTURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

struct structure {
    int64_t lower_bandwidth;   /* maximum over entries (i, j) of max(0, i - j) */
    int64_t upper_bandwidth;   /* maximum over entries (i, j) of max(0, j - i) */
    int64_t profile;           /* sum over nonempty rows i of max(0, i - min j) */
    int64_t diagonal_nonzeros; /* entries with i = j, explicit zeros included */
    int64_t diagonals;         /* how many distinct j - i the entries have */
    int64_t empty_rows, empty_cols;
    double pattern_symmetry;   /* share of the off-diagonal entries (i, j) for which there is an entry (j, i);
                                  NaN if the matrix is not square or has no off-diagonal entry */
    double numeric_symmetry;   /* share of them for which (j, i) has an equal value, too */
    double conjugate_symmetry; /* share of them for which (j, i) has the conjugate value; of a real matrix the
                                  same as numeric_symmetry */
};

/* Return the bytes that structure_of takes for a while, a bit a column and a bit a diagonal. */
size_t structure_bytes(int64_t rows, int64_t cols);

/* Compute all of it. Parallel; O(nnz log len), since the mirror image of each entry above the diagonal is
 * sought in its row. STATUS_MEMORY, STATUS_CANCELLED. */
enum status structure_of(const struct csr *a, struct progress *progress, struct structure *structure,
                         struct error *error);

#endif
