/* Structure: bandwidths, profile, symmetry, diagonals. */
#ifndef SPARSIGHT_ANALYSIS_STRUCTURE_H
#define SPARSIGHT_ANALYSIS_STRUCTURE_H

#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

struct structure {
    int64_t lower_bandwidth;   /* max over entries of max(0, i - j) */
    int64_t upper_bandwidth;   /* max over entries of max(0, j - i) */
    int64_t profile;           /* sum over nonempty rows of max(0, i - min j) */
    int64_t diagonal_nonzeros; /* entries with i = j, explicit zeros included */
    int64_t diagonals;         /* distinct j - i that have an entry */
    int64_t empty_rows, empty_cols;
    double pattern_symmetry; /* share of off-diagonal entries (i,j) whose (j,i) exists; NaN if the matrix is
                                not square or has no off-diagonal entry */
    double numeric_symmetry; /* share whose (j,i) exists with an equal value (both parts) */
};

/* Parallel. O(nnz log len): the mirror of each entry above the diagonal is sought in its row. */
enum status structure_of(const struct csr *a, struct progress *progress, struct structure *structure,
                         struct error *error);

#endif
