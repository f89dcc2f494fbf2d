/* The skeleton of a matrix whose entries are not in memory: what of it the sizes of formats follow from. */
#ifndef SPARSIGHT_MATRIX_SKELETON_H
#define SPARSIGHT_MATRIX_SKELETON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "matrix/csr.h"

/* The matrix has offsets and no other arrays. Whoever is handed it as a matrix to be planned for a format
 * asks skeleton_of before it looks at an entry. Free with skeleton_free, which takes {0}. */
struct skeleton {
    struct csr csr; /* with row_ptr; first, so that it is found from a pointer to this */
    bool complex;
    int64_t *col_ptr; /* cols + 1: the entries before each column, were they stored by columns; owned */
    uint64_t
        *diagonals; /* the set (base/set.h) of the diagonals j - i + rows - 1 that have an entry; owned */
};

/* Return the skeleton that a matrix is, which has entries by its offsets, but no arrays of them; NULL of
 * every other matrix, one without entries and one whose entries are far (struct csr_far) among them. */
static inline const struct skeleton *skeleton_of(const struct csr *a)
{
    return csr_nnz(a) > 0 && !a->col && !a->val && !a->far ? (const struct skeleton *)(const void *)a : NULL;
}

/* True if values are complex, of a matrix or a skeleton. */
static inline bool skeleton_complex(const struct csr *a)
{
    const struct skeleton *skeleton = skeleton_of(a);
    return skeleton ? skeleton->complex : a->imaginary != NULL;
}

void skeleton_free(struct skeleton *skeleton);

#endif
