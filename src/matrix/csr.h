/* The canonical matrix: compressed sparse rows, entries sorted by column in every row, no column twice. */
#ifndef SPARSIGHT_MATRIX_CSR_H
#define SPARSIGHT_MATRIX_CSR_H

#include <stdint.h>

#include "base/error.h"

/* Row i holds entries row_ptr[i] .. row_ptr[i+1]-1 (PMPP, section 10.2). Indices count from 0; rows and cols
 * are at most INT32_MAX. The struct owns all arrays, which csr_free frees; it takes {0}, too. */
struct csr_far;
struct csr {
    int64_t rows;
    int64_t cols;
    int64_t *row_ptr;  /* rows + 1 offsets; row_ptr[0] = 0 */
    int32_t *col;      /* nnz columns, ascending in each row */
    double *val;       /* nnz values; the real part if complex; 1 for a pattern matrix. Never NULL. */
    double *imaginary; /* nnz imaginary parts; NULL unless complex */
    /* Of a matrix whose entries lie in other processes what is known of its columns here; not owned. Then
     * `col` and `val` are NULL, and `imaginary` only tells whether it is complex. NULL: they are here. */
    const struct csr_far *far;
};

/* What formats are planned by if the entries of a matrix are far, beside the lengths of its rows. */
struct csr_far {
    const int64_t *col_ptr; /* cols + 1: where columns begin if entries are stored column by column */
    const uint64_t
        *diagonals; /* a set of rows + cols: number j - i + rows - 1 if diagonal j - i has an entry */
    /* Return in how many blocks there is an entry if the matrix is divided into blocks of size x size places,
     * and how many of them the block row has that has most. Counting ends early once there are more than
     * `max`. */
    int64_t (*count_blocks)(const struct csr_far *far, int64_t size, int64_t max, int64_t *longest);
    /* Return how many such blocks each block row has, with the bit CSR_FAR_LAST if one of them is in the last
     * block column. The array stays until the next call; NULL if there is no memory for it. */
    const uint32_t *(*block_rows)(const struct csr_far *far, int64_t size);
    void *context; /* of these two */
};
#define CSR_FAR_LAST ((uint32_t)1 << 31)

/* True if there is more to look at than row_ptr and what `far` has: the columns of the entries. */
static inline int csr_here(const struct csr *a)
{
    return !a->far || a->col;
}

static inline int64_t csr_nnz(const struct csr *a)
{
    return a->row_ptr ? a->row_ptr[a->rows] : 0;
}

/* Return the number of entry (i, j) among all entries, or -1 if there is none. O(log of the row's length). */
int64_t csr_find(const struct csr *a, int64_t i, int64_t j);

/* Return the first entry of row i whose column is j or larger; row_ptr[i+1] if there is none. O(log of the
 * row's length). */
int64_t csr_lower_bound(const struct csr *a, int64_t i, int64_t j);

/* Return the row that holds entry k, 0 <= k < nnz. O(log rows). */
int64_t csr_row_of(const struct csr *a, int64_t k);

/* Write entry number `from` over entry number `to`. */
static inline void csr_move(struct csr *a, int64_t from, int64_t to)
{
    a->col[to] = a->col[from];
    a->val[to] = a->val[from];
    if (a->imaginary) a->imaginary[to] = a->imaginary[from];
}

/* Check all that is said above of the arrays. STATUS_INPUT names the first row where it does not hold.
 * Parallel, O(nnz + rows). */
enum status csr_validate(const struct csr *a, struct error *error);

/* Return the bytes of the arrays of a matrix with so many rows and entries; SIZE_MAX on overflow. */
size_t csr_bytes(int64_t rows, int64_t nnz, int complex);

/* Remove the entries whose value is zero, of complex ones both parts, in place. Returns how many there were.
 */
int64_t csr_drop_zeros(struct csr *a);

/* Return how many entries have the value zero, of complex ones in both parts. Parallel. */
int64_t csr_count_zeros(const struct csr *a);

void csr_free(struct csr *a);

#endif
