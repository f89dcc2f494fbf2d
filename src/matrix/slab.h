/* A slab of a matrix is a contiguous range of its rows, with the facts needed on the whole matrix. Analyses
 * process slabs, and their results are combined, so that they are the same for one process and for
 * several. */
#ifndef SPARSIGHT_MATRIX_SLAB_H
#define SPARSIGHT_MATRIX_SLAB_H

#include <stdint.h>

#include "matrix/csr.h"

struct slab {
    const struct csr
        *a;        /* the rows of the slab, of which the first is its row 0; columns are those of the whole */
    int64_t first; /* the row of the matrix that row 0 of `a` is */
    int64_t before;          /* the entries of the matrix in the rows before it */
    int64_t rows, cols, nnz; /* of the whole matrix */
};

/* Return all rows of a matrix as one slab. */
static inline struct slab slab_of(const struct csr *a)
{
    return (struct slab){.a = a, .rows = a->rows, .cols = a->cols, .nnz = csr_nnz(a)};
}

#endif
