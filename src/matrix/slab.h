/* A slab of a matrix, which is a run of its rows, with what has to be known of the whole. Analyses look at
 * slabs and their results are put together, so that they come out the same whether one process has all rows
 * or several have some each. */
#ifndef SPARSIGHT_MATRIX_SLAB_H
#define SPARSIGHT_MATRIX_SLAB_H

#include <stdbool.h>
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
